import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Validator } from "@cfworker/json-schema";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import fc from "fast-check";
import { toSchemaIssues } from "../src/issues.ts";
import { compileSchema } from "../src/json-schema.ts";
import { referenceOutput } from "./json-schema-reference.ts";

const RUNS = 3_000;

type Schema = JsonObject | boolean;
type Keywords = { readonly [keyword: string]: fc.Arbitrary<Json> };

const name = fc.constantFrom("a", "b", "constructor");
const scalar = fc.constantFrom<Json>("", "a", "ab", "😀", "2026-01-31", 0, 1, 2, 1.5, -3, true, false, null);
const size = fc.nat(3);

const namedBy = <T extends Json>(each: fc.Arbitrary<T>) =>
	fc.dictionary(name, each, { maxKeys: 3, noNullPrototype: true });

const value = fc.letrec<{ value: Json }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 3 },
		{ weight: 3, arbitrary: scalar },
		fc.array(tie("value"), { maxLength: 3 }),
		namedBy(tie("value")),
	),
})).value;

/** Values with missing properties. */
const sparse = fc.letrec<{ value: Json }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 3 },
		fc.constantFrom<Json>({}, { a: 1 }, { b: {} }, [], 1),
		namedBy(tie("value")),
		fc.array(tie("value"), { maxLength: 3 }),
	),
})).value;

/** One or two of the keywords; with more, hardly any value would match. */
const some = (keywords: Keywords, type?: string): fc.Arbitrary<JsonObject> =>
	fc
		.subarray(Object.keys(keywords), { minLength: 1, maxLength: 2 })
		.chain((names) =>
			fc.record(Object.fromEntries(names.map((each) => [each, keywords[each] as fc.Arbitrary<Json>]))),
		)
		.map((given): JsonObject => ({ ...given, ...(type !== undefined && { type }) }));

/** Schemas of keywords that other evaluators interpret in the same way. */
const common = fc.letrec<{ schema: Schema }>((tie) => {
	const one = tie("schema");
	const several = fc.array(one, { minLength: 1, maxLength: 3 });
	const bounds = { minimum: size, maximum: size, exclusiveMinimum: size, exclusiveMaximum: size };
	const ofList = {
		items: one,
		prefixItems: several,
		minItems: size,
		maxItems: size,
		uniqueItems: fc.boolean(),
	};
	const held = { contains: one, minContains: size, maxContains: size };
	const ofObject = {
		properties: namedBy(one),
		required: fc.uniqueArray(name, { maxLength: 2 }),
		additionalProperties: one,
		minProperties: size,
		maxProperties: size,
		propertyNames: one,
	};
	const { minItems, uniqueItems } = ofList;
	const { minProperties, propertyNames } = ofObject;
	const types = ["string", "integer", "number", "boolean", "null", "array", "object"];
	return {
		schema: fc.oneof(
			{ maxDepth: 4 },
			fc.constantFrom<Schema>(true, false, {}, { $ref: "#/$defs/text" }),
			fc.uniqueArray(fc.constantFrom(...types), { minLength: 1, maxLength: 3 }).map((type) => ({ type })),
			fc.uniqueArray(value, { minLength: 1, maxLength: 4 }).map((list) => ({ enum: list })),
			value.map((only) => ({ const: only })),
			some({ minLength: size, maxLength: size, format: fc.constantFrom("date", "unheard-of") }, "string"),
			some({ ...bounds, multipleOf: fc.constantFrom(1, 2) }, "number"),
			some(bounds, "integer"),
			some({ ...bounds, ...held, minLength: size, minItems, uniqueItems, minProperties, propertyNames }),
			some({ ...ofList, ...held }, "array"),
			some(ofObject, "object").map(onlyKnown),
			some({ anyOf: several, oneOf: several, allOf: several, not: one }),
		),
	};
}).schema;

/** Here a required property is known even without a schema; in other evaluators no value matches then. */
function onlyKnown(schema: JsonObject): JsonObject {
	const { required, additionalProperties } = schema;
	return required !== undefined && additionalProperties === false ? { ...schema, required: [] } : schema;
}

/** Schemas with defaults. */
const filling = fc.letrec<{ schema: Schema }>((tie) => {
	const one = tie("schema");
	const several = fc.array(one, { minLength: 1, maxLength: 3 });
	const keywords = {
		required: fc.uniqueArray(name, { maxLength: 2 }),
		additionalProperties: one,
		minProperties: size,
		maxProperties: size,
		not: fc.constant<JsonObject>({ required: ["a"] }),
		anyOf: several,
		default: namedBy(scalar),
	};
	return {
		schema: fc.oneof(
			{ maxDepth: 4 },
			scalar.map((standIn) => ({ default: standIn })),
			fc.constantFrom<Schema>({}, false, { type: "integer" }, { type: "object", default: { a: 1 } }),
			fc.tuple(namedBy(one), some(keywords)).map(([properties, more]) => ({ ...more, properties })),
			namedBy(one).map((properties) => ({ properties })),
			fc
				.tuple(one, some({ uniqueItems: fc.boolean(), contains: one, prefixItems: several }))
				.map(([items, more]) => ({ ...more, items })),
			some({ anyOf: several, oneOf: several, allOf: several }),
		),
	};
}).schema;

const topped = (schema: fc.Arbitrary<Schema>): fc.Arbitrary<JsonObject> =>
	schema
		.filter((each): each is JsonObject => typeof each === "object")
		.map((each) => ({ ...each, $defs: { text: { type: "string" } } }));

/** The resulting value; undefined if it does not match. */
function readOutput(schema: JsonObject, given: Json): Json | undefined {
	const type = compileSchema(schema);
	fc.pre(!("problem" in type));
	const before = structuredClone(given);
	const read = type.safeParse(given);
	assert.deepEqual(given, before);
	if (read.success) return read.data as Json;
	const issues = toSchemaIssues(type, given, read.error.issues);
	assert.ok(issues.length > 0 && issues.every(({ message }) => message !== ""));
	return undefined;
}

describe("a JSON Schema given as data, compared with other evaluators", () => {
	test("accepts what @cfworker/json-schema accepts", () => {
		fc.assert(
			fc.property(topped(common), value, (schema, given) => {
				const { valid } = new Validator(schema, "2020-12", false).validate(given);
				assert.equal(readOutput(schema, given) !== undefined, valid);
			}),
			{ numRuns: RUNS },
		);
	});

	for (const [what, schemas, values] of [
		["accepts what a naive evaluator accepts", common, value],
		["fills in what a naive evaluator fills in", filling, sparse],
	] as const) {
		test(what, () => {
			fc.assert(
				fc.property(topped(schemas), values, (schema, given) => {
					assert.deepEqual(readOutput(schema, given), referenceOutput(schema, given, schema));
				}),
				{ numRuns: RUNS },
			);
		});
	}
});
