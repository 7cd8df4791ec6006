import type { ApiRecipe } from "@tripline/contract/recipes";
import { flag, integer, list, text } from "../schema-words.ts";
import { answer, done, object, params } from "./schema.ts";

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
	category: "sales",
	title: "HubSpot",
	description: "Contacts, companies, deals and other records of a HubSpot account.",
	auth: ["hubspot_token", "hubspot_oauth"],
	base_url: "https://api.hubapi.com/crm",
	docs_url: "https://developers.hubspot.com/docs/api-reference/crm-contacts-v3/guide",
	operations: {
		create_record: {
			title: "Create a record",
			method: "POST",
			path: "/v3/objects/{object_type}",
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
			path: "/v3/objects/{object_type}/{record_id}",
			params: params({ record_id }, { object_type, properties: wanted }),
			query: { properties: "{{params.properties}}" },
			output: { schema: record },
			examples: [{ title: "A contact", params: { record_id: "33451", properties: "email,phone" } }],
		},
		update_record: {
			title: "Update a record",
			description: "Changes only the given properties.",
			method: "PATCH",
			path: "/v3/objects/{object_type}/{record_id}",
			params: params({ record_id, properties }, { object_type }),
			body: { kind: "json", value: { properties: "{{params.properties}}" } },
			output: { schema: record },
			examples: [{ title: "A new number", params: { record_id: "33451", properties: { phone: "5551234" } } }],
		},
		list_records: {
			title: "List records",
			method: "GET",
			path: "/v3/objects/{object_type}",
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
			paginate: {
				by: "cursor",
				cursor: "paging.next.after",
				optional: true,
				param: "after",
				items: "results",
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
			path: "/v3/objects/{object_type}/search",
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
			paginate: {
				by: "cursor",
				cursor: "paging.next.after",
				optional: true,
				body: "after",
				items: "results",
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
		upsert_record: {
			title: "Create or update a record",
			description:
				"Finds it by a unique property, such as a contact by email. Changes only the given properties.",
			method: "POST",
			path: "/v3/objects/{object_type}/batch/upsert",
			params: params(
				{ id: text("The unique property's value, such as ada@example.com"), properties },
				{ object_type, id_property: text("The unique property", { default: "email" }) },
			),
			body: {
				kind: "json",
				value: {
					inputs: [
						{
							idProperty: "{{params.id_property}}",
							id: "{{params.id}}",
							properties: "{{params.properties}}",
						},
					],
				},
			},
			output: { value: "{{data.results[0]}}", schema: record },
			examples: [
				{
					title: "A contact by address",
					params: { id: "ada@example.com", properties: { firstname: "Ada" } },
				},
			],
		},
		archive_record: {
			title: "Move a record to the recycle bin",
			method: "DELETE",
			path: "/v3/objects/{object_type}/{record_id}",
			params: params({ record_id }, { object_type }),
			response: "text",
			output: done("archived", "Always true"),
			examples: [{ title: "A contact", params: { record_id: "33451" } }],
		},
		associate: {
			title: "Associate two records",
			method: "PUT",
			path: "/v4/objects/{object_type}/{record_id}/associations/default/{to_object_type}/{to_record_id}",
			params: params(
				{
					record_id,
					to_object_type: text("The other record's type, such as companies"),
					to_record_id: record_id,
				},
				{ object_type },
			),
			output: {
				schema: answer({
					status: text("COMPLETE"),
					results: list(object("An association"), "Both directions"),
				}),
			},
			examples: [
				{
					title: "A contact with its company",
					params: { record_id: "33451", to_object_type: "companies", to_record_id: "9001" },
				},
			],
		},
		list_associations: {
			title: "List the records that a record is associated with",
			method: "GET",
			path: "/v4/objects/{object_type}/{record_id}/associations/{to_object_type}",
			params: params(
				{ record_id, to_object_type: text("The other records' type, such as deals") },
				{
					object_type,
					limit: integer("Maximum number of results", { minimum: 1, maximum: 500, default: 500 }),
					after: text("paging.next.after of the previous page"),
				},
			),
			query: { limit: "{{params.limit}}", after: "{{params.after}}" },
			paginate: {
				by: "cursor",
				cursor: "paging.next.after",
				optional: true,
				param: "after",
				items: "results",
			},
			output: {
				schema: answer({
					results: list(object("A record", { toObjectId: { description: "Its id" } }), "The records"),
					paging: object("next.after is the cursor of the next page"),
				}),
			},
			examples: [{ title: "Deals of a contact", params: { record_id: "33451", to_object_type: "deals" } }],
		},
		add_note: {
			title: "Add a note to a record",
			method: "POST",
			path: "/v3/objects/notes",
			params: params(
				{
					record_id,
					text: text("The note; HTML is allowed", { maxLength: 65_536 }),
					time: text("When it was written, such as 2026-01-31T09:00:00Z"),
				},
				{
					association_type_id: integer(
						"202 for a contact, 190 for a company, 214 for a deal, 228 for a ticket",
						{
							default: 202,
						},
					),
				},
			),
			body: {
				kind: "json",
				value: {
					properties: { hs_note_body: "{{params.text}}", hs_timestamp: "{{params.time}}" },
					associations: [
						{
							to: { id: "{{params.record_id}}" },
							types: [
								{
									associationCategory: "HUBSPOT_DEFINED",
									associationTypeId: "{{params.association_type_id}}",
								},
							],
						},
					],
				},
			},
			output: { schema: record },
			examples: [
				{
					title: "On a contact",
					params: { record_id: "33451", text: "Called back.", time: "2026-01-31T09:00:00Z" },
				},
			],
		},
		list_owners: {
			title: "List owners",
			description: "The users that records can be assigned to, with the property hubspot_owner_id.",
			method: "GET",
			path: "/v3/owners",
			params: params(
				{},
				{
					email: text("Only the owner with this address"),
					limit: integer("Maximum number of results", { minimum: 1, maximum: 500, default: 100 }),
					after: text("paging.next.after of the previous page"),
				},
			),
			query: { email: "{{params.email}}", limit: "{{params.limit}}", after: "{{params.after}}" },
			paginate: {
				by: "cursor",
				cursor: "paging.next.after",
				optional: true,
				param: "after",
				items: "results",
			},
			output: {
				schema: answer({
					results: list(
						object("An owner", {
							id: text("Value for hubspot_owner_id"),
							email: text("E-mail address"),
							archived: flag("Whether the user was removed"),
						}),
						"The owners",
					),
					paging: object("next.after is the cursor of the next page"),
				}),
			},
			examples: [{ title: "One", params: { email: "ada@example.com" } }],
		},
	},
};
