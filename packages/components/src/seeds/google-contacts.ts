import type { ApiRecipe } from "@tripline/contract/recipes";
import { integer, list, text } from "../schema-words.ts";
import { readTokens } from "./paging.ts";
import { answer, done, object, params } from "./schema.ts";

const FIELDS = "names,emailAddresses,phoneNumbers,organizations,addresses,birthdays,biographies,metadata";
const resource_name = text("resourceName of the contact, such as people/c123");
const person = answer({
	resourceName: text("Its id, such as people/c123"),
	etag: text("Its version, for update_contact"),
	names: list(object("A name", { displayName: text("The whole name") }), "Its names"),
	emailAddresses: list(object("An address", { value: text("The address") }), "Its e-mail addresses"),
	phoneNumbers: list(object("A number", { value: text("The number") }), "Its phone numbers"),
});
const details = {
	names: list(object("A name", { givenName: text("First name"), familyName: text("Last name") }), "Names", {
		maxItems: 1,
	}),
	emails: list(object("{ value, type }"), "E-mail addresses"),
	phones: list(object("{ value, type }"), "Phone numbers"),
	organizations: list(object("{ name, title }"), "Where they work"),
};
const body = {
	names: "{{params.names}}",
	emailAddresses: "{{params.emails}}",
	phoneNumbers: "{{params.phones}}",
	organizations: "{{params.organizations}}",
};

export const googleContacts: ApiRecipe = {
	id: "google_contacts",
	category: "calendar",
	title: "Google Contacts",
	description:
		"Contacts of a Google account (People API). The scope is https://www.googleapis.com/auth/contacts. A service account needs domain-wide delegation and a subject.",
	auth: ["google_oauth", "google_service_account"],
	base_url: "https://people.googleapis.com/v1",
	docs_url: "https://developers.google.com/people/api/rest",
	operations: {
		list_contacts: {
			title: "List contacts",
			method: "GET",
			path: "/people/me/connections",
			params: params(
				{},
				{
					limit: integer("Maximum number of results", { minimum: 1, maximum: 1000, default: 100 }),
					page_token: text("nextPageToken of the previous page"),
				},
			),
			query: { personFields: FIELDS, pageSize: "{{params.limit}}", pageToken: "{{params.page_token}}" },
			paginate: readTokens("connections"),
			output: {
				schema: answer({
					connections: list(person, "The contacts; missing if there are none"),
					nextPageToken: text("page_token for the next page"),
					totalItems: integer("How many there are"),
				}),
			},
			examples: [{ title: "The first", params: { limit: 10 } }],
		},
		search_contacts: {
			title: "Search contacts",
			description: "By the starts of names, addresses, numbers and organizations.",
			method: "GET",
			path: "/people:searchContacts",
			params: params(
				{ query: text("The start of a word") },
				{ limit: integer("Maximum number of results", { minimum: 1, maximum: 30, default: 10 }) },
			),
			query: { query: "{{params.query}}", readMask: FIELDS, pageSize: "{{params.limit}}" },
			output: { schema: answer({ results: list(object("A result", { person }), "The results") }) },
			examples: [{ title: "By name", params: { query: "Ada" } }],
		},
		get_contact: {
			title: "Get a contact",
			method: "GET",
			path: "/{+resource_name}",
			params: params({ resource_name }),
			query: { personFields: FIELDS },
			output: { schema: person },
			examples: [{ title: "One", params: { resource_name: "people/c123" } }],
		},
		create_contact: {
			title: "Create a contact",
			method: "POST",
			path: "/people:createContact",
			params: params({}, details),
			query: { personFields: FIELDS },
			body: { kind: "json", value: body },
			output: { schema: person },
			examples: [
				{
					title: "A customer",
					params: {
						names: [{ givenName: "Ada", familyName: "Lovelace" }],
						emails: [{ value: "ada@example.com", type: "work" }],
					},
				},
			],
		},
		update_contact: {
			title: "Update a contact",
			method: "PATCH",
			path: "/{+resource_name}:updateContact",
			params: params(
				{
					resource_name,
					etag: text("etag of get_contact: fails if the contact changed since"),
					fields: text("The fields that are replaced, such as emailAddresses,phoneNumbers"),
				},
				details,
			),
			query: { updatePersonFields: "{{params.fields}}", personFields: FIELDS },
			body: { kind: "json", value: { etag: "{{params.etag}}", ...body } },
			output: { schema: person },
			examples: [
				{
					title: "A new address",
					params: {
						resource_name: "people/c123",
						etag: "%EgUB",
						fields: "emailAddresses",
						emails: [{ value: "ada@example.org" }],
					},
				},
			],
		},
		delete_contact: {
			title: "Delete a contact",
			method: "DELETE",
			path: "/{+resource_name}:deleteContact",
			params: params({ resource_name }),
			output: done("deleted", "Always true"),
			examples: [{ title: "One", params: { resource_name: "people/c123" } }],
		},
	},
};
