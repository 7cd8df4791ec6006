import type { Json } from "@tripline/contract/json";
import { describeType } from "../issues.ts";
import type { Meter } from "../meter.ts";
import type { Check, Checking, Compiled, Finding } from "./checking.ts";
import { listNames } from "./names.ts";
import { isObject } from "./walk.ts";

export function createAnyOf(options: readonly Compiled[]): Compiled {
	const checks = options.map(({ check }) => check);
	return {
		check(value, checking) {
			for (const check of checks) {
				const result = checking.checkQuietly(check, value);
				if (result !== undefined) return result;
			}
			return checking.isOver ? undefined : explain(checks, value, checking, true);
		},
		absent: options.find(({ absent }) => absent !== undefined)?.absent,
	};
}

const SEVERAL = "matches several alternatives but must match exactly one";

export function createOneOf(options: readonly Compiled[]): Compiled {
	const checks = options.map(({ check }) => check);
	const defaults = options.flatMap(({ absent }) => (absent === undefined ? [] : [absent]));
	return {
		check(value, checking) {
			let found: Json | undefined;
			for (const check of checks) {
				const result = checking.checkQuietly(check, value);
				if (result === undefined) continue;
				if (found !== undefined) return checking.addMismatch(SEVERAL);
				found = result;
			}
			if (found !== undefined || checking.isOver) return found;
			return explain(checks, value, checking, false);
		},
		absent: defaults.length === 1 ? defaults[0] : undefined,
	};
}

/**
 * Explains why a value matches no alternative. If all of them require another type, lists the types. If `isLenient` and
 * only one has the right type, reports that one. Otherwise reports the one that got deepest into the value.
 */
function explain(
	checks: readonly Check[],
	value: Json | undefined,
	checking: Checking,
	isLenient: boolean,
): undefined {
	const types = new Set<string>();
	let typed = 0;
	let meant: Finding[] = [];
	let depth = -1;
	let ofType = 0;
	let last: Finding[] = [];
	for (const check of checks) {
		const findings = checking.collectFindings(check, value);
		const wanted = findings.flatMap(({ path, types = [] }) => (path.length === 0 ? types : []));
		for (const type of wanted) types.add(type);
		if (wanted.length > 0) typed++;
		if (findings.every((finding) => finding.continue)) [last, ofType] = [findings, ofType + 1];
		const deepest = Math.max(...findings.map(({ path }) => path.length));
		if (deepest > depth) [meant, depth] = [findings, deepest];
	}
	if (typed === checks.length) return reportWrongTypes([...types], value, checking);
	if (isLenient && ofType === 1) {
		for (const finding of last) checking.add(finding);
		return undefined;
	}
	const message = "matches none of the alternatives";
	checking.add({ code: "invalid_union", path: [], message, continue: false, errors: [meant] });
}

export const reportWrongTypes = (
	types: readonly string[],
	value: Json | undefined,
	checking: Checking,
): undefined => checking.addMismatch(`must be ${types.join(" or ")}, but is ${describeType(value)}`, types);

export function createAllOf(parts: readonly Compiled[]): Compiled {
	const checks = parts.map(({ check }) => check);
	return {
		check(value, checking) {
			const { meter } = checking;
			meter.spend(checks.length);
			let all = value;
			for (const check of checks) {
				const result = check(value, checking);
				if (result === undefined && checking.isOver) return undefined;
				all =
					all === undefined || result === undefined ? undefined : mergeDefaults(value, all, result, meter);
			}
			return all;
		},
		absent: undefined,
	};
}

/**
 * Merges the defaults that two parts filled in; the first one wins. A part that fills in a default copies the value
 * first, so `first` may be modified.
 */
function mergeDefaults(given: Json | undefined, first: Json, second: Json, meter: Meter): Json {
	if (first === given) return second;
	if (second === given) return first;
	if (Array.isArray(given) && Array.isArray(first) && Array.isArray(second)) {
		meter.spend(given.length);
		for (const [index, one] of given.entries())
			first[index] = mergeDefaults(one, first[index] as Json, second[index] as Json, meter);
	} else if (isObject(given) && isObject(first) && isObject(second)) {
		for (const name of listNames(second, meter)) {
			const one = Object.hasOwn(given, name) ? given[name] : undefined;
			if (second[name] === one) continue;
			first[name] = Object.hasOwn(first, name)
				? mergeDefaults(one, first[name] as Json, second[name] as Json, meter)
				: (second[name] as Json);
		}
	}
	return first;
}
