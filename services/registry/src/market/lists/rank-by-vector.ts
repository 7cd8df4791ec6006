import { integer, list, number, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { object, params } from "../schema.ts";

export const rankByVector = code({
	id: "rank_by_vector",
	title: "Rank by meaning",
	description: `Orders elements by how near their vectors are to the vector of a question (cosine similarity), nearest first.

Use it after \`embed\` for a small search by meaning without a database: embed the question, embed the texts, rank, and give the best to \`llm_chat\`. For what is kept in the knowledge store use \`kb_search\`.

The vectors are left out of the result. At most one million numbers in all.`,
	tags: ["embeddings", "search", "llm"],
	params: params(
		{
			query: list({ type: "number" }, "The question's vector", { minItems: 1, maxItems: 8_192 }),
			items: list({ type: "object" }, "Objects with a vector each", { maxItems: 5_000 }),
			field: text("Field that has the vector", { default: "vector", minLength: 1, maxLength: 200 }),
			limit: integer("Elements at most", { minimum: 1, maximum: 1_000, default: 10 }),
			min_score: number("Leave out what is less similar", { minimum: -1, maximum: 1, default: -1 }),
		},
		["query", "items"],
	),
	output: list(
		object(
			{
				score: number("Similarity from -1 to 1"),
				item: { type: "object", description: "The element without its vector" },
				index: integer("Its place in items"),
			},
			"A ranked element",
		),
		"The nearest first",
	),
	code: `
const { query, items, field } = input;
if (query.length * items.length > 1_000_000) {
	throw new Error("too many numbers: " + items.length + " vectors of " + query.length + "; at most one million in all");
}
const queryLength = lengthOf(query);
if (queryLength === 0) throw new Error("query has only zeros");
return items
	.map((item, index) => ({ score: scoreOf(item, index), index }))
	.filter(({ score }) => score >= input.min_score)
	.sort((a, b) => b.score - a.score || a.index - b.index)
	.slice(0, input.limit)
	.map(({ score, index }) => ({ score, item: withoutVector(items[index]), index }));

function scoreOf(item, index) {
	const vector = Object.hasOwn(item, field) ? item[field] : null;
	const where = "items[" + index + "]";
	if (!Array.isArray(vector)) throw new Error(where + " has no vector in " + field);
	if (vector.length !== query.length) {
		throw new Error(where + ": its vector has " + vector.length + " numbers, the query " + query.length + "; were they made by the same model?");
	}
	let product = 0;
	let squares = 0;
	for (let place = 0; place < vector.length; place++) {
		const value = vector[place];
		product += query[place] * value;
		squares += value * value;
	}
	const score = squares === 0 ? 0 : product / queryLength / Math.sqrt(squares);
	if (!Number.isFinite(score)) throw new Error(where + ": its vector has something that is no number");
	return Math.round(score * 1e6) / 1e6;
}

function withoutVector(item) {
	const copy = Object.assign(Object.create(null), item);
	delete copy[field];
	return copy;
}

function lengthOf(vector) {
	return Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
}
`,
	examples: [
		{
			title: "The nearest two",
			params: {
				query: [1, 0],
				items: [
					{ text: "far", vector: [0, 2] },
					{ text: "near", vector: [3, 4] },
					{ text: "same", vector: [5, 0] },
				],
				limit: 2,
			},
			output: [
				{ score: 1, item: { text: "same" }, index: 2 },
				{ score: 0.6, item: { text: "near" }, index: 1 },
			],
		},
		{
			title: "Only what is similar, from another field",
			params: { query: [1, 1], items: [{ id: 1, embedding: [-1, -1] }], field: "embedding", min_score: 0 },
			output: [],
		},
		{
			title: "Vectors of two models",
			params: { query: [1, 0, 0], items: [{ vector: [1, 0] }] },
			error: "items[0]: its vector has 2 numbers, the query 3; were they made by the same model?",
		},
	],
});
