import assert from "node:assert/strict";
import { test } from "node:test";
import { describeType, listProperties, listValues, type Schema } from "../../src/editor/schema.ts";
import { buildSnippet } from "../../src/editor/snippet.ts";

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

test("lists required properties first", () => {
	assert.deepEqual(
		listProperties(SCHEMA, []).map(({ name }) => name),
		["url", "limit", "mode", "pages", "parts"],
	);
});

test("offers the properties of all alternatives", () => {
	assert.deepEqual(
		listProperties(SCHEMA, ["pages"]).map(({ name }) => name),
		["by", "size"],
	);
	assert.deepEqual(listValues(SCHEMA, ["pages", "by"]), ["link", "page"]);
});

test("resolves list elements, also by reference", () => {
	assert.deepEqual(
		listProperties(SCHEMA, ["parts", "[]"]).map(({ name }) => name),
		["name"],
	);
});

test("ignores inherited object properties", () => {
	assert.deepEqual(listProperties(SCHEMA, ["constructor"]), []);
});

test("stops at a recursive schema", () => {
	const loop: Schema = { $ref: "#/$defs/Loop", $defs: { Loop: { oneOf: [{ $ref: "#/$defs/Loop" }] } } };
	assert.deepEqual(listProperties(loop, []), []);
});

test("joins the types of alternatives", () => {
	assert.equal(describeType({ anyOf: [{ type: "integer" }, { type: "string" }] }), "integer | string");
});

test("inserts a parameter with a value of its type", () => {
	assert.equal(buildSnippet("limit", { type: "integer", default: 20 }, plain), "limit: #{1:20}");
	assert.equal(buildSnippet("url", { type: "string" }, plain), 'url: "#{}"');
	assert.equal(buildSnippet("items", { type: "array" }, plain), 'items: "{{#{input}}}"');
	assert.equal(buildSnippet("values", { type: "object" }, plain), "values:\n\t#{name}: #{value}");
	assert.equal(buildSnippet("code", { type: "string" }, plain), "code: |\n\t#{return input;}");
});

test("keeps an object on one line in flow style", () => {
	assert.equal(
		buildSnippet("values", { type: "object" }, { ...plain, isCompact: true }),
		"values: \\{ #{} \\}",
	);
});

test("inserts an expression without quotes", () => {
	assert.equal(buildSnippet("where", { type: "string" }, { ...plain, isExpression: true }), "where: #{}");
});
