import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, file, flag, integer, list, text } from "../schema-words.ts";
import { answer, exampleFile, object, orNull, params } from "./schema.ts";

const card_id = text("The card's id or short link");
const board_id = text("The board's id or short link");
const position = text("top, bottom, or a number", { default: "bottom" });
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
	category: "projects",
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
			params: params({ board_id }),
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
		get_card: {
			title: "Get a card",
			method: "GET",
			path: "/cards/{card_id}",
			params: params({ card_id }),
			output: { schema: card },
			examples: [{ title: "One", params: { card_id: "5abbe4b7ddc1b351ef961415" } }],
		},
		move_card: {
			title: "Move a card to another list",
			method: "PUT",
			path: "/cards/{card_id}",
			params: params(
				{ card_id, list_id: text("The list to move it to") },
				{ board_id: text("The list's board, if it is another one"), position },
			),
			query: { idList: "{{params.list_id}}", idBoard: "{{params.board_id}}", pos: "{{params.position}}" },
			output: { schema: card },
			examples: [
				{
					title: "To the top",
					params: {
						card_id: "5abbe4b7ddc1b351ef961415",
						list_id: "5abbe4b7ddc1b351ef961416",
						position: "top",
					},
				},
			],
		},
		create_list: {
			title: "Create a list on a board",
			method: "POST",
			path: "/lists",
			params: params({ board_id: text("The board's id"), name: text("Its name") }, { position }),
			query: { idBoard: "{{params.board_id}}", name: "{{params.name}}", pos: "{{params.position}}" },
			output: { schema: answer({ id: text("The list's id"), name: text("Its name") }) },
			examples: [{ title: "One", params: { board_id: "5abbe4b7ddc1b351ef961413", name: "Done" } }],
		},
		attach_url: {
			title: "Attach a link to a card",
			method: "POST",
			path: "/cards/{card_id}/attachments",
			params: params({ card_id, url: text("The address") }, { name: text("Its name") }),
			query: { url: "{{params.url}}", name: "{{params.name}}" },
			output: { schema: answer({ id: text("The attachment's id"), url: text("Its address") }) },
			examples: [
				{ title: "A page", params: { card_id: "5abbe4b7ddc1b351ef961415", url: "https://example.com/" } },
			],
		},
		attach_file: {
			title: "Attach a file to a card",
			method: "POST",
			path: "/cards/{card_id}/attachments",
			params: params({ card_id, file: file("The file") }, { name: text("Its name; default its own") }),
			body: {
				kind: "multipart",
				parts: [
					{ name: "name", text: "{{params.name}}" },
					{ name: "file", file: "{{params.file}}" },
				],
			},
			output: { schema: answer({ id: text("The attachment's id"), url: text("Its address") }) },
			examples: [
				{
					title: "A report",
					params: { card_id: "5abbe4b7ddc1b351ef961415", file: exampleFile("report.pdf", "application/pdf") },
				},
			],
		},
		add_checklist: {
			title: "Add a checklist to a card",
			description: "Then add items with add_checklist_item.",
			method: "POST",
			path: "/cards/{card_id}/checklists",
			params: params({ card_id, name: text("Its name") }),
			query: { name: "{{params.name}}" },
			output: { schema: answer({ id: text("The checklist's id"), name: text("Its name") }) },
			examples: [{ title: "One", params: { card_id: "5abbe4b7ddc1b351ef961415", name: "Steps" } }],
		},
		add_checklist_item: {
			title: "Add an item to a checklist",
			method: "POST",
			path: "/checklists/{checklist_id}/checkItems",
			params: params(
				{ checklist_id: text("The checklist's id"), name: text("The item") },
				{ checked: flag("Whether it is checked") },
			),
			query: { name: "{{params.name}}", checked: "{{params.checked}}" },
			output: { schema: answer({ id: text("The item's id"), state: text("complete or incomplete") }) },
			examples: [{ title: "One", params: { checklist_id: "5abbe4b7ddc1b351ef961417", name: "Call" } }],
		},
		list_labels: {
			title: "List the labels of a board",
			method: "GET",
			path: "/boards/{board_id}/labels",
			params: params(
				{ board_id },
				{ limit: integer("Maximum number of results", { minimum: 1, maximum: 1000, default: 1000 }) },
			),
			query: { limit: "{{params.limit}}" },
			output: {
				schema: list(
					answer({ id: text("Its id"), name: text("Its name"), color: orNull(text("Its color")) }),
					"The labels",
				),
			},
			examples: [{ title: "One board", params: { board_id: "5abbe4b7ddc1b351ef961413" } }],
		},
		list_members: {
			title: "List the members of a board",
			method: "GET",
			path: "/boards/{board_id}/members",
			params: params({ board_id }),
			output: {
				schema: list(
					answer({ id: text("Its id"), fullName: text("Full name"), username: text("User name") }),
					"The members",
				),
			},
			examples: [{ title: "One board", params: { board_id: "5abbe4b7ddc1b351ef961413" } }],
		},
		search_cards: {
			title: "Search cards",
			method: "GET",
			path: "/search",
			params: params(
				{ query: text("Search words and operators, such as invoice due:week is:open") },
				{
					board_ids: text("Only these boards, comma-separated"),
					limit: integer("Maximum number of results", { minimum: 1, maximum: 1000, default: 50 }),
					page: integer("Page, from 0", { minimum: 0, maximum: 100, default: 0 }),
				},
			),
			query: {
				query: "{{params.query}}",
				modelTypes: "cards",
				idBoards: "{{params.board_ids}}",
				cards_limit: "{{params.limit}}",
				cards_page: "{{params.page}}",
			},
			paginate: {
				by: "page",
				param: "cards_page",
				start: 0,
				size_param: "cards_limit",
				size: 100,
				items: "cards",
			},
			output: { value: "{{data.cards}}", schema: list(card, "The cards") },
			examples: [{ title: "Due this week", params: { query: "due:week is:open" } }],
		},
	},
};
