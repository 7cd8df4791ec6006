import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { anything, buildLimit, type Check, checkRules, type Rule } from "./checking.ts";
import { ValueSet } from "./equality.ts";
import type { Walk } from "./walk.ts";

export function compileListCheck(schema: JsonObject, path: string, walk: Walk): Check<Json[]> {
	const { prefixItems, items = true, additionalItems = true } = schema;
	const [first, rest] = Array.isArray(items) ? [items, additionalItems] : [prefixItems, items];
	const isTuple = Array.isArray(first);
	const prefix = (isTuple ? first : []).map(
		(one, index) => walk.compile(one, `${path}.prefixItems.${index}`).check,
	);
	const others = isTuple && rest === false ? null : walk.compile(rest, `${path}.items`).check;
	const rules = buildRules(schema, path, walk);
	if (prefix.length === 0 && others === anything && rules.length === 0) return anything;
	return (list, checking) => {
		const { meter, mismatches } = checking;
		let result = list;
		let fits = true;
		const end = others === anything ? Math.min(prefix.length, list.length) : list.length;
		for (let index = 0; index < end; index++) {
			const check = index < prefix.length ? (prefix[index] as Check) : others;
			if (check === null) return checking.addMismatch(`must be at most ${prefix.length} elements long`);
			const given = list[index];
			const value = checking.checkPart(index, check, given);
			if (value === undefined) {
				if (checking.isOver) return undefined;
				fits = false;
			} else if (value !== given && !isTuple) {
				if (result === list) meter.spend(list.length);
				result = result === list ? [...list] : result;
				result[index] = value;
			}
		}
		if (checking.mismatches > mismatches) return undefined;
		return checkRules(rules, result, checking) && fits ? result : undefined;
	};
}

function buildRules(schema: JsonObject, path: string, walk: Walk): Rule<Json[]>[] {
	const { minItems, maxItems, uniqueItems, contains } = schema;
	const rules: Rule<Json[]>[] = [
		...buildLimit<Json[]>(
			minItems,
			(list, least) => list.length >= least,
			"must be at least",
			" elements long",
		),
		...buildLimit<Json[]>(maxItems, (list, most) => list.length <= most, "must be at most", " elements long"),
	];
	if (uniqueItems === true) rules.push([areDistinct, "must not contain duplicate elements"]);
	if (contains === undefined) return rules;
	const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema;
	const { check } = walk.compile(contains, `${path}.contains`);
	const [least, most] = [Number(minContains), Number(maxContains)];
	const isHeld: Rule<Json[]>[0] = (list, checking) => {
		let count = 0;
		for (const element of list) {
			if (count > most || (count >= least && most === Number.POSITIVE_INFINITY)) break;
			if (checking.checkQuietly(check, element) !== undefined) count++;
		}
		return count >= least && count <= most;
	};
	return [...rules, [isHeld, "does not contain the required elements"]];
}

const areDistinct: Rule<Json[]>[0] = (list, { meter }) => {
	const seen = new ValueSet();
	return list.every((element, index) => {
		seen.add(element, meter);
		return seen.size > index;
	});
};
