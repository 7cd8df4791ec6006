import { joinPath, quoteSource, type Step } from "../expressions/path.ts";
import type { Meter } from "../meter.ts";
import { didYouMean } from "../nearest.ts";
import { describeTypes } from "./describe.ts";
import { ANY, countMembers, listMembers, type Type, unionType } from "./type.ts";

/** Why no value of a type has a step. */
export interface NoSuchStep {
	readonly message: string;
	readonly hint?: string;
}

/** The type of `container.key` or `container[0]`; undefined if there never is such a value. */
export const readTypeStep = (container: Type, key: Step, meter: Meter): Type | undefined =>
	container.kind === "union" ? readUnion(container, key, meter) : readMember(container, key);

const UNITS_PER_MEMBER = 8;

function readUnion(union: Type, key: Step, meter: Meter): Type | undefined {
	meter.spend(UNITS_PER_MEMBER * countMembers(union));
	const found = listMembers(union).flatMap((member) => readMember(member, key) ?? []);
	return found.length === 0 ? undefined : unionType(found);
}

function readMember(member: Type, key: Step): Type | undefined {
	switch (member.kind) {
		case "any":
			return ANY;
		case "list":
			return typeof key === "number" ? member.element : undefined;
		case "object":
			return typeof key === "string" ? (member.fields.get(key) ?? member.others ?? undefined) : undefined;
		default:
			return undefined;
	}
}

const MAX_FIELDS = 20;
const UNITS_PER_EXPLANATION = 2_000;
const UNITS_PER_FIELD = 100;

/** Why `readTypeStep` found nothing. `path` is the container as written. */
export function explainTypeStep(container: Type, key: Step, path: string, meter: Meter): NoSuchStep {
	meter.spend(UNITS_PER_EXPLANATION);
	const objects = listMembers(container).filter((member) => member.kind === "object");
	const what = quoteSource(path);
	if (typeof key === "number" || objects.length === 0) {
		const wanted = typeof key === "number" ? "a list" : "an object";
		const message = `${what} is ${describeTypes(container)}, not ${wanted}`;
		return container.kind === "list" ? { message, hint: explainList(key, path) } : { message };
	}
	const fields = [...new Set(objects.flatMap(({ fields }) => [...fields.keys()]))];
	// Includes the search for a similar name.
	meter.spend(UNITS_PER_FIELD * fields.length);
	const message = `${what} has no ${quoteSource(key)}; ${listFields(fields)}`;
	const hint = suggestField(key, fields);
	return hint === undefined ? { message } : { message, hint };
}

const explainList = (key: Step, path: string): string =>
	`Read one element, such as ${joinPath(`${path}[0]`, key)}, or loop over it with FOREACH`;

function listFields(fields: readonly string[]): string {
	if (fields.length === 0) return "it has no fields";
	const shown = fields.slice(0, MAX_FIELDS).join(", ");
	return fields.length > MAX_FIELDS ? `it has ${shown} and more` : `it has ${shown}`;
}

/** Names that other products use for the same thing. */
const SYNONYMS: readonly (readonly string[])[] = [
	["data", "body", "json", "response", "payload", "result"],
	["status", "status_code", "statusCode", "code"],
	["text", "content", "message", "output", "answer", "completion", "response"],
	["suggestions", "results", "items", "entries", "hits", "matches"],
	["json", "object", "parsed", "structured"],
	["usage", "tokens"],
];

function suggestField(key: string, fields: readonly string[]): string | undefined {
	const near = didYouMean(key, fields);
	if (near !== undefined) return near;
	const same = SYNONYMS.find(([name = "", ...others]) => fields.includes(name) && others.includes(key));
	return same === undefined ? undefined : `Did you mean "${same[0]}"?`;
}
