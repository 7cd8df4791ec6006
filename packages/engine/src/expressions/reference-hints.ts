import { FILTER_NAMES } from "@tripline/contract/template-filters";
import { hintAtOtherName } from "./filters/other-names.ts";
import { identifierEnd } from "./identifiers.ts";

const NAME =
	'a name with characters other than letters, digits and _ is written nodes["my node"], input["my-key"] or credential["my-key"]';
const REFERENCE =
	'a reference is a path such as order.items[0]["unit price"], with filters such as | upper; it does not compute';
const COMPUTE =
	"a template only reads values: compute this in a node of the component compute, and read it as {{node.name}}";
const DEFAULT = "for a value that may be missing, write {{a.b | default(c)}}";
const BLOCK = "a template has no blocks: decide with the components if or switch, repeat with FOREACH or map";
const SLICE = "for a part of a list or text, write | slice(0, 2)";

/** What to write instead of what stands at `at`; `before` is the reference up to there. */
export function findReferenceHint(before: string, text: string, at: number): string {
	const rest = text.slice(at, at + 2);
	const isStart = before.trim() === "";
	const word = /([A-Za-z_]\w*)\s*$/.exec(before.slice(-40))?.[1] ?? "";
	if (rest.startsWith("$"))
		return "names have no $: write {{input.name}} for the input, {{node.name}} for a node";
	if (/^[#/^]/.test(rest) && isStart) return BLOCK;
	if (rest.startsWith("??") || rest.startsWith("?.") || (rest.startsWith("|") && before.endsWith("|")))
		return DEFAULT;
	if (rest.startsWith(":") && before.includes("[")) return SLICE;
	if (rest.startsWith("(")) return hintAtCall(word);
	if (rest.startsWith("-")) return isStart || /\s$/.test(before) ? COMPUTE : NAME;
	if (/^[+*/%<>=!&~^?]/.test(rest) || (isStart && /^[\d(]/.test(rest))) return COMPUTE;
	if (/^["'\d]/.test(rest) && isFilter(before)) return hintAtArgument(word);
	if (identifierEnd(text, at) > at) return hintAtWord(before, word, text.slice(at, identifierEnd(text, at)));
	return REFERENCE;
}

/** For `[x]` with neither an index nor a name in quotes. */
export function findIndexHint(text: string, at: number): string {
	if (text[at] === "-") return "for the last element, write | last; for others, | slice(-2)";
	return identifierEnd(text, at) > at
		? 'write [0] or ["name"]; a place that is itself a value needs a node of the component compute'
		: 'write [0] or ["name"]';
}

function hintAtCall(name: string): string {
	const filter = FILTER_NAMES.some((known) => known === name) ? `write | ${name}` : hintAtOtherName(name);
	return filter === undefined ? COMPUTE : `a filter follows its value: ${filter}`;
}

const OPERATORS = ["and", "or", "not", "in", "is", "if", "else"];
const BLOCKS = ["if", "each", "for", "unless", "with", "end", "else", "elif"];

function hintAtWord(before: string, word: string, next: string): string {
	if (BLOCKS.includes(before.trim())) return BLOCK;
	if (OPERATORS.includes(next)) return COMPUTE;
	return isFilter(before) ? hintAtArgument(word) : NAME;
}

const isFilter = (before: string): boolean => /\|\s*\w+\s*$/.test(before);
const hintAtArgument = (filter: string): string => `an argument stands in parentheses: write ${filter}(…)`;
