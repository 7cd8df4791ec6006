import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { SandboxJob, SandboxOutcome } from "@tripline/platform/sandbox";
import { runForError, runForOutput } from "./run-node.ts";

/** A sandbox that returns this outcome and records its jobs. */
function sandboxWith(outcome: SandboxOutcome) {
	const jobs: SandboxJob[] = [];
	const run = async (job: SandboxJob) => {
		jobs.push(job);
		return outcome;
	};
	return { jobs, effects: { sandbox: { run } } };
}

describe("code", () => {
	test("returns any JSON value", async () => {
		for (const [code, output] of [
			["return input", { list: [1, "two", null] }],
			["return input.list.length > 2", true],
			["return await Promise.resolve(1.5)", 1.5],
			["// nothing", null],
			["return JSON.parse('{\"__proto__\": 1}')", JSON.parse('{"__proto__": 1}')],
		] as const) {
			const params = { code, input: { list: "{{input.list}}" } };
			assert.deepEqual(await runForOutput("code", params, { input: { list: [1, "two", null] } }), output);
		}
	});

	test("is not a template, even if it contains braces", async () => {
		const code = "const of = { a: { b: 1 }}; return `{{input.x}} $" + "{of.a.b} {{ }`;";
		assert.equal(await runForOutput("code", { code }), "{{input.x}} 1 {{ }");
	});

	test("receives values of the run as data, even if they look like code or templates", async () => {
		const text = '"); return 1; //{{input.text}}</script>\u2028';
		const params = { code: "return input.text", input: { text: "{{input.text}}" } };
		assert.equal(await runForOutput("code", params, { input: { text } }), text);
	});

	test("fails with the thrown error, without retry", async () => {
		const { jobs, effects } = sandboxWith({
			ok: false,
			reason: "threw",
			error: "Error: no (line 1)",
			log: [],
		});
		const params = { code: "throw new Error('no')", retry: { max: 3, delay_ms: 1 } };
		assert.equal(await runForError("code", params, { effects }), "Error: no (line 1)");
		assert.equal(jobs.length, 1);
		assert.equal(await runForError("code", params), "Error: no (line 1)");
	});

	test("gets slightly less time than the node, within a limit", async () => {
		for (const [settings, timeoutMs] of [
			[{}, 1900],
			[{ timeout_ms: 700 }, 665],
			[{ timeout_ms: 60_000 }, 28_500],
		] as const) {
			const { jobs, effects } = sandboxWith({ ok: true, output: "1", log: [] });
			await runForOutput("code", { code: "return 1", memory_mb: 8, ...settings }, { effects });
			assert.deepEqual(jobs[0]?.limits, {
				timeoutMs,
				memoryBytes: 8 * 1024 * 1024,
				outputBytes: 1_048_576,
			});
		}
	});

	test("names the wrong parameter", async () => {
		assert.match(await runForError("code", { input: {} }), /"code"/);
		assert.match(await runForError("code", { code: "x".repeat(65_537) }), /"code"/);
		assert.match(await runForError("code", { code: "return 1", memory_mb: 65 }), /"memory_mb"/);
		assert.match(await runForError("code", { code: "return 1", input: [1] }), /"input" must be an object/);
	});
});
