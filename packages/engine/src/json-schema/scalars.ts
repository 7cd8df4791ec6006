import type { JsonObject } from "@tripline/contract/workflows";
import * as z from "zod";
import type { Meter } from "../meter.ts";
import { anything, type Check, type Checking, keepsTo, limit, type Rule } from "./checking.ts";
import { formatOf } from "./formats.ts";

/** A regular expression or a parser scans the text, in some cases several times. */
const FORMAT_UNITS = 4;
const CHARACTERS_PER_UNIT = 3;
const COUNTED_PER_UNIT = 8;

export function textCheck({ minLength, maxLength, format: name }: JsonObject): Check<string> {
	const format = formatOf(name);
	const rules: Rule<string>[] = [
		...limit<string>(minLength, isAtLeastLong, "must be at least", " characters long"),
		...limit<string>(maxLength, isAtMostLong, "must be at most", " characters long"),
	];
	if (format === undefined && rules.length === 0) return anything;
	return (given, checking) => {
		checking.meter.spendOnText(given.length);
		if (format === undefined) return keepsTo(rules, given, checking) ? given : undefined;
		checking.meter.spend(FORMAT_UNITS + given.length / CHARACTERS_PER_UNIT);
		const text = format.read(given);
		if (text === undefined) checking.violation(format.message);
		return keepsTo(rules, text ?? given, checking) ? text : undefined;
	};
}

/** Lengths are in code points, so a surrogate pair counts once; most strings need no counting. */
const isAtLeastLong = (text: string, least: number, meter: Meter): boolean =>
	text.length >= least && (text.length >= least * 2 || lengthOf(text, meter) >= least);

const isAtMostLong = (text: string, most: number, meter: Meter): boolean =>
	text.length <= most || (text.length <= most * 2 && lengthOf(text, meter) <= most);

function lengthOf(text: string, meter: Meter): number {
	meter.spend(text.length / COUNTED_PER_UNIT);
	return z.core.util.codePointLength(text);
}

/** If `notWhole` is set, only integers match, and it handles all other numbers. */
export function numberCheck(schema: JsonObject, notWhole: Check | null): Check<number> {
	const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
	const step = typeof multipleOf === "number" && multipleOf > 0 ? multipleOf : undefined;
	const rules: Rule<number>[] = [
		...limit(minimum, isAtLeast, "must be at least"),
		...limit(maximum, isAtMost, "must be at most"),
		...limit<number>(exclusiveMinimum, (value, bound) => value > bound, "must be more than"),
		...limit<number>(exclusiveMaximum, (value, bound) => value < bound, "must be less than"),
		...limit(step, isMultiple, "must be a multiple of"),
	];
	if (notWhole === null && rules.length === 0) return anything;
	return (value, checking) => {
		if (notWhole !== null && !Number.isSafeInteger(value))
			return Number.isInteger(value) ? unsafe(value, checking) : notWhole(value, checking);
		checking.meter.spend(rules.length);
		return keepsTo(rules, value, checking) ? value : undefined;
	};
}

/** Integers beyond these bounds are not exact. */
const unsafe = (value: number, checking: Checking): undefined =>
	checking.violation(
		value > 0 ? `must be at most ${Number.MAX_SAFE_INTEGER}` : `must be at least ${Number.MIN_SAFE_INTEGER}`,
	);

const isAtLeast = (value: number, bound: number): boolean => value >= bound;
const isAtMost = (value: number, bound: number): boolean => value <= bound;
const isMultiple = (value: number, step: number): boolean =>
	z.core.util.floatSafeRemainder(value, step) === 0;
