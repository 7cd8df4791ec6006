import { toExchanges } from "../exchange.ts";

const ok = { status: "ok", time: 0.002 };
const done = { operation_id: 12, status: "completed" };
const point = { id: 1, payload: { city: "Berlin" } };
const must = { must: [{ key: "city", match: { value: "Berlin" } }] };

const qdrant = toExchanges(
	{
		id: "qdrant",
		authRecipe: "qdrant_key",
		fields: { host: "abc.eu-central-1-0.aws.cloud.qdrant.io:6333", key: "test-qdrant-key" },
		base: "https://abc.eu-central-1-0.aws.cloud.qdrant.io:6333",
		headers: { "api-key": "test-qdrant-key" },
	},
	{
		list_collections: {
			sends: "GET /collections",
			answer: { ...ok, result: { collections: [{ name: "texts" }] } },
			output: [{ name: "texts" }],
		},
		create_collection: {
			params: { collection: "texts", size: 4 },
			sends: "PUT /collections/texts",
			json: { vectors: { size: 4, distance: "Cosine" } },
			answer: { ...ok, result: true },
		},
		create_index: {
			params: { collection: "texts", field_name: "city", field_schema: "keyword" },
			sends: "PUT /collections/texts/index?wait=true",
			json: { field_name: "city", field_schema: "keyword" },
			answer: { ...ok, result: done },
			output: done,
		},
		upsert_points: {
			params: { collection: "texts", points: [{ id: 1, vector: [0.05, 0.61], payload: { city: "Berlin" } }] },
			sends: "PUT /collections/texts/points?wait=true",
			json: { points: [{ id: 1, vector: [0.05, 0.61], payload: { city: "Berlin" } }] },
			answer: { ...ok, result: done },
			output: done,
		},
		query_points: {
			params: { collection: "texts", query: [0.2, 0.1], filter: must, limit: 3, score_threshold: 0.5 },
			sends: "POST /collections/texts/points/query",
			json: { query: [0.2, 0.1], filter: must, limit: 3, score_threshold: 0.5, with_payload: true },
			answer: { ...ok, result: { points: [{ ...point, version: 3, score: 0.75 }] } },
			output: [{ ...point, version: 3, score: 0.75 }],
		},
		get_points: {
			params: { collection: "texts", ids: [1, "5c56c793-69f3-4fbf-87e6-c4bf54c28c26"], with_vector: true },
			sends: "POST /collections/texts/points",
			json: { ids: [1, "5c56c793-69f3-4fbf-87e6-c4bf54c28c26"], with_payload: true, with_vector: true },
			answer: { ...ok, result: [point] },
			output: [point],
		},
		scroll_points: {
			params: { collection: "texts", filter: must, offset: 101 },
			sends: "POST /collections/texts/points/scroll",
			json: { filter: must, limit: 100, offset: 101, with_payload: true },
			answer: { ...ok, result: { points: [point], next_page_offset: null } },
			output: { points: [point], next_page_offset: null },
		},
		count_points: {
			params: { collection: "texts" },
			sends: "POST /collections/texts/points/count",
			json: { exact: true },
			answer: { ...ok, result: { count: 42 } },
			output: { count: 42 },
		},
		set_payload: {
			params: { collection: "texts", payload: { seen: true }, points: [1] },
			sends: "POST /collections/texts/points/payload?wait=true",
			json: { payload: { seen: true }, points: [1] },
			answer: { ...ok, result: done },
			output: done,
		},
		delete_points: {
			params: { collection: "texts", filter: must },
			sends: "POST /collections/texts/points/delete?wait=true",
			json: { filter: must },
			answer: { ...ok, result: done },
			output: done,
		},
	},
);

const pinecone = toExchanges(
	{
		id: "pinecone",
		authRecipe: "pinecone_key",
		fields: { host: "docs-abc123.svc.aped-4627-b74a.pinecone.io", key: "test-pinecone-key" },
		base: "https://docs-abc123.svc.aped-4627-b74a.pinecone.io",
		headers: { "api-key": "test-pinecone-key", "x-pinecone-api-version": "2026-07" },
	},
	{
		upsert_vectors: {
			params: {
				vectors: [{ id: "vec1", values: [0.1, 0.1], metadata: { genre: "comedy", year: 2020 } }],
				namespace: "example-namespace",
			},
			sends: "POST /vectors/upsert",
			json: {
				vectors: [{ id: "vec1", values: [0.1, 0.1], metadata: { genre: "comedy", year: 2020 } }],
				namespace: "example-namespace",
			},
			answer: { upsertedCount: 1 },
		},
		query_vectors: {
			params: {
				namespace: "example-namespace",
				vector: [0.3, 0.3],
				filter: { genre: { $eq: "documentary" } },
				top_k: 3,
				include_values: true,
			},
			sends: "POST /query",
			json: {
				namespace: "example-namespace",
				vector: [0.3, 0.3],
				filter: { genre: { $eq: "documentary" } },
				topK: 3,
				includeValues: true,
				includeMetadata: true,
			},
			answer: {
				matches: [{ id: "vec3", score: 0.08, values: [0.3, 0.3], metadata: { genre: "documentary" } }],
				namespace: "example-namespace",
				usage: { readUnits: 6 },
			},
		},
		search_text: {
			params: { text: "Disease prevention", top_k: 3, fields: ["category", "chunk_text"] },
			sends: "POST /records/namespaces/__default__/search",
			json: {
				query: { inputs: { text: "Disease prevention" }, top_k: 3 },
				fields: ["category", "chunk_text"],
			},
			answer: {
				result: { hits: [{ _id: "rec3", _score: 0.82, fields: { category: "immune system" } }] },
				usage: { read_units: 6 },
			},
			output: [{ _id: "rec3", _score: 0.82, fields: { category: "immune system" } }],
		},
		fetch_vectors: {
			params: { ids: ["id-1", "id-2"], namespace: "example-namespace" },
			sends: "GET /vectors/fetch?ids=id-1&ids=id-2&namespace=example-namespace",
			answer: { vectors: { "id-1": { id: "id-1", values: [0.3] } }, namespace: "example-namespace" },
		},
		list_ids: {
			params: { prefix: "document1#", pagination_token: "Tm90aGluZyB0byBzZWU=" },
			sends: "GET /vectors/list?prefix=document1%23&limit=100&paginationToken=Tm90aGluZyB0byBzZWU%3D",
			answer: { vectors: [{ id: "document1#abb" }], pagination: { next: "Tm90" }, namespace: "" },
		},
		update_vector: {
			params: { id: "id-3", values: [4, 2], metadata: { type: "comedy" } },
			sends: "POST /vectors/update",
			json: { id: "id-3", values: [4, 2], setMetadata: { type: "comedy" } },
			answer: {},
		},
		delete_vectors: {
			params: { ids: ["id-1", "id-2"], namespace: "example-namespace" },
			sends: "POST /vectors/delete",
			json: { ids: ["id-1", "id-2"], namespace: "example-namespace" },
			answer: {},
		},
		get_stats: {
			sends: "POST /describe_index_stats",
			json: {},
			answer: { dimension: 1024, totalVectorCount: 60_000, namespaces: { example: { vectorCount: 60_000 } } },
		},
	},
);

export const vectorDatabases = [...qdrant, ...pinecone];
