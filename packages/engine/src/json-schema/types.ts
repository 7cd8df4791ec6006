import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import * as z from "zod";
import { typeOf } from "../issues.ts";
import { listOf, objectOf } from "./containers.ts";
import { formatted } from "./formats.ts";
import { anything, comparable } from "./values.ts";
import { at, SchemaProblem, type Walk } from "./walk.ts";

const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"] as const;
type Type = (typeof TYPES)[number];

/** What the schema says of a value by itself; null: nothing. */
export function typed(schema: JsonObject, path: string, walk: Walk): z.ZodType | null {
	const { enum: values, const: value, type = implied(schema) } = schema;
	const kinds = type === null ? [] : kindsOf(type, path).map((kind) => ofKind(kind, schema, path, walk));
	if (kinds.length > 1) walk.tries += kinds.length;
	const kind = kinds.length > 1 ? z.union(kinds) : (kinds[0] ?? null);
	const allowed = value !== undefined ? [value] : values;
	const base = allowed === undefined ? kind : oneOfValues(allowed, kind, path);
	return schema.not === undefined ? base : except(base, walk.type(schema.not, `${path}.not`));
}

/** Keywords of one type only are meant for that type, though JSON Schema would let any other pass. */
function implied(schema: JsonObject): Type | null {
	const has = (...keywords: string[]) => keywords.some((keyword) => Object.hasOwn(schema, keyword));
	if (has("properties", "required", "additionalProperties")) return "object";
	if (has("items", "prefixItems")) return "array";
	return null;
}

function kindsOf(type: Json, path: string): Type[] {
	const names = Array.isArray(type) ? type : [type];
	const known = names.filter((name): name is Type => (TYPES as readonly Json[]).includes(name));
	if (known.length === 0 || known.length < names.length || new Set(known).size < known.length)
		throw new SchemaProblem(`type${at(path)} must be one or several of ${TYPES.join(", ")}`);
	return known;
}

function ofKind(kind: Type, schema: JsonObject, path: string, walk: Walk): z.ZodType {
	switch (kind) {
		case "string":
			return text(schema);
		case "number":
			return number(z.number(), schema);
		case "integer":
			return number(z.int(), schema);
		case "boolean":
			return z.boolean();
		case "null":
			return z.null();
		case "array":
			return listOf(schema, path, walk);
		case "object":
			return objectOf(schema, path, walk);
	}
}

function text({ minLength, maxLength, format }: JsonObject): z.ZodType {
	let type = formatted(format);
	if (typeof minLength === "number") type = type.min(minLength);
	if (typeof maxLength === "number") type = type.max(maxLength);
	return type;
}

function number(of: z.ZodNumber, schema: JsonObject): z.ZodType {
	const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
	let type = of;
	if (typeof minimum === "number") type = type.min(minimum);
	if (typeof maximum === "number") type = type.max(maximum);
	if (typeof exclusiveMinimum === "number")
		type = type.refine((value) => value > exclusiveMinimum, `must be more than ${exclusiveMinimum}`);
	if (typeof exclusiveMaximum === "number")
		type = type.refine((value) => value < exclusiveMaximum, `must be less than ${exclusiveMaximum}`);
	if (typeof multipleOf === "number" && multipleOf > 0)
		type = type.multipleOf(multipleOf, `must be a multiple of ${multipleOf}`);
	return type;
}

function oneOfValues(allowed: Json, type: z.ZodType | null, path: string): z.ZodType {
	if (!Array.isArray(allowed) || allowed.length === 0)
		throw new SchemaProblem(`enum${at(path)} must be a list of values`);
	const simple = allowed.filter((value) => typeof value !== "object" || value === null);
	if (simple.length === allowed.length) return z.literal(simple as z.core.util.Literal[]);
	const texts = new Set(allowed.map(comparable));
	const message = `must be ${allowed.map((value) => JSON.stringify(value)).join(" or ")}`;
	const listed = z.custom<Json>((value) => texts.has(comparable(value as Json)), message);
	return type === null ? listed : z.intersection(type, listed);
}

function except(base: z.ZodType | null, other: z.ZodType): z.ZodType {
	return (base ?? anything()).refine((value) => !other.safeParse(value).success, {
		error: ({ input }) => `must not be ${typeOf(input)} of this kind`,
	});
}
