import type { ApiRecipe } from "@tripline/contract/recipes";
import { flag, integer, list, number, text } from "../schema-words.ts";
import { answer, object, params } from "./schema.ts";

const headers = { "x-pinecone-api-version": "2026-07" };
const namespace = text("The namespace; the default one if left out");
const id = text("The record's id");
const numbers = (description: string) => list({ type: "number" }, description);
const metadata = object("Its metadata");
const filter = object("Such as { genre: { $eq: comedy } }");
const record = object("A record", { id, values: numbers("The vector"), metadata });

export const pinecone: ApiRecipe = {
	id: "pinecone",
	category: "data",
	title: "Pinecone",
	description: "Vectors and their metadata in a Pinecone index. The credential names the index's host.",
	auth: "pinecone_key",
	base_url: "https://{{credential.host}}",
	docs_url: "https://docs.pinecone.io/reference/api/introduction",
	operations: {
		upsert_vectors: {
			title: "Insert or update vectors",
			description: "Replaces records with the same id.",
			method: "POST",
			path: "/vectors/upsert",
			params: params(
				{
					vectors: list(record, "The records, as { id, values, metadata }", { minItems: 1, maxItems: 1000 }),
				},
				{ namespace },
			),
			headers,
			body: { kind: "json", value: { vectors: "{{params.vectors}}", namespace: "{{params.namespace}}" } },
			output: { schema: answer({ upsertedCount: integer("Number of records") }) },
			examples: [
				{
					title: "One",
					params: { vectors: [{ id: "a", values: [0.1, 0.2], metadata: { genre: "comedy" } }] },
				},
			],
		},
		query_vectors: {
			title: "Find similar vectors",
			description: "Set vector, or id for the vector of that record.",
			method: "POST",
			path: "/query",
			params: params(
				{},
				{
					vector: numbers("The vector to compare with"),
					id: text("The record to compare with"),
					top_k: integer("Maximum number of results", { minimum: 1, maximum: 10_000, default: 10 }),
					filter,
					include_metadata: flag("Return the metadata", { default: true }),
					include_values: flag("Return the vectors", { default: false }),
					namespace,
				},
			),
			headers,
			body: {
				kind: "json",
				value: {
					vector: "{{params.vector}}",
					id: "{{params.id}}",
					topK: "{{params.top_k}}",
					filter: "{{params.filter}}",
					includeMetadata: "{{params.include_metadata}}",
					includeValues: "{{params.include_values}}",
					namespace: "{{params.namespace}}",
				},
			},
			output: {
				schema: answer({
					matches: list(
						object("A match", { id, score: number("Similarity"), metadata }),
						"The records, most similar first",
					),
					namespace,
				}),
			},
			examples: [{ title: "Three", params: { vector: [0.1, 0.2], top_k: 3 } }],
		},
		search_text: {
			title: "Find records similar to a text",
			description: "Only for an index with an integrated embedding model.",
			method: "POST",
			path: "/records/namespaces/{namespace}/search",
			params: params(
				{ text: text("The text to search for") },
				{
					namespace: text("The namespace", { default: "__default__" }),
					top_k: integer("Maximum number of results", { minimum: 1, default: 10 }),
					filter,
					fields: list(text("A field's name"), "Fields to return; all if left out"),
				},
			),
			headers,
			body: {
				kind: "json",
				value: {
					query: {
						inputs: { text: "{{params.text}}" },
						top_k: "{{params.top_k}}",
						filter: "{{params.filter}}",
					},
					fields: "{{params.fields}}",
				},
			},
			output: {
				value: "{{data.result.hits}}",
				schema: list(
					answer({ _id: id, _score: number("Similarity"), fields: object("Its fields") }),
					"The records, most similar first",
				),
			},
			examples: [{ title: "Three", params: { text: "Disease prevention", top_k: 3 } }],
		},
		fetch_vectors: {
			title: "Get records by id",
			method: "GET",
			path: "/vectors/fetch",
			params: params({ ids: list(id, "The ids", { minItems: 1 }) }, { namespace }),
			query: { ids: "{{params.ids}}", namespace: "{{params.namespace}}" },
			headers,
			output: { schema: answer({ vectors: object("The records by id"), namespace }) },
			examples: [{ title: "Two", params: { ids: ["a", "b"] } }],
		},
		list_ids: {
			title: "List ids of records",
			method: "GET",
			path: "/vectors/list",
			params: params(
				{},
				{
					prefix: text("Only ids that start with this"),
					limit: integer("Maximum number of results", { minimum: 1, maximum: 100, default: 100 }),
					pagination_token: text("pagination.next of the previous page"),
					namespace,
				},
			),
			query: {
				prefix: "{{params.prefix}}",
				limit: "{{params.limit}}",
				paginationToken: "{{params.pagination_token}}",
				namespace: "{{params.namespace}}",
			},
			headers,
			paginate: {
				by: "cursor",
				cursor: "pagination.next",
				optional: true,
				param: "paginationToken",
				items: "vectors",
			},
			output: {
				schema: answer({
					vectors: list(object("A record", { id }), "The ids"),
					pagination: object("For paging", { next: text("Token of the next page") }),
				}),
			},
			examples: [{ title: "Of one document", params: { prefix: "document1#" } }],
		},
		update_vector: {
			title: "Update a record",
			description: "Changes only what is given.",
			method: "POST",
			path: "/vectors/update",
			params: params(
				{ id },
				{ values: numbers("A new vector"), metadata: object("Metadata to set"), namespace },
			),
			headers,
			body: {
				kind: "json",
				value: {
					id: "{{params.id}}",
					values: "{{params.values}}",
					setMetadata: "{{params.metadata}}",
					namespace: "{{params.namespace}}",
				},
			},
			output: { schema: answer({}) },
			examples: [{ title: "Metadata", params: { id: "a", metadata: { genre: "drama" } } }],
		},
		delete_vectors: {
			title: "Delete records",
			description: "Set ids, filter or all.",
			method: "POST",
			path: "/vectors/delete",
			params: params(
				{},
				{ ids: list(id, "The ids"), filter, all: flag("Delete all records of the namespace"), namespace },
			),
			headers,
			body: {
				kind: "json",
				value: {
					ids: "{{params.ids}}",
					filter: "{{params.filter}}",
					deleteAll: "{{params.all}}",
					namespace: "{{params.namespace}}",
				},
			},
			output: { schema: answer({}) },
			examples: [{ title: "One", params: { ids: ["a"] } }],
		},
		get_stats: {
			title: "Get the index's statistics",
			method: "POST",
			path: "/describe_index_stats",
			params: params({}),
			headers,
			body: { kind: "json", value: {} },
			output: {
				schema: answer({
					dimension: integer("Length of the vectors"),
					totalVectorCount: integer("Number of records"),
					namespaces: object("Number of records by namespace"),
				}),
			},
			examples: [{ title: "All", params: {} }],
		},
	},
};
