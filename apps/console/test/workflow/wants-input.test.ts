import assert from "node:assert/strict";
import { test } from "node:test";
import { wantsInput } from "../../src/pages/workflow/run/wants-input.ts";

test("needs input if the schema has properties", () => {
	assert.equal(wantsInput("", { type: "object", properties: { name: { type: "string" } } }), true);
	assert.equal(wantsInput("text: '{{input.name}}'", { type: "object", properties: {} }), false);
});

test("needs input if the text refers to it and there is no schema", () => {
	assert.equal(wantsInput("    text: Hello {{input.name}}!", undefined), true);
	assert.equal(wantsInput('  stock: { component: code, input: "{{ input }}" }', undefined), true);
	assert.equal(wantsInput("    code: return input.count > 0", undefined), true);
});

test("ignores triplet subjects, keys and comments", () =>
	assert.equal(
		wantsInput("triplets:\n  - input >> then >> a\nconfig:\n  a: { input: 1 } # the input\n", undefined),
		false,
	));
