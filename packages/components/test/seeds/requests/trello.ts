import { toExchanges } from "../exchange.ts";
import { PICTURE, picture } from "../test-files.ts";

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
		get_card: {
			params: { card_id: "5abbe4b7ddc1b351ef961415" },
			sends: `GET /cards/5abbe4b7ddc1b351ef961415?${AUTH}`,
			answer: card,
		},
		move_card: {
			params: { card_id: "5abbe4b7ddc1b351ef961415", list_id: "5abbe4b7ddc1b351ef961416", position: "top" },
			sends: `PUT /cards/5abbe4b7ddc1b351ef961415?idList=5abbe4b7ddc1b351ef961416&pos=top&${AUTH}`,
			answer: { ...card, idList: "5abbe4b7ddc1b351ef961416" },
		},
		create_list: {
			params: { board_id: "5abbe4b7ddc1b351ef961413", name: "Done" },
			sends: `POST /lists?idBoard=5abbe4b7ddc1b351ef961413&name=Done&pos=bottom&${AUTH}`,
			answer: { id: "5abbe4b7ddc1b351ef961416", name: "Done", closed: false },
		},
		attach_url: {
			params: { card_id: "5abbe4b7ddc1b351ef961415", url: "https://example.com/?a=b", name: "Page" },
			sends: `POST /cards/5abbe4b7ddc1b351ef961415/attachments?url=https%3A%2F%2Fexample.com%2F%3Fa%3Db&name=Page&${AUTH}`,
			answer: { id: "a2", url: "https://example.com/?a=b", name: "Page" },
		},
		attach_file: {
			params: { card_id: "5abbe4b7ddc1b351ef961415", file: picture, name: "Chart" },
			sends: `POST /cards/5abbe4b7ddc1b351ef961415/attachments?${AUTH}`,
			parts: [
				{ name: "name", content: "Chart" },
				{ name: "file", filename: "chart ü.png", type: "image/png", content: PICTURE },
			],
			answer: { id: "a3", url: "https://trello.com/1/cards/x/attachments/a3/download/chart.png" },
		},
		add_checklist: {
			params: { card_id: "5abbe4b7ddc1b351ef961415", name: "Steps" },
			sends: `POST /cards/5abbe4b7ddc1b351ef961415/checklists?name=Steps&${AUTH}`,
			answer: { id: "5abbe4b7ddc1b351ef961417", name: "Steps", checkItems: [] },
		},
		add_checklist_item: {
			params: { checklist_id: "5abbe4b7ddc1b351ef961417", name: "Call", checked: true },
			sends: `POST /checklists/5abbe4b7ddc1b351ef961417/checkItems?name=Call&checked=true&${AUTH}`,
			answer: { id: "i1", name: "Call", state: "complete" },
		},
		list_labels: {
			params: { board_id: "5abbe4b7ddc1b351ef961413" },
			sends: `GET /boards/5abbe4b7ddc1b351ef961413/labels?limit=1000&${AUTH}`,
			answer: [{ id: "l1", name: "Urgent", color: "red" }],
		},
		list_members: {
			params: { board_id: "5abbe4b7ddc1b351ef961413" },
			sends: `GET /boards/5abbe4b7ddc1b351ef961413/members?${AUTH}`,
			answer: [{ id: "m1", fullName: "Ada Lovelace", username: "ada" }],
		},
		search_cards: {
			params: { query: "due:week", board_ids: "5abbe4b7ddc1b351ef961413", limit: 10 },
			sends: `GET /search?query=due%3Aweek&modelTypes=cards&idBoards=5abbe4b7ddc1b351ef961413&cards_limit=10&cards_page=0&${AUTH}`,
			answer: { cards: [card], options: {} },
			output: [card],
		},
	},
);
