import { integer, list, number, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { anything, object, params } from "../schema.ts";

export const fuzzyMatch = code({
	id: "fuzzy_match",
	title: "Most similar of a list",
	description: `Finds the elements of a list that are most like a text, in spite of typing errors, accents, capital letters and another order of words: \`jon smiht\` finds \`Smith, John\`.

Use it to match names of customers, products or cities between two systems that spell them differently. The score is from 0 to 1: the share of letter pairs that both texts have (Dice), so it needs no dictionary and works in any language with letters. Of long texts the first 200 characters count. Above about 0.6 it is usually the same thing; look at what is below before you rely on it.`,
	tags: ["list", "search", "text"],
	params: params(
		{
			text: text("What to look for", { minLength: 1, maxLength: 200 }),
			candidates: list({}, "Texts, or objects with the text in field", { maxItems: 2_000 }),
			field: text("Of objects: the field that has the text", { minLength: 1, maxLength: 200 }),
			min_score: number("Leave out what is less similar", { minimum: 0, maximum: 1, default: 0.5 }),
			limit: integer("Matches at most", { minimum: 1, maximum: 100, default: 5 }),
		},
		["text", "candidates"],
	),
	output: object(
		{
			best: anything("The most similar element; null if none is similar enough"),
			matches: list(
				object(
					{
						value: anything("The element"),
						score: number("From 0 to 1"),
						index: integer("Its place in candidates"),
					},
					"A match",
				),
				"The matches, the most similar first",
			),
		},
		"What was found",
	),
	code: String.raw`
const MOST_COMPARED = 200;
const wanted = pairsOf(input.text);
if (wanted.length === 0) throw new Error("text has no letter or digit to compare");
const counts = new Map();
for (const pair of wanted) counts.set(pair, (counts.get(pair) ?? 0) + 1);
const matches = input.candidates
	.map((value, index) => ({ value, score: similarity(pairsOf(textOf(value, index))), index }))
	.filter(({ score }) => score >= input.min_score && score > 0)
	.sort((a, b) => b.score - a.score || a.index - b.index)
	.slice(0, input.limit);
return { best: matches[0]?.value ?? null, matches };

function textOf(value, index) {
	const text = input.field === undefined ? value : Object.hasOwn(Object(value), input.field) ? value[input.field] : null;
	if (typeof text !== "string") {
		const what = input.field === undefined ? " is no text; for objects set field" : " has no text in " + input.field;
		throw new Error("candidates[" + index + "]" + what);
	}
	return text.slice(0, MOST_COMPARED);
}

/** Every two neighbours of each word, with its ends: "tea" is " t", "te", "ea", "a ". */
function pairsOf(text) {
	const words = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
	return words.flatMap((word) => {
		const letters = [" ", ...word, " "];
		return letters.slice(1).map((letter, place) => letters[place] + letter);
	});
}

/** Pairs that both have, each as often as both have it, out of all. */
function similarity(pairs) {
	const left = new Map();
	let shared = 0;
	for (const pair of pairs) {
		const most = counts.get(pair);
		if (most === undefined) continue;
		const used = left.get(pair) ?? 0;
		if (used === most) continue;
		left.set(pair, used + 1);
		shared++;
	}
	return Math.round((2000 * shared) / (wanted.length + pairs.length)) / 1000;
}
`,
	examples: [
		{
			title: "A name with typing errors",
			params: {
				text: "jon smiht",
				candidates: ["John Smythe", "Smith, John", "Ada Lovelace"],
				min_score: 0.4,
			},
			output: {
				best: "Smith, John",
				matches: [
					{ value: "Smith, John", score: 0.571, index: 1 },
					{ value: "John Smythe", score: 0.455, index: 0 },
				],
			},
		},
		{
			title: "Objects, and accents that do not matter",
			params: {
				text: "Muenchen, munchen",
				candidates: [
					{ id: 1, city: "München" },
					{ id: 2, city: "Mannheim" },
				],
				field: "city",
				limit: 1,
			},
			output: {
				best: { id: 1, city: "München" },
				matches: [{ value: { id: 1, city: "München" }, score: 0.64, index: 0 }],
			},
		},
		{
			title: "Nothing is similar enough",
			params: { text: "tea", candidates: ["coffee"] },
			output: { best: null, matches: [] },
		},
		{
			title: "Objects need a field",
			params: { text: "tea", candidates: [{ name: "tea" }] },
			error: "candidates[0] is no text; for objects set field",
		},
	],
});
