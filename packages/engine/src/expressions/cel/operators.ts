import { checkTextLength } from "../text-size.ts";
import { Duration, Timestamp } from "./times.ts";
import { createFailure, describeKind, isMap, type Run, type Scope, type Value } from "./values.ts";
import { deferError, spend, spendOnText } from "./work.ts";

/** `source` is the operation as written, for messages. */
type Operator = (left: Value, right: Value, scope: Scope, source: string) => Value;

/**
 * All numbers are JSON numbers, so integers and fractions mix freely and 7 / 2 is 3.5. An integer result that is not
 * exact is an error, like an overflow in CEL.
 */
export const OPERATORS: Readonly<Record<string, Operator>> = {
	"==": (left, right, scope) => isEqual(left, right, scope),
	"!=": (left, right, scope) => !isEqual(left, right, scope),
	"<": (left, right, scope, source) => compare(left, right, scope, source) < 0,
	"<=": (left, right, scope, source) => compare(left, right, scope, source) <= 0,
	">": (left, right, scope, source) => compare(left, right, scope, source) > 0,
	">=": (left, right, scope, source) => compare(left, right, scope, source) >= 0,
	in: contains,
	"+": add,
	"-": subtract,
	"*": (left, right, _, source) => {
		const [a, b] = assertNumbers(left, right, "multiply", source);
		return assertExact(a, b, a * b, source);
	},
	"/": (left, right, _, source) => {
		const [a, b] = assertNumbers(left, right, "divide", source);
		if (b === 0) throw createFailure(source, "cannot divide by zero");
		return assertFinite(a / b, source);
	},
	"%": (left, right, _, source) => {
		const [a, b] = assertNumbers(left, right, "divide", source);
		if (b === 0) throw createFailure(source, "cannot divide by zero");
		return assertFinite(a % b, source);
	},
};

export function negate(value: Value, source: string): Value {
	if (typeof value === "number") return -value;
	if (value instanceof Duration) return new Duration(-value.ms);
	throw createFailure(source, `cannot negate ${describeKind(value)}`);
}

export function assertBoolean(value: Value, source: string): boolean {
	if (typeof value === "boolean") return value;
	throw createFailure(source, `must be true or false, but it is ${describeKind(value)}`);
}

const UNITS_PER_COMPARISON = 2;

/** Values of different types are not equal; lists and objects are compared by content. */
function isEqual(left: Value, right: Value, scope: Scope): boolean {
	if (typeof left === "string" && typeof right === "string") {
		if (left.length !== right.length) return false;
		spendOnText(scope, left.length);
		return left === right;
	}
	if (left === right) return true;
	if (Array.isArray(left)) {
		if (!Array.isArray(right) || left.length !== right.length) return false;
		return left.every((element, place) => {
			spend(scope, UNITS_PER_COMPARISON);
			return isEqual(element, right[place] as Value, scope);
		});
	}
	if (left instanceof Timestamp) return right instanceof Timestamp && left.ms === right.ms;
	if (left instanceof Duration) return right instanceof Duration && left.ms === right.ms;
	if (!isMap(left) || !isMap(right)) return false;
	const keys = Object.keys(left);
	spend(scope, 4 + 4 * keys.length);
	if (keys.length !== Object.keys(right).length) return false;
	return keys.every(
		(key) => Object.hasOwn(right, key) && isEqual(left[key] as Value, right[key] as Value, scope),
	);
}

function compare(left: Value, right: Value, scope: Scope, source: string): number {
	if (typeof left === "number" && typeof right === "number") return left - right;
	if (typeof left === "string" && typeof right === "string") {
		spendOnText(scope, Math.min(left.length, right.length));
		return left === right ? 0 : left < right ? -1 : 1;
	}
	if (typeof left === "boolean" && typeof right === "boolean") return Number(left) - Number(right);
	if (left instanceof Timestamp && right instanceof Timestamp) return left.ms - right.ms;
	if (left instanceof Duration && right instanceof Duration) return left.ms - right.ms;
	throw createFailure(source, `cannot compare ${describeKind(left)} with ${describeKind(right)}`);
}

function contains(left: Value, right: Value, scope: Scope, source: string): boolean {
	if (Array.isArray(right))
		return right.some((element) => {
			spend(scope, UNITS_PER_COMPARISON);
			return isEqual(left, element, scope);
		});
	if (!isMap(right))
		throw createFailure(
			source,
			`the right side of "in" must be a list or an object, but it is ${describeKind(right)}`,
		);
	return typeof left === "string" && Object.hasOwn(right, left);
}

function add(left: Value, right: Value, scope: Scope, source: string): Value {
	if (typeof left === "number" && typeof right === "number")
		return assertExact(left, right, left + right, source);
	if (typeof left === "string" && typeof right === "string") {
		spendOnText(scope, left.length + right.length);
		return checkTextLength(left + right, source);
	}
	if (Array.isArray(left) && Array.isArray(right)) {
		spend(scope, left.length + right.length);
		return [...left, ...right];
	}
	if (left instanceof Timestamp && right instanceof Duration) return moveTime(left, right.ms, source);
	if (left instanceof Duration && right instanceof Timestamp) return moveTime(right, left.ms, source);
	if (left instanceof Duration && right instanceof Duration) return new Duration(left.ms + right.ms);
	const hint =
		typeof left === "string" || typeof right === "string"
			? "; use string(...) to convert a value to text"
			: "";
	throw createFailure(source, `cannot add ${describeKind(left)} and ${describeKind(right)}${hint}`);
}

function subtract(left: Value, right: Value, _: Scope, source: string): Value {
	if (left instanceof Timestamp && right instanceof Timestamp) return new Duration(left.ms - right.ms);
	if (left instanceof Timestamp && right instanceof Duration) return moveTime(left, -right.ms, source);
	if (left instanceof Duration && right instanceof Duration) return new Duration(left.ms - right.ms);
	const [a, b] = assertNumbers(left, right, "subtract", source);
	return assertExact(a, b, a - b, source);
}

function moveTime(time: Timestamp, by: number, source: string): Timestamp {
	const result = Timestamp.at(time.ms + by);
	if (result === undefined) throw createFailure(source, "the time is outside the years 1 to 9999");
	return result;
}

function assertNumbers(left: Value, right: Value, verb: string, source: string): [number, number] {
	if (typeof left === "number" && typeof right === "number") return [left, right];
	throw createFailure(source, `cannot ${verb} ${describeKind(left)} and ${describeKind(right)}`);
}

function assertExact(left: number, right: number, result: number, source: string): number {
	if (!Number.isSafeInteger(result) && Number.isSafeInteger(left) && Number.isSafeInteger(right))
		if (Number.isInteger(result)) throw createFailure(source, "the whole number is too large to be exact");
	return assertFinite(result, source);
}

function assertFinite(result: number, source: string): number {
	if (Number.isFinite(result)) return result;
	throw createFailure(source, "the number is too large");
}

/** Takes `Run`s because the right side may not be needed. As in CEL, a side that decides overrides an error in the other. */
export function createLogical(
	left: Run,
	right: Run,
	decides: boolean,
	sources: readonly [string, string],
): Run {
	return (scope) => {
		let first: boolean;
		try {
			first = assertBoolean(left(scope), sources[0]);
		} catch (error) {
			deferError(error, scope);
			if (assertBoolean(right(scope), sources[1]) === decides) return decides;
			throw error;
		}
		return first === decides ? decides : assertBoolean(right(scope), sources[1]);
	};
}
