import type { Json } from "@tripline/contract/json";
import { type JsonObject, nodeSettings } from "@tripline/contract/workflows";
import type * as z from "zod";
import { quoteText } from "./diagnostics.ts";
import { createAllOf, createAnyOf, createOneOf } from "./json-schema/alternatives.ts";
import { ANYTHING, Checking, type Compiled } from "./json-schema/checking.ts";
import { compileOwnCheck } from "./json-schema/types.ts";
import { describePath, findRefusedKeyword, isObject, SchemaProblem, type Walk } from "./json-schema/walk.ts";
import { JsonSchemaType } from "./json-schema/zod-type.ts";
import { Meter, TooMuchWork } from "./meter.ts";

const MAX_CHARACTERS = 128 * 1024;
const MAX_DEPTH = 32;
const MAX_PARTS = 1_000;
/** Every value is checked against each alternative, so these cost the most. */
const MAX_ALTERNATIVES = 100;
/** About 20 milliseconds; bounds parts that are written once and referenced many times. */
const MAX_UNITS = 400_000;
/** For each keyword that is copied when a reference is merged with its siblings. */
const WORD_UNITS = 20;

/** A type that checks values against a JSON Schema given as data, or the reason why the schema is rejected. */
export function compileSchema(schema: JsonObject): z.ZodType | { readonly problem: string } {
	try {
		return new JsonSchemaType({ type: "custom", compiled: compileRoot(schema), schema });
	} catch (error) {
		if (error instanceof SchemaProblem) return { problem: error.message };
		if (error instanceof TooMuchWork) return { problem: "is too large after resolving references" };
		throw error;
	}
}

/** The same for a component's parameters: a strict object, as for built-in components. */
export function compileParameterSchema(schema: JsonObject): z.ZodType | { readonly problem: string } {
	const { type, additionalProperties = false, properties = {} } = schema;
	if (type !== "object") return { problem: 'must have "type": "object" at the top level' };
	if (additionalProperties !== false)
		return { problem: "must not set additionalProperties at the top level: unknown parameters are errors" };
	const reserved = Object.keys(properties ?? {}).find((name) => RESERVED.has(name));
	if (reserved !== undefined)
		return {
			problem: `must not define a parameter ${quoteText(reserved)}: every node has a setting of that name`,
		};
	return compileSchema({ ...schema, additionalProperties: false });
}

const RESERVED: ReadonlySet<string> = new Set([...Object.keys(nodeSettings), "component"]);

function compileRoot(root: JsonObject): Compiled {
	if (JSON.stringify(root).length > MAX_CHARACTERS)
		throw new SchemaProblem(`must be at most ${MAX_CHARACTERS} characters long as JSON`);
	let parts = 0;
	let alternatives = 0;
	const within: Json[] = [];
	const meter = new Meter(MAX_UNITS);
	const walk: Walk = { compile, meter };

	function compile(schema: Json, path: string): Compiled {
		if (++parts > MAX_PARTS)
			throw new SchemaProblem(`has more than ${MAX_PARTS} parts after resolving references`);
		if (within.length >= MAX_DEPTH) throw new SchemaProblem(`nests deeper than ${MAX_DEPTH} levels`);
		if (schema === true) return ANYTHING;
		if (schema === false) return NOTHING;
		if (!isObject(schema))
			throw new SchemaProblem(`is not a JSON Schema${describePath(path)}: it must be an object`);
		const keyword = findRefusedKeyword(schema);
		if (keyword !== undefined) throw new SchemaProblem(`${keyword}${describePath(path)}`);
		within.push(schema);
		const result = schema.$ref === undefined ? compileWhole(schema, path) : compileReference(schema, path);
		within.pop();
		return result;
	}

	/** Keywords beside a reference override those of its target. */
	function compileReference(schema: JsonObject, path: string): Compiled {
		meter.spend(WORD_UNITS * Object.keys(schema).length);
		const { $ref, ...beside } = schema;
		const target = resolveReference(root, $ref, path, meter);
		if (within.includes(target))
			throw new SchemaProblem(`refers to itself${describePath(path)}: recursive schemas are not supported`);
		if (!isObject(target) || Object.keys(beside).length === 0) return compile(target, path);
		meter.spend(WORD_UNITS * Object.keys(target).length);
		within.push(target);
		const result = compile({ ...target, ...beside }, path);
		within.pop();
		return result;
	}

	function compileWhole(schema: JsonObject, path: string): Compiled {
		const own = compileOwnCheck(schema, path, walk);
		const all: Compiled[] = own === null ? [] : [{ check: own, absent: undefined }];
		for (const keyword of ["anyOf", "oneOf", "allOf"] as const) {
			const list = schema[keyword];
			if (list === undefined) continue;
			if (!Array.isArray(list) || list.length === 0)
				throw new SchemaProblem(`${keyword}${describePath(path)} must be a list of schemas`);
			alternatives += list.length;
			if (alternatives > MAX_ALTERNATIVES)
				throw new SchemaProblem(`has more than ${MAX_ALTERNATIVES} alternatives after resolving references`);
			const options = list.map((one, index) => compile(one, `${path}.${keyword}.${index}`));
			if (keyword === "allOf" || options.length === 1) all.push(...options);
			else all.push(keyword === "anyOf" ? createAnyOf(options) : createOneOf(options));
		}
		return applyDefault(all.length > 1 ? createAllOf(all) : (all[0] ?? ANYTHING), schema.default, path);
	}

	function applyDefault({ check, absent }: Compiled, value: Json | undefined, path: string): Compiled {
		if (value !== undefined && check(value, new Checking(meter, null)) === undefined)
			throw new SchemaProblem(`default${describePath(path)} does not match its own schema`);
		return { check, absent: value === undefined ? absent : value };
	}

	return compile(root, "");
}

const NOTHING: Compiled = {
	check: (_, checking) => checking.addMismatch("must be left out"),
	absent: undefined,
};

function resolveReference(root: JsonObject, ref: Json | undefined, path: string, meter: Meter): Json {
	if (ref === "#") return root;
	const text = typeof ref === "string" ? ref : "";
	meter.spend(text.length / 16);
	const [, keyword = "", name = ""] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(text) ?? [];
	const definitions = root[keyword];
	const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
	if (keyword === "" || !isObject(definitions) || !Object.hasOwn(definitions, key)) {
		const message = `$ref${describePath(path)} must point to an entry of $defs, such as #/$defs/address`;
		throw new SchemaProblem(message);
	}
	return definitions[key] as Json;
}
