import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "@tripline/contract/workflows";
import { runTrial } from "../../src/installed/trial.ts";
import { type CodeManifest, codeWith, greet, programs, recipeManifestWith } from "./manifest.ts";

const { signal } = new AbortController();
type Example = CodeManifest["examples"][number];

async function findProblem(manifest: CodeManifest, program: Parameters<typeof programs>[0][string]) {
	const { ok, results } = await runTrial(manifest, programs({ greet: program }), signal);
	assert.equal(ok, results[0]?.ok);
	return results[0]?.problem;
}

describe("a trial run", () => {
	test("passes if each example gives its output", async () => {
		const examples = [
			{ title: "Ada", params: { name: "Ada" }, output: "Hello Ada" },
			{ title: "Nobody", params: { name: "" }, error: "who?" },
		];
		const sandbox = programs({
			greet(input, http) {
				if (input.name === "") throw new Error("who?");
				return greet(input, http);
			},
		});
		assert.deepEqual(await runTrial(codeWith({ examples }), sandbox, signal), {
			ok: true,
			results: [
				{ title: "Ada", ok: true },
				{ title: "Nobody", ok: true },
			],
		});
	});

	test("has nothing to run for a recipe", async () => {
		assert.deepEqual(await runTrial(recipeManifestWith(), programs({}), signal), { ok: true, results: [] });
	});

	test("reports how the result differs", async () => {
		assert.equal(await findProblem(codeWith(), () => "Bye"), 'it returned "Bye", not "Hello Ada"');
		assert.equal(await findProblem(codeWith(), () => Promise.reject(new Error("no"))), "it failed: no");
		assert.match((await findProblem(codeWith(), () => 5)) ?? "", /does not match its output schema/);
		const examples = [{ title: "x", params: { name: "a" }, error: "this" }];
		assert.match(
			(await findProblem(codeWith({ examples }), greet)) ?? "",
			/returned an output, but the error "this"/,
		);
		const other = await findProblem(codeWith({ examples }), () => Promise.reject(new Error("that")));
		assert.equal(other, 'it failed with "that", not with "this"');
		assert.equal(
			await findProblem(codeWith({ examples: [{ title: "x", params: {}, output: "" }] }), greet),
			"its parameters do not match the schema",
		);
	});

	const recorded: Example = {
		title: "Online",
		params: { name: "Ada" },
		output: "ok",
		http: [
			{
				request: { method: "POST", url: "https://api.example.com/a?q=x%20y", body: { n: 1, m: 2 } },
				response: { status: 200, data: "ok" },
			},
		],
	};
	const online = codeWith({ hosts: ["api.example.com"], output: {}, examples: [recorded] });
	const tryRequest = (request: JsonObject) =>
		findProblem(online, async (_, http) => {
			const answer = await http(request).catch(() => ({ data: "ok" }));
			return answer.data;
		});
	const right = {
		method: "POST",
		url: "https://api.example.com/a",
		query: { q: "x y" },
		json: { m: 2, n: 1 },
	};

	test("replays recorded calls", async () => assert.equal(await tryRequest(right), undefined));

	test("reports unrecorded calls, even if the code ignores the error", async () => {
		assert.match((await tryRequest({ ...right, method: "PUT" })) ?? "", /called "PUT .* is recorded/);
		assert.match((await tryRequest({ ...right, query: {} })) ?? "", /called "POST .* is recorded/);
		assert.match(
			(await tryRequest({ ...right, json: { n: 2 } })) ?? "",
			/it sent \{"n":2\} where \{"m":2,"n":1\}/,
		);
		assert.match(
			(await tryRequest({ ...right, url: "https://evil.example" })) ?? "",
			/which is not in hosts/,
		);
		assert.match((await tryRequest({ ...right, url: "nowhere" })) ?? "", /is not a URL/);
		assert.match((await tryRequest({ ...right, use_credential: true })) ?? "", /none is declared/);
		assert.match((await tryRequest({ ...right, evil: 1 })) ?? "", /^http: /);
	});

	test("reports missing and excess calls", async () => {
		assert.equal(await findProblem(online, () => "ok"), "it made 0 of 1 recorded calls");
		const twice = await findProblem(online, async (_, http) => {
			await http(right);
			return (await http(right).catch(() => ({ data: "ok" }))).data;
		});
		assert.match(twice ?? "", /for which no response is recorded/);
	});

	test("stops when it is aborted", async () => {
		const controller = new AbortController();
		controller.abort();
		const sandbox = { run: () => Promise.reject(controller.signal.reason) };
		await assert.rejects(runTrial(codeWith(), sandbox, controller.signal), { name: "AbortError" });
	});
});
