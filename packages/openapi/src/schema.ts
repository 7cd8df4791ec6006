import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Resolver } from "./resolver.ts";
import { getMember, isObject, shorten, toList, toObject, toText } from "./values.ts";

/** How much of a schema is kept. */
export interface Detail {
	/** Levels of properties and items; what is deeper becomes a schema that accepts anything. */
	readonly depth: number;
	/** Characters of a description; 0 for none. */
	readonly description: number;
}

export type Direction = "request" | "response";

/** The parts of one operation's schemas; a recipe's schemas have at most a thousand. */
const MAX_PARTS = 600;
/** A recipe's schemas have at most a hundred. */
const MAX_ALTERNATIVES = 80;
const MAX_ALTERNATIVES_EACH = 12;
const MAX_LISTED_VALUES = 200;
const MAX_LISTED_CHARACTERS = 4_000;
const MAX_DEFAULT_LENGTH = 500;
const MAX_MERGED = 30;
const PART_UNITS = 60;

const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"];

/** Keywords that a recipe's schemas cannot have. */
const DROPPED = [
	"pattern",
	"patternProperties",
	"not",
	"if",
	"then",
	"else",
	"dependentSchemas",
	"dependentRequired",
	"dependencies",
	"unevaluatedItems",
	"unevaluatedProperties",
	"$dynamicRef",
	"prefixItems",
	"contains",
	"propertyNames",
];

const COUNTS = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"] as const;
const BOUNDS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] as const;
/** Formats that a recipe checks, or that help a reader. */
const FORMATS = ["email", "uri", "uuid", "date-time", "date", "duration", "hostname", "ipv4", "ipv6"];

/** Converts schemas of one operation, with references replaced by what they refer to. */
export class Schemas {
	readonly #resolver: Resolver;
	readonly #detail: Detail;
	readonly #direction: Direction;
	#parts = 0;
	#alternatives = 0;

	constructor(resolver: Resolver, detail: Detail, direction: Direction) {
		this.#resolver = resolver;
		this.#detail = detail;
		this.#direction = direction;
	}

	/** The schema as a recipe may have it. */
	convert(schema: Json | undefined, path: string): JsonObject {
		return this.#convert(schema, path, this.#detail.depth, []);
	}

	/** The schema with references and `allOf` replaced by what they mean, one level deep. */
	flatten(schema: Json | undefined, path: string): JsonObject {
		return this.#flatten(schema, path, [], { merged: 0 })?.schema ?? {};
	}

	#convert(given: Json | undefined, path: string, depth: number, within: readonly string[]): JsonObject {
		this.#resolver.meter.spend(PART_UNITS);
		if (given === undefined || given === true) return {};
		if (++this.#parts > MAX_PARTS) {
			if (this.#parts === MAX_PARTS + 1)
				this.#resolver.notes.add(path, "is one part too many: from here on only types are kept");
			return this.#convertType(given, path);
		}
		const flat = this.#flatten(given, path, within, { merged: 0 });
		if (flat === null) return this.#convertType(given, path);
		const { schema, refs } = flat;
		const converted: JsonObject = {};
		const types = readTypes(schema);
		if (types.length > 0) converted.type = types.length === 1 ? (types[0] as string) : [...types];
		this.#addDescription(schema, converted);
		this.#addValues(schema, types, converted, path);
		this.#addLimits(schema, converted);
		this.#noteDropped(schema, path);
		const inner = [...within, ...refs];
		if (depth <= 0) return converted;
		const mayBeObject = types.length === 0 || types.includes("object");
		if (mayBeObject && (isObject(schema.properties) || this.#hasOnlyRequired(schema)))
			this.#addProperties(schema, converted, path, depth, inner);
		else this.#addOthers(schema, types, converted, path, depth, inner);
		if (types.includes("array")) {
			if (schema.items !== undefined && !Array.isArray(schema.items))
				converted.items = this.#convert(schema.items, `${path}.items`, depth - 1, inner);
		}
		this.#addAlternatives(schema, converted, path, depth, inner);
		addDefault(schema.default, converted);
		return converted;
	}

	/** Of a schema that contains itself, and of one part too many. */
	#convertType(given: Json, path: string): JsonObject {
		const types = readTypes(this.#resolver.resolve(given, path)?.value ?? {});
		if (types.length === 0) return {};
		return { type: types.length === 1 ? (types[0] as string) : [...types] };
	}

	/** Merges `allOf` and follows references. Null if the schema refers to one that it is within. */
	#flatten(
		given: Json | undefined,
		path: string,
		within: readonly string[],
		budget: { merged: number },
	): { readonly schema: JsonObject; readonly refs: readonly string[] } | null {
		const resolved = this.#resolver.resolve(given, path);
		if (resolved === null) return null;
		if (resolved.refs.some((ref) => within.includes(ref))) return null;
		if (!Array.isArray(resolved.value.allOf)) return { schema: resolved.value, refs: resolved.refs };
		const { allOf, ...own } = this.#resolver.pass(resolved.value);
		let schema: JsonObject = {};
		const refs = [...resolved.refs];
		for (const [index, member] of toList(allOf).entries()) {
			if (++budget.merged > MAX_MERGED) {
				this.#resolver.notes.add(path, `has more than ${MAX_MERGED} parts in allOf; the others are left out`);
				break;
			}
			const flat = this.#flatten(member, `${path}.allOf.${index}`, [...within, ...refs], budget);
			if (flat === null) continue;
			schema = this.#merge(schema, flat.schema);
			refs.push(...flat.refs);
		}
		return { schema: this.#merge(schema, own), refs };
	}

	#merge(one: JsonObject, other: JsonObject): JsonObject {
		const merged: JsonObject = { ...this.#resolver.pass(one), ...this.#resolver.pass(other) };
		if (isObject(one.properties) && isObject(other.properties))
			merged.properties = {
				...this.#resolver.pass(one.properties),
				...this.#resolver.pass(other.properties),
			};
		if (Array.isArray(one.required) && Array.isArray(other.required)) {
			this.#resolver.meter.spend(4 * (one.required.length + other.required.length));
			merged.required = [...new Set([...one.required, ...other.required])];
		}
		return merged;
	}

	#addDescription(schema: JsonObject, converted: JsonObject): void {
		const text = toText(schema.description) || toText(schema.title);
		const { description } = this.#detail;
		if (description === 0 || text === "") return;
		const start = text.slice(0, 4 * description);
		this.#resolver.meter.spend(start.length / 8);
		const short = shorten(start, description);
		if (short !== "") converted.description = short;
	}

	#addValues(schema: JsonObject, types: readonly string[], converted: JsonObject, path: string): void {
		const values = schema.const !== undefined ? [schema.const] : toList(schema.enum);
		if (values.length === 0) return;
		if (values.length > MAX_LISTED_VALUES || measureValues(values) > MAX_LISTED_CHARACTERS) {
			this.#resolver.notes.add(path, `lists ${values.length} values, which are left out`);
			return;
		}
		this.#resolver.meter.spend(values.length * 4);
		const distinct = [...new Set(values)];
		converted.enum = types.includes("null") && !distinct.includes(null) ? [...distinct, null] : distinct;
	}

