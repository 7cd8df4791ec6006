import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import fc from "fast-check";
import { listProblems, runForError, runForOutput } from "./run-node.ts";

const cases = (...list: readonly (readonly [string, string])[]): { cases: Json } => ({
	cases: list.map(([label, when]) => ({ label, when })),
});

describe("switch with cases", () => {
	test("gives the label of the first condition that holds, or null", async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }), async (holds) => {
				const params = cases(...holds.map((_, at) => [`l${at}`, `input.holds[${at}]`] as const));
				const first = holds.indexOf(true);
				assert.equal(
					await runForOutput("switch", params, { input: { holds } }),
					first === -1 ? null : `l${first}`,
				);
			}),
			{ numRuns: 50 },
		);
	});

	test("does not evaluate the conditions after it", async () => {
		assert.equal(await runForOutput("switch", cases(["a", "true"], ["b", "input.gone.x"])), "a");
	});

	test("names the case whose condition fails", async () => {
		assert.equal(
			await runForError("switch", cases(["a", "false"], ["b", "input.gone > 1"])),
			'case b: "input.gone" is missing: "input" has no "gone"; it is empty',
		);
		assert.equal(
			await runForError("switch", cases(["a", "input.n"]), { input: { n: 2 } }),
			"case a: when must be true or false, not a number; compare it with something",
		);
	});

	const refused: [string, { [name: string]: Json }, RegExp][] = [
		["neither value nor cases", {}, /^the parameters: need either value or cases$/],
		[
			"both value and cases",
			{ value: "{{input.a}}", ...cases(["a", "true"]) },
			/"cases" cannot be combined with value/,
		],
		["no case", { cases: [] }, /"cases" must be at least 1/],
		["a label that occurs twice", cases(["a", "true"], ["a", "false"]), /"cases\.1\.label" is used twice/],
		["the label null", cases(["null", "true"]), /"cases\.0\.label" must be another text/],
		["a template as label", cases(["{{input.a}}", "true"]), /"cases\.0\.label" must be fixed text/],
		["a template as condition", cases(["a", "{{input.a}}"]), /is an expression, not a template/],
		[
			"a condition that is not text",
			{ cases: [{ label: "a", when: true }] },
			/"cases\.0\.when" must be text/,
		],
		["no condition", { cases: [{ label: "a" }] }, /"cases\.0\.when"/],
		["an unknown field", { cases: [{ label: "a", when: "true", next: 1 }] }, /next/],
	];
	for (const [what, params, message] of refused)
		test(`refuses ${what} when it is saved`, () => {
			assert.match(listProblems("switch", params).join("\n"), message);
		});

	test("still accepts any value, even null and false", async () => {
		for (const value of [null, false, 0, "", [1]])
			assert.deepEqual(await runForOutput("switch", { value }), value);
	});
});

describe("compute", () => {
	test("gives each value under its name, in order", async () => {
		const values = { b: "input.n * 2", a: "[input.n, null]", "odd name": "{'k': input.n}" };
		const output = await runForOutput("compute", { values }, { input: { n: 3 } });
		assert.deepEqual(Object.entries(output as object), [
			["b", 6],
			["a", [3, null]],
			["odd name", { k: 3 }],
		]);
	});

	test("keeps __proto__ as plain data", async () => {
		const values = JSON.parse('{"__proto__":"{\'x\': 1}"}') as { [name: string]: Json };
		const output = (await runForOutput("compute", { values })) as object;
		assert.equal(Object.hasOwn(output, "__proto__"), true);
		assert.equal("x" in output, false);
	});

	const refused: [string, Json, RegExp][] = [
		["no values", {}, /"values" must not be empty/],
		["a list", ["1"], /"values" must be an object/],
		["a value that is not text", { a: 1 }, /"values\.a" must be an expression as text/],
		["an empty expression", { a: "" }, /"values\.a" must be an expression/],
		[
			"more than 100 values",
			Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`v${at}`, "1"])),
			/at most 100 values/,
		],
		["a template", { a: "{{input.x}}" }, /is an expression, not a template/],
		["an unknown name", { a: "gone + 1" }, /"gone" is neither a node nor a known template name/],
	];
	for (const [what, values, message] of refused)
		test(`refuses ${what} when it is saved`, () => {
			assert.match(listProblems("compute", { values }).join("\n"), message);
		});
});
