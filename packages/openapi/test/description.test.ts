import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { Meter } from "@tripline/engine/meter";
import fc from "fast-check";
import { MAX_DESCRIPTION_UNITS, readDescription } from "../src/description.ts";
import { type DescriptionOutcome, runDescriptionJob } from "../src/job.ts";
import { createMeter, describeThings, make } from "./make.ts";

const read = (text: string) => readDescription(text, createMeter());
const encode = (text: string) => new TextEncoder().encode(text);
const run = (content: Uint8Array, operations?: string[], maxUnits = MAX_DESCRIPTION_UNITS) =>
	runDescriptionJob({
		content,
		request: { ...(operations && { operations }) },
		maxUnits,
	});
const explain = (outcome: DescriptionOutcome) =>
	outcome.kind === "problem" ? outcome.issues.map(({ message }) => message).join("\n") : outcome.kind;
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe("a description", () => {
	for (const version of ["3.0.0", "3.0.3", "3.1.0"])
		test(`of OpenAPI ${version} is read as it is`, async () => {
			const document = { openapi: version, paths: {} };
			assert.deepEqual(await read(JSON.stringify(document)), { document, version });
		});

	test("may be YAML", async () => {
		const { document } = await read("openapi: 3.0.0\npaths: {}\n");
		assert.deepEqual(document, { openapi: "3.0.0", paths: {} });
	});

	test("may be YAML with merges, if it is short", async () => {
		const merging = "openapi: 3.0.0\nx: &x\n  a: 1\ny:\n  <<: *x\n";
		assert.deepEqual((await read(merging)).document.y, { a: 1 });
		const long = `${merging}z: ${"x".repeat(300_000)}\n`;
		await assert.rejects(read(long), /line 5 has a merge.*only in short descriptions.*JSON/);
	});

	for (const [text, message] of [
		["", /must be an object/],
		["[]", /must be an object/],
		["text", /must be an object/],
		["{", /the JSON cannot be read/],
		["a: b: c", /YAML cannot be read/],
		["{}", /neither "openapi" nor "swagger"/],
		['{"openapi": "3.2.0"}', /OpenAPI "3.2.0" is not supported/],
		['{"openapi": 3}', /OpenAPI 3 is not supported/],
		['{"openapi": {"a": 1}}', /is not supported/],
		['{"swagger": "1.2"}', /OpenAPI "1.2" is not supported/],
		['{"openapi": "3.0.0", "a": {"__proto__": 1}}', /__proto__/],
		[`{"openapi": "3.0.0", "a": ${"[".repeat(300)}${"]".repeat(300)}}`, /nests deeper than 200 levels/],
	] as const)
		test(`is refused if it is ${text.slice(0, 40) || "empty"}`, () => assert.rejects(read(text), message));

	test("that is not UTF-8 is refused", async () => {
		const outcome = await run(Uint8Array.of(0x7b, 0xff, 0x7d));
		assert.equal(explain(outcome), "the description is not valid UTF-8");
	});

	test("that nests deeper than the parser can is refused", async () => {
		const depth = 200_000;
		const outcome = await run(encode(`{"openapi": "3.0.0", "a": ${"[".repeat(depth)}${"]".repeat(depth)}}`));
		assert.match(explain(outcome), /nests/);
	});

	test("whose aliases multiply is refused", async () => {
		const lines = Array.from({ length: 12 }, (_, n) => {
			const value =
				n === 0 ? "x" : `{${Array.from({ length: 10 }, (__, m) => `k${m}: *a${n - 1}`).join(", ")}}`;
			return `a${n}: &a${n} ${value}`;
		});
		const outcome = await run(encode(`openapi: 3.0.0\n${lines.join("\n")}\n`));
		assert.match(explain(outcome), /takes too long|only in short/);
	});

	test("is bounded by the meter, whatever it holds", async () => {
		const large = JSON.stringify(describeThings({}, { "x-a": Array.from({ length: 50_000 }, () => [1]) }));
		assert.match(explain(await run(encode(large), undefined, 100_000)), /takes too long to read/);
	});
});

