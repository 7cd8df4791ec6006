import type { ApiRecipe } from "@tripline/contract/recipes";
import { integer, list, text } from "../schema-words.ts";
import { answer, object, params } from "./schema.ts";

const object_type = text("contacts, companies, deals, tickets, or a custom object's type", {
	default: "contacts",
});
const record_id = text("The record's id");
const properties = object("Values by property name");
const wanted = text("Property names, comma-separated");
const record = answer({
	id: text("The record's id"),
	properties,
	createdAt: text("Creation time"),
	updatedAt: text("Time of the last change"),
});

export const hubspot: ApiRecipe = {
	id: "hubspot",
	title: "HubSpot",
	description: "Contacts, companies, deals and other records of a HubSpot account.",
	auth: ["hubspot_token", "hubspot_oauth"],
	base_url: "https://api.hubapi.com/crm/v3/objects",
	docs_url: "https://developers.hubspot.com/docs/api-reference/crm-contacts-v3/guide",
	operations: {
		create_record: {
			title: "Create a record",
			method: "POST",
			path: "/{object_type}",
			params: params({ properties }, { object_type }),
			body: { kind: "json", value: { properties: "{{params.properties}}" } },
			output: { schema: record },
			examples: [
				{
					title: "A contact",
					params: { properties: { email: "ada@example.com", firstname: "Ada", lastname: "Lovelace" } },
				},
			],
		},
		get_record: {
			title: "Get a record",
			method: "GET",
			path: "/{object_type}/{record_id}",
			params: params({ record_id }, { object_type, properties: wanted }),
			query: { properties: "{{params.properties}}" },
			output: { schema: record },
			examples: [{ title: "A contact", params: { record_id: "33451", properties: "email,phone" } }],
		},
		update_record: {
			title: "Update a record",
			description: "Changes only the given properties.",
			method: "PATCH",
			path: "/{object_type}/{record_id}",
			params: params({ record_id, properties }, { object_type }),
			body: { kind: "json", value: { properties: "{{params.properties}}" } },
			output: { schema: record },
			examples: [{ title: "A new number", params: { record_id: "33451", properties: { phone: "5551234" } } }],
		},
		list_records: {
			title: "List records",
			method: "GET",
			path: "/{object_type}",
			params: params(
				{},
				{
					object_type,
					properties: wanted,
					limit: integer("Maximum number of results", { minimum: 1, maximum: 100, default: 100 }),
					after: text("paging.next.after of the previous page"),
				},
			),
			query: {
				limit: "{{params.limit}}",
				after: "{{params.after}}",
				properties: "{{params.properties}}",
			},
			output: {
				schema: answer({
					results: list(record, "The records"),
					paging: object("next.after is the cursor of the next page"),
				}),
			},
			examples: [{ title: "Companies", params: { object_type: "companies", limit: 10 } }],
		},
		search_records: {
			title: "Search records",
			method: "POST",
			path: "/{object_type}/search",
			params: params(
				{},
				{
					object_type,
					query: text("Search words"),
					filters: list(
						object("{ propertyName, operator, value }", {
							propertyName: text("A property's name"),
							operator: text("Such as EQ, NEQ, GT, LT, CONTAINS_TOKEN, HAS_PROPERTY"),
						}),
						"Filters; a record must match all of them",
					),
					properties: list(text("A property's name"), "Properties to return"),
					limit: integer("Maximum number of results", { minimum: 1, maximum: 200, default: 100 }),
					after: text("paging.next.after of the previous page"),
				},
			),
			body: {
				kind: "json",
				value: {
					query: "{{params.query}}",
					filterGroups: [{ filters: "{{params.filters}}" }],
					properties: "{{params.properties}}",
					limit: "{{params.limit}}",
					after: "{{params.after}}",
				},
			},
			output: {
				schema: answer({
					total: integer("Total number of matches"),
					results: list(record, "The records"),
					paging: object("next.after is the cursor of the next page"),
				}),
			},
			examples: [
				{
					title: "A contact by address",
					params: { filters: [{ propertyName: "email", operator: "EQ", value: "ada@example.com" }] },
				},
			],
		},
	},
};
