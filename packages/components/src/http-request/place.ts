import type { Json } from "@tripline/contract/json";
import { readStep, type Step } from "@tripline/engine/expressions/path";
import { parseValuePath, VALUE_PATH_PROBLEM } from "@tripline/engine/expressions/value-path";
import * as z from "zod";
import { isObject } from "../schemas.ts";

/** A path in a response or a body, in template syntax: `data.items` or `["@next"]`. */
export const Place = z
	.string()
	.max(500)
	.refine((path) => parseValuePath(path) !== null, VALUE_PATH_PROBLEM);

/** Returns a copy with the value at the path; missing objects on the path are created. */
export function setValueAt(target: Json, path: string, value: Json): Json {
	return put(target, parseValuePath(path) ?? [], value);
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