describe("a Swagger 2.0 description", () => {
	const swagger = (more: JsonObject): JsonObject => ({
		swagger: "2.0",
		info: { title: "Old" },
		host: "old.example.com",
		basePath: "/v1",
		schemes: ["http", "https"],
		...more,
	});

	test("is converted", async () => {
		const { recipe, auth_recipe } = await make(
			swagger({
				securityDefinitions: { key: { type: "apiKey", in: "header", name: "X-Key" } },
				security: [{ key: [] }],
				paths: {
					"/things": {
						get: {
							parameters: [
								{
									name: "ids",
									in: "query",
									type: "array",
									items: { type: "string" },
									collectionFormat: "csv",
								},
							],
							responses: { 200: { schema: { $ref: "#/definitions/Thing" } } },
						},
					},
				},
				definitions: { Thing: { type: "object", properties: { id: { type: "integer" } } } },
			}),
		);
		assert.equal(recipe.base_url, "https://old.example.com/v1");
		const [operation] = Object.values(recipe.operations);
		assert.deepEqual(operation?.query, { ids: '{{params.ids | join(",")}}' });
		assert.deepEqual(operation?.output.schema, { type: "object", properties: { id: { type: "integer" } } });
		assert.equal(auth_recipe?.type, "header");
	});

	test("may refer to a shared body and a shared form field", async () => {
		const { recipe } = await make(
			swagger({
				parameters: {
					Thing: { name: "thing", in: "body", required: true, schema: { $ref: "#/definitions/Thing" } },
					File: { name: "file", in: "formData", type: "file" },
				},
				paths: {
					"/things": {
						post: {
							consumes: ["application/json"],
							parameters: [{ $ref: "#/parameters/Thing" }],
							responses: {},
						},
						put: {
							consumes: ["multipart/form-data"],
							parameters: [{ $ref: "#/parameters/File" }],
							responses: {},
						},
					},
				},
				definitions: { Thing: { type: "object", properties: { name: { type: "string" } } } },
			}),
		);
		assert.deepEqual(
			Object.values(recipe.operations).map(({ body }) => body),
			[
				{ kind: "multipart", parts: [{ name: "file", file: "{{params.file}}" }] },
				{ kind: "json", value: { name: "{{params.name}}" } },
			],
		);
	});

	test("with very many media types is refused, because each repeats every body", async () => {
		const types = Array.from({ length: 30 }, (_, n) => `application/x${n}`);
		await assert.rejects(
			read(JSON.stringify(swagger({ consumes: types, paths: {} }))),
			/more than 20 media types/,
		);
	});

	test("with parts of wrong types is converted or refused, and never fails otherwise", async () => {
		const anything = fc.jsonValue({ maxDepth: 2 });
		const shape = fc.record({
			paths: fc.dictionary(
				fc.constantFrom("/a", "/b"),
				fc.oneof(anything, fc.record({ get: anything, post: fc.record({ parameters: fc.array(anything) }) })),
			),
			definitions: anything,
			parameters: anything,
			responses: anything,
			securityDefinitions: anything,
			consumes: anything,
			host: anything,
		});
		await fc.assert(
			fc.asyncProperty(shape, async (parts) => {
				const content = encode(JSON.stringify(swagger(parts as JsonObject)));
				assert.ok((await run(content)).kind !== undefined);
			}),
		);
	});
});

