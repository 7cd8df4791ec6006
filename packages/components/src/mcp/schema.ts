import type { Json } from "@tripline/contract/json";
import { type JsonObject, nodeSettings } from "@tripline/contract/workflows";
import { compileParameterSchema, compileSchema } from "@tripline/engine/json-schema";
import { isObject } from "../schemas.ts";

/** How a tool's arguments are given in a workflow. */
export interface ToolParameters {
	readonly schema: JsonObject;
	/** All arguments are one parameter, `arguments`. */
	readonly isWrapped: boolean;
}

/** Well within what the compiler of schemas accepts. */
const MAX_PARTS = 800;
const MAX_DEPTH = 24;
const MAX_ALTERNATIVES = 80;

const RESERVED: ReadonlySet<string> = new Set([...Object.keys(nodeSettings), "component"]);

/** Keywords with a meaning here and no schemas in them. Others are checked by the server alone. */
const KEPT: ReadonlySet<string> = new Set([
	"title",
	"description",
	"minLength",
	"maxLength",
	"minimum",
	"maximum",
	"exclusiveMinimum",
	"exclusiveMaximum",
	"multipleOf",
	"minItems",
	"maxItems",
	"minProperties",
	"maxProperties",
]);

const TYPES: ReadonlySet<Json> = new Set([
	"string",
	"number",
	"integer",
	"boolean",
	"null",
	"array",
	"object",
]);

/**
 * The schema of a node's parameters for a tool's input schema. What the schema says beyond what can be checked here is left
 * out and not refused: the server checks its arguments itself.
 */
export function toParameters(given: JsonObject): ToolParameters {
	const reduced = new Reduction(given).reduce(given);
	const { properties, additionalProperties } = reduced;
	const names = isObject(properties) ? Object.keys(properties) : [];
	const isOpen = names.length === 0 && additionalProperties !== false && additionalProperties !== undefined;
	const hasAlternatives = ["anyOf", "oneOf", "allOf"].some((keyword) => Object.hasOwn(reduced, keyword));
	if (isOpen || hasAlternatives || names.some((name) => RESERVED.has(name))) return wrap(reduced);
	const schema = { ...reduced, type: "object", additionalProperties: false };
	if (!("problem" in compileParameterSchema(schema))) return { schema, isWrapped: false };
	const plain = { ...schema, properties: Object.fromEntries(names.map((name) => [name, {}])) };
	return "problem" in compileParameterSchema(plain) ? wrap({}) : { schema: plain, isWrapped: false };
}

/** The schema of a tool's structured result; any value if it says nothing that can be checked here. */
export function toOutputSchema(given: JsonObject): JsonObject {
	const reduced = new Reduction(given).reduce(given);
	return "problem" in compileSchema(reduced) ? {} : reduced;
}

function wrap(reduced: JsonObject): ToolParameters {
	const inner: JsonObject = { ...reduced, type: "object" };
	const isRequired = Array.isArray(reduced.required) && reduced.required.length > 0;
	const build = (args: JsonObject): JsonObject => ({
		type: "object",
		properties: { arguments: { description: "All arguments of the tool", ...args } },
		...(isRequired && { required: ["arguments"] }),
	});
	const schema = build(inner);
	const isUsable = !("problem" in compileParameterSchema(schema));
	return { schema: isUsable ? schema : build({ type: "object" }), isWrapped: true };
}

/** Copies what can be checked, with references resolved. */
class Reduction {
	readonly #root: JsonObject;
	readonly #within: Json[] = [];
	#parts = 0;
	#alternatives = 0;

	constructor(root: JsonObject) {
		this.#root = root;
	}

	/** An empty schema, which allows anything, for what is too large, recursive or not a schema. */
	reduce(schema: Json): JsonObject {
		if (!isObject(schema) || this.#within.length >= MAX_DEPTH || this.#within.includes(schema)) return {};
		if (++this.#parts > MAX_PARTS) return {};
		this.#within.push(schema);
		const reduced =
			typeof schema.$ref === "string" ? this.#reduceReference(schema) : this.#reduceKeywords(schema);
		this.#within.pop();
		return reduced;
	}

	#reduceReference(schema: JsonObject): JsonObject {
		const { $ref, ...beside } = schema;
		const target = findTarget(this.#root, $ref as string);
		return target === undefined ? {} : { ...this.reduce(target), ...this.#reduceKeywords(beside) };
	}

	#reduceKeywords(schema: JsonObject): JsonObject {
		const reduced: JsonObject = {};
		for (const key of Object.keys(schema)) {
			const value = schema[key] as Json;
			const kept = KEPT.has(key) ? value : this.#reduceKeyword(key, value);
			if (kept !== undefined) reduced[key] = kept;
		}
		if (isObject(schema.properties)) fillRequired(reduced, schema.properties);
		// A closed object would refuse the properties that a pattern allows.
		if (isObject(schema.patternProperties)) delete reduced.additionalProperties;
		return reduced;
	}

	#reduceKeyword(key: string, value: Json): Json | undefined {
		switch (key) {
			case "type":
				return isType(value) ? value : undefined;
			case "enum":
				return Array.isArray(value) && value.length > 0 ? value : undefined;
			case "const":
				return value;
			case "required":
				return Array.isArray(value)
					? value.filter((name) => typeof name === "string" && name !== "__proto__")
					: undefined;
			case "properties":
				return isObject(value) ? this.#reduceProperties(value) : undefined;
			case "additionalProperties":
				return typeof value === "boolean" ? value : this.reduce(value);
			case "items":
				return isObject(value) ? this.reduce(value) : undefined;
			case "anyOf":
			case "oneOf":
			case "allOf":
				return this.#reduceAlternatives(value);
			default:
				return undefined;
		}
	}

	#reduceProperties(properties: JsonObject): JsonObject {
		const names = Object.keys(properties).filter((name) => name !== "__proto__");
		return Object.fromEntries(names.map((name) => [name, this.reduce(properties[name] as Json)]));
	}

	#reduceAlternatives(value: Json): Json | undefined {
		if (!Array.isArray(value) || value.length === 0) return undefined;
		this.#alternatives += value.length;
		return this.#alternatives > MAX_ALTERNATIVES ? undefined : value.map((one) => this.reduce(one));
	}
}

/**
 * Many servers list properties with a default as required. The default is sent then; a property whose default does not match
 * its own schema is left to the server.
 */
function fillRequired(reduced: JsonObject, given: JsonObject): void {
	const { required, properties } = reduced;
	if (!Array.isArray(required) || !isObject(properties)) return;
	reduced.required = required.filter((name) => {
		const original = given[name as string];
		const property = properties[name as string];
		if (!isObject(original) || !isObject(property) || original.default === undefined) return true;
		const type = compileSchema(property);
		if ("problem" in type || !type.safeParse(original.default).success) return false;
		properties[name as string] = { ...property, default: original.default };
		return true;
	});
}

const isType = (value: Json): boolean =>
	Array.isArray(value)
		? value.length > 0 && value.every((one) => TYPES.has(one)) && new Set(value).size === value.length
		: TYPES.has(value);

/** Only within the schema itself: nothing is fetched. */
function findTarget(root: JsonObject, ref: string): Json | undefined {
	if (ref === "#") return root;
	if (!ref.startsWith("#/") || ref.length > 500) return undefined;
	let target: Json | undefined = root;
	for (const part of ref.slice(2).split("/")) {
		const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
		if (typeof target !== "object" || target === null || !Object.hasOwn(target, key)) return undefined;
		target = (target as { [key: string]: Json })[key];
	}
	return target;
}
