import type { Json } from "@tripline/contract/json";
import type { Meter } from "@tripline/engine/meter";

/** Smaller values are written at once. */
const SMALL_CHARACTERS = 4096;
const UNITS_PER_VALUE = 4;
const UNITS_PER_NUMBER = 12;
const UNITS_PER_CONTAINER = 16;
const UNITS_PER_PART = 12;

/**
 * JSON in parts. A list that contains one large object many times is small in memory and huge as text, so it must not be
 * made as a whole.
 */
export function* writeJson(value: Json, indent: number, meter: Meter): Generator<string> {
	yield* writeValue("", value, indent === 0 ? "" : "\n");
	yield "\n";

	/** `newline` is what starts a line at this depth; empty if all is on one line. */
	function* writeValue(before: string, given: Json, newline: string): Generator<string> {
		meter.spend(UNITS_PER_PART);
		if (typeof given !== "object" || given === null || subtractSize(given, SMALL_CHARACTERS, meter) >= 0) {
			if (typeof given === "string") meter.spend(given.length / 4);
			const text = JSON.stringify(given, null, indent);
			// Line breaks inside of texts are escaped.
			yield before + (newline === "" ? text : text.replaceAll("\n", newline));
		} else {
			yield before;
			if (Array.isArray(given)) yield* writeParts("[", given.entries(), "]", newline);
			else yield* writeParts("{", Object.entries(given), "}", newline);
		}
	}

	function* writeParts(
		open: string,
		parts: Iterable<readonly [string | number, Json]>,
		close: string,
		newline: string,
	): Generator<string> {
		const inner = newline === "" ? "" : newline + " ".repeat(indent);
		let before = open + inner;
		for (const [name, part] of parts) {
			const label = typeof name === "string" ? JSON.stringify(name) + (inner === "" ? ":" : ": ") : "";
			meter.spend(label.length / 4);
			yield* writeValue(before + label, part, inner);
			before = `,${inner}`;
		}
		yield newline + close;
	}
}

/** Subtracts the length as JSON, at least, from `room`; stops below 0. Spends what it takes to write the value. */
function subtractSize(value: Json, room: number, meter: Meter): number {
	if (typeof value === "string") {
		meter.spend(UNITS_PER_VALUE + Math.min(value.length, room) / 4);
		return room - value.length - 2;
	}
	if (typeof value !== "object" || value === null) {
		meter.spend(typeof value === "number" ? UNITS_PER_NUMBER : UNITS_PER_VALUE);
		return room - 1;
	}
	meter.spend(UNITS_PER_CONTAINER);
	let left = room - 2;
	if (Array.isArray(value)) {
		for (let index = 0; index < value.length && left >= 0; index++)
			left = subtractSize(value[index] as Json, left - 1, meter);
		return left;
	}
	for (const key in value) {
		if (left < 0) break;
		meter.spend(UNITS_PER_VALUE + key.length / 4);
		left = subtractSize(value[key] as Json, left - key.length - 4, meter);
	}
	return left;
}

/** One value per line. */
export function* writeJsonLines(values: readonly Json[], meter: Meter): Generator<string> {
	for (const value of values) yield* writeJson(value, 0, meter);
}