	#addLimits(schema: JsonObject, converted: JsonObject): void {
		for (const name of COUNTS) {
			const value = schema[name];
			if (typeof value === "number" && Number.isInteger(value) && value >= 0) converted[name] = value;
		}
		for (const name of BOUNDS) {
			const value = schema[name];
			if (typeof value === "number" && Number.isFinite(value)) converted[name] = value;
		}
		// In OpenAPI 3.0 these are booleans beside the bound.
		if (schema.exclusiveMinimum === true && converted.minimum !== undefined) {
			converted.exclusiveMinimum = converted.minimum;
			delete converted.minimum;
		}
		if (schema.exclusiveMaximum === true && converted.maximum !== undefined) {
			converted.exclusiveMaximum = converted.maximum;
			delete converted.maximum;
		}
		if (typeof schema.multipleOf === "number" && schema.multipleOf > 0)
			converted.multipleOf = schema.multipleOf;
		if (schema.uniqueItems === true) converted.uniqueItems = true;
		if (FORMATS.includes(toText(schema.format)) && this.#direction === "request")
			converted.format = toText(schema.format);
	}

	#noteDropped(schema: JsonObject, path: string): void {
		if (this.#direction === "response") return;
		const dropped = DROPPED.filter((name) => Object.hasOwn(schema, name));
		for (const name of dropped)
			this.#resolver.notes.add(path, `${name} is not checked by recipes and is left out`);
	}

