import type { Json } from "@tripline/contract/json";
import { type JsonObject, nodeSettings } from "@tripline/contract/workflows";
import * as z from "zod";
import { shown } from "./diagnostics.ts";
import { typed } from "./json-schema/types.ts";
import { anything, isObject } from "./json-schema/values.ts";
import { at, refused, SchemaProblem, type Walk } from "./json-schema/walk.ts";

const MOST_CHARACTERS = 128 * 1024;
const MOST_DEPTH = 32;
const MOST_PARTS = 1_000;
/** Every value is tried against each alternative, so these cost the most. */
const MOST_ALTERNATIVES = 100;

/**
 * What checks values against a JSON Schema that comes as data, or why it cannot be used. Not zod's own conversion: that
 * passes over keywords it does not know, and a schema of few lines can make it work for ever.
 */
export function schemaOf(schema: JsonObject): z.ZodType | { readonly problem: string } {
	return attempt(() => converted(schema));
}

/** The same for a component's parameters: an object that takes no other names, as those of built-in components are. */
export function parametersOf(schema: JsonObject): z.ZodType | { readonly problem: string } {
	return attempt(() => {
		const { type, additionalProperties = false, properties = {} } = schema;
		if (type !== "object") throw new SchemaProblem('must have "type": "object" at the top');
		if (additionalProperties !== false)
			throw new SchemaProblem("must not have additionalProperties at the top: unknown parameters are errors");
		for (const name of Object.keys(properties ?? {}))
			if (RESERVED.has(name))
				throw new SchemaProblem(`must not name a parameter ${shown(name)}: that is a setting of every node`);
		return converted({ ...schema, additionalProperties: false });
	});
}

const RESERVED: ReadonlySet<string> = new Set([...Object.keys(nodeSettings), "component"]);

function attempt(make: () => z.ZodType): z.ZodType | { readonly problem: string } {
	try {
		return make();
	} catch (error) {
		if (error instanceof SchemaProblem) return { problem: error.message };
		throw error;
	}
}

function converted(root: JsonObject): z.ZodType {
	if (JSON.stringify(root).length > MOST_CHARACTERS)
		throw new SchemaProblem(`must be at most ${MOST_CHARACTERS} characters long as JSON`);
	let parts = 0;
	let alternatives = 0;
	const within: Json[] = [];

	const walk: Walk = { type: typeAt, tries: 0 };

	function typeAt(schema: Json, path: string): z.ZodType {
		if (++parts > MOST_PARTS)
			throw new SchemaProblem(`has more than ${MOST_PARTS} parts, references followed`);
		if (within.length >= MOST_DEPTH) throw new SchemaProblem(`nests deeper than ${MOST_DEPTH} levels`);
		if (schema === true) return anything();
		if (schema === false) return z.custom<never>(() => false, "must be left out");
		if (!isObject(schema)) throw new SchemaProblem(`is not a JSON Schema${at(path)}: it must be an object`);
		const keyword = refused(schema);
		if (keyword !== undefined) throw new SchemaProblem(`${keyword}${at(path)}`);
		within.push(schema);
		const type = schema.$ref === undefined ? whole(schema, path) : referred(schema, path);
		within.pop();
		return type;
	}

	/** What stands beside a reference wins over what it refers to. */
	function referred({ $ref, ...beside }: JsonObject, path: string): z.ZodType {
		const target = resolved(root, $ref, path);
		if (within.includes(target))
			throw new SchemaProblem(`refers to itself${at(path)}: a schema must come to an end`);
		if (!isObject(target) || Object.keys(beside).length === 0) return typeAt(target, path);
		within.push(target);
		const type = typeAt({ ...target, ...beside }, path);
		within.pop();
		return type;
	}

	function whole(schema: JsonObject, path: string): z.ZodType {
		let type = typed(schema, path, walk);
		const and = (other: z.ZodType) => {
			type = type === null ? other : z.intersection(type, other);
		};
		for (const keyword of ["anyOf", "oneOf", "allOf"] as const) {
			const list = schema[keyword];
			if (list === undefined) continue;
			if (!Array.isArray(list) || list.length === 0)
				throw new SchemaProblem(`${keyword}${at(path)} must be a list of schemas`);
			alternatives += list.length;
			walk.tries += list.length;
			if (alternatives > MOST_ALTERNATIVES)
				throw new SchemaProblem(`has more than ${MOST_ALTERNATIVES} alternatives, references followed`);
			const types = list.map((one, index) => typeAt(one, `${path}.${keyword}.${index}`));
			if (keyword === "allOf") for (const one of types) and(one);
			else and(keyword === "anyOf" ? z.union(types) : exactlyOne(types));
		}
		return withDefault(type ?? anything(), schema.default, path);
	}

	return typeAt(root, "");
}

const SEVERAL = "fits several alternatives of which it must fit exactly one";

function exactlyOne(types: readonly z.ZodType[]): z.ZodType {
	return types.length === 1 ? (types[0] as z.ZodType) : z.xor(types, SEVERAL);
}

function withDefault(type: z.ZodType, value: Json | undefined, path: string): z.ZodType {
	if (value === undefined) return type;
	if (!type.safeParse(value).success)
		throw new SchemaProblem(`default${at(path)} does not fit the schema that it stands in`);
	return type.default(value);
}

function resolved(root: JsonObject, ref: Json | undefined, path: string): Json {
	if (ref === "#") return root;
	const [, keyword = "", name = ""] =
		/^#\/(\$defs|definitions)\/([^/]+)$/.exec(typeof ref === "string" ? ref : "") ?? [];
	const definitions = root[keyword];
	const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
	if (keyword === "" || !isObject(definitions) || !Object.hasOwn(definitions, key)) {
		const message = `$ref${at(path)} must name something under $defs, such as #/$defs/address`;
		throw new SchemaProblem(message);
	}
	return definitions[key] as Json;
}