describe("hostile descriptions", () => {
	test("schemas that refer to each other often end within the meter", async () => {
		const names = Array.from({ length: 30 }, (_, n) => `S${n}`);
		const schemas = Object.fromEntries(
			names.map((name) => [
				name,
				{ type: "object", properties: Object.fromEntries(names.map((other) => [other, ref(other)])) },
			]),
		);
		const document = describeThings(
			{ responses: { 200: { content: { "application/json": { schema: ref("S0") } } } } },
			{ components: { schemas } },
		);
		assert.equal((await run(encode(JSON.stringify(document)), ["/things"])).kind, "recipe");
	});

	test("an allOf of allOf of itself ends within the meter", async () => {
		const schemas = Object.fromEntries(
			Array.from({ length: 40 }, (_, n) => [
				`S${n}`,
				{ allOf: Array.from({ length: 10 }, () => ref(`S${n + 1}`)) },
			]),
		);
		const document = describeThings(
			{ responses: { 200: { content: { "application/json": { schema: ref("S0") } } } } },
			{ components: { schemas } },
		);
		assert.match(explain(await run(encode(JSON.stringify(document)), ["/things"])), /recipe|takes too long/);
	});

	test("a path item that refers to itself is no operation", async () => {
		const document = describeThings({}, { paths: { "/things": { $ref: "#/paths/~1things" } } });
		const outcome = await run(encode(JSON.stringify(document)));
		assert.ok(outcome.kind === "operations");
		assert.deepEqual((JSON.parse(outcome.text) as { operations: unknown[] }).operations, []);
	});

	for (const name of ["constructor", "toString", "hasOwnProperty", "valueOf"])
		test(`a parameter and a schema with the name ${name} are like all others`, async () => {
			const document = describeThings(
				{
					parameters: [{ name, in: "query", schema: ref(name) }],
					security: [{ [name]: [] }],
				},
				{ components: { schemas: { [name]: { type: "integer" } } } },
			);
			const { recipe } = await make(document);
			const [operation] = Object.values(recipe.operations);
			assert.deepEqual(Object.values(operation?.params.properties as JsonObject), [{ type: "integer" }]);
		});

	/** The keywords of a description, with values of the wrong types. */
	const anything: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
		value: fc.oneof(
			{ depthSize: "small", withCrossShrink: true },
			fc.constantFrom<Json>(
				null,
				true,
				0,
				-1,
				1e308,
				"",
				"text",
				"{{x}}",
				"#/paths",
				"https://{a}.example.com",
			),
			fc.array(tie("value"), { maxLength: 3 }),
			fc.dictionary(
				fc.constantFrom(
					..."$ref type properties items allOf anyOf oneOf enum default required schema name in content parameters responses 200 default headers application/json security servers url variables requestBody get post paths components schemas".split(
						" ",
					),
				),
				tie("value"),
				{ maxKeys: 5 },
			),
		),
	})).value;

	test("parts of wrong types everywhere are an outcome, and never an error", async () => {
		const operation = fc.record(
			{
				parameters: fc.oneof(
					anything,
					fc.array(
						fc.record(
							{
								name: anything,
								in: fc.constantFrom("path", "query", "header"),
								schema: anything,
								style: anything,
								required: anything,
								content: anything,
							},
							{ requiredKeys: [] },
						),
					),
				),
				requestBody: anything,
				responses: fc.oneof(anything, fc.record({ 200: anything })),
				security: anything,
				servers: anything,
				tags: anything,
				operationId: anything,
				summary: anything,
				deprecated: anything,
			},
			{ requiredKeys: [] },
		);
		const more = fc.record(
			{ components: anything, security: anything, servers: anything, info: anything, externalDocs: anything },
			{ requiredKeys: [] },
		);
		await fc.assert(
			fc.asyncProperty(operation, more, async (given, others) => {
				const document = describeThings(given as JsonObject, others as JsonObject);
				for (const operations of [undefined, ["/things"]]) {
					const { kind } = await run(encode(JSON.stringify(document)), operations);
					assert.ok(["operations", "recipe", "problem"].includes(kind));
				}
			}),
			{ numRuns: 500 },
		);
	});

	test("many notes are cut", async () => {
		const parameters = Array.from({ length: 150 }, (_, n) => ({
			name: `p${n}`,
			in: "query",
			schema: { pattern: "a", not: {}, if: {}, else: {}, contains: {} },
		}));
		const { not_understood } = await make(describeThings({ parameters }));
		assert.equal(not_understood.length, 500);
	});

	test("a meter that is nearly empty ends every step", async () => {
		const document = JSON.stringify(describeThings({ parameters: [{ name: "a", in: "query" }] }));
		for (let units = 0; units < 3_000; units += 50) {
			const outcome = await run(encode(document), ["/things"], units);
			assert.match(explain(outcome), /takes too long|recipe/);
		}
		await assert.rejects(readDescription(document, new Meter(10)), /takes too long/);
	});
});
