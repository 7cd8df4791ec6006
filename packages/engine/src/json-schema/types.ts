import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { toTypeName } from "../issues.ts";
import { reportWrongTypes } from "./alternatives.ts";
import { anything, type Check, type Checking } from "./checking.ts";
import { ValueSet } from "./equality.ts";
import { compileFileCheck, isFileSchema } from "./files.ts";
import { compileListCheck } from "./lists.ts";
import { compileObjectCheck } from "./objects.ts";
import { compileNumberCheck, compileTextCheck } from "./scalars.ts";
import { describePath, SchemaProblem, type Walk } from "./walk.ts";

const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"] as const;
type Type = (typeof TYPES)[number];

/** The check of the schema's own keywords, without alternatives; null if there are none. */
export function compileOwnCheck(schema: JsonObject, path: string, walk: Walk): Check | null {
	const { enum: values, const: value, type = findImpliedType(schema), not } = schema;
	const ofType = compileTypeCheck(schema, type === null ? TYPES : readTypes(type, path), path, walk);
	// Listed values are allowed whatever their type: many schemas list null beside a type without null.
	const allowed = value !== undefined ? [value] : values;
	const base = allowed === undefined ? ofType : compileEnum(allowed, path, walk);
	return not === undefined ? base : createExcept(base ?? anything, walk.compile(not, `${path}.not`).check);
}

/** Keywords that apply to one type imply that type, although JSON Schema would accept any other. */
function findImpliedType(schema: JsonObject): Type | null {
	const has = (...keywords: string[]) => keywords.some((keyword) => Object.hasOwn(schema, keyword));
	if (has("properties", "required", "additionalProperties") || schema.format === "file") return "object";
	if (has("items", "prefixItems")) return "array";
	return null;
}

function readTypes(type: Json, path: string): readonly Type[] {
	const names = Array.isArray(type) ? type : [type];
	const known = names.filter((name): name is Type => (TYPES as readonly Json[]).includes(name));
	if (known.length === 0 || known.length < names.length || new Set(known).size < known.length)
		throw new SchemaProblem(`type${describePath(path)} must be one or several of ${TYPES.join(", ")}`);
	return known;
}

/** Null if any value matches. */
function compileTypeCheck(
	schema: JsonObject,
	types: readonly Type[],
	path: string,
	walk: Walk,
): Check | null {
	const has = (type: Type) => types.includes(type);
	const wrong: Check = (value, checking) =>
		checking.isOver ? undefined : reportWrongType(types, value, checking);
	const text = has("string") ? compileTextCheck(schema) : wrong;
	const number = has("number")
		? compileNumberCheck(schema, null)
		: has("integer")
			? compileNumberCheck(schema, wrong)
			: wrong;
	const boolean = has("boolean") ? anything : wrong;
	const nothing = has("null") ? anything : wrong;
	const list = has("array") ? compileListCheck(schema, path, walk) : wrong;
	const object = has("object") ? compileObject(schema, path, walk) : wrong;
	if ([text, number, boolean, nothing, list, object].every((check) => check === anything)) return null;
	return (value, checking) => {
		checking.meter.spend(1);
		switch (typeof value) {
			case "string":
				return text(value, checking);
			case "number":
				return Number.isFinite(value) ? number(value, checking) : wrong(value, checking);
			case "boolean":
				return boolean(value, checking);
			case "object":
				if (value === null) return nothing(value, checking);
				return Array.isArray(value) ? list(value, checking) : object(value, checking);
			default:
				return wrong(value, checking);
		}
	};
}

function compileObject(schema: JsonObject, path: string, walk: Walk): Check<JsonObject> {
	const check = compileObjectCheck(schema, path, walk);
	return isFileSchema(schema) ? compileFileCheck(schema, check, path) : check;
}

function reportWrongType(types: readonly Type[], value: Json | undefined, checking: Checking): undefined {
	// "must be a whole number" helps only if the value is a number.
	const whole = typeof value === "number" ? "int" : "number";
	const names = types.map((type) => toTypeName(type === "integer" ? whole : type));
	if (whole === "int" && types.length === 1 && types[0] === "integer")
		return checking.addMismatch(`must be ${names}`, names);
	return reportWrongTypes(names, value, checking);
}

function compileEnum(allowed: Json, path: string, { meter }: Walk): Check {
	if (!Array.isArray(allowed) || allowed.length === 0)
		throw new SchemaProblem(`enum${describePath(path)} must be a list of values`);
	const values = new ValueSet();
	for (const value of allowed) values.add(value, meter);
	let message: string | undefined;
	return (value, checking) => {
		if (value !== undefined && values.has(value, checking.meter)) return value;
		message ??= describeAllowed(allowed);
		return checking.addMismatch(message);
	};
}

/** In characters. Lists can be long, and the message is repeated for each value that is not listed. */
const MAX_LISTED_LENGTH = 1_000;

function describeAllowed(allowed: readonly Json[]): string {
	let message = "";
	for (const value of allowed) {
		if (message.length > MAX_LISTED_LENGTH) break;
		message += `${message === "" ? "must be " : " or "}${JSON.stringify(value)}`;
	}
	return message.length > MAX_LISTED_LENGTH ? `${message.slice(0, MAX_LISTED_LENGTH)}…` : message;
}

const createExcept =
	(base: Check, other: Check): Check =>
	(value, checking) => {
		const result = base(value, checking);
		if (result === undefined || checking.checkQuietly(other, result) === undefined) return result;
		return checking.addViolation('must not match the schema in "not"');
	};
