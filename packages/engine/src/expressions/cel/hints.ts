import { continuesIdentifier } from "../identifiers.ts";

const HAS = "for a value that may be missing, write has(a.b) ? a.b : c";
const SIZE = "use size()";
const REGULAR = "use contains, startsWith or endsWith: regular expressions can take unbounded time";
const LISTS = "use the filter of that name in a template, or a node of the component aggregate";
const EXTREME = "of two values write a < b ? a : b; of a list use the filter of that name in a template";
const EXISTS = "use exists(x, …)";
const NUMBER = "use double() or int()";

/** Functions and methods of other languages. */
export const OTHER_FUNCTIONS: Readonly<Record<string, string>> = {
	matches: REGULAR,
	match: REGULAR,
	test: REGULAR,
	search: REGULAR,
	regex: REGULAR,
	toLowerCase: "use lower()",
	toUpperCase: "use upper()",
	includes: "use contains() for text and x in list for lists",
	length: SIZE,
	len: SIZE,
	count: SIZE,
	strip: "use trim()",
	slice: "use substring() for text",
	now: "use a datetime node",
	today: "use a datetime node",
	toString: "use string()",
	str: "use string()",
	String: "use string()",
	text: "use string()",
	Number: NUMBER,
	number: NUMBER,
	float: NUMBER,
	parseInt: NUMBER,
	parseFloat: NUMBER,
	toNumber: NUMBER,
	toFixed: "use round(x, digits)",
	floor: "use int(), which cuts off the fraction",
	ceil: "use round()",
	orValue: HAS,
	or: HAS,
	orElse: HAS,
	optMap: HAS,
	hasValue: "use has(a.b)",
	coalesce: HAS,
	default: HAS,
	ifNull: HAS,
	isNull: "write x == null",
	isEmpty: "write size(x) == 0",
	empty: "write size(x) == 0",
	some: EXISTS,
	any: EXISTS,
	every: "use all(x, …)",
	find: "use filter(x, …)[0]",
	sum: LISTS,
	min: EXTREME,
	max: EXTREME,
	avg: LISTS,
	first: "write list[0], or use the filter first in a template",
	last: "write list[size(list) - 1], or use the filter last in a template",
	reduce: "use a node of the component aggregate",
	sort: "use a node of the component sort",
	stringify: "use the filter json in a template",
	concat: "texts and lists are joined with +",
};

/** Constants of other languages. */
const OTHER_CONSTANTS: Readonly<Record<string, string>> = {
	None: "null",
	nil: "null",
	NULL: "null",
	Null: "null",
	undefined: "null",
	True: "true",
	TRUE: "true",
	False: "false",
	FALSE: "false",
};

export const hintAtConstant = (name: string): string | undefined =>
	Object.hasOwn(OTHER_CONSTANTS, name) ? `write ${OTHER_CONSTANTS[name]}` : undefined;

/** What to write instead of the text at `offset`, which the parser refused. */
export function findSyntaxHint(text: string, offset: number, code: string): string | undefined {
	if (text.includes("{{"))
		return "an expression uses names without braces: write input.total, not {{input.total}}";
	const around = text.slice(Math.max(0, offset - 2), offset + 2);
	if (/\?\.|\?\?|\.\?|\[\?/.test(around)) return HAS;
	const word = readWordAt(text, offset);
	if (code === "reserved_identifier")
		return word === "if" ? "write condition ? a : b" : 'a node of that name is read as nodes["name"]';
	if (text.startsWith("=>", offset))
		return /\(\s*\w{1,40}\s*$/.test(text.slice(0, offset))
			? "write list.map(x, x.name): there are no arrow functions"
			: "write >= for greater or equal";
	if (text.includes("!==")) return "values are compared with == and !=";
	if (text[offset] === "=" || text.includes("===")) return "values are compared with ==";
	if (around.includes("<>")) return "write != for not equal";
	return OPERATORS.get(word.toLowerCase()) ?? (/\bnot\b/i.test(text) ? OPERATORS.get("not") : undefined);
}

/** Operators of other languages. */
const OPERATORS: ReadonlyMap<string, string> = new Map([
	["and", "write && for and"],
	["&", "write && for and"],
	["or", "write || for or"],
	["|", "write || for or; an expression has no filters"],
	["not", "write ! for not, as in !(x in list)"],
	["is", "write == null"],
	["~", "texts are joined with +"],
	["$", "names have no $: write input.name for the input, node.name for a node"],
]);

/** The word at the offset, or its character. */
export function readWordAt(text: string, offset: number): string {
	let end = offset;
	while (end < text.length && end - offset < 40) {
		const code = text.codePointAt(end) as number;
		if (!continuesIdentifier(code)) break;
		end += code > 0xffff ? 2 : 1;
	}
	return end > offset
		? text.slice(offset, end)
		: String.fromCodePoint(text.codePointAt(offset) ?? 32).toWellFormed();
}
