import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { findFormProblem, parseForm } from "../../src/forms/parse.ts";

const toSchema = (properties: JsonObject, required: string[] = []): JsonObject => ({
	type: "object",
	properties,
	required,
});

/** How a property is drawn. */
function parseOne(property: Json, more: JsonObject = {}) {
	const model = parseForm({ ...toSchema({ field: property }, ["field"]), ...more });
	assert.ok("items" in model, JSON.stringify(model));
	const [item] = model.items;
	assert.ok(item);
	return item;
}

describe("a form's fields", () => {
	const kinds: readonly (readonly [Json, string])[] = [
		[{ type: "string" }, "text"],
		[{}, "text"],
		[true, "text"],
		[{ type: "string", format: "email" }, "text"],
		[{ type: "string", maxLength: 200 }, "text"],
		[{ type: "string", maxLength: 201 }, "long_text"],
		[{ type: "string", format: "textarea" }, "long_text"],
		[{ type: "string", format: "multiline" }, "long_text"],
		[{ type: "string", format: "date" }, "date"],
		[{ type: "string", format: "time" }, "time"],
		[{ type: "string", format: "date-time" }, "date_time"],
		[{ type: "integer" }, "number"],
		[{ type: ["number", "null"] }, "number"],
		[{ type: "boolean" }, "boolean"],
		[{ enum: ["a", 1, true, null] }, "choice"],
		[{ oneOf: [{ const: "a", title: "A" }, { const: "b" }] }, "choice"],
		[{ type: "array", items: { enum: ["a"] } }, "several"],
		[{ type: "object", format: "file" }, "file"],
		[{ format: "file", contentMediaType: ".pdf" }, "file"],
		[{ type: ["object", "null"], format: "file" }, "file"],
		[{ type: "array", items: { type: "object", format: "file" } }, "file"],
		[{ type: "array", items: { type: "string" } }, "lines"],
		[{ items: { type: "integer" } }, "lines"],
		[{ const: { any: ["value"] } }, "constant"],
		[{ type: "boolean", const: true }, "boolean"],
		[{ type: "object", properties: {} }, "group"],
		[{ anyOf: [{ type: "integer" }, { type: "null" }] }, "number"],
	];
	for (const [property, kind] of kinds) {
		test(`${JSON.stringify(property)} is drawn as ${kind}`, () => {
			assert.equal(parseOne(property).kind, kind);
		});
	}

	test("follow references, with the keywords beside them", () => {
		const more = { $defs: { size: { enum: ["S", "M"], title: "Any size" } } };
		const field = parseOne({ $ref: "#/$defs/size", title: "Your size" }, more);
		assert.ok(field.kind === "choice");
		assert.equal(field.label, "Your size");
	});

	test("keep the order of the properties and have labels made of their names", () => {
		const model = parseForm(toSchema({ zip_code: {}, firstName: {}, address: toSchema({ b: {} }), URL: {} }));
		assert.ok("items" in model);
		const labels = model.items.map((item) => item.kind !== "constant" && item.label);
		assert.deepEqual(labels, ["Zip code", "First name", "Address", "URL"]);
	});

	test("leave out what must be left out", () => {
		const model = parseForm(toSchema({ a: false, b: {} }));
		assert.ok("items" in model);
		assert.equal(model.items.length, 1);
	});

	test("have steps only if every allowed number is one", () => {
		const readStep = (more: JsonObject) => {
			const field = parseOne({ type: "number", ...more });
			assert.ok(field.kind === "number");
			return [field.min, field.max, field.step];
		};
		assert.deepEqual(readStep({ type: "integer", minimum: 1, maximum: 9 }), [1, 9, 1]);
		assert.deepEqual(readStep({ type: "integer", exclusiveMinimum: 1, exclusiveMaximum: 9 }), [2, 8, 1]);
		assert.deepEqual(readStep({ multipleOf: 0.5 }), [null, null, 0.5]);
		assert.deepEqual(readStep({ multipleOf: 2, minimum: 1 }), [1, null, null]);
		assert.deepEqual(readStep({ exclusiveMinimum: 0 }), [null, null, null]);
	});
});

describe("a schema without a form", () => {
	const problems: readonly (readonly [Json, RegExp])[] = [
		[{ type: "array", items: { type: "object" } }, /^a form cannot show the field field: a list of objects/],
		[{ type: "array", prefixItems: [{}] }, /fixed places$/],
		[{ type: "object", properties: { a: { type: "object" } } }, /field\.a: an object inside an object$/],
		[{ type: "string", format: "password" }, /a password/],
		[{ type: ["boolean", "number"], allOf: [{}] }, /allOf$/],
		[{ anyOf: [{ type: "string" }, { type: "number" }] }, /alternatives$/],
		[{ type: ["boolean", "object"] }, /several types$/],
		[{ type: "null" }, /./],
		[{ enum: ["1", 1] }, /look the same$/],
		[{ enum: [{ a: 1 }] }, /choice of objects/],
		[{ enum: [null] }, /without values$/],
	];
	for (const [property, message] of problems) {
		test(`${JSON.stringify(property)} is a problem`, () => {
			assert.match(findFormProblem(toSchema({ field: property })) ?? "", message);
		});
	}

	test("is none, no object, too large, or has names that collide", () => {
		assert.equal(findFormProblem(undefined), "a form needs options.input_schema");
		assert.match(findFormProblem({ type: "string" }) ?? "", /must be an object$/);
		assert.match(findFormProblem(toSchema({ "a.b": {}, a: toSchema({ b: {} }) })) ?? "", /two fields a\.b$/);
		assert.match(findFormProblem(toSchema({ more_about_you: {} })) ?? "", /reserved$/);
		assert.match(findFormProblem(toSchema({ "": {} })) ?? "", /1 to 256 characters$/);
		const many = (count: number) =>
			toSchema(Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, {}])));
		assert.equal(findFormProblem(many(200)), null);
		assert.match(findFormProblem(many(201)) ?? "", /more than 200 fields$/);
		const values = Array.from({ length: 801 }, (_, index) => index);
		assert.match(findFormProblem(toSchema({ a: { enum: values } })) ?? "", /more than 800 choices$/);
	});

	test("may refer to itself without end", () => {
		const schema = { ...toSchema({ a: { $ref: "#/$defs/a" } }), $defs: { a: { $ref: "#/$defs/a" } } };
		assert.equal(findFormProblem(schema), null);
	});
});
