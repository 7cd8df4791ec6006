import assert from "node:assert/strict";
import { test } from "node:test";
import { listValueOptions } from "../../src/editor/key-options.ts";
import { listReferenceOptions } from "../../src/editor/reference-options.ts";

const EXPRESSIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	if: { condition: "value" },
	aggregate: { group_by: "item", compute: "aggregates" },
	compute: { values: "values" },
	switch: { cases: "cases" },
};

const ask = (written: string) => ({
	written,
	after: "",
	outline: {
		nodes: ["order", "big one"],
		elements: [],
		turns: [],
		configured: new Map(Object.keys(EXPRESSIONS).map((id) => [id, id])),
		context: [],
	},
	sources: {
		components: () => [],
		component: async (id: string) =>
			({ params: {}, output: {}, expressions: EXPRESSIONS[id] ?? {} }) as never,
		credentials: async () => [],
	},
	text: { filter: "filter", node: "node", element: "element", referenceHeads: {}, fields: {} } as never,
});

const listLabels = async (...path: readonly string[]) => {
	const offered = await listValueOptions({ kind: "value", path: ["config", ...path], from: 0 }, ask("or"));
	return offered?.options.map(({ label }) => label) ?? [];
};

test("completes references wherever a parameter is an expression", async () => {
	for (const path of [
		["if", "condition"],
		["aggregate", "group_by"],
		["aggregate", "compute", "total"],
		["compute", "values", "total"],
		["switch", "cases", "[]", "when"],
	])
		assert.ok((await listLabels(...path)).includes("order"), path.join("."));
});

test("but not in the label of a case", async () => {
	assert.deepEqual(await listLabels("switch", "cases", "[]", "label"), []);
});

test("completes every filter, and opens the argument of those that need one", async () => {
	const offered = await listReferenceOptions("input.x | ", 0, ask(""));
	const options = new Map(offered?.options.map(({ label, apply }) => [label, apply]));
	assert.equal(options.get("replace"), "replace(");
	assert.ok(options.has("unique") && options.get("unique") === undefined);
});
