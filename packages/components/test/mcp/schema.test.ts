import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { toOutputSchema, toParameters } from "@tripline/components/mcp/schema";
import type { JsonObject } from "@tripline/contract/workflows";
import { compileParameterSchema, compileSchema } from "@tripline/engine/json-schema";

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
	type: "object",
	properties,
	...more,
});

function listProblems(schema: JsonObject, args: JsonObject): string[] {
	const { schema: params } = toParameters(schema);
	const type = compileParameterSchema(params);
	assert.ok(!("problem" in type), JSON.stringify(params));
	const read = type.safeParse(args);
	return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`);
}

const fill = (schema: JsonObject, args: JsonObject): unknown => {
	const type = compileParameterSchema(toParameters(schema).schema);
	assert.ok(!("problem" in type));
	return type.parse(args);
};

describe("the parameters of an MCP tool", () => {
	test("are checked as far as they can be, and unknown ones are errors", () => {
		const schema = object({
			city: { type: "string", pattern: "^[A-Z]" },
			days: { type: "integer", maximum: 5 },
		});
		assert.deepEqual(listProblems(schema, { city: "oslo", days: 5 }), []);
		assert.deepEqual(listProblems(schema, { days: 6 }), ["days must be at most 5"]);
		assert.equal(listProblems(schema, { town: "Oslo" }).length, 1);
	});

	test("have the definitions that they refer to, and anything where a reference is recursive or leads elsewhere", () => {
		const $defs = {
			tree: object({ name: { type: "string" }, below: { type: "array", items: { $ref: "#/$defs/tree" } } }),
		};
		const schema = object(
			{
				root: { $ref: "#/$defs/tree" },
				alias: { $ref: "#/properties/root" },
				other: { $ref: "https://evil.example/s" },
			},
			{ $defs },
		);
		assert.deepEqual(listProblems(schema, { root: { name: "a", below: [{ name: 1 }] }, other: 1 }), []);
		assert.deepEqual(listProblems(schema, { root: { name: 1 } }), [
			"root.name must be text, but is a number",
		]);
		assert.deepEqual(listProblems(schema, { alias: { name: 1 } }), [
			"alias.name must be text, but is a number",
		]);
	});

	test("that are required and have a default are filled in; others are left to the server", () => {
		const scale = { type: "string", enum: ["css", "device"], default: "css" };
		const schema = object({ scale, count: { type: "integer", default: 3 } }, { required: ["scale"] });
		assert.deepEqual(fill(schema, {}), { scale: "css" });
		const wrong = object({ scale: { ...scale, default: 7 } }, { required: ["scale"] });
		assert.deepEqual(fill(wrong, {}), {});
	});

	test("are one parameter if a name is that of a setting, or any name is allowed", () => {
		for (const schema of [
			object({ credential: { type: "string" } }),
			{ type: "object", additionalProperties: true },
			{ type: "object", anyOf: [object({ a: {} }), object({ b: {} })] },
		]) {
			assert.equal(toParameters(schema).isWrapped, true);
			assert.deepEqual(listProblems(schema, { arguments: { credential: "x", a: 1 } }), []);
		}
		assert.equal(toParameters({ type: "object" }).isWrapped, false);
		assert.equal(toParameters(object({ a: {} }, { additionalProperties: true })).isWrapped, false);
		const needed = object({ credential: {} }, { required: ["credential"] });
		assert.equal(listProblems(needed, {}).length, 1);
	});

	test("survive schemas that are not schemas", () => {
		for (const schema of [
			object({ a: { type: "any" }, b: { type: ["string", "string"] }, c: { enum: [] }, d: { anyOf: {} } }),
			object({ a: 1, b: null, c: [], __proto__: {} } as unknown as JsonObject),
			JSON.parse('{"type":"object","properties":{"__proto__":{},"a":{}},"required":["__proto__",1]}'),
			{ type: "object", properties: [], required: "a" },
			object({ a: { type: "array", items: [{ type: "string" }] }, file: { type: "string", format: "file" } }),
			object({ a: { minLength: "x", maximum: {}, multipleOf: -1 } }),
		] as JsonObject[])
			assert.deepEqual(listProblems(schema, {}), []);
	});

	test("may have names that a pattern allows in an object within", () => {
		const schema = object({
			headers: {
				type: "object",
				patternProperties: { "^x-": { type: "string" } },
				additionalProperties: false,
			},
		});
		assert.deepEqual(listProblems(schema, { headers: { "x-a": "1" } }), []);
	});
});

describe("the output of an MCP tool", () => {
	test("allows anything where its schema cannot be checked", () => {
		const reduced = toOutputSchema(object({ id: { type: "string", pattern: "^a" }, next: { $ref: "#" } }));
		const type = compileSchema(reduced);
		assert.ok(!("problem" in type));
		assert.equal(type.safeParse({ id: "b", next: { id: 1 } }).success, true);
		assert.equal(type.safeParse({ id: 1 }).success, false);
	});
});
