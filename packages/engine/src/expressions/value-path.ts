import type { Json } from "@tripline/contract/json";
import { describeType } from "../issues.ts";
import { MAX_NODE_UNITS, Meter } from "../meter.ts";
import { isRefused, joinPath, readStep, type Step } from "./path.ts";
import { parseTemplate } from "./template-syntax.ts";

export const VALUE_PATH_PROBLEM = 'must be a path such as data.items or page["next cursor"]';

export function readValueAt(value: Json, path: string): Json | undefined {
	let found: Json | undefined = value;
	for (const key of parseValuePath(path) ?? []) found = readStep(found, key);
	return found;
}

const MAX_NAMES = 12;
const MAX_NAME_LENGTH = 40;

/** For example `"data.next"; it has items, next`, or `"meta.next"; "meta" has total`. */
export function describeMissing(value: Json, path: string): string {
	let parent: Json | undefined = value;
	let where = "";
	for (const key of parseValuePath(path) ?? []) {
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

/** The steps of a path in template syntax, such as `data.items` or `["@next"]`; null if the text is none. */
export function parseValuePath(path: string): readonly Step[] | null {
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

const isObject = (value: Json | undefined): value is { [name: string]: Json } =>
	typeof value === "object" && value !== null && !Array.isArray(value);
