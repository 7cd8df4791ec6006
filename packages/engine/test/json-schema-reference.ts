import { isDeepStrictEqual } from "node:util";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";

type Schema = JsonObject | boolean;

/** The value with defaults filled in, or undefined if it does not match. A simple, slow reference implementation. */
export function referenceOutput(schema: Schema, value: Json, root: JsonObject): Json | undefined {
	if (typeof schema === "boolean") return schema ? value : undefined;
	const { $ref, ...beside } = schema;
	if (typeof $ref === "string") {
		const target = (root.$defs as JsonObject)[$ref.slice("#/$defs/".length)] as JsonObject;
		return referenceOutput({ ...target, ...beside }, value, root);
	}
	const list = (keyword: string) => (schema[keyword] ?? []) as Schema[];
	const outputs = (keyword: string) => list(keyword).map((one) => referenceOutput(one, value, root));
	const fitting = (keyword: string) => outputs(keyword).filter((output) => output !== undefined);
	if (schema.anyOf !== undefined && fitting("anyOf").length === 0) return undefined;
	if (schema.oneOf !== undefined && fitting("oneOf").length !== 1) return undefined;
	if (fitting("allOf").length < list("allOf").length) return undefined;
	const own = checkSelf(schema, value, root);
	if (own === undefined) return undefined;
	if (schema.not !== undefined && referenceOutput(schema.not as Schema, own, root) !== undefined)
		return undefined;
	const others = [fitting("anyOf")[0], ...fitting("oneOf"), ...fitting("allOf")];
	return others.reduce<Json>(
		(all, output) => (output === undefined ? all : mergeDefaults(value, all, output)),
		own,
	);
}

/** The default for an absent value. */
function findDefault(schema: Schema, root: JsonObject): Json | undefined {
	if (typeof schema === "boolean") return undefined;
	const { $ref, default: value, anyOf, oneOf, allOf, $defs: _, ...own } = schema;
	if (value !== undefined || $ref !== undefined || Object.keys(own).length > 0) return value;
	const lists = [anyOf, oneOf, allOf].filter((list) => list !== undefined) as Schema[][];
	const [only] = lists;
	if (only === undefined || lists.length > 1) return undefined;
	const values = only.map((one) => findDefault(one, root)).filter((one) => one !== undefined);
	if (only.length === 1 || only === anyOf) return values[0];
	return only === oneOf && values.length === 1 ? values[0] : undefined;
}

const TYPES: Record<string, (value: Json) => boolean> = {
	string: (value) => typeof value === "string",
	number: (value) => typeof value === "number",
	integer: (value) => Number.isSafeInteger(value),
	boolean: (value) => typeof value === "boolean",
	null: (value) => value === null,
	array: Array.isArray,
	object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

function checkSelf(schema: JsonObject, value: Json, root: JsonObject): Json | undefined {
	const listed = schema.const === undefined ? schema.enum : [schema.const];
	if (Array.isArray(listed)) return listed.some((one) => isDeepStrictEqual(one, value)) ? value : undefined;
	const has = (...keywords: string[]) => keywords.some((keyword) => Object.hasOwn(schema, keyword));
	const isObject = has("properties", "required", "additionalProperties");
	const implied = isObject ? "object" : has("items", "prefixItems") ? "array" : [];
	const types = [schema.type ?? implied].flat() as string[];
	if (types.length > 0 && !types.some((type) => TYPES[type]?.(value))) return undefined;
	const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, format } = schema;
	const within = (size: number, least: Json = 0, most: Json = Number.POSITIVE_INFINITY) =>
		size >= Number(least) && size <= Number(most);
	if (typeof value === "string") {
		if (format === "date" && !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined;
		return within([...value].length, minLength, maxLength) ? value : undefined;
	}
	if (typeof value === "number") {
		const {
			minimum = Number.NEGATIVE_INFINITY,
			maximum,
			exclusiveMinimum,
			exclusiveMaximum,
			multipleOf,
		} = schema;
		const isKept =
			within(value, minimum, maximum) &&
			!(value <= Number(exclusiveMinimum)) &&
			!(value >= Number(exclusiveMaximum)) &&
			(multipleOf === undefined || value % Number(multipleOf) === 0);
		return isKept ? value : undefined;
	}
	if (Array.isArray(value)) return checkList(schema, value, root, within);
	return typeof value === "object" && value !== null ? checkObject(schema, value, root, within) : value;
}

type Within = (size: number, least?: Json, most?: Json) => boolean;

function checkList(schema: JsonObject, list: Json[], root: JsonObject, within: Within): Json[] | undefined {
	const {
		prefixItems,
		items = true,
		minItems,
		maxItems,
		uniqueItems,
		contains,
		minContains = 1,
		maxContains,
	} = schema;
	const outputs = list.map((element, index) =>
		referenceOutput(((prefixItems as Schema[]) ?? [])[index] ?? (items as Schema), element, root),
	);
	if (outputs.includes(undefined) || !within(list.length, minItems, maxItems)) return undefined;
	// Tuple elements get no defaults.
	const all = prefixItems === undefined ? (outputs as Json[]) : list;
	const isTwice = (one: Json, index: number) =>
		all.slice(0, index).some((other) => isDeepStrictEqual(one, other));
	if (uniqueItems === true && all.some(isTwice)) return undefined;
	const held = all.filter(
		(element) => referenceOutput((contains ?? true) as Schema, element, root) !== undefined,
	);
	return contains === undefined || within(held.length, minContains, maxContains) ? all : undefined;
}

function checkObject(
	schema: JsonObject,
	object: JsonObject,
	root: JsonObject,
	within: Within,
): JsonObject | undefined {
	const { properties = {}, required = [], additionalProperties = true, propertyNames = true } = schema;
	const schemas = properties as { readonly [name: string]: Schema };
	const needed = required as string[];
	const all: JsonObject = {};
	for (const name of new Set([...Object.keys(schemas), ...needed, ...Object.keys(object)])) {
		const given = Object.hasOwn(object, name) ? object[name] : undefined;
		const named = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
		// A required property is allowed even if it has no schema.
		const others = additionalProperties === false && needed.includes(name) ? true : additionalProperties;
		const output =
			given === undefined
				? findDefault(named ?? true, root)
				: referenceOutput(named ?? (others as Schema), given, root);
		if (output !== undefined) all[name] = output;
		else if (given !== undefined || needed.includes(name)) return undefined;
	}
	const names = Object.keys(all);
	if (!within(names.length, schema.minProperties, schema.maxProperties)) return undefined;
	return names.every((name) => referenceOutput(propertyNames as Schema, name, root) !== undefined)
		? all
		: undefined;
}

/** Merges the defaults of both; the first wins. */
function mergeDefaults(given: Json | undefined, first: Json, second: Json): Json {
	if (isDeepStrictEqual(first, given)) return second;
	if (given === undefined || isDeepStrictEqual(second, given)) return first;
	if (Array.isArray(given) && Array.isArray(first) && Array.isArray(second))
		return given.map((one, index) => mergeDefaults(one, first[index] as Json, second[index] as Json));
	const [from, left, right] = [given, first, second] as JsonObject[] as [JsonObject, JsonObject, JsonObject];
	return Object.fromEntries(
		Object.keys({ ...left, ...right }).map((name) => {
			if (!Object.hasOwn(left, name)) return [name, right[name] as Json];
			if (!Object.hasOwn(right, name)) return [name, left[name] as Json];
			return [
				name,
				mergeDefaults(
					Object.hasOwn(from, name) ? from[name] : undefined,
					left[name] as Json,
					right[name] as Json,
				),
			];
		}),
	);
}
