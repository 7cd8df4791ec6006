import assert from "node:assert/strict";
import { test } from "node:test";
import { propertiesAt, type Schema, typeOf, valuesAt } from "../../src/editor/schema.ts";
import { snippetOf } from "../../src/editor/snippet.ts";

const SCHEMA: Schema = {
	properties: {
		limit: { type: "integer", default: 20 },
		url: { type: "string" },
		mode: { enum: ["a", "b"] },
		pages: {
			oneOf: [
				{ properties: { by: { const: "link" } }, required: ["by"] },
				{ properties: { by: { const: "page" }, size: { type: "integer" } } },
			],
		},
		parts: { type: "array", items: { $ref: "#/$defs/Part" } },
	},
	required: ["url"],
	$defs: { Part: { properties: { name: { type: "string" } } } },
};
const plain = { isCompact: false, isExpression: false };

test("what is required comes first", () => {
	assert.deepEqual(
		propertiesAt(SCHEMA, []).map(({ name }) => name),
		["url", "limit", "mode", "pages", "parts"],
	);
});

test("a choice offers what any of its ways has", () => {
	assert.deepEqual(
		propertiesAt(SCHEMA, ["pages"]).map(({ name }) => name),
		["by", "size"],
	);
	assert.deepEqual(valuesAt(SCHEMA, ["pages", "by"]), ["link", "page"]);
});

test("elements of a list are followed, also by reference", () => {
	assert.deepEqual(
		propertiesAt(SCHEMA, ["parts", "[]"]).map(({ name }) => name),
		["name"],
	);
});

test("a name that every object has is no property", () => {
	assert.deepEqual(propertiesAt(SCHEMA, ["constructor"]), []);
});

test("a schema that refers to itself ends", () => {
	const loop: Schema = { $ref: "#/$defs/Loop", $defs: { Loop: { oneOf: [{ $ref: "#/$defs/Loop" }] } } };
	assert.deepEqual(propertiesAt(loop, []), []);
});

test("types of a choice are named together", () => {
	assert.equal(typeOf({ anyOf: [{ type: "integer" }, { type: "string" }] }), "integer | string");
});

test("a parameter is inserted with a value of its type", () => {
	assert.equal(snippetOf("limit", { type: "integer", default: 20 }, plain), "limit: #{1:20}");
	assert.equal(snippetOf("url", { type: "string" }, plain), 'url: "#{}"');
	assert.equal(snippetOf("items", { type: "array" }, plain), 'items: "{{#{input}}}"');
	assert.equal(snippetOf("values", { type: "object" }, plain), "values:\n\t#{name}: #{value}");
	assert.equal(snippetOf("code", { type: "string" }, plain), "code: |\n\t#{return input;}");
});

test("in the compact form an object stays on the line", () => {
	assert.equal(snippetOf("values", { type: "object" }, { ...plain, isCompact: true }), "values: \\{ #{} \\}");
});

test("an expression stands without quotes", () => {
	assert.equal(snippetOf("where", { type: "string" }, { ...plain, isExpression: true }), "where: #{}");
});
