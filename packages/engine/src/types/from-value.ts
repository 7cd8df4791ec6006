import type { Json } from "@tripline/contract/json";
import type { Meter } from "../meter.ts";
import {
	ANY,
	ANY_OBJECT,
	BOOLEAN,
	listType,
	NULL,
	NUMBER,
	objectType,
	TEXT,
	type Type,
	unionType,
} from "./type.ts";

/** Longer lists and larger objects are data, whose fields nobody misspells. */
const MAX_PARTS = 200;
const MAX_DEPTH = 8;

/** The type of a constant. `readText` gives the type of a text, which may be a template. */
export function toValueType(
	value: Json,
	meter: Meter,
	readText: (text: string) => Type = () => TEXT,
	depth = 0,
): Type {
	meter.spend(1);
	if (typeof value === "string") return readText(value);
	if (typeof value === "number") return NUMBER;
	if (typeof value === "boolean") return BOOLEAN;
	if (value === null) return NULL;
	const read = (part: Json) => toValueType(part, meter, readText, depth + 1);
	if (Array.isArray(value)) {
		const isSmall = value.length <= MAX_PARTS && depth < MAX_DEPTH;
		return listType(isSmall ? unionType(value.map(read)) : ANY);
	}
	const names = Object.keys(value);
	if (names.length > MAX_PARTS || depth >= MAX_DEPTH) return ANY_OBJECT;
	const fields = new Map<string, Type>();
	for (const name of names) fields.set(name, read(value[name] as Json));
	return objectType(fields);
}
