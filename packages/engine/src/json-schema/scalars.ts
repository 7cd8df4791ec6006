import type { JsonObject } from "@tripline/contract/workflows";
import * as z from "zod";
import type { Meter } from "../meter.ts";
import { anything, buildLimit, type Check, type Checking, checkRules, type Rule } from "./checking.ts";
import { findFormat } from "./formats.ts";

/** A regular expression or a parser scans the text, in some cases several times. */
const FORMAT_UNITS = 4;
const CHARACTERS_PER_UNIT = 3;
const COUNTED_PER_UNIT = 8;

export function compileTextCheck({ minLength, maxLength, format: name }: JsonObject): Check<string> {
	const format = findFormat(name);
	const rules: Rule<string>[] = [
		...buildLimit<string>(minLength, isAtLeastLong, "must be at least", " characters long"),
		...buildLimit<string>(maxLength, isAtMostLong, "must be at most", " characters long"),
	];
	if (format === undefined && rules.length === 0) return anything;
	return (given, checking) => {
		checking.meter.spendOnText(given.length);
		if (format === undefined) return checkRules(rules, given, checking) ? given : undefined;
		checking.meter.spend(FORMAT_UNITS + given.length / CHARACTERS_PER_UNIT);
		const text = format.read(given);
		if (text === undefined) checking.addViolation(format.message);
		return checkRules(rules, text ?? given, checking) ? text : undefined;
	};
}

/** Lengths are in code points, so a surrogate pair counts once; most strings need no counting. */
const isAtLeastLong = (text: string, least: number, meter: Meter): boolean =>
	text.length >= least && (text.length >= least * 2 || countCharacters(text, meter) >= least);

const isAtMostLong = (text: string, most: number, meter: Meter): boolean =>
	text.length <= most || (text.length <= most * 2 && countCharacters(text, meter) <= most);

function countCharacters(text: string, meter: Meter): number {
	meter.spend(text.length / COUNTED_PER_UNIT);
	return z.core.util.codePointLength(text);
}

/** If `notWhole` is set, only integers match, and it handles all other numbers. */
export function compileNumberCheck(schema: JsonObject, notWhole: Check | null): Check<number> {
	const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
	const step = typeof multipleOf === "number" && multipleOf > 0 ? multipleOf : undefined;
	const rules: Rule<number>[] = [
		...buildLimit(minimum, isAtLeast, "must be at least"),
		...buildLimit(maximum, isAtMost, "must be at most"),
		...buildLimit<number>(exclusiveMinimum, (value, bound) => value > bound, "must be more than"),
		...buildLimit<number>(exclusiveMaximum, (value, bound) => value < bound, "must be less than"),
		...buildLimit(step, isMultiple, "must be a multiple of"),
	];
	if (notWhole === null && rules.length === 0) return anything;
	return (value, checking) => {
		if (notWhole !== null && !Number.isSafeInteger(value))
			return Number.isInteger(value) ? reportUnsafe(value, checking) : notWhole(value, checking);
		checking.meter.spend(rules.length);
		return checkRules(rules, value, checking) ? value : undefined;
	};
}

/** Integers beyond these bounds are not exact. */
const reportUnsafe = (value: number, checking: Checking): undefined =>
	checking.addViolation(
		value > 0 ? `must be at most ${Number.MAX_SAFE_INTEGER}` : `must be at least ${Number.MIN_SAFE_INTEGER}`,
	);

const isAtLeast = (value: number, bound: number): boolean => value >= bound;
const isAtMost = (value: number, bound: number): boolean => value <= bound;
const isMultiple = (value: number, step: number): boolean =>
	z.core.util.floatSafeRemainder(value, step) === 0;
