import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, flag, list, text } from "../schema-words.ts";
import { answer, object, orNull, params } from "./schema.ts";

const card_id = text("The card's id or short link");
const due = text("Due date, ISO 8601");
const labels = text("Ids of labels, comma-separated");
const members = text("Ids of members, comma-separated");
const card = answer({
	id: text("The card's id"),
	name: text("Its title"),
	desc: text("Its text"),
	url: text("URL of its page"),
	idList: text("The list it is in"),
	due: orNull(due),
	closed: flag("Whether it is archived"),
});

export const trello: ApiRecipe = {
	id: "trello",
	title: "Trello",
	description: "Boards, lists and cards of Trello.",
	auth: "trello_key",
	base_url: "https://api.trello.com/1",
	docs_url: "https://developer.atlassian.com/cloud/trello/rest/",
	operations: {
		list_boards: {
			title: "List your boards",
			method: "GET",
			path: "/members/me/boards",
			params: params(
				{},
				{ filter: choice(["all", "open", "closed", "starred"], "Filter by state", { default: "open" }) },
			),
			query: { filter: "{{params.filter}}", fields: "name,url,closed" },
			output: {
				schema: list(
					answer({ id: text("Its id"), name: text("Its name"), url: text("URL of its page") }),
					"The boards",
				),
			},
			examples: [{ title: "Open boards", params: {} }],
		},
		list_lists: {
			title: "List the lists of a board",
			method: "GET",
			path: "/boards/{board_id}/lists",
			params: params({ board_id: text("The board's id or short link") }),
			output: { schema: list(answer({ id: text("Its id"), name: text("Its name") }), "The lists") },
			examples: [{ title: "One board", params: { board_id: "5abbe4b7ddc1b351ef961413" } }],
		},
		list_cards: {
			title: "List the cards of a list",
			method: "GET",
			path: "/lists/{list_id}/cards",
			params: params({ list_id: text("The list's id") }),
			output: { schema: list(card, "The cards") },
			examples: [{ title: "One list", params: { list_id: "5abbe4b7ddc1b351ef961414" } }],
		},
		create_card: {
			title: "Create a card",
			method: "POST",
			path: "/cards",
			params: params(
				{ list_id: text("The list for the card"), name: text("Its title") },
				{
					description: text("Its text in Markdown"),
					position: choice(["top", "bottom"], "Position in the list", { default: "bottom" }),
					due,
					labels,
					members,
				},
			),
			query: {
				idList: "{{params.list_id}}",
				name: "{{params.name}}",
				desc: "{{params.description}}",
				pos: "{{params.position}}",
				due: "{{params.due}}",
				idLabels: "{{params.labels}}",
				idMembers: "{{params.members}}",
			},
			output: { schema: card },
			examples: [{ title: "A task", params: { list_id: "5abbe4b7ddc1b351ef961414", name: "Call back" } }],
		},
		update_card: {
			title: "Update or move a card",
			description: "Changes only the given fields.",
			method: "PUT",
			path: "/cards/{card_id}",
			params: params(
				{ card_id },
				{
					name: text("A new title"),
					description: text("A new text"),
					list_id: text("Move it to this list"),
					due,
					due_complete: flag("Whether the due date is marked complete"),
					archived: flag("true archives it, false restores it"),
				},
			),
			query: {
				name: "{{params.name}}",
				desc: "{{params.description}}",
				idList: "{{params.list_id}}",
				due: "{{params.due}}",
				dueComplete: "{{params.due_complete}}",
				closed: "{{params.archived}}",
			},
			output: { schema: card },
			examples: [
				{
					title: "Move it",
					params: { card_id: "5abbe4b7ddc1b351ef961415", list_id: "5abbe4b7ddc1b351ef961416" },
				},
			],
		},
		add_comment: {
			title: "Comment on a card",
			method: "POST",
			path: "/cards/{card_id}/actions/comments",
			params: params({ card_id, text: text("The comment in Markdown") }),
			query: { text: "{{params.text}}" },
			output: {
				schema: answer({
					id: text("The comment's id"),
					date: text("When"),
					data: object("The comment's text and its card"),
				}),
			},
			examples: [{ title: "Done", params: { card_id: "5abbe4b7ddc1b351ef961415", text: "Called." } }],
		},
	},
};
