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
 * Converts a computed value to JSON: a timestamp to ISO 8601, a duration to seconds such as "90s". A value without times
 * is returned itself, because copying takes several times as long as counting.
 */
export function toJson(value: Value, source: string, meter: Meter): Json {
	if (typeof value === "string") meter.recordBytes(estimateTextBytes(value.length));
	if (typeof value !== "object" || value === null) return value;
	const size = new Size(source, meter);
	size.add(value, 0);
	return size.hasTimes ? copyJson(value, meter) : (value as Json);
}

/** Includes its slot in the container. */
const BYTES_PER_VALUE = 64;
const UNITS_PER_VALUE = 2;
const UNITS_PER_CONTAINER = 4;
const UNITS_PER_NAME = 4;
const UNITS_PER_COPY = 8;
const UNITS_PER_COPIED_NAME = 16;
/** The engine stores an object with many properties as a hash table, which takes longer to read and to write. */
const MANY_NAMES = 100;
const UNITS_OF_MANY = 12;
const UNITS_OF_MANY_COPIED = 40;

/** Counts before anything is copied: a list that contains one large value many times is small in memory and huge as JSON. */
class Size {
	hasTimes = false;
	private left = MAX_TEXT_LENGTH;
	private readonly source: string;
	private readonly meter: Meter;

	constructor(source: string, meter: Meter) {
		this.source = source;
		this.meter = meter;
	}

	add(value: Value, depth: number): void {
		const isText = typeof value === "string";
		this.meter.spend(typeof value === "object" && value !== null ? UNITS_PER_CONTAINER : UNITS_PER_VALUE);
		this.meter.recordBytes(BYTES_PER_VALUE + (isText ? estimateTextBytes(value.length) : 0));
		this.left -= isText ? value.length + 3 : 5;
		if (this.left < 0)
			throw createFailure(this.source, `the result is larger than ${MAX_TEXT_LENGTH} characters of JSON`);
		if (typeof value !== "object" || value === null) return;
		if (value instanceof Timestamp || value instanceof Duration) this.hasTimes = true;
		else if (depth >= MAX_JSON_DEPTH)
			throw createFailure(this.source, `the result nests deeper than ${MAX_JSON_DEPTH} levels`);
		else if (Array.isArray(value)) for (const element of value) this.add(element, depth + 1);
		else this.addEntries(value, depth + 1);
	}

	private addEntries(map: ValueMap, depth: number): void {
		let names = 0;
		for (const key in map) {
			this.left -= key.length;
			this.add(map[key] as Value, depth);
			names++;
		}
		this.meter.spend((names > MANY_NAMES ? UNITS_OF_MANY : UNITS_PER_NAME) * names);
	}
}

function copyJson(value: Value, meter: Meter): Json {
	if (typeof value !== "object" || value === null) return value;
	meter.spend(UNITS_PER_COPY);
	if (value instanceof Timestamp || value instanceof Duration) return value.toString();
	if (Array.isArray(value)) return value.map((element) => copyJson(element, meter));
	const entries = Object.entries(value);
	meter.spend(entries.length * (entries.length > MANY_NAMES ? UNITS_OF_MANY_COPIED : UNITS_PER_COPIED_NAME));
	return Object.fromEntries(entries.map(([key, inner]) => [key, copyJson(inner, meter)]));
}
