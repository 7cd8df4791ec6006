import { type Json, MAX_JSON_DEPTH } from "@tripline/contract/json";
import type { Meter } from "../../meter.ts";
import { TerminalError } from "../../terminal-error.ts";
import { describeJsonKind, quoteSource } from "../path.ts";
import { estimateTextBytes, MAX_TEXT_LENGTH } from "../text-size.ts";
import { Duration, Timestamp } from "./times.ts";

/** JSON, and two time types that exist only during evaluation. */
export type Value = null | boolean | number | string | Value[] | ValueMap | Timestamp | Duration;
export interface ValueMap {
	[key: string]: Value;
}

/** The state of one evaluation. */
export interface Scope {
	/** One for each name the expression uses; undefined if there is no such value. */
	readonly slots: (Value | undefined)[];
	readonly meter: Meter;
}

export type Run = (scope: Scope) => Value;

export function describeKind(value: Value): string {
	if (value instanceof Timestamp) return "a timestamp";
	if (value instanceof Duration) return "a duration";
	return describeJsonKind(value);
}

export function isMap(value: Value | undefined): value is ValueMap {
	return (
		typeof value === "object" &&
		value !== null &&
		!Array.isArray(value) &&
		!(value instanceof Timestamp || value instanceof Duration)
	);
}

/** `source` is the part of the expression that failed. */
export function createFailure(source: string, message: string): TerminalError {
	return new TerminalError(`${quoteSource(source)}: ${message}`);
}

/**
 * Converts a computed value to JSON: a timestamp to ISO 8601, a duration to seconds such as "90s". Copies while counting
 * the size, because a list that contains one large value many times is small in memory and huge as JSON.
 */
export function toJson(value: Value, source: string, meter: Meter): Json {
	if (typeof value === "string") meter.recordBytes(estimateTextBytes(value.length));
	if (typeof value !== "object" || value === null) return value;
	return copyJson(value, { left: MAX_TEXT_LENGTH, source, meter }, 0);
}

/** Includes its slot in the container. */
const BYTES_PER_VALUE = 64;

function copyJson(
	value: Value,
	room: { left: number; readonly source: string; readonly meter: Meter },
	depth: number,
): Json {
	room.meter.spend(2);
	room.meter.recordBytes(
		typeof value === "string" ? BYTES_PER_VALUE + estimateTextBytes(value.length) : BYTES_PER_VALUE,
	);
	room.left -= typeof value === "string" ? value.length + 3 : 5;
	if (room.left < 0)
		throw createFailure(room.source, `the result is larger than ${MAX_TEXT_LENGTH} characters of JSON`);
	if (typeof value !== "object" || value === null) return value;
	if (value instanceof Timestamp || value instanceof Duration) return value.toString();
	if (depth >= MAX_JSON_DEPTH)
		throw createFailure(room.source, `the result nests deeper than ${MAX_JSON_DEPTH} levels`);
	if (Array.isArray(value)) return value.map((element) => copyJson(element, room, depth + 1));
	return Object.fromEntries(
		Object.entries(value).map(([key, inner]) => {
			room.left -= key.length;
			return [key, copyJson(inner, room, depth + 1)];
		}),
	);
}
