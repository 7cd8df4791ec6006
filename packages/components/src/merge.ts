import type { Json } from "@tripline/contract/json";
import { describeType } from "@tripline/engine/issues";
import type { Meter } from "@tripline/engine/meter";
import { TerminalError } from "@tripline/engine/terminal-error";
import { readElement } from "@tripline/engine/types/overlap";
import { ANY, listMembers, listType, type Type, unionType } from "@tripline/engine/types/type";
import * as z from "zod";
import { define } from "./define.ts";
import { anyList, anyObject, isObject } from "./schemas.ts";

/** More would exceed a node's output limit. */
const MAX_PARTS = 600_000;

export const merge = define({
	id: "merge",
	title: "Merge",
	description:
		"Merges objects into one object, or lists into one list. If several objects have the same key, the last one wins; nested values are replaced, not merged. Lists are concatenated in order.",
	params: z.strictObject({
		values: anyList()
			.refine((values) => values.length > 0, "must not be empty")
			.meta({ description: "A list of objects, or a list of lists" }),
	}),
	output: z.union([anyObject(), anyList()]).meta({ description: "The merged object or list" }),
	inferOutput: ({ param, meter }) => inferMerged(readElement(param("values")) ?? ANY, meter),
	isPure: true,
	examples: [
		{
			title: "Defaults, overridden by the trigger",
			input: { settings: { lang: "fr" } },
			params: { values: [{ lang: "en", size: 10 }, "{{input.settings}}"] },
			output: { lang: "fr", size: 10 },
		},
		{
			title: "Two lists",
			input: { more: [3] },
			params: { values: [[1, 2], "{{input.more}}"] },
			output: [1, 2, 3],
		},
		{
			title: "Objects and lists cannot be mixed",
			params: { values: [{ a: 1 }, [2]] },
			error: "values[1] is a list and values[0] is an object: all must be objects, or all lists",
		},
	],
	run({ params: { values }, meter }) {
		assertFits(values, meter);
		if (values.every(isObject)) return mergeObjects(values);
		if (values.every((value) => Array.isArray(value))) return values.flat();
		throw new TerminalError(describeMismatch(values));
	},
});

const UNITS_PER_FIELD = 80;

/** A field of the result comes from any of the objects. */
function inferMerged(value: Type, meter: Meter): Type {
	const members = listMembers(value);
	const objects = members.filter((member) => member.kind === "object");
	const lists = members.filter((member) => member.kind === "list");
	if (lists.length === members.length) return listType(unionType(lists.map(({ element }) => element)));
	if (objects.length < members.length) return ANY;
	for (const { fields } of objects) meter.spend(UNITS_PER_FIELD * fields.size);
	const names = new Set(objects.flatMap(({ fields }) => [...fields.keys()]));
	const read = (name: string) =>
		unionType(objects.flatMap(({ fields, others }) => fields.get(name) ?? others ?? []));
	const open = objects.flatMap(({ others }) => others ?? []);
	return {
		kind: "object",
		fields: new Map([...names].map((name) => [name, read(name)])),
		others: open.length === 0 ? null : unionType(open),
	};
}

const BYTES_PER_PART = 32;

/** A large value that is referenced many times is small in memory but huge when merged. */
function assertFits(values: readonly Json[], meter: Meter): void {
	let size = 0;
	for (const value of values) {
		const parts = Array.isArray(value) ? value.length : Object.keys(value ?? {}).length;
		// The entries of an object are read and written again.
		meter.spend(1 + parts * (Array.isArray(value) ? 0.5 : 8));
		size += parts;
	}
	meter.recordBytes(size * BYTES_PER_PART);
	if (size > MAX_PARTS)
		throw new TerminalError(`values have ${size} parts together; at most ${MAX_PARTS} are merged`);
}

/** Uses fromEntries, not assignment, so that a key `__proto__` stays data. */
const mergeObjects = (objects: readonly { [key: string]: Json }[]) =>
	Object.fromEntries(objects.flatMap(Object.entries)) as { [key: string]: Json };

function describeMismatch(values: readonly Json[]): string {
	const [first = null] = values;
	const isFit = (value: Json) => isObject(value) || Array.isArray(value);
	if (!isFit(first)) return `values[0] is ${describeType(first)}, not an object or a list`;
	const at = values.findIndex((value) => !isFit(value) || Array.isArray(value) !== Array.isArray(first));
	return `values[${at}] is ${describeType(values[at] as Json)} and values[0] is ${describeType(first)}: all must be objects, or all lists`;
}
