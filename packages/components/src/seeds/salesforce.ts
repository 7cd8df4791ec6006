import type { ApiRecipe } from "@tripline/contract/recipes";
import { flag, integer, list, text } from "../schema-words.ts";
import { answer, done, object, params } from "./schema.ts";

const type = text("The object's API name, such as Account, Contact, Lead or My_Object__c");
const record_id = text("The record's id, of 15 or 18 characters");
const fields = object("Values by the fields' API names, such as { LastName: Lovelace }");
const records = answer({
	totalSize: integer("How many there are"),
	done: flag("Whether these are all"),
	records: list(object("A record, with the fields that the query names"), "The records"),
	nextRecordsUrl: text("URL of the next page, if there is one; its last part is for query_more"),
});
const paginate = { by: "link", url: "nextRecordsUrl", items: "records" } as const;

export const salesforce: ApiRecipe = {
	id: "salesforce",
	category: "sales",
	title: "Salesforce",
	description: "Records of a Salesforce organization: queries, changes and descriptions of objects.",
	auth: ["salesforce_oauth", "salesforce_token"],
	base_url: "https://{{credential.instance}}/services/data/v64.0",
	docs_url: "https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest",
	operations: {
		query: {
			title: "Query records with SOQL",
			description: "Up to 2,000 records at once; paginate or query_more returns the rest.",
			method: "GET",
			path: "/query",
			params: params({
				query: text("SOQL, such as SELECT Id, Name FROM Account WHERE Industry = 'Retail' LIMIT 100"),
			}),
			query: { q: "{{params.query}}" },
			paginate,
			output: { schema: records },
			examples: [
				{
					title: "New leads",
					params: { query: "SELECT Id, Name, Email FROM Lead WHERE CreatedDate = TODAY" },
				},
			],
		},
		query_more: {
			title: "Get the next records of a query",
			method: "GET",
			path: "/query/{locator}",
			params: params({ locator: text("The last part of nextRecordsUrl, such as 01gD0000002HU6KIAW-2000") }),
			paginate,
			output: { schema: records },
			examples: [{ title: "The second page", params: { locator: "01gD0000002HU6KIAW-2000" } }],
		},
		search: {
			title: "Search records with SOSL",
			method: "GET",
			path: "/search",
			params: params({
				query: text("SOSL, such as FIND {Lovelace} IN NAME FIELDS RETURNING Contact(Id, Name)"),
			}),
			query: { q: "{{params.query}}" },
			output: {
				schema: answer({ searchRecords: list(object("A record: { attributes, Id, … }"), "The records") }),
			},
			examples: [{ title: "By name", params: { query: "FIND {Lovelace} RETURNING Contact(Id, Name)" } }],
		},
		get_record: {
			title: "Get a record",
			method: "GET",
			path: "/sobjects/{type}/{record_id}",
			params: params(
				{ type, record_id },
				{ fields: text("Only these fields, separated by commas; default all") },
			),
			query: { fields: "{{params.fields}}" },
			output: { schema: answer({ Id: text("Its id") }) },
			examples: [
				{ title: "A contact", params: { type: "Contact", record_id: "0031x000", fields: "Name,Email" } },
			],
		},
		create_record: {
			title: "Create a record",
			method: "POST",
			path: "/sobjects/{type}",
			params: params({ type, fields }),
			body: { kind: "json", value: "{{params.fields}}" },
			output: { schema: answer({ id: text("The record's id"), success: flag("Always true") }) },
			examples: [
				{
					title: "A lead",
					params: {
						type: "Lead",
						fields: { LastName: "Lovelace", Company: "Acme", Email: "ada@example.com" },
					},
				},
			],
		},
		update_record: {
			title: "Update a record",
			description: "Changes only the given fields.",
			method: "PATCH",
			path: "/sobjects/{type}/{record_id}",
			params: params({ type, record_id, fields }),
			body: { kind: "json", value: "{{params.fields}}" },
			response: "text",
			output: done("updated", "Always true"),
			examples: [
				{
					title: "A phone number",
					params: { type: "Contact", record_id: "0031x000", fields: { Phone: "+1" } },
				},
			],
		},
		upsert_record: {
			title: "Create or update a record by an external id",
			method: "PATCH",
			path: "/sobjects/{type}/{external_field}/{external_id}",
			params: params({
				type,
				external_field: text("A field that is an external id, such as Customer_Number__c"),
				external_id: text("The record's value of that field"),
				fields,
			}),
			body: { kind: "json", value: "{{params.fields}}" },
			expect: [200, 201, 204],
			output: {
				value: { id: "{{data.id}}", created: "{{data.created | default(false)}}" },
				schema: answer({
					id: text("The record's id; missing if the organization does not return it"),
					created: flag("Whether the record is new"),
				}),
			},
			examples: [
				{
					title: "A customer",
					params: {
						type: "Account",
						external_field: "Customer_Number__c",
						external_id: "4711",
						fields: { Name: "Acme" },
					},
				},
			],
		},
		delete_record: {
			title: "Delete a record",
			method: "DELETE",
			path: "/sobjects/{type}/{record_id}",
			params: params({ type, record_id }),
			response: "text",
			output: done("deleted", "Always true"),
			examples: [{ title: "A lead", params: { type: "Lead", record_id: "00Q1x000" } }],
		},
		describe_object: {
			title: "Describe an object",
			description:
				"Its fields with their types. Of an object with many fields this can be too large for one node.",
			method: "GET",
			path: "/sobjects/{type}/describe",
			params: params({ type }),
			output: {
				value: {
					name: "{{data.name}}",
					label: "{{data.label}}",
					createable: "{{data.createable}}",
					fields: "{{data.fields}}",
				},
				schema: answer({
					name: text("Its API name"),
					label: text("Its name for people"),
					createable: flag("Whether records can be created"),
					fields: list(
						object("A field", {
							name: text("Its API name"),
							label: text("Its name"),
							type: text("Its type"),
						}),
						"Its fields",
					),
				}),
			},
			examples: [{ title: "Contacts", params: { type: "Contact" } }],
		},
		list_objects: {
			title: "List objects",
			method: "GET",
			path: "/sobjects",
			params: params({}),
			output: {
				value: { names: '{{data.sobjects | pluck("name")}}' },
				schema: answer({ names: list(text("An API name"), "The objects") }),
			},
			examples: [{ title: "All", params: {} }],
		},
	},
};
