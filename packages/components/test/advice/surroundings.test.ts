import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "@tripline/contract/workflows";
import { compileNode } from "./compile.ts";

const list = (...given: Parameters<typeof compileNode>) =>
	compileNode(...given).map(({ severity, code, path, message }) => `${severity} ${code} ${path}: ${message}`);

describe("a timeout that cannot be reached", () => {
	const known = { runTimeoutMs: 30_000 };

	test("of the run, because the service ends it earlier", () => {
		assert.deepEqual(list({ component: "set", values: {} }, { options: { timeout_ms: 120_000 } }, known), [
			"warning unreachable_timeout options.timeout_ms: options.timeout_ms has no effect above 30000: the service ends every run after that",
		]);
		assert.deepEqual(list({ component: "set", values: {} }, { options: { timeout_ms: 30_000 } }, known), []);
	});

	test("of a node, because the run ends earlier", () => {
		const node = { component: "set", values: {}, timeout_ms: 6_000 };
		assert.deepEqual(list(node, { options: { timeout_ms: 5_000 } }, known), [
			"warning unreachable_timeout config.a.timeout_ms: timeout_ms is 6000, but the run ends after 5000 ms (options.timeout_ms)",
		]);
		assert.deepEqual(list({ ...node, timeout_ms: 31_000 }, {}, known), [
			"warning unreachable_timeout config.a.timeout_ms: timeout_ms is 31000, but the run ends after 30000 ms (RUN_TIMEOUT_MS of the service)",
		]);
		assert.deepEqual(list(node, {}, known), []);
		assert.deepEqual(list(node), []);
	});

	test("of code, which has a limit of its own", () => {
		const node = { component: "code", code: "return 1", timeout_ms: 40_000 };
		assert.deepEqual(list(node), [
			"warning unreachable_timeout config.a.timeout_ms: timeout_ms is 40000, but code may run for at most 30000 ms",
		]);
	});

	test("by a wait that is longer than the run", () => {
		assert.deepEqual(list({ component: "wait", ms: 60_000 }, {}, known), [
			"warning unreachable_timeout config.a.ms: it waits for 60000 ms, but the run ends after 30000 ms, so the node fails",
		]);
		for (const ms of [30_000, "{{input.ms}}"])
			assert.deepEqual(list({ component: "wait", ms }, {}, known), []);
	});

	test("of a node that waits without its process", () => {
		for (const wait of [{ for: "3 days" }, { until: "{{input.at}}" }]) {
			assert.deepEqual(list({ component: "wait", ...wait, timeout_ms: 1_000 }, {}, known), [
				'error timeout_not_allowed config.a.timeout_ms: "a" takes no timeout_ms of its own, because to wait is its purpose',
			]);
			assert.deepEqual(list({ component: "wait", ...wait }, {}, known), []);
		}
		assert.deepEqual(list({ component: "wait", ms: 10, timeout_ms: 1_000 }, {}, known), []);
	});
});

describe("a called workflow", () => {
	const missingWorkflows = new Map([["wether", 'Did you mean "weather"?']]);

	test("that does not exist is a warning with a hint", () => {
		const [found] = compileNode({ component: "workflow", name: "wether" }, {}, { missingWorkflows });
		assert.deepEqual(
			[found?.severity, found?.code, found?.path, found?.hint],
			["warning", "unknown_workflow", "config.a.name", 'Did you mean "weather"?'],
		);
	});

	test("that exists, or is not known yet, is none", () => {
		for (const name of ["weather", "{{input.name}}"]) {
			assert.deepEqual(list({ component: "workflow", name }, {}, { missingWorkflows }), []);
		}
	});
});

describe("retry beside attempts", () => {
	const request: JsonObject = { component: "http_request", url: "https://x.example" };

	test("multiplies the requests", () => {
		assert.deepEqual(list({ ...request, retry: { max: 4 } }), [
			"warning repeated_attempts config.a.retry: retry repeats all 3 attempts of the node: up to 15 requests",
		]);
		assert.deepEqual(list({ ...request, retry: { max: 1 }, attempts: 5 }).length, 1);
	});

	test("is fine if only one of them repeats", () => {
		for (const settings of [{ retry: { max: 4 }, attempts: 1 }, { attempts: 5 }, { retry: { max: 0 } }, {}]) {
			assert.deepEqual(list({ ...request, ...settings }), []);
		}
	});
});
