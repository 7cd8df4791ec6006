import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";

/** Reads schemas on its own, so that it does not share the mistakes of the code under test. */
export interface Schemas {
	/** The target of local references; null if there is none. */
	resolve(value: unknown): JsonObject | null;
	/** A schema with its reference followed and its `allOf` merged. */
	flatten(schema: unknown): JsonObject;
	/** A value that the schema accepts; with `isFull` it has optional parts too. */
	build(schema: unknown, options: BuildOptions): Json;
	/** Why the schema does not accept a value; null if it does. Patterns and formats are not checked. */
	findMismatch(value: Json, schema: unknown, at?: string): string | null;
}

interface BuildOptions {
	readonly isFull: boolean;
	readonly direction: "request" | "response";
	/** Instead of a file. */
	readonly file?: Json;
}

export const isObject = (value: unknown): value is JsonObject =>
	typeof value === "object" && value !== null && !Array.isArray(value);
const toObject = (value: unknown): JsonObject => (isObject(value) ? value : {});
export const toList = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);

const MAX_DEPTH = 10;
const FULL_DEPTH = 4;

const TEXTS: Readonly<Record<string, string>> = {
	"date-time": "2024-01-02T03:04:05Z",
	date: "2024-01-02",
	email: "a@example.com",
	uri: "https://example.com/a",
	uuid: "123e4567-e89b-42d3-a456-426614174000",
	ipv4: "192.0.2.1",
	ipv6: "2001:db8::1",
	hostname: "example.com",
	duration: "P1D",
	byte: "eA==",
};

export function createSchemas(document: JsonObject): Schemas {
	/** Since OpenAPI 3.1 what is beside a reference counts. */
	const isNew = String(document.openapi).startsWith("3.1");

	function resolve(value: unknown): JsonObject | null {
		let given = value;
		for (let hops = 0; hops < 20; hops++) {
			if (!isObject(given)) return null;
			if (typeof given.$ref !== "string") return given;
			if (!given.$ref.startsWith("#/")) return null;
			given = given.$ref
				.slice(2)
				.split("/")
				.map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"))
				.reduce<unknown>((at, step) => (at as JsonObject | undefined)?.[step], document);
		}
		return null;
	}

	function flatten(schema: unknown, depth = 0): JsonObject {
		if (isNew && isObject(schema) && schema.$ref !== undefined && Object.keys(schema).length > 1) {
			const { $ref, ...beside } = schema;
			return depth > MAX_DEPTH ? beside : flatten({ allOf: [{ $ref }, beside] }, depth + 1);
		}
		const { allOf, ...own } = resolve(schema) ?? {};
		if (!Array.isArray(allOf) || depth > MAX_DEPTH) return own;
		const all = [...allOf.map((one) => flatten(one, depth + 1)), own];
		const merged: JsonObject = Object.assign({}, ...all);
		if (all.some(({ properties }) => isObject(properties)))
			merged.properties = Object.assign({}, ...all.map(({ properties }) => toObject(properties)));
		if (all.some(({ required }) => Array.isArray(required)))
			merged.required = all.flatMap(({ required }) => toList(required));
		return merged;
	}

	function build(schema: unknown, options: BuildOptions, depth = 0): Json {
		const flat = flatten(schema);
		if (flat.format === "file" && options.file !== undefined) return options.file;
		const values = flat.const === undefined ? toList(flat.enum) : [flat.const];
		const listed = values.find((one) => one !== null) ?? values[0];
		if (listed !== undefined) return listed;
		const alternatives = [...toList(flat.oneOf), ...toList(flat.anyOf)];
		if (alternatives.length > 0 && depth < MAX_DEPTH) {
			const { oneOf: _, anyOf: __, ...own } = flat;
			const [first] = alternatives.filter((one) => flatten(one).type !== "null");
			return build({ allOf: [own, first ?? {}] }, options, depth + 1);
		}
		const [type] = listTypes(flat).filter((one) => one !== "null");
		switch (type) {
			case "object":
				return buildObject(flat, options, depth);
			case "array": {
				if (depth > MAX_DEPTH || (flat.items === undefined && flat.minItems === undefined)) return [];
				const count = Math.max(Number(flat.minItems ?? 0), depth < FULL_DEPTH ? 1 : 0);
				const item = build(flat.items, options, depth + 1);
				const values = toList(flatten(flat.items).enum);
				return Array.from(
					{ length: Math.min(count, 20, Number(flat.maxItems ?? 20)) },
					(_, index) =>
						values[index] ?? (index > 0 && typeof item === "string" ? item.slice(0, -1) + index : item),
				);
			}
			case "integer":
			case "number":
				return buildNumber(flat);
			case "boolean":
				return true;
			default:
				return listTypes(flat).includes("null") && type === undefined ? null : buildText(flat);
		}
	}

	function buildObject(flat: JsonObject, options: BuildOptions, depth: number): JsonObject {
		const required = new Set(toList(flat.required));
		const value: JsonObject = {};
		if (depth > MAX_DEPTH) return value;
		for (const [name, property] of Object.entries(toObject(flat.properties))) {
			const { readOnly, writeOnly } = resolve(property) ?? {};
			if ((options.direction === "request" ? readOnly : writeOnly) === true) continue;
			const isOptional = options.isFull && depth < FULL_DEPTH && !isUnknown(property);
			if (required.has(name) || isOptional) value[name] = build(property, options, depth + 1);
		}
		if (Object.keys(value).length < Number(flat.minProperties ?? 0) && !isObject(flat.additionalProperties))
			return options.isFull || depth >= FULL_DEPTH
				? { ...value, a: "a" }
				: buildObject(flat, { ...options, isFull: true }, depth);
		if (isObject(flat.additionalProperties) && options.isFull && depth < FULL_DEPTH)
			value.more = build(flat.additionalProperties, options, depth + 1);
		return value;
	}

	/** Where a recipe has fewer details than the description, what it says is not enough to build a value. */
	function isUnknown(schema: unknown): boolean {
		const flat = flatten(schema);
		if (listTypes(flat).includes("array") && flat.items !== undefined) return isUnknown(flat.items);
		return Object.keys(flat).every((key) => key === "description");
	}

	function findMismatch(value: Json, schema: unknown, at = "", depth = 0): string | null {
		if (depth > 2 * MAX_DEPTH) return null;
		const flat = flatten(schema);
		const types = listTypes(flat);
		const actual = listActualTypes(value);
		if (value === null && (flat.nullable === true || types.length === 0)) return null;
		if (types.length > 0 && !types.some((type) => actual.includes(type)))
			return `${at || "the value"} is ${actual[0]} instead of ${types.join(" or ")}`;
		const values = toList(flat.enum);
		if (
			values.length > 0 &&
			typeof value !== "object" &&
			!values.some((one) => String(one) === String(value))
		)
			return `${at} is ${JSON.stringify(value)}, which is not listed`;
		for (const word of ["oneOf", "anyOf"] as const) {
			const options = toList(flat[word]);
			if (options.length > 0 && options.every((one) => findMismatch(value, one, at, depth + 1) !== null))
				return `${at} fits none of ${word}`;
		}
		if (Array.isArray(value) && flat.items !== undefined)
			return findFirst(value, (item, index) => findMismatch(item, flat.items, `${at}[${index}]`, depth + 1));
		if (typeof value === "number" && isOutOfBounds(value, flat)) return `${at} is out of bounds`;
		if (!isObject(value)) return null;
		const count = Object.keys(value).length;
		if (count < Number(flat.minProperties ?? 0) || count > Number(flat.maxProperties ?? count))
			return `${at} has ${count} members`;
		const properties = toObject(flat.properties);
		const absent = toList(flat.required).find(
			(name) => !Object.hasOwn(value, String(name)) && flatten(properties[String(name)]).readOnly !== true,
		);
		if (absent !== undefined) return `${at} lacks ${JSON.stringify(absent)}`;
		return findFirst(Object.keys(value), (name) => {
			const { [name]: property } = properties;
			if (property === undefined) {
				if (flat.additionalProperties === false) return `${at}.${name} is not described`;
				if (!isObject(flat.additionalProperties)) return null;
				return findMismatch(value[name] as Json, flat.additionalProperties, `${at}.${name}`, depth + 1);
			}
			return findMismatch(value[name] as Json, property, `${at}.${name}`, depth + 1);
		});
	}

	return { resolve, flatten, build, findMismatch };
}

