import { toExchanges } from "../exchange.ts";

const card = {
	id: "5abbe4b7ddc1b351ef961415",
	name: "Call back",
	desc: "",
	url: "https://trello.com/c/abc/1-call-back",
	idList: "5abbe4b7ddc1b351ef961414",
	due: null,
	closed: false,
};
const AUTH = "key=test-trello-key&token=test-trello-token";

export const trello = toExchanges(
	{
		id: "trello",
		authRecipe: "trello_key",
		fields: { key: "test-trello-key", token: "test-trello-token" },
		base: "https://api.trello.com/1",
		headers: {},
	},
	{
		list_boards: {
			sends: `GET /members/me/boards?filter=open&fields=name%2Curl%2Cclosed&${AUTH}`,
			answer: [
				{ id: "5abbe4b7ddc1b351ef961413", name: "Work", url: "https://trello.com/b/abc/work", closed: false },
			],
		},
		list_lists: {
			params: { board_id: "5abbe4b7ddc1b351ef961413" },
			sends: `GET /boards/5abbe4b7ddc1b351ef961413/lists?${AUTH}`,
			answer: [{ id: "5abbe4b7ddc1b351ef961414", name: "To do", closed: false }],
		},
		list_cards: {
			params: { list_id: "5abbe4b7ddc1b351ef961414" },
			sends: `GET /lists/5abbe4b7ddc1b351ef961414/cards?${AUTH}`,
			answer: [card],
		},
		create_card: {
			params: { list_id: "5abbe4b7ddc1b351ef961414", name: "Call back", description: "Before noon & lunch" },
			sends: `POST /cards?idList=5abbe4b7ddc1b351ef961414&name=Call%20back&desc=Before%20noon%20%26%20lunch&pos=bottom&${AUTH}`,
			answer: card,
		},
		update_card: {
			params: { card_id: "5abbe4b7ddc1b351ef961415", archived: true },
			sends: `PUT /cards/5abbe4b7ddc1b351ef961415?closed=true&${AUTH}`,
			answer: { ...card, closed: true },
		},
		add_comment: {
			params: { card_id: "5abbe4b7ddc1b351ef961415", text: "Called." },
			sends: `POST /cards/5abbe4b7ddc1b351ef961415/actions/comments?text=Called.&${AUTH}`,
			answer: { id: "a1", date: "2026-01-31T09:00:00.000Z", data: { text: "Called." } },
		},
	},
);
