import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, flag, integer, list, number, text } from "../schema-words.ts";
import { answer, object, orNull, params, pass } from "./schema.ts";

const deal_id = integer("The deal's id");
const person_id = integer("A person's id");
const org_id = integer("An organization's id");
const owner_id = integer("A user's id");
const custom_fields = object("Values of custom fields by their key");
const paging = {
	limit: integer("Maximum number of results", { minimum: 1, maximum: 500, default: 100 }),
	cursor: text("additional_data.next_cursor of the previous page"),
};
const pages = {
	by: "cursor",
	cursor: "additional_data.next_cursor",
	optional: true,
	param: "cursor",
} as const;
const next = object("For paging", { next_cursor: orNull(text("Cursor of the next page")) });
const dealFields = {
	value: number("Its value"),
	currency: text("Such as EUR"),
	person_id,
	org_id,
	owner_id,
	pipeline_id: integer("A pipeline's id"),
	stage_id: integer("A stage's id"),
	status: choice(["open", "won", "lost"], "Its status"),
	lost_reason: text("Why it was lost"),
	expected_close_date: text("A day, such as 2026-01-31"),
	custom_fields,
};
const contacts = (what: string, value: string) =>
	list(
		object(`{ value, primary, label }`, {
			value: text(value),
			primary: flag("Whether it is the main one"),
			label: text("Such as work"),
		}),
		what,
	);
const personFields = {
	emails: contacts("E-mail addresses", "The address"),
	phones: contacts("Telephone numbers", "The number"),
	org_id,
	owner_id,
	custom_fields,
};
const deal = answer({
	id: deal_id,
	title: text("Its title"),
	value: orNull(number("Its value")),
	currency: orNull(text("Such as EUR")),
	status: text("open, won, lost or deleted"),
	stage_id: orNull(integer("Its stage")),
	person_id: orNull(person_id),
	org_id: orNull(org_id),
});
const person = answer({ id: person_id, name: text("The name"), org_id: orNull(org_id) });

