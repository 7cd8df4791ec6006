import { integer, list } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { params } from "../schema.ts";

export const batchList = code({
	id: "batch_list",
	title: "Batches of a list",
	description: `Cuts a list into lists of at most \`size\` elements, in their order.

Use it with \`foreach\` where a service takes many elements at once, but not all: 100 rows for an insert, 50 texts for an embedding. \`max_characters\` also keeps the JSON text of each batch below a limit; an element that is larger by itself fails.`,
	tags: ["list", "batch", "api"],
	params: params(
		{
			items: list({}, "The list", { maxItems: 100_000 }),
			size: integer("Elements of a batch at most", { minimum: 1, maximum: 10_000 }),
			max_characters: integer("Characters of a batch as JSON at most", { minimum: 2, maximum: 10_000_000 }),
		},
		["items", "size"],
	),
	output: list({ type: "array", items: {} }, "The batches"),
	code: `
const { items, size, max_characters: most = Infinity } = input;
const batches = [];
let batch = [];
let characters = 2;
items.forEach((item, place) => {
	const length = most === Infinity ? 0 : JSON.stringify(item).length;
	if (length + 2 > most) {
		throw new Error("items[" + place + "] has " + length + " characters by itself; max_characters is " + most);
	}
	if (batch.length === size || (batch.length > 0 && characters + length + 1 > most)) {
		batches.push(batch);
		batch = [];
		characters = 2;
	}
	characters += length + (batch.length > 0 ? 1 : 0);
	batch.push(item);
});
return batch.length > 0 ? [...batches, batch] : batches;
`,
	examples: [
		{
			title: "Two by two",
			params: { items: [1, 2, 3, 4, 5], size: 2 },
			output: [[1, 2], [3, 4], [5]],
		},
		{
			title: "By number and by size",
			params: { items: ["aaaa", "b", "c", "d"], size: 2, max_characters: 11 },
			output: [["aaaa"], ["b", "c"], ["d"]],
		},
		{
			title: "An element that fits in no batch",
			params: { items: ["short", "much too long"], size: 10, max_characters: 12 },
			error: "items[1] has 15 characters by itself; max_characters is 12",
		},
	],
});
