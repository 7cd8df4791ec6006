import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "@tripline/contract/workflows";
import { describeBody, describeResponse, makeOperation } from "./make.ts";

/** The schema of a parameter that is a member of a body. */
async function convert(schema: JsonObject, schemas: JsonObject = {}) {
	const body = { type: "object", properties: { it: schema } };
	const { properties, notes } = await makeOperation(describeBody(body, { components: { schemas } }));
	return { schema: properties.it as JsonObject, notes };
}
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe("a schema", () => {
	test("has references replaced by what they refer to", async () => {
		const { schema } = await convert(ref("A"), { A: ref("B"), B: { type: "string", maxLength: 3 } });
		assert.deepEqual(schema, { type: "string", maxLength: 3 });
	});

	test("takes a description from beside a reference, but no type", async () => {
		const { schema } = await convert(
			{ ...ref("A"), type: "string", description: "mine" },
			{
				A: { type: "object", description: "its", properties: { a: { type: "string" } } },
			},
		);
		assert.deepEqual(schema, {
			type: "object",
			description: "mine",
			properties: { a: { type: "string" } },
		});
	});

	test("has allOf merged", async () => {
		const { schema } = await convert({
			allOf: [
				{ type: "object", required: ["a"], properties: { a: { type: "string" } } },
				{ required: ["b"], properties: { b: { type: "integer" } } },
			],
		});
		assert.deepEqual(schema, {
			type: "object",
			properties: { a: { type: "string" }, b: { type: "integer" } },
			required: ["a", "b"],
		});
	});

	test("has oneOf as anyOf, and nullable as one more alternative", async () => {
		const { schema } = await convert({ oneOf: [{ type: "string" }, { type: "integer" }], nullable: true });
		assert.deepEqual(schema, { anyOf: [{ type: "string" }, { type: "integer" }, { type: "null" }] });
	});

	test("with too many alternatives loses them, which is noted", async () => {
		const options = Array.from({ length: 13 }, (_, n) => ({ type: "string", maxLength: n + 1 }));
		const { schema, notes } = await convert({ anyOf: options });
		assert.deepEqual([schema, notes], [{}, ["has 13 alternatives, which are left out"]]);
	});

	test("is not a list because of items if it has alternatives", async () => {
		const { schema } = await convert({
			items: { type: "string" },
			oneOf: [{ type: "object", properties: { a: { type: "string" } } }, { type: "array" }],
		});
		assert.equal(schema.type, undefined);
	});

	for (const [given, expected] of [
		[{ type: "string", nullable: true }, { type: ["string", "null"] }],
		[{ type: ["string", "null"] }, { type: ["string", "null"] }],
		[{ const: "a" }, { enum: ["a"] }],
		[
			{ type: "string", enum: ["a"], nullable: true },
			{ type: ["string", "null"], enum: ["a", null] },
		],
		[
			{ type: "integer", minimum: 1, exclusiveMinimum: true },
			{ type: "integer", exclusiveMinimum: 1 },
		],
		[
			{ type: "integer", exclusiveMinimum: 1 },
			{ type: "integer", exclusiveMinimum: 1 },
		],
		[
			{ type: "integer", default: 3 },
			{ type: "integer", default: 3 },
		],
		[{ type: "integer", default: "3" }, { type: "integer" }],
		[
			{ type: "integer", default: 3, maximum: 2 },
			{ type: "integer", maximum: 2 },
		],
		[{ type: "string", default: "{{input}}" }, { type: "string" }],
		[
			{ type: "string", enum: ["a"], default: "b" },
			{ type: "string", enum: ["a"] },
		],
		[{ type: "file" }, {}],
		[{ type: "string", maxLength: -1, minLength: "x" }, { type: "string" }],
	] as [JsonObject, JsonObject][])
		test(`${JSON.stringify(given)} becomes ${JSON.stringify(expected)}`, async () =>
			assert.deepEqual((await convert(given)).schema, expected));

	for (const keyword of ["pattern", "not", "if", "patternProperties"])
		test(`${keyword} is left out and noted`, async () => {
			const { schema, notes } = await convert({
				type: "string",
				[keyword]: keyword === "pattern" ? "a" : {},
			});
			assert.deepEqual(schema, { type: "string" });
			assert.deepEqual(notes, [`${keyword} is not checked by recipes and is left out`]);
		});

	test("with very many values loses them, which is noted", async () => {
		const values = Array.from({ length: 300 }, (_, n) => `value ${n}`);
		const { schema, notes } = await convert({ type: "string", enum: values });
		assert.deepEqual([schema, notes], [{ type: "string" }, ["lists 300 values, which are left out"]]);
	});

	test("that contains itself ends there with its type", async () => {
		const { schema } = await convert(ref("Tree"), {
			Tree: { type: "object", properties: { left: ref("Tree"), name: { type: "string" } } },
		});
		assert.deepEqual(schema, {
			type: "object",
			properties: { left: { type: "object" }, name: { type: "string" } },
		});
	});

	test("that contains itself by way of allOf ends there too", async () => {
		const { schema } = await convert(ref("A"), {
			Base: { type: "object" },
			A: { allOf: [ref("Base"), { properties: { parent: ref("A") } }] },
		});
		assert.deepEqual(schema, { type: "object", properties: { parent: { type: "object" } } });
	});

	test("that refers only to itself is noted", async () => {
		const { schema, notes } = await convert(ref("A"), { A: ref("B"), B: ref("A") });
		assert.deepEqual(schema, {});
		assert.deepEqual(notes, ["refers to itself, or over more than 20 references"]);
	});

	for (const target of ["other.yaml#/A", "https://example.com/a.json", "#/components/schemas/None", "#A"])
		test(`a reference to ${target} is noted and never followed`, async () => {
			const { schema, notes } = await convert({ $ref: target });
			assert.deepEqual(schema, {});
			assert.equal(notes.length, 1);
			assert.match(notes[0] ?? "", /outside of this description|which does not exist/);
		});

	test("a reference to a member of every object is none", async () => {
		const { schema, notes } = await convert({ $ref: "#/constructor" });
		assert.deepEqual(schema, {});
		assert.match(notes[0] ?? "", /does not exist/);
	});

	test("with more parts than a recipe can have keeps the types of the first ones, which is noted", async () => {
		const properties = Object.fromEntries(
			Array.from({ length: 700 }, (_, n) => [`p${n}`, { type: "string", maxLength: 5 }]),
		);
		const { schema, notes } = await convert({ type: "object", properties });
		assert.ok(Object.keys(schema.properties as JsonObject).length > 500);
		assert.deepEqual(notes, ["is one part too many: from here on only types are kept"]);
	});
});

