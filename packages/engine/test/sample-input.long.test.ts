import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import { sampleInput } from "@tripline/contract/sample-input";
import type { JsonObject } from "@tripline/contract/workflows";
import fc from "fast-check";
import { compileInputCheck } from "../src/input-schema.ts";

const FORMATS = [
	"email",
	"uri",
	"uuid",
	"date-time",
	"date",
	"duration",
	"hostname",
	"ipv4",
	"ipv6",
	"color",
];

/** Optional keywords: those that are undefined are left out. */
const keywords = (model: Record<string, fc.Arbitrary<Json | undefined>>): fc.Arbitrary<JsonObject> =>
	fc
		.record(model)
		.map(
			(all) =>
				Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as JsonObject,
		);
const maybe = <Value extends Json>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const small = fc.integer({ min: 0, max: 6 });

const text = fc.oneof(
	keywords({
		type: fc.constant("string"),
		minLength: maybe(small),
		maxLength: maybe(fc.integer({ min: 6, max: 20 })),
	}),
	keywords({ type: fc.constant("string"), format: fc.constantFrom(...FORMATS) }),
	fc.constant<JsonObject>({ enum: ["red", "blue", null] }),
	keywords({
		format: fc.constant("file"),
		contentMediaType: maybe(fc.constantFrom("image/*", ".pdf,.docx", "text/csv")),
	}),
	fc.constant<JsonObject>({ const: { kind: 1 } }),
	fc.constant<JsonObject>({ type: ["null", "string"], default: null }),
	fc.constant<JsonObject>({ type: "string", examples: ["Lyon"] }),
);
const number = fc
	.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 3, max: 100 }))
	.chain(([low, width]) =>
		keywords({
			type: fc.constantFrom("integer", "number"),
			minimum: maybe(fc.constant(low)),
			exclusiveMinimum: maybe(fc.constant(low - 1)),
			maximum: maybe(fc.constant(low + width)),
			exclusiveMaximum: maybe(fc.constant(low + width + 1)),
			multipleOf: maybe(fc.constantFrom(1, 2, 0.5)),
		}),
	);
const { schema } = fc.letrec<{
	schema: JsonObject;
	list: JsonObject;
	object: JsonObject;
	choice: JsonObject;
}>((tie) => ({
	schema: fc.oneof(
		{ maxDepth: 4, withCrossShrink: true },
		text,
		number,
		fc.constant<JsonObject>({ type: "boolean" }),
		fc.constant<JsonObject>({}),
		tie("list"),
		tie("object"),
		tie("choice"),
	),
	list: fc.oneof(
		keywords({
			type: fc.constant("array"),
			items: maybe(tie("schema")),
			minItems: maybe(fc.integer({ min: 0, max: 3 })),
			maxItems: maybe(fc.integer({ min: 3, max: 5 })),
		}),
		keywords({
			items: fc.constantFrom({ type: "string" }, { type: "integer", minimum: -4 }),
			uniqueItems: fc.constant(true),
			minItems: small,
		}),
		tie("schema").map((first) => ({ prefixItems: [first, { type: "string" }], items: false, minItems: 2 })),
		fc.constant<JsonObject>({ type: "array", items: { type: "integer" }, contains: { minimum: 5 } }),
	),
	object: fc
		.tuple(fc.dictionary(fc.constantFrom("a", "b", "c d", "名"), tie("schema")), fc.boolean(), small)
		.map(([properties, isOpen, minProperties]) => ({
			type: "object",
			properties,
			required: [...Object.keys(properties).slice(0, 2), ...(isOpen ? ["more"] : [])],
			additionalProperties: isOpen ? { type: "integer" } : false,
			...(isOpen && { minProperties }),
		})),
	choice: fc.oneof(
		fc.tuple(tie("schema"), tie("schema")).map((anyOf): JsonObject => ({ anyOf })),
		fc.constantFrom("a", "b").map((kind) => ({
			oneOf: ["a", "b"].map((each) => ({
				type: "object",
				required: ["kind"],
				properties: { kind: { const: each === kind ? each : `not ${each}` } },
			})),
		})),
		tie("schema").map((inner) => ({
			allOf: [
				{ type: "object", required: ["x"], properties: { x: inner } },
				{ properties: { y: { type: "number" } } },
			],
		})),
		fc.constant<JsonObject>({ $ref: "#/$defs/a~1b" }),
	),
}));

const $defs = {
	"a/b": { type: "object", required: ["n"], properties: { n: { type: "integer", minimum: 3 } } },
};

function listIssues(root: JsonObject): unknown {
	const check = compileInputCheck(root);
	assert.ok(!("problem" in check), JSON.stringify(check));
	return check(sampleInput(root));
}

describe("a sample input", () => {
	test("matches its schema", () => {
		const fields = fc.dictionary(fc.constantFrom("name", "items", "options", "more"), schema, { minKeys: 1 });
		fc.assert(
			fc.property(fields, fc.boolean(), (properties, isStrict) => {
				const root = {
					type: "object",
					properties,
					required: Object.keys(properties),
					additionalProperties: !isStrict,
					$defs,
				} as JsonObject;
				assert.deepEqual(listIssues(root), [], JSON.stringify({ root, sample: sampleInput(root) }));
			}),
			{ numRuns: 2_000 },
		);
	});

	test("is readable", () => {
		assert.deepEqual(
			sampleInput({
				type: "object",
				required: ["orders"],
				properties: {
					orders: { type: "array", items: { type: "object", properties: { id: { type: "integer" } } } },
					mail: { type: "string", format: "email" },
					city: { type: "string", examples: ["Lyon"] },
					limit: { type: "integer", minimum: 10, default: 20 },
				},
			}),
			{ orders: [{ id: 1 }], mail: "ada@example.com", city: "Lyon", limit: 20 },
		);
	});

	test("is an object for any schema, and small", () => {
		assert.deepEqual(sampleInput({ type: "string" }), {});
		assert.deepEqual(sampleInput({}), {});
		const recursive = sampleInput({ type: "object", properties: { a: { $ref: "#" }, b: { $ref: "#" } } });
		assert.ok(JSON.stringify(recursive).length < 100_000);
		const wide = { type: "array", minItems: 1_000_000, items: { type: "string", minLength: 1_000_000 } };
		assert.ok(JSON.stringify(sampleInput({ properties: { wide } })).length < 2_000_000);
		const endless = { $ref: "#/$defs/a" };
		assert.deepEqual(sampleInput({ properties: { endless }, $defs: { a: { $ref: "#/$defs/a" } } }), {
			endless: "text",
		});
	});
});
