import { choice, flag, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { anything, params } from "../schema.ts";

export const jsonFromText = code({
	id: "json_from_text",
	title: "Find JSON in text",
	description: `Finds the JSON object or list in a text that has more in it: what a language model answers ("Sure! Here is the JSON: …"), a code block, a line of a log.

With \`repair\` (the default) it also reads what is almost JSON: commas before a closing bracket, comments, texts in single quotes, and Python's \`True\`, \`False\` and \`None\`. Nothing is made up: a value that was cut off fails.

For text that is nothing but JSON use \`parse\`.`,
	tags: ["json", "llm", "text"],
	params: params(
		{
			text: text("The text", { maxLength: 200_000 }),
			kind: choice(["any", "object", "list"], "What to look for; the first of that kind is taken", {
				default: "any",
			}),
			repair: flag("Also read what is almost JSON", { default: true }),
		},
		["text"],
	),
	output: anything("The value"),
	code: String.raw`
const TOKEN = /"[^"\\\n]*(?:\\[\s\S][^"\\\n]*)*"|'[^'\\\n]*(?:\\[\s\S][^'\\\n]*)*'|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[A-Za-z_]\w*|[{}[\],"'/]|[^{}[\],"'/A-Za-z_]+/g;
const MOST_DEEP = 64;
const MOST_TRIES = 1000;
const CLOSES = { "{": "}", "[": "]" };
const WORDS = { True: "true", False: "false", None: "null" };
const opening = input.kind === "object" ? /\{/g : input.kind === "list" ? /\[/g : /[{[]/g;

const wanted = input.kind === "any" ? "JSON object or list" : "JSON " + input.kind;
let tries = 0;
for (let match = opening.exec(input.text); match && tries < MOST_TRIES; match = opening.exec(input.text)) {
	tries++;
	const tokens = valueAt(match.index);
	if (tokens === null) throw new Error("the text ends inside of a " + wanted + "; was the answer cut off?");
	for (const written of input.repair ? [tokens.join(""), repaired(tokens)] : [tokens.join("")]) {
		const value = parsed(written);
		if (value !== undefined) return value;
	}
	// A part of something that cannot be read is not what was asked for.
	opening.lastIndex = TOKEN.lastIndex;
}
throw new Error("the text has no " + wanted);

/** The tokens from an opening bracket to the one that closes it, or to what cannot be JSON; null if the text ends first. */
function valueAt(start) {
	const open = [];
	const tokens = [];
	TOKEN.lastIndex = start;
	for (let match = TOKEN.exec(input.text); match; match = TOKEN.exec(input.text)) {
		const [token] = match;
		tokens.push(token);
		if (token === "{" || token === "[") open.push(CLOSES[token]);
		else if ((token === "}" || token === "]") && open.pop() !== token) return tokens;
		if (open.length === 0 || open.length > MOST_DEEP) return tokens;
	}
	return null;
}

function repaired(tokens) {
	const kept = tokens.filter((token) => !token.startsWith("//") && !token.startsWith("/*"));
	const written = [];
	for (const token of kept) {
		if (token === "}" || token === "]") dropComma(written);
		if (token.length > 1 && token[0] === "'") written.push(doubleQuoted(token));
		else written.push(Object.hasOwn(WORDS, token) ? WORDS[token] : token);
	}
	return written.join("");
}

function dropComma(written) {
	let last = written.length - 1;
	while (last > 0 && written[last].trim() === "") last--;
	if (written[last] === ",") written.length = last;
}

function doubleQuoted(token) {
	const inner = token.slice(1, -1).replaceAll("\\'", "'");
	return '"' + inner.replace(/\\[\s\S]|"/g, (part) => (part === '"' ? '\\"' : part)) + '"';
}

function parsed(text) {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
`,
	examples: [
		{
			title: "What a model answered",
			params: {
				text: 'Sure! Here it is:\n```json\n{"title": "Tea {hot}", "tags": ["a", "b",],} // done\n```\nAnything else?',
			},
			output: { title: "Tea {hot}", tags: ["a", "b"] },
		},
		{
			title: "A Python literal",
			params: { text: "result = {'ok': True, 'error': None, 'name': \"it's\"}" },
			output: { ok: true, error: null, name: "it's" },
		},
		{
			title: "The first list, after a reference that is none",
			params: { text: "See [this]: [1, 2]", kind: "list" },
			output: [1, 2],
		},
		{
			title: "Cut off",
			params: { text: '{"a": [1, 2' },
			error: "the text ends inside of a JSON object or list; was the answer cut off?",
		},
	],
});
