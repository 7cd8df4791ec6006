import assert from "node:assert/strict";
import { test } from "node:test";
import { needsInput } from "../../src/pages/workflow/run/needs-input.ts";

test("needs input if the schema has properties", () => {
	assert.equal(needsInput("", { type: "object", properties: { name: { type: "string" } } }), true);
	assert.equal(needsInput("text: '{{input.name}}'", { type: "object", properties: {} }), false);
});

test("needs input if the text refers to it and there is no schema", () => {
	assert.equal(needsInput("    text: Hello {{input.name}}!", undefined), true);
	assert.equal(needsInput('  stock: { component: code, input: "{{ input }}" }', undefined), true);
	assert.equal(needsInput("    code: return input.count > 0", undefined), true);
});

test("ignores triplet subjects, keys and comments", () =>
	assert.equal(
		needsInput("triplets:\n  - input >> then >> a\nconfig:\n  a: { input: 1 } # the input\n", undefined),
		false,
	));