export const pipedrive: ApiRecipe = {
	id: "pipedrive",
	category: "sales",
	title: "Pipedrive",
	description: "Deals, persons, organizations, activities and notes of a Pipedrive account.",
	auth: "pipedrive_token",
	base_url: "https://{{credential.company}}.pipedrive.com/api",
	docs_url: "https://developers.pipedrive.com/docs/api/v1",
	operations: {
		list_deals: {
			title: "List deals",
			method: "GET",
			path: "/v2/deals",
			params: params(
				{},
				{
					status: text("open, won, lost or deleted, comma-separated"),
					owner_id,
					person_id,
					org_id,
					pipeline_id: integer("A pipeline's id"),
					stage_id: integer("A stage's id"),
					updated_since: text("Only those changed since then, such as 2026-01-31T09:00:00Z"),
					sort_by: choice(["id", "update_time", "add_time"], "Sort field"),
					sort_direction: choice(["asc", "desc"], "Sort direction"),
					...paging,
				},
			),
			query: pass(
				"status",
				"owner_id",
				"person_id",
				"org_id",
				"pipeline_id",
				"stage_id",
				"updated_since",
				"sort_by",
				"sort_direction",
				"limit",
				"cursor",
			),
			paginate: { ...pages, items: "data" },
			output: { schema: answer({ data: list(deal, "The deals"), additional_data: next }) },
			examples: [{ title: "Open deals", params: { status: "open", sort_by: "update_time" } }],
		},
		get_deal: {
			title: "Get a deal",
			method: "GET",
			path: "/v2/deals/{deal_id}",
			params: params({ deal_id }),
			output: { value: "{{data.data}}", schema: deal },
			examples: [{ title: "One", params: { deal_id: 42 } }],
		},
		create_deal: {
			title: "Create a deal",
			method: "POST",
			path: "/v2/deals",
			params: params({ title: text("Its title") }, dealFields),
			body: { kind: "json", value: pass("title", ...Object.keys(dealFields)) },
			output: { value: "{{data.data}}", schema: deal },
			examples: [{ title: "An order", params: { title: "New website", value: 5000, currency: "EUR" } }],
		},
		update_deal: {
			title: "Update a deal",
			description: "Changes only the given fields. A new stage_id moves it to that stage.",
			method: "PATCH",
			path: "/v2/deals/{deal_id}",
			params: params({ deal_id }, { title: text("A new title"), ...dealFields }),
			body: { kind: "json", value: pass("title", ...Object.keys(dealFields)) },
			output: { value: "{{data.data}}", schema: deal },
			examples: [{ title: "Won", params: { deal_id: 42, status: "won" } }],
		},
		create_person: {
			title: "Create a person",
			method: "POST",
			path: "/v2/persons",
			params: params({ name: text("Full name") }, personFields),
			body: { kind: "json", value: pass("name", ...Object.keys(personFields)) },
			output: { value: "{{data.data}}", schema: person },
			examples: [
				{
					title: "A contact",
					params: {
						name: "Ada Lovelace",
						emails: [{ value: "ada@example.com", primary: true, label: "work" }],
					},
				},
			],
		},
		update_person: {
			title: "Update a person",
			description: "Changes only the given fields. New emails and phones replace all existing ones.",
			method: "PATCH",
			path: "/v2/persons/{person_id}",
			params: params({ person_id }, { name: text("A new name"), ...personFields }),
			body: { kind: "json", value: pass("name", ...Object.keys(personFields)) },
			output: { value: "{{data.data}}", schema: person },
			examples: [{ title: "Another organization", params: { person_id: 7, org_id: 3 } }],
		},
		search_persons: {
			title: "Search persons",
			method: "GET",
			path: "/v2/persons/search",
			params: params(
				{ term: text("At least two characters, such as an e-mail address", { minLength: 1 }) },
				{
					fields: text("Fields to search, comma-separated: name, email, phone, notes, custom_fields"),
					exact_match: flag("Only exact matches"),
					...paging,
				},
			),
			query: pass("term", "fields", "exact_match", "limit", "cursor"),
			paginate: { ...pages, items: "data.items" },
			output: {
				schema: answer({
					data: object("The matches", {
						items: list(
							object("A match", { item: object("The person", { id: person_id, name: text("The name") }) }),
							"The persons",
						),
					}),
					additional_data: next,
				}),
			},
			examples: [
				{ title: "By address", params: { term: "ada@example.com", fields: "email", exact_match: true } },
			],
		},
		create_organization: {
			title: "Create an organization",
			method: "POST",
			path: "/v2/organizations",
			params: params({ name: text("Its name") }, { owner_id, custom_fields }),
			body: { kind: "json", value: pass("name", "owner_id", "custom_fields") },
			output: {
				value: "{{data.data}}",
				schema: answer({ id: org_id, name: text("Its name") }),
			},
			examples: [{ title: "A company", params: { name: "Acme" } }],
		},
		create_activity: {
			title: "Create an activity",
			method: "POST",
			path: "/v2/activities",
			params: params(
				{ subject: text("Its subject") },
				{
					type: text("Such as call, meeting, task or email", { default: "task" }),
					due_date: text("A day, such as 2026-01-31"),
					due_time: text("A time in UTC, such as 09:30"),
					deal_id,
					org_id,
					owner_id,
					participants: list(
						object("{ person_id, primary }", { person_id, primary: flag("Whether it is the main one") }),
						"Persons",
					),
					note: text("Its note as HTML"),
					done: flag("Whether it is done"),
				},
			),
			body: {
				kind: "json",
				value: pass(
					"subject",
					"type",
					"due_date",
					"due_time",
					"deal_id",
					"org_id",
					"owner_id",
					"note",
					"done",
					"participants",
				),
			},
			output: {
				value: "{{data.data}}",
				schema: answer({
					id: integer("Its id"),
					subject: text("Its subject"),
					done: flag("Whether it is done"),
				}),
			},
			examples: [{ title: "A call", params: { subject: "Call back", type: "call", deal_id: 42 } }],
		},
		add_note: {
			title: "Add a note",
			description: "To a deal, a person or an organization.",
			method: "POST",
			path: "/v1/notes",
			params: params({ content: text("Its text as HTML") }, { deal_id, person_id, org_id }),
			body: { kind: "json", value: pass("content", "deal_id", "person_id", "org_id") },
			output: {
				value: "{{data.data}}",
				schema: answer({ id: integer("Its id"), content: text("Its text") }),
			},
			examples: [{ title: "On a deal", params: { deal_id: 42, content: "Wants an offer." } }],
		},
	},
};
