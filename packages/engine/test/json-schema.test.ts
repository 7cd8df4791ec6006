import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import fc from "fast-check";
import { compileInputCheck } from "../src/input-schema.ts";
import { toSchemaIssues } from "../src/issues.ts";
import { compileParameterSchema, compileSchema } from "../src/json-schema.ts";

/** The issues of the value, as `path message`. */
function listIssues(schema: JsonObject, value: Json): string[] {
	const type = compileSchema(schema);
	assert.ok(!("problem" in type), "problem" in type ? type.problem : "");
	const read = type.safeParse(value);
	if (read.success) return [];
	return toSchemaIssues(type, value, read.error.issues).map(({ path, message }) =>
		`${path.join(".")} ${message}`.trim(),
	);
}

const getProblem = (type: ReturnType<typeof compileSchema>): string => {
	assert.ok("problem" in type);
	return type.problem;
};

/** `levels` definitions, each of which refers to the next one twice. */
const doubling = (levels: number, keyword: string): JsonObject => {
	const $defs: JsonObject = { [`d${levels}`]: { type: "string" } };
	for (let level = 0; level < levels; level++) {
		const next = { $ref: `#/$defs/d${level + 1}` };
		$defs[`d${level}`] = { [keyword]: [next, next] };
	}
	return { $defs, $ref: "#/$defs/d0" };
};

const toFile = (fields: JsonObject): JsonObject => ({
	$file: "AAAAAAAAAAAAAAAAAAAAAA",
	name: "a",
	type: "text/plain",
	size: 1,
	...fields,
});