	#addProperties(
		schema: JsonObject,
		converted: JsonObject,
		path: string,
		depth: number,
		within: readonly string[],
	): void {
		const properties: JsonObject = {};
		for (const [name, property] of Object.entries(this.#resolver.pass(toObject(schema.properties)))) {
			if (this.#parts > MAX_PARTS) break;
			const at = `${path}.properties.${name}`;
			if (this.#isHidden(property, at)) continue;
			properties[name] = this.#convert(property, at, depth - 1, within);
		}
		if (isObject(schema.properties)) converted.type ??= "object";
		this.#resolver.meter.spend(toList(schema.required).length * 4);
		const names = listRequired(schema);
		if (this.#direction === "request")
			for (const name of listUndescribed(schema, names)) {
				if (++this.#parts > MAX_PARTS) break;
				properties[name] = {};
			}
		converted.properties = properties;
		const required = names.filter((name) => Object.hasOwn(properties, name));
		if (required.length > 0) converted.required = required;
		if (schema.additionalProperties === false && this.#direction === "request" && this.#parts <= MAX_PARTS)
			converted.additionalProperties = false;
	}

	/** As in the alternatives of a body that needs one of two fields. */
	#hasOnlyRequired({ properties, required }: JsonObject): boolean {
		return this.#direction === "request" && properties === undefined && Array.isArray(required);
	}

	/** The values of an object that is used as a map. */
	#addOthers(
		schema: JsonObject,
		types: readonly string[],
		converted: JsonObject,
		path: string,
		depth: number,
		within: readonly string[],
	): void {
		if (!types.includes("object") || !isObject(schema.additionalProperties)) return;
		const others = this.#convert(
			schema.additionalProperties,
			`${path}.additionalProperties`,
			depth - 1,
			within,
		);
		if (Object.keys(others).length > 0) converted.additionalProperties = others;
	}

	/** `oneOf` too becomes `anyOf`: many descriptions have alternatives that overlap. */
	#addAlternatives(
		schema: JsonObject,
		converted: JsonObject,
		path: string,
		depth: number,
		within: readonly string[],
	): void {
		const word = Array.isArray(schema.anyOf) ? "anyOf" : "oneOf";
		const options = toList(schema[word]);
		if (options.length === 0) return;
		this.#alternatives += options.length + (schema.nullable === true ? 1 : 0);
		if (options.length > MAX_ALTERNATIVES_EACH || this.#alternatives > MAX_ALTERNATIVES) {
			this.#resolver.notes.add(path, `has ${options.length} alternatives, which are left out`);
			return;
		}
		const converts = options.map((one, index) =>
			this.#convert(one, `${path}.${word}.${index}`, depth - 1, within),
		);
		// An alternative that accepts anything makes the others meaningless.
		if (converts.some((one) => Object.keys(one).every((key) => key === "description"))) return;
		if (schema.nullable === true) converts.push({ type: "null" });
		if (converted.type !== undefined && converts.length > 0 && isBare(converted)) delete converted.type;
		converted.anyOf = converts;
	}

	#isHidden(property: Json | undefined, path: string): boolean {
		const { readOnly, writeOnly } = this.#resolver.resolve(property, path)?.value ?? {};
		return this.#direction === "request" ? readOnly === true : writeOnly === true;
	}
}

/** The type says nothing that the alternatives do not say. */
const isBare = (schema: JsonObject): boolean =>
	Object.keys(schema).every((key) => key === "type" || key === "description");

/** Names and types of a schema; a schema with properties is one of objects. */
export function readTypes(schema: JsonObject): readonly string[] {
	const given = Array.isArray(schema.type) ? schema.type.slice(0, TYPES.length) : [schema.type];
	const types = [...new Set(given.filter((type): type is string => TYPES.includes(type as string)))];
	if (types.length === 0 && isObject(schema.properties)) types.push("object");
	if (types.length === 0 && isObject(schema.items) && !hasAlternatives(schema)) types.push("array");
	if (types.length > 0 && schema.nullable === true && !types.includes("null")) types.push("null");
	return types;
}

export const hasAlternatives = ({ anyOf, oneOf }: JsonObject): boolean =>
	Array.isArray(anyOf) || Array.isArray(oneOf);

/** Required members that the schema does not describe: they may have any value. */
export const listUndescribed = ({ properties }: JsonObject, required: readonly string[]): string[] =>
	required.filter((name) => name !== "__proto__" && !Object.hasOwn(toObject(properties), name));

export const listRequired = (schema: JsonObject): string[] => [
	...new Set(toList(schema.required).filter((name): name is string => typeof name === "string")),
];

/** Characters of the values; infinite if one is a list or an object. */
const measureValues = (values: readonly Json[]): number =>
	values.reduce<number>((sum, value) => {
		if (typeof value === "object" && value !== null) return Number.POSITIVE_INFINITY;
		return sum + 3 + String(value).length;
	}, 0);

/** A default that violates its own schema would be refused, and one of a nested value is of little use. */
function addDefault(value: Json | undefined, schema: JsonObject): void {
	if (value === undefined || value === null || typeof value === "object") return;
	if (typeof value === "string" && (value.length > MAX_DEFAULT_LENGTH || value.includes("{{"))) return;
	const { type, enum: values, anyOf, format } = schema;
	if (anyOf !== undefined || format !== undefined) return;
	if (Array.isArray(values)) {
		if (values.includes(value)) schema.default = value;
		return;
	}
	const types = Array.isArray(type) ? type : [type];
	const ofType =
		typeof value === "number"
			? types.includes("number") || (types.includes("integer") && Number.isSafeInteger(value))
			: types.includes(typeof value);
	if (!ofType) return;
	const bounded = [...COUNTS, ...BOUNDS, "multipleOf"].some((name) => getMember(schema, name) !== undefined);
	if (!bounded || isWithinBounds(value, schema)) schema.default = value;
}

function isWithinBounds(value: Json, schema: JsonObject): boolean {
	const { minimum = -Infinity, maximum = Infinity, minLength = 0, maxLength = Infinity } = schema;
	const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity, multipleOf } = schema;
	if (typeof value === "string")
		return value.length >= Number(minLength) && value.length <= Number(maxLength);
	if (typeof value !== "number") return true;
	if (multipleOf !== undefined && value % Number(multipleOf) !== 0) return false;
	return (
		value >= Number(minimum) &&
		value <= Number(maximum) &&
		value > Number(exclusiveMinimum) &&
		value < Number(exclusiveMaximum)
	);
}
