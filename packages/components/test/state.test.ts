import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import { openKnowledge } from "./open-knowledge.ts";
import { listProblems, runForError, runForOutput } from "./run-node.ts";

async function open(context: TestContext) {
	const { state, close } = await openKnowledge("tenant");
	context.after(close);
	const setting = (input: { [name: string]: Json }) => ({ effects: { state }, input });
	return {
		run: (component: string, params: { [name: string]: Json }, input = {}) =>
			runForOutput(component, params, setting(input)),
		fail: (component: string, params: { [name: string]: Json }, input = {}) =>
			runForError(component, params, setting(input)),
	};
}

/** A value that nests this many levels. */
function nest(levels: number): Json {
	let value: Json = 0;
	for (let level = 0; level < levels; level++) value = [value];
	return value;
}

describe("state components", () => {
	test("what state_set stores, state_get reads", async (context) => {
		const { run } = await open(context);
		const get = () => run("state_get", { name: "a", default: "nothing" });
		assert.deepEqual(await get(), { value: "nothing", exists: false });
		const first = { value: { tea: ["茶"] }, previous: null, stored: true };
		assert.deepEqual(await run("state_set", { name: "a", value: { tea: ["茶"] } }), first);
		assert.deepEqual(await get(), { value: { tea: ["茶"] }, exists: true });
		assert.deepEqual(await run("state_set", { name: "a", value: false }), {
			value: false,
			previous: { tea: ["茶"] },
			stored: true,
		});
		assert.deepEqual(await get(), { value: false, exists: true });
		const deleted = { value: null, previous: false, stored: true };
		assert.deepEqual(await run("state_set", { name: "a", value: null, ttl_seconds: 5 }), deleted);
		assert.deepEqual(await get(), { value: "nothing", exists: false });
	});

	test("if_absent keeps the first value and gives it to later runs", async (context) => {
		const { run, fail } = await open(context);
		const claim = (value: Json) =>
			run("state_set", { name: "lock", value, if_absent: true, ttl_seconds: 60 });
		assert.deepEqual(await claim("one"), { value: "one", previous: null, stored: true });
		assert.deepEqual(await claim("two"), { value: "one", previous: "one", stored: false });
		const unset = { name: "lock", value: "{{input.value}}", if_absent: true };
		const error = 'parameter "value" must not be null with if_absent';
		assert.equal(await fail("state_set", unset, { value: null }), error);
	});

	test("state_increment counts, and refuses a value that is not a number", async (context) => {
		const { run, fail } = await open(context);
		assert.deepEqual(await run("state_increment", { name: "n" }), { value: 1 });
		assert.deepEqual(await run("state_increment", { name: "n", by: -2.5 }), { value: -1.5 });
		await run("state_set", { name: "n", value: "one" });
		assert.equal(await fail("state_increment", { name: "n" }), 'the value of "n" is not a number');
	});

	test("names like those of JavaScript's objects are names like any other", async (context) => {
		const { run } = await open(context);
		for (const name of ["__proto__", "constructor", "hasOwnProperty"]) {
			assert.deepEqual(await run("state_get", { name }), { value: null, exists: false });
			await run("state_set", { name, value: { [name]: 1 } });
			assert.deepEqual(await run("state_get", { name }), { value: { [name]: 1 }, exists: true });
		}
		const value = JSON.parse('{"__proto__":{"polluted":true}}');
		await run("state_set", { name: "a", value: "{{input.value}}" }, { value });
		const read = (await run("state_get", { name: "a" })) as { value: object };
		assert.equal(JSON.stringify(read.value), '{"__proto__":{"polluted":true}}');
		assert.equal(({} as { polluted?: boolean }).polluted, undefined);
	});

	test("a value has at most 64 KiB of JSON, by its bytes", async (context) => {
		const { run, fail } = await open(context);
		const set = { name: "a", value: "{{input.value}}" };
		const error = 'parameter "value" must be at most 64 KiB of JSON';
		for (const fits of ["x".repeat(65_534), "茶".repeat(21_844)]) {
			assert.equal(((await run("state_set", set, { value: fits })) as { stored: boolean }).stored, true);
		}
		for (const large of [
			"x".repeat(65_535),
			"茶".repeat(21_845),
			"\n".repeat(40_000),
			Array(33_000).fill(0),
		]) {
			assert.equal(await fail("state_set", set, { value: large }), error);
		}
		// Small in memory, because it refers to one list a thousand times, but huge as JSON.
		const items = Array(1000).fill("{{input.value}}");
		const started = process.threadCpuUsage();
		const many = { name: "a", value: items };
		assert.equal(await fail("state_set", many, { value: Array(50_000).fill(1) }), error);
		assert.ok(process.threadCpuUsage(started).user < 1_000_000);
	});

	test("a value nests at most 64 levels and contains only storable text", async (context) => {
		const { run, fail } = await open(context);
		const set = { name: "a", value: "{{input.value}}" };
		await run("state_set", set, { value: nest(64) });
		assert.deepEqual(await run("state_get", { name: "a" }), { value: nest(64), exists: true });
		assert.match(await fail("state_set", set, { value: nest(65) }), /json nests deeper than 64 levels/);
		assert.match(await fail("state_set", set, { value: ["\u0000"] }), /must not contain NUL/);
		assert.match(
			await fail("state_set", set, { value: { "\uD800": 1 } }),
			/must not contain lone surrogates/,
		);
	});

	test("names, lifetimes and amounts are checked when a workflow is saved", () => {
		for (const [component, params] of [
			["state_get", { name: "" }],
			["state_get", { name: "x".repeat(129) }],
			["state_get", { name: "a\nb" }],
			["state_get", {}],
			["state_set", { name: "a" }],
			["state_set", { name: "a", value: 1, ttl_seconds: 0 }],
			["state_set", { name: "a", value: 1, ttl_seconds: -1 }],
			["state_set", { name: "a", value: 1, ttl_seconds: 1.5 }],
			["state_set", { name: "a", value: 1, ttl_seconds: 315_360_001 }],
			["state_set", { name: "a", value: 1, ttl_seconds: null }],
			["state_set", { name: "a", value: null, if_absent: true }],
			["state_increment", { name: "a", by: "1" }],
			["state_increment", { name: "a", by: 1e16 }],
			["state_increment", { name: "a", ttl_seconds: 0 }],
		] as const) {
			assert.equal(listProblems(component, params).length, 1, JSON.stringify([component, params]));
		}
		assert.deepEqual(
			listProblems("state_set", { name: "茶".repeat(128), value: 0, ttl_seconds: 315_360_000 }),
			[],
		);
	});

	test("a credential cannot be stored", () => {
		const [problem = ""] = listProblems("state_set", { name: "a", value: "{{credential.shop.token}}" });
		assert.match(problem, /credential/);
	});

	test("a run without a namespace fails with a clear message", async () => {
		assert.equal(await runForError("state_get", { name: "x" }), "this run has no namespace");
	});

	test("a cancelled run changes nothing", async (context) => {
		const { state, close } = await openKnowledge("tenant");
		context.after(close);
		await assert.rejects(state.increment({ name: "n", by: 1 }, AbortSignal.abort()));
		assert.equal(await state.get("n", new AbortController().signal), null);
	});
});