describe("the output", () => {
	test("leaves out what is only written, and keeps what is only read", async () => {
		const { operation } = await makeOperation(
			describeResponse({
				type: "object",
				properties: { id: { type: "string", readOnly: true }, password: { type: "string", writeOnly: true } },
			}),
		);
		assert.deepEqual(operation.output.schema, { type: "object", properties: { id: { type: "string" } } });
	});

	for (const [status, schema] of [
		["201", { type: "integer" }],
		["2XX", { type: "integer" }],
		["default", { type: "integer" }],
		["204", {}],
		["404", {}],
	] as const)
		test(`is ${JSON.stringify(schema)} if the only response is ${status}`, async () => {
			const content = { "application/json": { schema: { type: "integer" } } };
			const { operation } = await makeOperation(
				describeResponse({}, { responses: { [status]: { content } } }),
			);
			assert.deepEqual(operation.output.schema, schema);
		});

	for (const [type, kind, accept] of [
		["text/csv", "text", "text/csv"],
		["image/png", "file", "image/png"],
		["application/vnd.api+json", undefined, "application/vnd.api+json"],
		["application/json; charset=utf-8", undefined, undefined],
		["*/*", undefined, undefined],
	] as const)
		test(`of ${type} is read as ${kind ?? "json"}`, async () => {
			const { operation } = await makeOperation(
				describeResponse({}, { responses: { 200: { content: { [type]: {} } } } }),
			);
			assert.deepEqual([operation.response, operation.headers?.accept], [kind, accept]);
		});
});
