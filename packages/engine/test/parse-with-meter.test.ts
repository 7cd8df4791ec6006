import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "@tripline/contract/workflows";
import * as z from "zod";
import { compileSchema } from "../src/json-schema.ts";
import { MAX_NODE_UNITS, Meter } from "../src/meter.ts";
import { parseWithMeter } from "../src/parse-with-meter.ts";

const SCHEMA: JsonObject = { type: "array", items: { type: "integer" } };
const LIST = Array.from({ length: 1_000 }, (_, index) => index);
const TOO_LARGE = "is too large to be checked against this schema";

function compileType(schema: JsonObject): z.ZodType {
	const type = compileSchema(schema);
	assert.ok(!("problem" in type));
	return type;
}

describe("a meter for schemas given as data", () => {
	const list = compileType(SCHEMA);
	const nested: [name: string, type: z.ZodType, value: unknown][] = [
		["by itself", list, LIST],
		["in an object", z.object({ list }), { list: LIST }],
		["in a strict object", z.strictObject({ list, other: z.string() }), { list: LIST, other: "x" }],
		["in a catchall", z.object({}).catchall(list), { list: LIST }],
		["in a list", z.array(list), [LIST]],
		["in a tuple", z.tuple([z.string(), list]), ["x", LIST]],
		["in a record", z.record(z.string(), list), { list: LIST }],
		["in a union", z.union([z.string(), list]), LIST],
		["in an intersection", z.intersection(list, z.array(z.number())), LIST],
		["in a pipe", list.pipe(z.array(z.number())), LIST],
		["behind a default", z.object({ list: list.default([]) }), { list: LIST }],
		["behind a refinement", list.refine(() => true), LIST],
		["behind lazy", z.lazy(() => list), LIST],
		["optional, nullable and described", list.optional().nullable().describe("x"), LIST],
	];
	for (const [name, type, value] of nested) {
		test(`reaches the schema ${name}`, () => {
			const meter = new Meter(MAX_NODE_UNITS);
			// On the second run zod uses its generated code for objects.
			for (const _ of [1, 2]) assert.ok(parseWithMeter(type, value, meter).success);
			const spent = MAX_NODE_UNITS - meter.left;
			assert.ok(spent >= 4 * LIST.length && spent < 6 * LIST.length, `${spent} units`);
			const small = parseWithMeter(type, value, new Meter(500));
			assert.ok(JSON.stringify(small.error?.issues).includes(TOO_LARGE));
		});
	}

	test("is created for each check if none is given", () => {
		const large = Array.from({ length: 600_000 }, () => 1);
		for (const _ of [1, 2]) assert.ok(list.safeParse(large).success);
	});

	test("without units rejects every value as too large", () => {
		const meter = new Meter(100);
		for (const _ of [1, 2]) {
			const issues = parseWithMeter(list, LIST, meter).error?.issues ?? [];
			assert.deepEqual(
				issues.map(({ path, message }) => ({ path, message })),
				[{ path: [], message: TOO_LARGE }],
			);
		}
	});

	test("propagates errors of its deadline", () => {
		class Late extends Error {}
		const meter = new Meter(MAX_NODE_UNITS, () => {
			throw new Late();
		});
		const large = Array.from({ length: 100_000 }, () => 1);
		assert.throws(() => parseWithMeter(list, large, meter), Late);
	});
});

describe("a schema given as data, as a zod type", () => {
	test("fills in its default for an absent property", () => {
		const type = z.object({ a: compileType({ type: "integer", default: 3 }), b: z.string() });
		assert.deepEqual(type.parse({ b: "x" }), { a: 3, b: "x" });
		assert.throws(() => z.object({ a: compileType({ type: "integer" }) }).parse({}));
		assert.deepEqual(z.object({ a: compileType({ type: "integer" }).optional() }).parse({}), {});
	});

	test("reports paths relative to the outer value", () => {
		const type = z.object({
			rows: z.array(compileType({ type: "object", properties: { n: { type: "integer" } } })),
		});
		const { error } = type.safeParse({ rows: [{ n: 1 }, { n: "x" }] });
		assert.deepEqual(
			error?.issues.map(({ path }) => path),
			[["rows", 1, "n"]],
		);
	});

	test("reports alternatives at the value that has them", () => {
		const anyOf = [{ properties: { a: { type: "integer" } } }, { properties: { a: { type: "boolean" } } }];
		const { error } = compileType({ properties: { x: { anyOf } } }).safeParse({ x: { a: "{{input.a}}" } });
		assert.deepEqual(
			error?.issues.map(({ code, path }) => ({ code, path })),
			[{ code: "invalid_union", path: ["x"] }],
		);
	});

	test("is described by the original schema", () => {
		const { $schema: _, ...described } = z.toJSONSchema(compileType(SCHEMA));
		assert.deepEqual(described, SCHEMA);
		assert.deepEqual(z.toJSONSchema(z.object({ list: compileType(SCHEMA) })).properties, { list: SCHEMA });
	});
});
