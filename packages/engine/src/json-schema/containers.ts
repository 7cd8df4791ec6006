import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import * as z from "zod";
import { anyList, anyObject, anything, comparable, isObject } from "./values.ts";
import { at, SchemaProblem, type Walk } from "./walk.ts";

export function objectOf(schema: JsonObject, path: string, walk: Walk): z.ZodType {
	const { properties = {}, required = [], additionalProperties = true } = schema;
	const { minProperties, maxProperties, propertyNames } = schema;
	if (!isObject(properties)) throw new SchemaProblem(`properties${at(path)} must be an object of schemas`);
	if (!isNames(required)) throw new SchemaProblem(`required${at(path)} must be a list of names`);
	const needed = new Set(required);
	if (needed.has("__proto__") || Object.hasOwn(properties, "__proto__"))
		throw new SchemaProblem(`must not name "__proto__"${at(path)}`);
	const shape: [string, z.ZodType][] = Object.entries(properties).map(([name, property]) => {
		const type = walk.type(property, `${path}.properties.${name}`);
		return [name, needed.has(name) ? type : type.optional()];
	});
	for (const name of needed) if (!Object.hasOwn(properties, name)) shape.push([name, anything()]);
	const before = walk.tries;
	const others =
		typeof additionalProperties === "boolean"
			? additionalProperties
			: walk.type(additionalProperties, `${path}.additionalProperties`);
	const names = propertyNames === undefined ? null : walk.type(propertyNames, `${path}.propertyNames`);
	// The names of a schema are few; those that it leaves open are as many as there are in the value.
	let type = affordable(shaped(shape, others), walk.tries - before);
	if (typeof minProperties === "number")
		type = sized(type, (count) => count >= minProperties, `must have at least ${minProperties} names`);
	if (typeof maxProperties === "number")
		type = sized(type, (count) => count <= maxProperties, `must have at most ${maxProperties} names`);
	if (names === null) return type;
	return type.refine((value) => Object.keys(value as object).every((name) => names.safeParse(name).success), {
		error: "has a name that is not allowed",
	});
}

function shaped(shape: readonly [string, z.ZodType][], others: boolean | z.ZodType): z.ZodType {
	if (shape.length === 0 && others === true) return anyObject();
	const type = z.object(Object.fromEntries(shape));
	if (others === true) return type.loose();
	return others === false ? type.strict() : type.catchall(others);
}

const sized = (type: z.ZodType, fits: (count: number) => boolean, error: string): z.ZodType =>
	type.refine((value) => fits(Object.keys(value as object).length), { error });

export function listOf(schema: JsonObject, path: string, walk: Walk): z.ZodType {
	const { prefixItems, items = true, minItems, maxItems, uniqueItems, contains } = schema;
	const first = Array.isArray(items) ? items : prefixItems;
	const before = walk.tries;
	let type: z.ZodType = Array.isArray(first)
		? tuple(first, Array.isArray(items) ? (schema.additionalItems ?? true) : items, path, walk)
		: items === true
			? anyList()
			: z.array(walk.type(items, `${path}.items`));
	type = affordable(type, walk.tries - before);
	const limit = (fits: (list: Json[]) => boolean, error: string) => {
		type = type.refine((list) => fits(list as Json[]), { error });
	};
	if (typeof minItems === "number")
		limit(({ length }) => length >= minItems, `must be at least ${minItems} elements long`);
	if (typeof maxItems === "number")
		limit(({ length }) => length <= maxItems, `must be at most ${maxItems} elements long`);
	if (uniqueItems === true)
		limit(
			(list) => new Set(list.map(comparable)).size === list.length,
			"must not hold the same element twice",
		);
	if (contains !== undefined) {
		const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema;
		const one = walk.type(contains, `${path}.contains`);
		limit((list) => {
			const count = list.filter((element) => one.safeParse(element).success).length;
			return count >= Number(minContains) && count <= Number(maxContains);
		}, "does not hold the elements that it must");
	}
	return type;
}

function tuple(first: readonly Json[], rest: Json, path: string, walk: Walk): z.ZodType {
	const types = first.map((one, index) => walk.type(one, `${path}.prefixItems.${index}`));
	const others = rest === false ? null : walk.type(rest, `${path}.items`);
	return anyList().check((context) => {
		for (const [index, element] of context.value.entries()) {
			const type = types[index] ?? others;
			const result = type?.safeParse(element);
			if (type === null) {
				const message = `must be at most ${types.length} elements long`;
				context.issues.push({ code: "custom", message, input: context.value });
				return;
			}
			for (const issue of result?.error?.issues ?? [])
				context.issues.push({ ...issue, path: [index, ...issue.path], input: element } as never);
		}
	});
}

const isNames = (value: Json): value is string[] =>
	Array.isArray(value) && value.every((name) => typeof name === "string");

/** About a quarter of a second. */
const MOST_TRIES = 200_000;

/** Many values against many alternatives would keep everybody else waiting. */
function affordable(type: z.ZodType, tries: number): z.ZodType {
	if (tries === 0) return type;
	const most = Math.floor(MOST_TRIES / tries);
	const error = `is too large to be checked against ${tries} alternatives`;
	return z.custom<unknown>((value) => valuesLeft(value as Json, most) >= 0, error).pipe(type);
}

/** What is left of `room` after all values in this one; below 0 as soon as there are more. */
function valuesLeft(value: Json, room: number): number {
	if (typeof value !== "object" || value === null) return room - 1;
	let left = room - 1;
	for (const key in value) {
		if (left < 0) break;
		left = valuesLeft((value as JsonObject)[key] as Json, left);
	}
	return left;
}