function findFirst<Item>(items: readonly Item[], find: (item: Item, index: number) => string | null) {
	for (const [index, item] of items.entries()) {
		const found = find(item, index);
		if (found !== null) return found;
	}
	return null;
}

export function listTypes({ type, properties, items }: JsonObject): string[] {
	const given = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");
	if (given.length > 0) return given;
	return isObject(properties) ? ["object"] : isObject(items) ? ["array"] : [];
}

const isOutOfBounds = (value: number, { minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject) =>
	value < Number(minimum ?? value) ||
	value > Number(maximum ?? value) ||
	(exclusiveMinimum === true && value === minimum) ||
	(exclusiveMaximum === true && value === maximum);

function listActualTypes(value: Json): string[] {
	if (value === null) return ["null"];
	if (Array.isArray(value)) return ["array"];
	return Number.isInteger(value) ? ["integer", "number"] : [typeof value];
}

function buildText({ format, minLength, maxLength }: JsonObject): string {
	const text = TEXTS[String(format)] ?? "text";
	return text.padEnd(Number(minLength ?? 0), "x").slice(0, Number(maxLength ?? Number.POSITIVE_INFINITY));
}

function buildNumber({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: JsonObject) {
	const step = Number(multipleOf ?? 1);
	const isWithin =
		step === 1 && 1 >= Number(minimum ?? 1) && 1 <= Number(maximum ?? 1) && exclusiveMinimum === undefined;
	if (isWithin && exclusiveMaximum === undefined) return 1;
	const above = typeof exclusiveMinimum === "number" ? exclusiveMinimum + step : undefined;
	const below = typeof exclusiveMaximum === "number" ? exclusiveMaximum - step : undefined;
	const low = Number(above ?? minimum ?? Math.min(1, Number(below ?? maximum ?? 1)));
	const wanted = exclusiveMinimum === true ? low + step : low;
	const value = Math.ceil(wanted / step) * step;
	if (value <= Number(below ?? maximum ?? Number.POSITIVE_INFINITY)) return value;
	return type === "integer" ? low : (low + Number(below ?? maximum)) / 2;
}
