import type { Json } from "@tripline/contract/json";
import type { Meter } from "../../meter.ts";
import { TerminalError } from "../../terminal-error.ts";
import { describeJsonKind } from "../path.ts";
import { createTypeError } from "./text-filters.ts";

/** Rounds half away from zero, in decimal: 1.005 to two digits is 1.01. */
export function round(digits: number): (value: Json, what: string) => Json {
	return (value, what) => {
		if (typeof value !== "number") throw createTypeError(what, "round", "a number", value);
		const size = Math.abs(value);
		if (size >= 1e15 || size < 1e-20) return size < 1e-20 ? 0 : value;
		const [mantissa, exponent = "0"] = String(size).split("e") as [string, string?];
		const shifted = Math.round(Number(`${mantissa}e${Number(exponent) + digits}`));
		const rounded = Number(`${shifted}e-${digits}`);
		return value < 0 && rounded !== 0 ? -rounded : rounded;
	};
}

const MAX_NUMBER_LENGTH = 40;
const UNITS_PER_NUMBER = 8;

/** Undefined if the text is not a decimal number, infinite if it is too large. */
export function parseNumber(text: string): number | undefined {
	const isNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
	return isNumber.test(text.length <= MAX_NUMBER_LENGTH ? text : "") ? Number(text) : undefined;
}

export function number(value: Json, what: string, meter: Meter): number {
	if (typeof value === "number") return value;
	if (typeof value !== "string") throw createTypeError(what, "number", "text or a number", value);
	meter.spend(UNITS_PER_NUMBER + value.length / 8);
	const parsed = parseNumber(value.trim());
	if (parsed === undefined)
		throw new TerminalError(`${what} | number: the text is not a number such as 12.5`);
	if (!Number.isFinite(parsed)) throw new TerminalError(`${what} | number: the number is too large`);
	return parsed;
}

export function sum(value: Json, what: string, meter: Meter): number {
	let total = 0;
	for (const one of assertNumbers(value, what, "sum", meter)) total += one;
	if (!Number.isFinite(total)) throw new TerminalError(`${what} | sum: the sum is too large`);
	return total;
}

export function min(value: Json, what: string, meter: Meter): number | undefined {
	return assertNumbers(value, what, "min", meter).reduce(
		(least: number | undefined, one) => (least === undefined || one < least ? one : least),
		undefined,
	);
}

export function max(value: Json, what: string, meter: Meter): number | undefined {
	return assertNumbers(value, what, "max", meter).reduce(
		(most: number | undefined, one) => (most === undefined || one > most ? one : most),
		undefined,
	);
}

function assertNumbers(value: Json, what: string, filter: string, meter: Meter): readonly number[] {
	if (!Array.isArray(value)) throw createTypeError(what, filter, "a list of numbers", value);
	meter.spend(1 + 2 * value.length);
	const other = value.findIndex((element) => typeof element !== "number");
	if (other === -1) return value as number[];
	throw new TerminalError(
		`${what} | ${filter}: needs a list of numbers, but element ${other} is ${describeJsonKind(value[other])}`,
	);
}
