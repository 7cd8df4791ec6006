import assert from "node:assert/strict";
import { test } from "node:test";
import { wantsInput } from "../../src/pages/workflow/run/wants-input.ts";

test("a schema with properties wants an input, one without does not", () => {
	assert.equal(wantsInput("", { type: "object", properties: { name: { type: "string" } } }), true);
	assert.equal(wantsInput("text: '{{input.name}}'", { type: "object", properties: {} }), false);
});

test("without a schema the text says so where it reads the input", () => {
	assert.equal(wantsInput("    text: Hello {{input.name}}!", undefined), true);
	assert.equal(wantsInput('  stock: { component: code, input: "{{ input }}" }', undefined), true);
	assert.equal(wantsInput("    code: return input.count > 0", undefined), true);
});

test("the start of a triplet, a key and a comment read nothing", () =>
	assert.equal(
		wantsInput("triplets:\n  - input >> then >> a\nconfig:\n  a: { input: 1 } # the input\n", undefined),
		false,
	));
