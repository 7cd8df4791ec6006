import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Meter } from "../meter.ts";
import {
	anything,
	buildLimit,
	type Check,
	type Checking,
	type Compiled,
	checkRules,
	type Rule,
} from "./checking.ts";
import { copyObject, listNames } from "./names.ts";
import { describePath, isObject, SchemaProblem, type Walk } from "./walk.ts";

interface Property extends Compiled {
	readonly name: string;
	readonly isRequired: boolean;
	/** Every object inherits the name, such as `constructor`. */
	readonly isInherited: boolean;
}

export function compileObjectCheck(schema: JsonObject, path: string, walk: Walk): Check<JsonObject> {
	const others = compileOthersCheck(schema, path, walk);
	const properties = compileProperties(schema, others ?? anything, path, walk);
	const names = properties.map(({ name }) => name);
	const known = new Set(names);
	const rules = buildRules(schema, path, walk);
	if (names.length === 0 && others === anything && rules.length === 0) return anything;
	return (object, checking) => {
		const { meter, mismatches } = checking;
		let result = object;
		let fits = true;
		let present = 0;
		meter.spend(names.length);
		for (const { name, check, absent, isRequired, isInherited } of properties) {
			const given = isInherited && !Object.hasOwn(object, name) ? undefined : object[name];
			if (given !== undefined) present++;
			else if (absent === undefined && !isRequired) continue;
			const isFilled = given === undefined && absent !== undefined;
			const value = isFilled ? absent : checking.checkPart(name, check, given);
			if (value === undefined) fits = false;
			else if (value !== given) result = setValue(object, result, name, value, meter);
			if (!fits && checking.isOver) return undefined;
		}
		const all = others === anything ? NO_NAMES : listNames(object, meter);
		// Most objects have no other properties, so the search can be skipped.
		for (const name of all.length > present ? all : NO_NAMES) {
			if (known.has(name)) continue;
			const given = object[name] as Json;
			const value =
				others === null ? reportUnknown(name, names, checking) : checking.checkPart(name, others, given);
			if (value === undefined) fits = false;
			else if (value !== given) result = setValue(object, result, name, value, meter);
			if (!fits && checking.isOver) return undefined;
		}
		if (checking.mismatches > mismatches) return undefined;
		return checkRules(rules, result, checking) && fits ? result : undefined;
	};
}

const NO_NAMES: readonly string[] = [];

function reportUnknown(name: string, known: readonly string[], checking: Checking): undefined {
	const message = "is not known here";
	checking.add({ code: "unrecognized_keys", path: [], message, continue: true, keys: [name], known });
}

/** Writes into a copy: the given object is not modified. */
function setValue(
	given: JsonObject,
	result: JsonObject,
	name: string,
	value: Json,
	meter: Meter,
): JsonObject {
	const copy = result === given ? copyObject(given, meter) : result;
	copy[name] = value;
	return copy;
}

/** A required name is added to a set and looked up. */
const REQUIRED_UNITS = 10;

function compileProperties(schema: JsonObject, others: Check, path: string, walk: Walk): Property[] {
	const { properties = {}, required = [] } = schema;
	if (!isObject(properties))
		throw new SchemaProblem(`properties${describePath(path)} must be an object of schemas`);
	if (!isNames(required)) throw new SchemaProblem(`required${describePath(path)} must be a list of names`);
	walk.meter.spend(required.length * REQUIRED_UNITS);
	const needed = new Set(required);
	if (needed.has("__proto__") || Object.hasOwn(properties, "__proto__"))
		throw new SchemaProblem(`must not name "__proto__"${describePath(path)}`);
	const property = (name: string, compiled: Compiled): Property => ({
		...compiled,
		name,
		isRequired: needed.has(name),
		isInherited: name in Object.prototype,
	});
	const unnamed = [...needed].filter((name) => !Object.hasOwn(properties, name));
	return [
		...Object.entries(properties).map(([name, one]) =>
			property(name, walk.compile(one, `${path}.properties.${name}`)),
		),
		...unnamed.map((name) => property(name, { check: others, absent: undefined })),
	];
}

/** Null if no other properties are allowed. */
function compileOthersCheck(
	{ additionalProperties = true }: JsonObject,
	path: string,
	walk: Walk,
): Check | null {
	if (typeof additionalProperties === "boolean") return additionalProperties ? anything : null;
	return walk.compile(additionalProperties, `${path}.additionalProperties`).check;
}

function buildRules(schema: JsonObject, path: string, walk: Walk): Rule<JsonObject>[] {
	const { minProperties, maxProperties, propertyNames } = schema;
	const rules: Rule<JsonObject>[] = [
		...buildLimit<JsonObject>(
			minProperties,
			(object, least, meter) => listNames(object, meter).length >= least,
			"must have at least",
			" properties",
		),
		...buildLimit<JsonObject>(
			maxProperties,
			(object, most, meter) => listNames(object, meter).length <= most,
			"must have at most",
			" properties",
		),
	];
	if (propertyNames === undefined) return rules;
	const { check } = walk.compile(propertyNames, `${path}.propertyNames`);
	const isAllowed: Rule<JsonObject>[0] = (object, checking) =>
		listNames(object, checking.meter).every((name) => checking.checkQuietly(check, name) !== undefined);
	return [...rules, [isAllowed, "has a property name that is not allowed"]];
}

const isNames = (value: Json): value is string[] =>
	Array.isArray(value) && value.every((name) => typeof name === "string");
