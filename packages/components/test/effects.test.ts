import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { NodeCall } from "@tripline/engine/component";
import { TerminalError } from "@tripline/engine/terminal-error";
import { builtInCatalogue } from "../src/catalogue.ts";
import type { Effects } from "../src/effects.ts";
import { runForError, runForOutput, runNode, sleep } from "./run-node.ts";

describe("wait", () => {
	test("waits for the given time", async () => {
		const waits: number[] = [];
		const effects: Partial<Effects> = { sleep: async (ms) => void waits.push(ms) };
		await runForOutput("wait", { ms: 1234 }, { effects });
		assert.deepEqual(waits, [1234]);
	});

	test("ends when the run is cancelled", async () => {
		const controller = new AbortController();
		const started = performance.now();
		setTimeout(() => controller.abort(), 10);
		const outcome = await runNode("wait", { ms: 600_000 }, { signal: controller.signal, effects: { sleep } });
		assert.ok("error" in outcome);
		assert.ok(performance.now() - started < 60_000);
	});

	test("accepts whole milliseconds up to ten minutes", async () => {
		for (const ms of [-1, 600_001, 0.5, "1"]) assert.match(await runForError("wait", { ms }), /"ms" must be/);
	});
});

describe("fail", () => {
	test("fails with a retryable error", () => {
		const call = { params: { message: "out of stock" } } as unknown as NodeCall<Effects>;
		const isTriedAgain = (error: unknown) => error instanceof Error && !(error instanceof TerminalError);
		assert.throws(() => builtInCatalogue.get("fail")?.run(call), isTriedAgain);
	});
});

describe("respond", () => {
	const respond = async (params: { [name: string]: Json }) => {
		const answers: Parameters<Effects["respond"]>[0][] = [];
		const outcome = await runNode("respond", params, {
			effects: { respond: (answer) => answers.push(answer) },
		});
		return { outcome, answers };
	};

	test("sets status, headers by lower-case name, and body", async () => {
		const { outcome, answers } = await respond({
			status: 201,
			headers: { "Content-Type": "text/plain" },
			body: "hi",
		});
		assert.deepEqual(outcome, { output: "hi" });
		assert.deepEqual(answers, [{ status: 201, headers: { "content-type": "text/plain" }, body: "hi" }]);
		assert.deepEqual((await respond({})).answers, [{ status: 200, headers: {}, body: null }]);
	});

	test("rejects dangerous headers, and values that could end a header", async () => {
		const refused: { [name: string]: Json }[] = [
			{ "set-cookie": "a=b" },
			{ "content-security-policy": "default-src *" },
			{ "x-accel-redirect": "/etc/passwd" },
			{ "access-control-allow-origin": "*" },
			{ __proto__x: "a" },
			{ "content-type": "text/html\r\nset-cookie: a=b" },
			{ "content-type": "text/html\n" },
			{ "content-language": "日本語" },
			{ "content-type": 1 },
			{ "Content-Type": "a", "content-type": "b" },
			{ etag: "x".repeat(4097) },
			{ location: "javascript:alert(1)" },
			{ location: "//evil.example" },
			{ location: "/\\evil.example" },
			{ location: "https://" },
		];
		for (const headers of refused) {
			const { outcome, answers } = await respond({ headers });
			assert.ok("error" in outcome, JSON.stringify(headers));
			assert.deepEqual(answers, []);
		}
	});

	test("redirects to paths and web URLs", async () => {
		for (const location of ["/next", "https://example.com/a?b=c", "http://example.com"]) {
			const { answers } = await respond({ status: 303, headers: { location } });
			assert.equal(answers[0]?.headers.location, location);
		}
	});

	test("accepts statuses from 200 to 599, and no body for statuses without one", async () => {
		for (const status of [101, 199, 600, 200.5]) assert.ok("error" in (await respond({ status })).outcome);
		assert.deepEqual((await respond({ status: 204 })).outcome, { output: null });
		const { outcome } = await respond({ status: 204, body: "x" });
		assert.match("error" in outcome ? outcome.error : "", /"body" must be left out with status 204/);
	});
});

describe("emit_event", () => {
	test("passes on type and data, and rejects patterns", async () => {
		const emitted: Json[] = [];
		const effects: Partial<Effects> = {
			emitEvent: async (type, data) => {
				emitted.push([type, data]);
				return 3;
			},
		};
		assert.equal(await runForOutput("emit_event", { type: "a.b", data: [1] }, { effects }), 3);
		assert.equal(await runForOutput("emit_event", { type: "c" }, { effects }), 3);
		assert.deepEqual(emitted, [
			["a.b", [1]],
			["c", null],
		]);
		for (const type of ["a.*", "", "a b", "a..b"])
			assert.match(await runForError("emit_event", { type }, { effects }), /"type" must/);
	});
});

describe("workflow", () => {
	test("passes on name and input, also with hostile keys", async () => {
		const calls: [string, string][] = [];
		const effects: Partial<Effects> = {
			runWorkflow: async (name, input) => {
				calls.push([name, JSON.stringify(input)]);
				return null;
			},
		};
		const input = JSON.parse('{"given": {"__proto__": {"a": 1}}}');
		await runForOutput("workflow", { name: "w", input: "{{input.given}}" }, { effects, input });
		await runForOutput("workflow", { name: "w" }, { effects });
		assert.deepEqual(calls, [
			["w", '{"__proto__":{"a":1}}'],
			["w", "{}"],
		]);
	});
});

describe("set", () => {
	test("keeps __proto__ as data", async () => {
		const values = JSON.parse('{"__proto__": {"polluted": "{{input.a}}"}, "b": 1}');
		const output = await runForOutput("set", { values }, { input: { a: 7 } });
		assert.equal(JSON.stringify(output), '{"__proto__":{"polluted":7},"b":1}');
	});
});

describe("template", () => {
	test("writes any single value as text", async () => {
		const cases: [Json, string][] = [
			[null, ""],
			[1.5, "1.5"],
			[true, "true"],
			[[1, { a: "b" }], '[1,{"a":"b"}]'],
			["{{input.secret}}", "{{input.secret}}"],
		];
		for (const [value, text] of cases) {
			assert.equal(await runForOutput("template", { text: "{{input.value}}" }, { input: { value } }), text);
		}
	});
});