describe("a JSON Schema given as data", () => {
	const cases: [name: string, schema: JsonObject, good: Json[], bad: [Json, string][]][] = [
		[
			"text",
			{ type: "string", minLength: 2, maxLength: 3 },
			["ab"],
			[
				["a", "must be at least 2 characters long"],
				["abcd", "must be at most 3 characters long"],
				[1, "must be text, but is a number"],
			],
		],
		[
			"files",
			{
				type: "object",
				format: "file",
				contentMediaType: "image/*, .CSV",
				properties: { size: { maximum: 10 } },
			},
			[toFile({ type: "image/png" }), toFile({ name: "A.csv" }), { ...toFile({ name: "a.csv" }), more: 1 }],
			[
				[{}, "must be a file"],
				[{ $file: "AAAAAAAAAAAAAAAAAAAAAA" }, "must be a file"],
				[toFile({ $file: "../x" }), "must be a file"],
				[toFile({ name: "a/b" }), "must be a file"],
				["text", "must be an object, but is text"],
				[toFile({ type: "imagex/png" }), "must be a file of the type image/* or .csv"],
				[toFile({ type: "image/png", size: 11 }), "size must be at most 10"],
			],
		],
		[
			"numbers",
			{ type: "number", minimum: 1, exclusiveMaximum: 3, multipleOf: 0.5 },
			[1, 2.5],
			[
				[0.5, "must be at least 1"],
				[3, "must be less than 3"],
				[1.2, "must be a multiple of 0.5"],
			],
		],
		[
			"whole numbers",
			{ type: "integer", exclusiveMinimum: 0 },
			[1],
			[
				[1.5, "must be a whole number"],
				[0, "must be more than 0"],
			],
		],
		[
			"several types",
			{ type: ["string", "null"] },
			["a", null],
			[[1, "must be text or null, but is a number"]],
		],
		["true or false", { type: "boolean" }, [true], [["true", "must be true or false, but is text"]]],
		["listed values", { enum: ["a", 1, null] }, ["a", 1, null], [["b", 'must be "a" or 1 or null']]],
		["listed objects", { enum: [{ a: 1, b: 2 }] }, [{ b: 2, a: 1 }], [[{ a: 1 }, 'must be {"a":1,"b":2}']]],
		["one value", { const: 5 }, [5], [[6, "must be 5"]]],
		[
			"lists",
			{ type: "array", items: { type: "integer" }, minItems: 1, maxItems: 2, uniqueItems: true },
			[[1, 2]],
			[
				[[], "must be at least 1 elements long"],
				[[1, 2, 3], "must be at most 2 elements long"],
				[[1, 1], "must not contain duplicate elements"],
				[["a"], "0 must be a number, but is text"],
				[{}, "must be a list, but is an object"],
			],
		],
		[
			"tuples",
			{ type: "array", prefixItems: [{ type: "string" }], items: false },
			[["a"], []],
			[
				[[1], "0 must be text, but is a number"],
				[["a", 1], "must be at most 1 elements long"],
			],
		],
		[
			"contained elements",
			{ type: "array", contains: { const: 1 }, maxContains: 1 },
			[[0, 1]],
			[
				[[0], "does not contain the required elements"],
				[[1, 1], "does not contain the required elements"],
			],
		],
		[
			"objects",
			{
				type: "object",
				properties: { a: { type: "string" } },
				required: ["a", "b"],
				additionalProperties: false,
			},
			[],
			[
				[{ a: "x" }, "b is required"],
				[{ a: "x", b: 1, c: 1 }, "c is not known here"],
			],
		],
		[
			"required names that have no schema",
			{ type: "object", required: ["b"] },
			[{ b: null }],
			[[{}, "b is required"]],
		],
		[
			"other names",
			{ type: "object", additionalProperties: { type: "integer" } },
			[{ a: 1 }],
			[[{ a: "1" }, "a must be a number, but is text"]],
		],
		[
			"sizes of objects",
			{ type: "object", minProperties: 1, maxProperties: 1 },
			[{ a: 1 }],
			[
				[{}, "must have at least 1 properties"],
				[{ a: 1, b: 1 }, "must have at most 1 properties"],
			],
		],
		[
			"names of objects",
			{ type: "object", propertyNames: { maxLength: 1, type: "string" } },
			[{ a: 1 }],
			[[{ ab: 1 }, "has a property name that is not allowed"]],
		],
		[
			"an object without its type",
			{ properties: { a: { type: "string" } } },
			[{ a: "x" }],
			[
				[{ a: 1 }, "a must be text, but is a number"],
				[1, "must be an object, but is a number"],
			],
		],
		[
			"any of several",
			{ anyOf: [{ type: "string" }, { type: "integer" }] },
			["a", 1],
			[[true, "must be text or a number, but is true"]],
		],
		[
			"exactly one of several",
			{ oneOf: [{ type: "integer" }, { type: "number", minimum: 5 }] },
			[1, 5.5],
			[[7, "matches several alternatives but must match exactly one"]],
		],
		[
			"all of several",
			{
				allOf: [
					{ type: "object", required: ["a"] },
					{ type: "object", required: ["b"] },
				],
			},
			[{ a: 1, b: 1 }],
			[[{ a: 1 }, "b is required"]],
		],
		[
			"an object with alternatives",
			{ type: "object", properties: { a: {}, b: {} }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
			[{ a: 1 }, { b: 1 }],
			[[{}, "a is required"]],
		],
		[
			"what it must not be",
			{ type: "string", not: { const: "x" } },
			["y"],
			[["x", 'must not match the schema in "not"']],
		],
		[
			"references",
			{ $ref: "#/$defs/a~1b", $defs: { "a/b": { type: "string" } } },
			["a"],
			[[1, "must be text, but is a number"]],
		],
		[
			"formats",
			{ type: "string", format: "date" },
			["2026-01-31"],
			[["x", "must be a date such as 2026-01-31"]],
		],
		["formats that nobody checks", { type: "string", format: "color" }, ["x"], []],
		[
			"keywords of a type without the type",
			{ minLength: 2, minimum: 2, minItems: 2, minProperties: 2 },
			["ab", 2, [1, 2], { a: 1, b: 2 }, null],
			[
				["a", "must be at least 2 characters long"],
				[1, "must be at least 2"],
				[[1], "must be at least 2 elements long"],
				[{ a: 1 }, "must have at least 2 properties"],
			],
		],
		[
			"other names where there are alternatives",
			{
				type: "object",
				properties: { a: {}, b: {} },
				additionalProperties: false,
				anyOf: [{ required: ["a"] }, { required: ["b"] }],
			},
			[{ a: 1 }],
			[[{ a: 1, c: 1 }, "c is not known here"]],
		],
		[
			"required names by the schema of other names",
			{ type: "object", required: ["a"], additionalProperties: { type: "string" } },
			[{ a: "x" }],
			[[{ a: 1 }, "a must be text, but is a number"]],
		],
		[
			"names that every object answers to",
			{
				type: "object",
				properties: { constructor: { type: "string" }, toString: { type: "string" } },
				required: ["toString"],
			},
			[{ toString: "x" }],
			[[{}, "toString is required"]],
		],
		[
			"values listed beside a type",
			{ type: "string", enum: ["a", null] },
			["a", null],
			[["b", 'must be "a" or null']],
		],
		[
			"several types, one with rules",
			{ type: ["null", "array", "integer"], minItems: 2 },
			[null, [1, 2], 3],
			[
				[[1], "must be at least 2 elements long"],
				[1.5, "must be null or a list or a whole number, but is a number"],
				["a", "must be null or a list or a number, but is text"],
			],
		],
		[
			"alternatives of which one has the right type",
			{ anyOf: [{ type: "null" }, { type: "object", properties: { a: { type: "string", minLength: 2 } } }] },
			[null, { a: "ab" }],
			[
				[{ a: "a" }, "a must be at least 2 characters long"],
				[{ a: 1 }, "a must be text, but is a number"],
				[true, "must be null or an object, but is true"],
			],
		],
		["nothing", { type: "object", properties: { a: false } }, [{}], [[{ a: 1 }, "a must be left out"]]],
	];
	for (const [name, schema, good, bad] of cases) {
		test(`checks ${name}`, () => {
			for (const value of good) assert.deepEqual(listIssues(schema, value), [], JSON.stringify(value));
			for (const [value, message] of bad)
				assert.equal(listIssues(schema, value)[0], message, JSON.stringify(value));
		});
	}

	test("fills in defaults", () => {
		const type = compileSchema({ type: "object", properties: { a: { type: "integer", default: 3 }, b: {} } });
		assert.ok(!("problem" in type));
		assert.deepEqual(type.parse({}), { a: 3 });
	});

	test("fills in defaults at any level without modifying the input", () => {
		const item = { properties: { n: { default: 1 } } };
		const type = compileSchema({
			type: "object",
			properties: {
				list: { items: item },
				either: { anyOf: [{ type: "string" }, item] },
				url: { format: "uri" },
			},
			additionalProperties: item,
			allOf: [{ properties: { list: { items: { properties: { m: { default: null } } } } } }],
		});
		assert.ok(!("problem" in type));
		const given = { list: [{ a: 1 }, { n: 2, m: 3 }], either: {}, url: " https://example.com\n", other: {} };
		const before = structuredClone(given);
		assert.deepEqual(type.parse(given), {
			list: [
				{ a: 1, n: 1, m: null },
				{ n: 2, m: 3 },
			],
			either: { n: 1 },
			url: "https://example.com",
			other: { n: 1 },
		});
		assert.deepEqual(given, before);
	});

	test("fills in the first default if two schemas have one", () => {
		const type = compileSchema({
			allOf: [{ properties: { a: { default: 1 } } }, { properties: { a: { default: 2 } } }],
		});
		assert.ok(!("problem" in type));
		assert.deepEqual(type.parse({}), { a: 1 });
	});

	test("lists a limited number of allowed values", () => {
		const schema = { enum: Array.from({ length: 5_000 }, (_, index) => index) };
		const [message = ""] = listIssues(schema, "x");
		assert.match(message, /^must be 0 or 1 or 2 .*…$/);
		assert.ok(message.length < 1_100);
	});

	const refused: [JsonObject, RegExp][] = [
		[{ type: "string", pattern: "(a+)+$" }, /must not use pattern/],
		[
			{ type: "object", properties: { a: { patternProperties: { "^a": {} } } } },
			/patternProperties.* at properties\.a/,
		],
		[{ type: "string", format: "regex" }, /format regex/],
		[{ if: {} }, /must not use if/],
		[{ type: "banana" }, /type must be/],
		[{ type: ["string", "string"] }, /type must be/],
		[{ type: 5 }, /type must be/],
		[{ enum: [] }, /enum must be a list/],
		[{ anyOf: [] }, /anyOf must be a list/],
		[{ type: "object", properties: [] }, /properties must be/],
		[{ type: "object", required: "a" }, /required must be/],
		[{ type: "object", properties: { a: "string" } }, /is not a JSON Schema at properties\.a/],
		[{ $ref: "https://example.com/schema" }, /\$ref must point to/],
		[{ $ref: "#/$defs/toString", $defs: {} }, /\$ref must point to/],
		[{ $ref: 5 }, /\$ref must point to/],
		[{ $ref: "#" }, /refers to itself/],
		[
			{ $ref: "#/$defs/a", $defs: { a: { type: "array", items: { $ref: "#/$defs/a" } } } },
			/refers to itself/,
		],
		[
			{ $ref: "#/$defs/a", title: "x", $defs: { a: { anyOf: [{ $ref: "#/$defs/a", title: "y" }] } } },
			/refers to itself/,
		],
		[{ type: "integer", default: "x" }, /default does not match/],
		[{ contains: { pattern: "a" } }, /must not use pattern.* at contains/],
		[doubling(12, "allOf"), /more than/],
		[doubling(12, "anyOf"), /more than/],
		[{ enum: ["x".repeat(200_000)] }, /characters long/],
		[JSON.parse('{"type":"object","properties":{"__proto__":{}}}'), /__proto__/],
	];
	for (const [schema, message] of refused) {
		test(`refuses ${JSON.stringify(schema).slice(0, 80)}`, () =>
			assert.match(getProblem(compileSchema(schema)), message));
	}

	test("rejects schemas that nest too deeply or have too many parts", () => {
		let deep: JsonObject = {};
		for (let level = 0; level < 40; level++) deep = { type: "array", items: deep };
		assert.match(getProblem(compileSchema(deep)), /nests deeper/);
		const names = Array.from({ length: 1_100 }, (_, index) => [`p${index}`, {}]);
		assert.match(
			getProblem(compileSchema({ type: "object", properties: Object.fromEntries(names) })),
			/more than 1000 parts/,
		);
	});

	test("finds the matching alternative among many", () => {
		const options = Array.from({ length: 50 }, (_, index) => ({ type: "object", required: [`a${index}`] }));
		const schema = { type: "array", items: { anyOf: options } };
		assert.deepEqual(listIssues(schema, [{ a7: 1 }]), []);
		assert.deepEqual(listIssues(schema, [0]), ["0 must be an object, but is a number"]);
	});

	test("accepts keyword names as parameter names", () => {
		const schema = { type: "object", properties: { pattern: { type: "string" }, if: { type: "string" } } };
		assert.deepEqual(listIssues(schema, { pattern: "a", if: "b" }), []);
		assert.deepEqual(listIssues({ type: "object", default: { pattern: "x" } }, {}), []);
	});

	test("leaves unconstrained objects unchanged, including __proto__", () => {
		const type = compileSchema({ type: "object", properties: { free: { type: "object" } } });
		assert.ok(!("problem" in type));
		const value = JSON.parse('{"free":{"__proto__":{"a":1}}}');
		assert.equal(JSON.stringify(type.parse(value)), '{"free":{"__proto__":{"a":1}}}');
		assert.equal(({} as { a?: number }).a, undefined);
	});

	test("any JSON as a schema yields a type or a problem, and any value a result", () => {
		const keyword = fc.constantFrom(
			"type",
			"properties",
			"items",
			"anyOf",
			"allOf",
			"$ref",
			"enum",
			"required",
			"default",
			"not",
			"additionalProperties",
			"minItems",
			"format",
		);
		const some = fc.oneof(
			fc.jsonValue({ maxDepth: 2 }),
			fc.constantFrom("object", "array", "string", "#", "#/$defs/a"),
		) as fc.Arbitrary<Json>;
		const schema = fc.letrec<{ schema: JsonObject; part: Json }>((tie) => ({
			part: fc.oneof({ depthSize: "small" }, some, tie("schema"), fc.array(tie("schema"), { maxLength: 2 })),
			schema: fc.dictionary(keyword, tie("part"), { maxKeys: 4 }) as fc.Arbitrary<JsonObject>,
		}));
		fc.assert(
			fc.property(schema.schema, fc.jsonValue({ maxDepth: 3 }), (given, value) => {
				const type = compileSchema(given);
				if (!("problem" in type)) type.safeParse(value);
			}),
		);
	});
});

describe("a component's parameters as JSON Schema", () => {
	test("are a strict object", () => {
		const type = compileParameterSchema({
			type: "object",
			properties: { owner: { type: "string" } },
			required: ["owner"],
		});
		assert.ok(!("problem" in type));
		const value = { owner: "a", ownr: "b" };
		const [issue] = toSchemaIssues(type, value, type.safeParse(value).error?.issues ?? []);
		assert.equal(issue?.kind, "unknown");
		assert.equal(typeof issue?.hint === "function" && issue.hint(), 'Did you mean "owner"?');
	});

	test("report the known names inside them", () => {
		const inner = { type: "object", properties: { city: {}, zip: {} }, additionalProperties: false };
		const type = compileParameterSchema({
			type: "object",
			properties: { to: { type: "array", items: inner } },
		});
		assert.ok(!("problem" in type));
		const value = { to: [{ street: "x", citty: "y" }] };
		const issues = toSchemaIssues(type, value, type.safeParse(value).error?.issues ?? []);
		assert.deepEqual(
			issues.map(({ path, hint }) => [path.join("."), typeof hint === "function" && hint()]),
			[
				["to.0.street", "Known: city, zip"],
				["to.0.citty", 'Did you mean "city"?'],
			],
		);
	});

	test("must be of type object, and cannot use the names of settings", () => {
		assert.match(getProblem(compileParameterSchema({ properties: {} })), /"type": "object"/);
		assert.match(
			getProblem(compileParameterSchema({ type: "object", additionalProperties: true })),
			/additionalProperties/,
		);
		assert.match(
			getProblem(compileParameterSchema({ type: "object", properties: { retry: {} } })),
			/"retry"/,
		);
		assert.match(getProblem(compileParameterSchema({ type: "object", properties: 5 })), /properties must be/);
	});
});

describe("an input schema", () => {
	test("reports issues in the words of the compiler", () => {
		const check = compileInputCheck({
			type: "object",
			properties: { order: { type: "integer" } },
			required: ["order"],
		});
		assert.ok(typeof check === "function");
		assert.deepEqual(check({ order: 7 }), []);
		assert.deepEqual(check({}), [{ path: "order", message: "is required" }]);
		assert.deepEqual(check({ order: "7" }), [{ path: "order", message: "must be a number, but is text" }]);
	});
});
