import { describeTypes } from "../../types/describe.ts";
import { mayOverlap, readElement } from "../../types/overlap.ts";
import {
	ANY,
	ANY_LIST,
	ANY_OBJECT,
	BOOLEAN,
	listOf,
	NULL,
	NUMBER,
	TEXT,
	type Type,
	unionOf,
} from "../../types/type.ts";
import type { TextProblem } from "../problem.ts";
import type { FilterCall } from "../reference-syntax.ts";

interface FilterType {
	/** Anything else fails. */
	readonly takes: Type;
	readonly gives: (input: Type) => Type;
}

const PRINTABLE = unionOf([TEXT, NUMBER, BOOLEAN]);
const toText: FilterType["gives"] = () => TEXT;
const keep: FilterType["gives"] = (input) => input;
const pickElement: FilterType["gives"] = (input) => readElement(input) ?? ANY;

const FILTER_TYPES: ReadonlyMap<string, FilterType> = new Map(
	Object.entries<FilterType>({
		json: { takes: ANY, gives: toText },
		parse_json: { takes: TEXT, gives: () => ANY },
		join: { takes: ANY_LIST, gives: toText },
		split: { takes: TEXT, gives: () => listOf(TEXT) },
		trim: { takes: TEXT, gives: toText },
		upper: { takes: TEXT, gives: toText },
		lower: { takes: TEXT, gives: toText },
		length: { takes: unionOf([TEXT, ANY_LIST, ANY_OBJECT]), gives: () => NUMBER },
		first: { takes: ANY_LIST, gives: pickElement },
		last: { takes: ANY_LIST, gives: pickElement },
		keys: { takes: ANY_OBJECT, gives: () => listOf(TEXT) },
		slice: { takes: unionOf([TEXT, ANY_LIST]), gives: keep },
		round: { takes: NUMBER, gives: () => NUMBER },
		date: { takes: unionOf([TEXT, NUMBER]), gives: () => unionOf([TEXT, NUMBER]) },
		url: { takes: PRINTABLE, gives: toText },
		base64: { takes: PRINTABLE, gives: toText },
		sha256: { takes: PRINTABLE, gives: toText },
	}),
);

/** The type after a filter, or why the filter always fails. A filter that is not listed may give anything. */
export function inferFilter(
	{ name, offset }: FilterCall,
	input: Type,
	what: string,
): { readonly type: Type; readonly claim?: undefined } | { readonly claim: TextProblem } {
	const known = FILTER_TYPES.get(name);
	if (known === undefined) return { type: ANY };
	if (mayOverlap(input, known.takes)) return { type: known.gives(input) };
	const message = `${what} | ${name}: needs ${describeTypes(known.takes)}, but it is ${describeTypes(input)}`;
	return { claim: { code: "wrong_type", message, offset } };
}

export const inferConstant = (value: unknown): Type => {
	if (value === null) return NULL;
	return typeof value === "string" ? TEXT : typeof value === "number" ? NUMBER : BOOLEAN;
};
