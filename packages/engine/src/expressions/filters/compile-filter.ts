import type { Json } from "@tripline/contract/json";
import type { FilterName } from "@tripline/contract/template-filters";
import type { Reader } from "../../frame.ts";
import type { Meter } from "../../meter.ts";
import { didYouMean } from "../../nearest.ts";
import { compileDateFormat } from "../dates.ts";
import { isRefused, quoteSource } from "../path.ts";
import type { TextProblem } from "../problem.ts";
import { type Argument, type FilterCall, formatPath, isPath, type Path } from "../reference-syntax.ts";
import * as lists from "./list-filters.ts";
import * as numbers from "./number-filters.ts";
import { hintAtOtherName } from "./other-names.ts";
import * as texts from "./text-filters.ts";

export interface Filter {
	readonly name: string;
	/** Replaces a missing value; only `default` has it. */
	readonly fallback?: Fallback;
	/** Returns undefined if there is no result. `what` names the value in messages. */
	readonly apply: (value: Json, what: string, meter: Meter) => Json | undefined;
}

/** `name` is the path as written; undefined for a constant. */
interface Fallback {
	readonly read: Reader;
	readonly name?: string;
}

type Apply = Filter["apply"];
/** The problem with an argument. */
type Problem = { readonly problem: string };
type Takes = "text" | "separator" | "part" | "field" | "integer" | "digits" | "any";

interface Known {
	readonly takes: readonly Takes[];
	/** How many of them are optional. */
	readonly optional?: number;
	readonly make: (...args: never[]) => Apply | Problem;
}

const withoutArguments = (apply: Apply): Known => ({ takes: [], make: () => apply });

const KNOWN: Readonly<Record<FilterName, Known>> = {
	default: { takes: ["any"], make: () => (value) => value },
	json: withoutArguments(texts.json),
	parse_json: withoutArguments(texts.parseJson),
	text: withoutArguments(texts.text),
	number: withoutArguments(numbers.number),
	join: { takes: ["text"], make: (separator: string) => lists.join(separator) },
	split: { takes: ["separator"], make: (separator: string) => texts.split(separator) },
	replace: { takes: ["part", "text"], make: (part: string, by: string) => texts.replace(part, by) },
	trim: withoutArguments(texts.trim),
	upper: withoutArguments(texts.upper),
	lower: withoutArguments(texts.lower),
	length: withoutArguments(lists.length),
	first: withoutArguments(lists.first),
	last: withoutArguments(lists.last),
	slice: {
		takes: ["integer", "integer"],
		optional: 1,
		make: (from: number, to?: number) => lists.slice(from, to),
	},
	unique: withoutArguments(lists.unique),
	pluck: { takes: ["field"], make: (name: string) => lists.pluck(name) },
	named: { takes: ["text"], make: (name: string) => lists.named(name) },
	sum: withoutArguments(numbers.sum),
	min: withoutArguments(numbers.min),
	max: withoutArguments(numbers.max),
	keys: withoutArguments(lists.keys),
	entries: withoutArguments(lists.entries),
	round: { takes: ["digits"], optional: 1, make: (digits?: number) => numbers.round(digits ?? 0) },
	date: { takes: ["text"], make: createDateFilter },
	html: withoutArguments(texts.html),
	url: withoutArguments(texts.url),
	base64: withoutArguments(texts.base64),
	from_base64: withoutArguments(texts.fromBase64),
	sha256: withoutArguments(texts.sha256),
};
const FILTERS: ReadonlyMap<string, Known> = new Map(Object.entries(KNOWN));

/** `readPath` compiles the reference of a `default`; undefined if it reported a problem. */
export function compileFilter(
	call: FilterCall,
	problems: TextProblem[],
	readPath: (path: Path) => Reader | undefined,
): Filter | undefined {
	const fail = (message: string, offset: number, hint?: string) => {
		problems.push({ code: "bad_template", message, offset, ...(hint === undefined ? {} : { hint }) });
		return undefined;
	};
	const known = FILTERS.get(call.name);
	if (known === undefined) {
		const guess = hintAtOtherName(call.name) ?? didYouMean(call.name, FILTERS.keys());
		return fail(
			`there is no filter ${quoteSource(call.name)}`,
			call.offset,
			guess ?? `the filters are ${[...FILTERS.keys()].join(", ")}`,
		);
	}
	const { takes, optional = 0, make } = known;
	if (call.args.length > takes.length || call.args.length < takes.length - optional)
		return fail(`the filter ${call.name} takes ${describeCount(takes.length, optional)}`, call.offset);
	if (call.name === "default") return compileDefault(call, readPath);
	for (const [place, { value, offset }] of call.args.entries()) {
		if (isPath(value))
			return fail(
				`the filter ${call.name} takes constants, not a reference: only default takes one`,
				offset,
				`write text in quotes, as in ${call.name}("…"), or compute the value in a node \`compute\``,
			);
		const wrong = findWrongArgument(takes[place] as Takes, value);
		if (wrong !== undefined) return fail(`the filter ${call.name} needs ${wrong}`, offset);
	}
	const apply = make(...(call.args.map(({ value }) => value) as never[]));
	if ("problem" in apply)
		return fail(
			`date: ${apply.problem}`,
			call.args[0]?.offset ?? call.offset,
			'use iso, unix, or YYYY MM DD HH mm ss SSS with other letters in brackets, as in "YYYY-MM-DD [at] HH:mm"',
		);
	return { name: call.name, apply };
}

function compileDefault(
	{ name, args }: FilterCall,
	readPath: (path: Path) => Reader | undefined,
): Filter | undefined {
	const value = args[0]?.value as Argument;
	const apply: Apply = (given) => given;
	if (!isPath(value)) return { name, apply, fallback: { read: () => value } };
	const read = readPath(value);
	return read && { name, apply, fallback: { read, name: quoteSource(formatPath(value)) } };
}

function createDateFilter(format: string): Apply | Problem {
	const print = compileDateFormat(format);
	return typeof print === "function" ? texts.date(print) : print;
}

function describeCount(most: number, optional: number): string {
	if (most === 0) return "no argument";
	const arguments_ = most === 1 ? "argument" : "arguments";
	return optional === 0 ? `${most} ${arguments_}` : `${most - optional} to ${most} ${arguments_}`;
}

/** A substring search can take time proportional to the product of both lengths. */
const MAX_SEPARATOR_LENGTH = 100;

function findWrongArgument(takes: Takes, value: Argument): string | undefined {
	switch (takes) {
		case "any":
			return undefined;
		case "text":
			return typeof value === "string" ? undefined : "text in quotes";
		case "separator":
			return typeof value === "string" && value.length <= MAX_SEPARATOR_LENGTH
				? undefined
				: `text in quotes of at most ${MAX_SEPARATOR_LENGTH} characters`;
		case "part":
			return typeof value === "string" && value !== "" && value.length <= MAX_SEPARATOR_LENGTH
				? undefined
				: `text in quotes of 1 to ${MAX_SEPARATOR_LENGTH} characters to look for`;
		case "field":
			return typeof value === "string" && !isRefused(value) ? undefined : "the name of a field in quotes";
		case "integer":
			return Number.isSafeInteger(value) ? undefined : "a whole number";
		case "digits":
			return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 15
				? undefined
				: "a whole number from 0 to 15";
	}
}
