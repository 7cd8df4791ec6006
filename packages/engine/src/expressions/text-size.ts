import { type Json, MAX_JSON_DEPTH } from "@tripline/contract/json";
import type { Meter } from "../meter.ts";
import { TerminalError } from "../terminal-error.ts";

/** Characters that one template, filter or expression may produce. */
export const MAX_TEXT_LENGTH = 1_048_576;

export function checkTextLength(text: string, what: string, most = MAX_TEXT_LENGTH): string {
	if (text.length > most) throw createTooLongError(what, most);
	return text;
}

export function createTooLongError(what: string, most = MAX_TEXT_LENGTH): TerminalError {
	return new TerminalError(`${what} produces more than ${most} characters of text`);
}

/** Formats a value inside a longer text: null as nothing, objects and lists as JSON. */
export function formatText(value: Json, what: string, meter: Meter): string {
	if (typeof value === "string") return value;
	if (value === null) return "";
	if (typeof value === "object") return formatJson(value, what, meter);
	meter.spend(UNITS_PER_NUMBER);
	return String(value);
}

/** Upper bound of the bytes that a string takes. */
export const estimateTextBytes = (characters: number): number => 2 * characters;

interface JsonLimits {
	readonly characters: number;
	readonly depth: number;
}
const LIMITS: JsonLimits = { characters: MAX_TEXT_LENGTH, depth: MAX_JSON_DEPTH };

export function formatJson(value: Json, what: string, meter: Meter, limits = LIMITS): string {
	const counted = new JsonSize(what, meter, limits);
	counted.visit(value, 0);
	const text = checkTextLength(JSON.stringify(value), what, limits.characters);
	// The length of escapes and long numbers is known only now.
	meter.spend(Math.max(0, text.length - counted.minLength) / 2);
	meter.recordBytes(estimateTextBytes(text.length));
	return text;
}

/** Each value is visited once to count and once to write. */
const UNITS_PER_VALUE = 4;
const UNITS_PER_CONTAINER = 8;
const UNITS_PER_NUMBER = 8;
/** The engine stores an object with many properties as a hash table, which is enumerated twice. */
const MANY_NAMES = 100;
const UNITS_OF_MANY = 24;

/**
 * Rejects a value whose JSON would be too long or too deep before serialising it: a list that contains one large object
 * many times is small in memory and huge as text.
 */
class JsonSize {
	/** Lower bound of the characters. */
	minLength = 0;
	/** Estimate with numbers of typical length; the limit applies to it. */
	private usual = 0;
	private readonly what: string;
	private readonly meter: Meter;
	private readonly limits: JsonLimits;

	constructor(what: string, meter: Meter, limits: JsonLimits) {
		this.what = what;
		this.meter = meter;
		this.limits = limits;
	}

	visit(value: Json, depth: number): void {
		if (typeof value === "string") {
			this.meter.spend(UNITS_PER_VALUE + value.length / 4);
			this.add(value.length + 2);
		} else if (typeof value !== "object" || value === null) {
			this.meter.spend(UNITS_PER_VALUE);
			this.add(4);
			if (typeof value === "number") this.minLength -= 3;
		} else {
			this.meter.spend(UNITS_PER_CONTAINER);
			if (depth >= this.limits.depth)
				throw new TerminalError(`${this.what} nests deeper than ${this.limits.depth} levels`);
			this.add(2);
			if (Array.isArray(value)) this.elements(value, depth + 1);
			else this.entries(value, depth + 1);
		}
	}

	private elements(list: readonly Json[], depth: number): void {
		for (const element of list) {
			this.add(1);
			this.visit(element, depth);
		}
	}

	private entries(object: { readonly [key: string]: Json }, depth: number): void {
		let names = 0;
		for (const key in object) {
			this.add(key.length + 4);
			this.visit(object[key] as Json, depth);
			names++;
		}
		if (names > MANY_NAMES) this.meter.spend(UNITS_OF_MANY * names);
	}

	private add(characters: number): void {
		this.minLength += characters;
		this.usual += characters;
		if (this.usual > this.limits.characters) throw createTooLongError(this.what, this.limits.characters);
	}
}
