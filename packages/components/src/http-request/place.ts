import type { Json } from "@tripline/contract/json";
import { isRefused, joinPath, readStep, type Step } from "@tripline/engine/expressions/path";
import { parseTemplate } from "@tripline/engine/expressions/template-syntax";
import { describeType } from "@tripline/engine/issues";
import { MAX_NODE_UNITS, Meter } from "@tripline/engine/meter";
import * as z from "zod";
import { isObject } from "../schemas.ts";

export const PATH_PROBLEM = 'must be a path such as data.items or page["next cursor"]';

/** A path in a response or a body, in template syntax: `data.items` or `["@next"]`. */
export const Place = z
	.string()
	.max(500)
	.refine((path) => parseSteps(path) !== null, PATH_PROBLEM);

export function readValueAt(value: Json, path: string): Json | undefined {
	let found: Json | undefined = value;
	for (const key of parseSteps(path) ?? []) found = readStep(found, key);
	return found;
}

const MAX_NAMES = 12;
const MAX_NAME_LENGTH = 40;

/** For example `"data.next"; it has items, next`, or `"meta.next"; "meta" has total`. */
export function describeMissing(value: Json, path: string): string {
	let parent: Json | undefined = value;
	let where = "";
	for (const key of parseSteps(path) ?? []) {
		const inner = readStep(parent, key);
		if (inner === undefined) break;
		parent = inner;
		where = joinPath(where, key);
	}
	const subject = where === "" ? "it" : `"${where}"`;
	if (!isObject(parent)) return `"${path}"; ${subject} is ${describeType(parent)}`;
	const names = Object.keys(parent);
	if (names.length === 0) return `"${path}"; ${subject} is empty`;
	const shown = names.slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_NAME_LENGTH));
	const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
	return `"${path}"; ${subject} has ${shown.join(", ")}${more}`;
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
export function parseSteps(path: string): readonly Step[] | null {
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
