import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, flag, integer, list, number, text } from "../schema-words.ts";
import { answer, anyOf, object, orNull, params, pass } from "./schema.ts";

const collection = text("The collection's name");
const id = anyOf([{ type: "integer" }, { type: "string" }], "A number or a UUID");
const vector = {
	description: "A list of numbers, or an object of them by vector name",
};
const filter = object("Such as { must: [{ key: city, match: { value: London } }] }");
const with_payload = {
	description: "Whether to return the payload: true, false, or a list of keys",
	default: true,
};
const with_vector = { description: "Whether to return the vectors: true, false, or a list of names" };
const payload = orNull(object("Its data"));
const point = answer({ id, payload });
const update = {
	value: "{{data.result}}",
	schema: answer({
		operation_id: orNull(integer("The operation's id")),
		status: text("completed or acknowledged"),
	}),
};
const body = (...names: string[]) => ({ kind: "json" as const, value: pass(...names) });

export const qdrant: ApiRecipe = {
	id: "qdrant",
	category: "data",
	title: "Qdrant",
	description: "Vectors and their payload in a Qdrant database.",
	auth: "qdrant_key",
	base_url: "https://{{credential.host}}",
	docs_url: "https://api.qdrant.tech/api-reference",
	operations: {
		list_collections: {
			title: "List collections",
			method: "GET",
			path: "/collections",
			params: params({}),
			output: {
				value: "{{data.result.collections}}",
				schema: list(answer({ name: collection }), "The collections"),
			},
			examples: [{ title: "All", params: {} }],
		},
		create_collection: {
			title: "Create a collection",
			method: "PUT",
			path: "/collections/{collection}",
			params: params(
				{ collection, size: integer("Length of the vectors", { minimum: 1 }) },
				{
					distance: choice(["Cosine", "Dot", "Euclid", "Manhattan"], "How vectors are compared", {
						default: "Cosine",
					}),
				},
			),
			body: {
				kind: "json",
				value: { vectors: { size: "{{params.size}}", distance: "{{params.distance}}" } },
			},
			output: { schema: answer({ result: flag("Whether it was created") }) },
			examples: [{ title: "Texts", params: { collection: "texts", size: 1536 } }],
		},
		create_index: {
			title: "Index a payload key for filters",
			method: "PUT",
			path: "/collections/{collection}/index",
			params: params({
				collection,
				field_name: text("The payload's key"),
				field_schema: choice(
					["keyword", "integer", "float", "bool", "geo", "datetime", "text", "uuid"],
					"Its type",
				),
			}),
			query: { wait: true },
			body: body("field_name", "field_schema"),
			output: update,
			examples: [
				{ title: "A city", params: { collection: "texts", field_name: "city", field_schema: "keyword" } },
			],
		},
		upsert_points: {
			title: "Insert or update points",
			description: "Replaces points with the same id.",
			method: "PUT",
			path: "/collections/{collection}/points",
			params: params({
				collection,
				points: list(
					object("{ id, vector, payload }", { id, vector, payload: object("Its data") }),
					"The points",
					{
						minItems: 1,
					},
				),
			}),
			query: { wait: true },
			body: body("points"),
			output: update,
			examples: [
				{
					title: "One",
					params: {
						collection: "texts",
						points: [{ id: 1, vector: [0.05, 0.61, 0.76], payload: { city: "Berlin" } }],
					},
				},
			],
		},
		query_points: {
			title: "Find similar points",
			method: "POST",
			path: "/collections/{collection}/points/query",
			params: params(
				{ collection, query: { description: "A vector, a point's id, or a query such as { recommend }" } },
				{
					filter,
					limit: integer("Maximum number of results", { minimum: 1, default: 10 }),
					score_threshold: number("Minimum score"),
					using: text("The vector's name, if there are several"),
					with_payload,
					with_vector,
				},
			),
			body: body("query", "filter", "limit", "score_threshold", "using", "with_payload", "with_vector"),
			output: {
				value: "{{data.result.points}}",
				schema: list(answer({ id, score: number("Similarity"), payload }), "The points, most similar first"),
			},
			examples: [{ title: "Three", params: { collection: "texts", query: [0.2, 0.1, 0.9], limit: 3 } }],
		},
		get_points: {
			title: "Get points by id",
			method: "POST",
			path: "/collections/{collection}/points",
			params: params(
				{ collection, ids: list(id, "The ids", { minItems: 1 }) },
				{ with_payload, with_vector },
			),
			body: body("ids", "with_payload", "with_vector"),
			output: { value: "{{data.result}}", schema: list(point, "The points") },
			examples: [{ title: "Two", params: { collection: "texts", ids: [1, 2] } }],
		},
		scroll_points: {
			title: "List points",
			method: "POST",
			path: "/collections/{collection}/points/scroll",
			params: params(
				{ collection },
				{
					filter,
					limit: integer("Maximum number of results", { minimum: 1, default: 100 }),
					offset: anyOf([{ type: "integer" }, { type: "string" }], "next_page_offset of the previous page"),
					with_payload,
					with_vector,
				},
			),
			body: body("filter", "limit", "offset", "with_payload", "with_vector"),
			paginate: { by: "cursor", cursor: "result.next_page_offset", body: "offset", items: "result.points" },
			output: {
				value: "{{data.result}}",
				schema: answer({
					points: list(point, "The points"),
					next_page_offset: { description: "Offset of the next page; null on the last page" },
				}),
			},
			examples: [
				{
					title: "Of one city",
					params: { collection: "texts", filter: { must: [{ key: "city", match: { value: "Berlin" } }] } },
				},
			],
		},
		count_points: {
			title: "Count points",
			method: "POST",
			path: "/collections/{collection}/points/count",
			params: params({ collection }, { filter, exact: flag("Exactly, not estimated", { default: true }) }),
			body: body("filter", "exact"),
			output: { value: "{{data.result}}", schema: answer({ count: integer("Number of points") }) },
			examples: [{ title: "All", params: { collection: "texts" } }],
		},
		set_payload: {
			title: "Set payload of points",
			description: "Changes only the given keys. Set points or filter.",
			method: "POST",
			path: "/collections/{collection}/points/payload",
			params: params(
				{ collection, payload: object("New values by key") },
				{ points: list(id, "The ids"), filter },
			),
			query: { wait: true },
			body: body("payload", "points", "filter"),
			output: update,
			examples: [{ title: "Mark", params: { collection: "texts", payload: { seen: true }, points: [1] } }],
		},
		delete_points: {
			title: "Delete points",
			description: "Set points or filter.",
			method: "POST",
			path: "/collections/{collection}/points/delete",
			params: params({ collection }, { points: list(id, "The ids"), filter }),
			query: { wait: true },
			body: body("points", "filter"),
			output: update,
			examples: [{ title: "One", params: { collection: "texts", points: [1] } }],
		},
	},
};
