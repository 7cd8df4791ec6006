import type { FilterName } from "@tripline/contract/template-filters";
import type { Meter } from "../../meter.ts";
import { explainTypeStep, readTypeStep } from "../../types/access.ts";
import { describeTypes } from "../../types/describe.ts";
import { mayOverlap, readElement } from "../../types/overlap.ts";
import {
	ANY,
	ANY_LIST,
	ANY_OBJECT,
	BOOLEAN,
	listMembers,
	listType,
	NULL,
	NUMBER,
	objectType,
	TEXT,
	type Type,
	unionType,
} from "../../types/type.ts";
import type { TextProblem } from "../problem.ts";
import type { FilterCall } from "../reference-syntax.ts";

interface FilterType {
	/** Anything else fails. */
	readonly takes: Type;
	readonly gives: (input: Type) => Type;
}

const PRINTABLE = unionType([TEXT, NUMBER, BOOLEAN]);
const NUMBERS = listType(NUMBER);
const toText: FilterType["gives"] = () => TEXT;
const toNumber: FilterType["gives"] = () => NUMBER;
const keep: FilterType["gives"] = (input) => input;
const pickElement: FilterType["gives"] = (input) => readElement(input) ?? ANY;
const listEntries: FilterType["gives"] = (input) =>
	listType(objectType({ key: TEXT, value: readFields(input) }));

const FILTER_TYPES: Readonly<Record<Exclude<FilterName, "default">, FilterType>> = {
	json: { takes: ANY, gives: toText },
	parse_json: { takes: TEXT, gives: () => ANY },
	text: { takes: ANY, gives: toText },
	number: { takes: unionType([TEXT, NUMBER]), gives: toNumber },
	join: { takes: ANY_LIST, gives: toText },
	split: { takes: TEXT, gives: () => listType(TEXT) },
	replace: { takes: TEXT, gives: toText },
	trim: { takes: TEXT, gives: toText },
	upper: { takes: TEXT, gives: toText },
	lower: { takes: TEXT, gives: toText },
	length: { takes: unionType([TEXT, ANY_LIST, ANY_OBJECT]), gives: toNumber },
	first: { takes: ANY_LIST, gives: pickElement },
	last: { takes: ANY_LIST, gives: pickElement },
	slice: { takes: unionType([TEXT, ANY_LIST]), gives: keep },
	unique: { takes: ANY_LIST, gives: keep },
	pluck: { takes: ANY_LIST, gives: () => ANY_LIST },
	named: { takes: ANY_LIST, gives: () => ANY },
	sum: { takes: NUMBERS, gives: toNumber },
	min: { takes: NUMBERS, gives: toNumber },
	max: { takes: NUMBERS, gives: toNumber },
	keys: { takes: ANY_OBJECT, gives: () => listType(TEXT) },
	entries: { takes: ANY_OBJECT, gives: listEntries },
	round: { takes: NUMBER, gives: toNumber },
	date: { takes: unionType([TEXT, NUMBER]), gives: () => unionType([TEXT, NUMBER]) },
	html: { takes: PRINTABLE, gives: toText },
	url: { takes: PRINTABLE, gives: toText },
	base64: { takes: PRINTABLE, gives: toText },
	from_base64: { takes: TEXT, gives: toText },
	sha256: { takes: PRINTABLE, gives: toText },
};

/** The type after a filter, or why the filter always fails. */
export function inferFilter(
	{ name, offset, args }: FilterCall,
	input: Type,
	what: string,
	meter: Meter,
): { readonly type: Type; readonly claim?: undefined } | { readonly claim: TextProblem } {
	const known = FILTER_TYPES[name as keyof typeof FILTER_TYPES];
	if (mayOverlap(input, known.takes))
		return name === "pluck" ? inferPlucked(input, args[0], what, meter) : { type: known.gives(input) };
	const message = `${what} | ${name}: needs ${describeTypes(known.takes)}, but it is ${describeTypes(input)}`;
	return { claim: { code: "wrong_type", message, offset } };
}

/** The elements' field. */
function inferPlucked(
	list: Type,
	arg: FilterCall["args"][number] | undefined,
	what: string,
	meter: Meter,
): ReturnType<typeof inferFilter> {
	const element = readElement(list) ?? ANY;
	const name = String(arg?.value);
	const field = readTypeStep(element, name, meter);
	if (field !== undefined) return { type: listType(field) };
	const why = explainTypeStep(element, name, `an element of ${what}`, meter);
	// An empty list has no element to miss the field.
	return { claim: { code: "missing_field", offset: arg?.offset ?? 0, ...why, isConditional: true } };
}

function readFields(type: Type): Type {
	const objects = listMembers(type).filter((member) => member.kind === "object");
	return unionType(
		objects.flatMap(({ fields, others }) => [...fields.values(), ...(others === null ? [] : [others])]),
	);
}

export const inferConstant = (value: unknown): Type => {
	if (value === null) return NULL;
	return typeof value === "string" ? TEXT : typeof value === "number" ? NUMBER : BOOLEAN;
};
