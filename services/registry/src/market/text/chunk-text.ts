import { integer, list, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { object, params } from "../schema.ts";

export const chunkText = code({
	id: "chunk_text",
	title: "Cut text into chunks",
	description: `Cuts a long text into chunks for embeddings and language models, at paragraphs where that is possible, else at lines, sentences or words. Each chunk may begin with the end of the one before it (\`overlap\`), so that no thought is lost at the border.

Use it before \`embed\` or before \`llm_chat\` in a \`foreach\`. \`tokens\` is an estimate (a quarter of the Latin characters, all of the Chinese, Japanese and Korean ones): models count differently, so leave a margin.

With \`overlap: 0\` the chunks joined together are the text, character for character.`,
	tags: ["text", "llm", "embeddings"],
	params: params(
		{
			text: text("The text", { maxLength: 200_000 }),
			max_characters: integer("Characters of a chunk at most", {
				minimum: 20,
				maximum: 100_000,
				default: 2_000,
			}),
			overlap: integer("Characters that a chunk repeats of the one before it; at most half of a chunk", {
				minimum: 0,
				maximum: 50_000,
				default: 200,
			}),
		},
		["text"],
	),
	output: list(
		object(
			{
				index: integer("Its place, from 0"),
				text: text("The chunk"),
				tokens: integer("About how many tokens it has"),
			},
			"A chunk",
		),
		"The chunks in order",
	),
	code: String.raw`
const { text, max_characters: most, overlap } = input;
if (overlap > most / 2) throw new Error("overlap must be at most half of max_characters, which is " + Math.floor(most / 2));
const chunks = [];
let start = 0;
while (start < text.length) {
	const end = text.length - start <= most ? text.length : breakBefore(start + most, start + Math.ceil(most / 2));
	const chunk = text.slice(start, end);
	chunks.push({ index: chunks.length, text: chunk, tokens: tokensOf(chunk) });
	if (end === text.length) break;
	start = overlap === 0 ? end : overlapStart(end);
}
return chunks;

/** The best place to cut between the two. */
function breakBefore(latest, earliest) {
	const part = text.slice(earliest, latest);
	for (const mark of ["\n\n", "\n"]) {
		const at = part.lastIndexOf(mark);
		if (at !== -1) return earliest + at + mark.length;
	}
	for (const ends of [/[.!?…][")'”’]?\s|[。！？]/g, /\s/g]) {
		const found = [...part.matchAll(ends)].at(-1);
		if (found !== undefined) return earliest + found.index + found[0].length;
	}
	return isInside(latest) ? latest - 1 : latest;
}

/** Begins at a word where there is one. */
function overlapStart(end) {
	const from = end - overlap;
	const space = text.slice(from - 1, end - 1).search(/\s\S/);
	if (space !== -1) return from + space;
	return isInside(from) ? from + 1 : from;
}

/** Whether a place is between the two halves of a character. */
function isInside(at) {
	const code = text.charCodeAt(at);
	return code >= 0xdc00 && code <= 0xdfff;
}

function tokensOf(chunk) {
	const dense = chunk.match(/[\u2E80-\uD7A3\uF900-\uFAFF\u{20000}-\u{3FFFD}]/gu)?.length ?? 0;
	const other = chunk.match(/[^\x00-\x7F\u2E80-\uD7A3\uF900-\uFAFF\u{20000}-\u{3FFFD}]/gu)?.length ?? 0;
	return Math.ceil(dense + other / 2 + (chunk.length - dense - other) / 4);
}
`,
	examples: [
		{
			title: "At sentences, without overlap",
			params: { text: "Tea is hot. Milk is cold. Honey is sweet.", max_characters: 26, overlap: 0 },
			output: [
				{ index: 0, text: "Tea is hot. Milk is cold. ", tokens: 7 },
				{ index: 1, text: "Honey is sweet.", tokens: 4 },
			],
		},
		{
			title: "With overlap, at words",
			params: { text: "one two three four five six seven", max_characters: 20, overlap: 10 },
			output: [
				{ index: 0, text: "one two three four ", tokens: 5 },
				{ index: 1, text: "four five six seven", tokens: 5 },
			],
		},
		{
			title: "Too much overlap",
			params: { text: "a", max_characters: 20, overlap: 11 },
			error: "overlap must be at most half of max_characters, which is 10",
		},
	],
});
