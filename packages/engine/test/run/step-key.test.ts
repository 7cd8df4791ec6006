import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@tripline/contract/workflows";
import { compileDocument, runDocument } from "./run-document.ts";

const KEY = { component: "give", value: "{{execution.step_key}}" };
const execution = { id: "run-1" };

test("each step of a run has its own key, and any loop around it a part of that", async () => {
	const { data } = await runDocument(
		{
			triplets: ["list >> FOREACH item >> each", "each >> REPEAT turn >> step", "input >> then >> alone"],
			config: {
				list: { component: "give", value: [1, 2] },
				each: { component: "repeat", until: "turn == 1" },
				step: KEY,
				alone: KEY,
			},
			result: { steps: "{{step}}", alone: "{{alone}}" },
		},
		{ execution },
	);
	assert.deepEqual(data, { steps: ["run-1:0.1:step", "run-1:1.1:step"], alone: "run-1::alone" });
});

test("a key has only characters of headers, is of bounded length and differs even then", async () => {
	const names = ["茶 und Kuchen\u0301", `${"long ".repeat(40)}one`, `${"long ".repeat(40)}two`];
	const config: Record<string, JsonObject> = {};
	for (const name of names) config[name] = KEY;
	const { nodes, data } = await runDocument(
		{ triplets: names.map((name) => `input >> then >> ${name}`), config },
		{ execution },
	);
	assert.equal(nodes.length, 3);
	const keys = Object.values(data as Record<string, string>);
	assert.equal(new Set(keys).size, 3);
	for (const key of keys) assert.match(key, /^[\x21-\x7e]{1,200}$/);
});

test("the result of a document belongs to no node and has no key", () => {
	const { diagnostics } = compileDocument({
		triplets: ["input >> then >> only"],
		config: { only: KEY },
		result: "{{execution.step_key}}",
	});
	assert.match(diagnostics[0]?.message ?? "", /"execution" has no "step_key"/);
});
