import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "@tripline/contract/workflows";
import { createManifestComponents } from "../../src/installed/component.ts";
import { runComponent, type Settings } from "../recipes/run-component.ts";
import { codeWith, greet, programs, recipeManifestWith } from "./manifest.ts";

const run = (
	manifest: Parameters<typeof createManifestComponents>[0],
	params: JsonObject,
	settings: Settings = {},
	id = manifest.id,
) => {
	return runComponent(createManifestComponents(manifest), id, params, settings);
};

const codeCalling = (request: JsonObject) => programs({ greet: async (_, http) => http(request) });

describe("an installed component of code", () => {
	test("is one component with the manifest's declarations", () => {
		const [component, ...more] = createManifestComponents(
			codeWith({ hosts: ["api.example.com"], credentials: ["key"] }),
		);
		assert.deepEqual(more, []);
		const { id, version, hosts, authRecipes, takesCredentials } = component ?? {};
		assert.deepEqual(
			{ id, version, hosts, authRecipes, takesCredentials },
			{
				id: "greeter",
				version: "1.2.3",
				hosts: ["api.example.com"],
				authRecipes: ["key"],
				takesCredentials: false,
			},
		);
		assert.deepEqual(component?.examples, codeWith().examples);
	});

	test("passes validated parameters to its code, within limits, and returns the output", async () => {
		const sandbox = programs({ greet });
		const { output, log } = await run(codeWith(), { name: "Ada" }, { sandbox });
		assert.equal(output, "Hello Ada");
		assert.deepEqual(log, ["ran"]);
		const [job] = sandbox.jobs;
		const input = typeof job?.input === "function" ? job.input() : job?.input;
		assert.equal(input, '{"name":"Ada","greeting":"Hello"}');
		assert.deepEqual(job?.limits, { timeoutMs: 2_000, memoryBytes: 33_554_432, outputBytes: 1_048_576 });
		assert.equal((await run(codeWith(), {}, { sandbox })).error, 'parameter "name" is required');
		assert.equal(sandbox.jobs.length, 1);
	});

	test("fails with the thrown error; exceeding a limit is not retried", async () => {
		const failing = programs({
			greet() {
				throw new Error("nobody is here");
			},
		});
		const retry = { max: 1, delay_ms: 0 };
		assert.equal((await run(codeWith(), { name: "a" }, { sandbox: failing, retry })).error, "nobody is here");
		assert.equal(failing.jobs.length, 2);
		let runs = 0;
		const sandbox = {
			async run() {
				runs++;
				return { ok: false, reason: "timeout", error: "took too long", log: [] } as const;
			},
		};
		assert.equal((await run(codeWith(), { name: "a" }, { sandbox, retry })).error, "took too long");
		assert.equal(runs, 1);
	});

	test("fails if its output does not match its schema", async () => {
		const { error } = await run(codeWith(), { name: "a" }, { sandbox: programs({ greet: () => 5 }) });
		assert.match(error ?? "", /does not match its output schema: it must be text, but is a number/);
	});

	test("has no http without hosts", async () => {
		const sandbox = codeCalling({ url: "https://api.example.com" });
		const { error, calls } = await run(codeWith(), { name: "a" }, { sandbox });
		assert.match(error ?? "", /http is not defined/);
		assert.deepEqual(calls, []);
		assert.equal(sandbox.jobs[0]?.http, undefined);
	});

	const online = codeWith({ hosts: ["api.example.com"], output: {} });

	test("calls declared hosts with http", async () => {
		const request = {
			method: "post",
			url: "https://api.example.com/a",
			query: { q: 1 },
			headers: { "x-a": "b" },
			json: { c: 2 },
		};
		const answers = [{ status: 404, body: { no: 1 } }];
		const ran = await run(online, { name: "a" }, { sandbox: codeCalling(request), answers });
		assert.deepEqual(ran.output, {
			status: 404,
			headers: { "content-type": "application/json" },
			data: { no: 1 },
		});
		assert.deepEqual(ran.calls, [
			{
				method: "POST",
				url: "https://api.example.com/a",
				query: { q: 1 },
				headers: { "x-a": "b" },
				body: { kind: "json", value: { c: 2 } },
				authRecipes: [],
				hosts: ["api.example.com"],
				maxBytes: 2_097_152,
			},
		]);
	});

	test("uses the node's credential on request if declared, and never sees it", async () => {
		const sandbox = codeCalling({ url: "https://api.example.com", use_credential: true });
		const bearer = {
			title: "Key",
			type: "bearer",
			fields: [{ name: "token", secret: true, help: "" }],
			hosts: ["api.example.com"],
			inject: { token: "{token}" },
		} as const;
		const manifest = codeWith({
			...online,
			credentials: ["key", "other"],
			auth_recipes: { key: structuredClone(bearer) as never },
		});
		const { calls, output } = await run(manifest, { name: "a" }, { sandbox, credential: "mine" });
		assert.equal(calls[0]?.credential, "mine");
		assert.deepEqual(calls[0]?.authRecipes, ["greeter.key", "other"]);
		assert.ok(!JSON.stringify([output, sandbox.jobs]).includes("secret-"));
		const without = await run(manifest, { name: "a" }, { sandbox });
		assert.match(
			without.error ?? "",
			/needs a credential of greeter\.key or other: add one in the console: /,
		);
		const undeclared = await run(online, { name: "a" }, { sandbox });
		assert.match(undeclared.error ?? "", /declares no credentials/);
		assert.deepEqual([...without.calls, ...undeclared.calls], []);
		const silent = codeCalling({ url: "https://api.example.com" });
		const unasked = await run(manifest, { name: "a" }, { sandbox: silent, credential: "mine" });
		assert.equal(unasked.calls[0]?.credential, undefined);
	});

	test("rejects invalid requests", async () => {
		const requests: JsonObject[] = [
			{},
			{ url: 5 },
			{ url: "https://api.example.com", method: "TRACE" },
			{ url: "https://api.example.com", json: 1 },
			{ url: "https://api.example.com", method: "POST", json: 1, text: "a" },
			{ url: "https://api.example.com", headers: { a: 1 } },
			{ url: "https://api.example.com", hosts: ["evil.example"] },
			{ url: "https://api.example.com", credential: "mine" },
			{ url: "https://api.example.com", use_credential: "mine" },
		];
		for (const request of requests) {
			const { error, calls } = await run(online, { name: "a" }, { sandbox: codeCalling(request) });
			assert.match(error ?? "", /^http: /, JSON.stringify(request));
			assert.deepEqual(calls, []);
		}
	});

	test("calls at most 20 times", async () => {
		const sandbox = programs({
			async greet(_, http) {
				for (let calls = 0; calls < 21; calls++) await http({ url: "https://api.example.com" });
				return null;
			},
		});
		const { error, calls } = await run(online, { name: "a" }, { sandbox });
		assert.equal(error, "http can be called at most 20 times");
		assert.equal(calls.length, 20);
	});
});

describe("an installed recipe", () => {
	test("is one component per operation, within the hosts of its manifest", async () => {
		const manifest = recipeManifestWith({ hosts: ["*.example.com"] });
		const ran = await run(manifest, { id: "a" }, { answers: [{ body: 1 }] }, "greeter.do");
		assert.equal(ran.output, 1);
		assert.deepEqual(ran.calls[0]?.hosts, ["*.example.com"]);
		assert.equal(createManifestComponents(manifest)[0]?.version, "1.2.3");
	});

	test("uses credentials of the auth recipe that it brings along", async () => {
		const recipe = { ...recipeManifestWith().recipe, auth: "key" };
		const manifest = recipeManifestWith({ recipe, credentials: ["key"], auth_recipes: { key: {} as never } });
		assert.deepEqual(createManifestComponents(manifest)[0]?.authRecipes, ["greeter.key"]);
		assert.deepEqual(createManifestComponents({ ...manifest, auth_recipes: {} })[0]?.authRecipes, ["key"]);
	});
});
