import type { Json } from "@tripline/contract/json";
import { isRefused, readStep, type Step } from "@tripline/engine/expressions/path";
import { parseTemplate } from "@tripline/engine/expressions/template-syntax";
import { MAX_NODE_UNITS, Meter } from "@tripline/engine/meter";
import * as z from "zod";
import { isObject } from "../schemas.ts";

/** A path in a response or a body, in template syntax: `data.items` or `["@next"]`. */
export const Place = z
	.string()
	.max(500)
	.refine((path) => parseSteps(path) !== null, 'must be a path such as data.items or page["next cursor"]');

export function readValueAt(value: Json, path: string): Json | undefined {
	let found: Json | undefined = value;
	for (const key of parseSteps(path) ?? []) found = readStep(found, key);
	return found;
}

/** Returns a copy with the value at the path; missing objects on the path are created. */
export function setValueAt(target: Json, path: string, value: Json): Json {
	return put(target, parseSteps(path) ?? [], value);
}

function put(target: Json | undefined, [key, ...rest]: readonly Step[], value: Json): Json {
	if (key === undefined) return value;
	const inner = put(readStep(target, key), rest, value);
	if (typeof key === "number") {
		const list: Json[] = Array.isArray(target) ? [...target] : [];
		list[Math.min(key, list.length)] = inner;
		return list;
	}
	return { ...(isObject(target) ? target : {}), [key]: inner };
}

/** Null if the text is not a path. */
function parseSteps(path: string): readonly Step[] | null {
	const { pieces, problems } = parseTemplate(
		`{{root${path.startsWith("[") ? "" : "."}${path}}}`,
		new Meter(MAX_NODE_UNITS),
	);
	const [only] = pieces;
	if (problems.length > 0 || pieces.length !== 1 || typeof only !== "object") return null;
	if (only.source.kind !== "path" || only.filters.length > 0) return null;
	const keys = only.source.steps.slice(1).map(({ key }) => key);
	return keys.length === 0 || keys.some(isRefused) ? null : keys;
}
