import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { typeName } from "../issues.ts";
import { notOfTypes } from "./alternatives.ts";
import { anything, type Check, type Checking } from "./checking.ts";
import { ValueSet } from "./equality.ts";
import { listCheck } from "./lists.ts";
import { objectCheck } from "./objects.ts";
import { numberCheck, textCheck } from "./scalars.ts";
import { at, SchemaProblem, type Walk } from "./walk.ts";

const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"] as const;
type Type = (typeof TYPES)[number];

/** The check of the schema's own keywords, without alternatives; null if there are none. */
export function typed(schema: JsonObject, path: string, walk: Walk): Check | null {
	const { enum: values, const: value, type = implied(schema), not } = schema;
	const ofType = typeCheck(schema, type === null ? TYPES : kindsOf(type, path), path, walk);
	// Listed values are allowed whatever their type: many schemas list null beside a type without null.
	const allowed = value !== undefined ? [value] : values;
	const base = allowed === undefined ? ofType : listed(allowed, path, walk);
	return not === undefined ? base : except(base ?? anything, walk.compile(not, `${path}.not`).check);
}

/** Keywords that apply to one type imply that type, although JSON Schema would accept any other. */
function implied(schema: JsonObject): Type | null {
	const has = (...keywords: string[]) => keywords.some((keyword) => Object.hasOwn(schema, keyword));
	if (has("properties", "required", "additionalProperties")) return "object";
	if (has("items", "prefixItems")) return "array";
	return null;
}

function kindsOf(type: Json, path: string): readonly Type[] {
	const names = Array.isArray(type) ? type : [type];
	const known = names.filter((name): name is Type => (TYPES as readonly Json[]).includes(name));
	if (known.length === 0 || known.length < names.length || new Set(known).size < known.length)
		throw new SchemaProblem(`type${at(path)} must be one or several of ${TYPES.join(", ")}`);
	return known;
}

/** Null if any value matches. */
function typeCheck(schema: JsonObject, types: readonly Type[], path: string, walk: Walk): Check | null {
	const has = (type: Type) => types.includes(type);
	const wrong: Check = (value, checking) => (checking.isOver ? undefined : wrongType(types, value, checking));
	const text = has("string") ? textCheck(schema) : wrong;
	const number = has("number")
		? numberCheck(schema, null)
		: has("integer")
			? numberCheck(schema, wrong)
			: wrong;
	const boolean = has("boolean") ? anything : wrong;
	const nothing = has("null") ? anything : wrong;
	const list = has("array") ? listCheck(schema, path, walk) : wrong;
	const object = has("object") ? objectCheck(schema, path, walk) : wrong;
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

function wrongType(types: readonly Type[], value: Json | undefined, checking: Checking): undefined {
	// "must be a whole number" helps only if the value is a number.
	const whole = typeof value === "number" ? "int" : "number";
	const names = types.map((type) => typeName(type === "integer" ? whole : type));
	if (whole === "int" && types.length === 1 && types[0] === "integer")
		return checking.mismatch(`must be ${names}`, names);
	return notOfTypes(names, value, checking);
}

function listed(allowed: Json, path: string, { meter }: Walk): Check {
	if (!Array.isArray(allowed) || allowed.length === 0)
		throw new SchemaProblem(`enum${at(path)} must be a list of values`);
	const values = new ValueSet();
	for (const value of allowed) values.add(value, meter);
	let message: string | undefined;
	return (value, checking) => {
		if (value !== undefined && values.has(value, checking.meter)) return value;
		message ??= oneOfThese(allowed);
		return checking.mismatch(message);
	};
}

/** In characters. Lists can be long, and the message is repeated for each value that is not listed. */
const MAX_LISTED = 1_000;

function oneOfThese(allowed: readonly Json[]): string {
	let message = "";
	for (const value of allowed) {
		if (message.length > MAX_LISTED) break;
		message += `${message === "" ? "must be " : " or "}${JSON.stringify(value)}`;
	}
	return message.length > MAX_LISTED ? `${message.slice(0, MAX_LISTED)}…` : message;
}

const except =
	(base: Check, other: Check): Check =>
	(value, checking) => {
		const result = base(value, checking);
		if (result === undefined || checking.quietly(other, result) === undefined) return result;
		return checking.violation('must not match the schema in "not"');
	};
