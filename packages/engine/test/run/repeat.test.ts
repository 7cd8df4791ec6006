import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { listStatuses } from "./build.ts";
import { runDocument } from "./run-document.ts";

const give = (value: Json): JsonObject => ({ component: "give", value });
const repeat = (until: string, more: JsonObject = {}): JsonObject => ({
	component: "repeat",
	until,
	...more,
});

const poll = ["poll >> REPEAT turn >> step", "poll >> then >> after"];

describe("REPEAT", () => {
	test("runs its body until the condition is true, and counts the turns from 0", async () => {
		const outcome = await runDocument({
			triplets: poll,
			config: {
				poll: repeat("step == 2"),
				step: give("{{turn}}"),
				after: give({ turns: "{{poll.turns}}", last: "{{step}}" }),
			},
		});
		assert.deepEqual(outcome.data, { turns: 3, last: 2 });
		assert.deepEqual(
			outcome.nodes.map(({ id, status, attempts }) => [id, status, attempts]),
			[
				["poll", "success", 1],
				["step", "success", 1],
				["after", "success", 1],
			],
		);
	});

	test("is synchronous if its body is, and has no turn before the first", () => {
		const outcome = runDocument(
			{
				triplets: ["poll >> REPEAT turn >> step"],
				config: { poll: repeat("turn == 2"), step: give('{{turn_last.step | default("none")}}') },
				result: "{{step}}",
			},
			{ clock: { now: () => 0 } },
		);
		assert.ok(!(outcome instanceof Promise));
		assert.equal(outcome.data, "none");
	});

	test("gives the body the outputs of the turn before, of any of its nodes", async () => {
		const outcome = await runDocument({
			triplets: ["poll >> REPEAT turn >> step", "step >> then >> my sum", "poll >> then >> after"],
			config: {
				poll: repeat('nodes["my sum"].size() == 4'),
				step: give('{{turn_last["my sum"] | default("")}}'),
				"my sum": give("{{step}}{{turn}}"),
				after: give('{{nodes["my sum"]}}'),
			},
		});
		assert.equal(outcome.data, "0123");
	});

	test("reads the turn before in an expression, where it may be missing", async () => {
		const outcome = await runDocument(
			{
				triplets: ["poll >> REPEAT turn >> step", "step >> then >> seen", "poll >> then >> after"],
				config: {
					poll: repeat("has(turn_last.step) && turn_last.step == step"),
					step: give("{{input.values}}"),
					seen: { component: "check", condition: "has(turn_last.seen)" },
					after: give(["{{poll.turns}}", "{{seen}}"]),
				},
			},
			{ input: { values: [1] } },
		);
		assert.deepEqual(outcome.data, [2, true]);
	});

	test("names the turn before if it is missing", async () => {
		const outcome = await runDocument({
			triplets: ["poll >> REPEAT turn >> step"],
			config: { poll: repeat("true"), step: give("{{turn_last.step}}") },
		});
		assert.match(outcome.error ?? "", /^step\[0\]: "turn_last.step" is missing: /);
	});

	test("does not keep the turn before when a node is skipped in this one", async () => {
		const outcome = await runDocument({
			triplets: [
				"poll >> REPEAT turn >> first",
				"first >> if true >> once",
				"first >> then >> end",
				"poll >> then >> after",
			],
			config: {
				poll: repeat("turn == 1"),
				first: { component: "check", condition: "turn == 0" },
				once: give("seen"),
				end: give("{{turn_last.once | default('never')}}"),
				after: give(['{{once | default("skipped")}}', "{{end}}"]),
			},
		});
		assert.deepEqual(outcome.data, ["skipped", "seen"]);
	});

	test("fails after its maximum, and keeps the last turn", async () => {
		const outcome = await runDocument(
			{
				triplets: [...poll, "poll >> ON_FAIL >> give up"],
				config: {
					poll: repeat("false", { max: "{{input.max}}" }),
					step: give("{{turn}}"),
					after: give(null),
					"give up": give("after {{step}}"),
				},
			},
			{ input: { max: 3 } },
		);
		assert.equal(outcome.data, "after 2");
		assert.deepEqual(listStatuses(outcome), {
			poll: "failed",
			step: "success",
			after: "skipped",
			"give up": "success",
		});
		assert.equal(outcome.nodes[0]?.error, "until was not true after 3 turns");
	});

	test("fails the run after its maximum if nothing handles it", async () => {
		const outcome = await runDocument({
			triplets: poll,
			config: { poll: repeat("false"), step: give(1), after: give(2) },
		});
		assert.equal(outcome.error, "poll: until was not true after 20 turns");
		assert.equal(outcome.failedNode, "poll");
	});

	test("fails if its condition is not true or false, or cannot be read", async () => {
		const runUntil = (until: string) =>
			runDocument({ triplets: poll, config: { poll: repeat(until), step: give(1), after: give(2) } });
		assert.equal(
			(await runUntil("step")).error,
			"poll: until must be true or false, not a number; compare it with something",
		);
		assert.match((await runUntil("step.done")).error ?? "", /^poll: "step.done" is missing/);
	});

	test("passes a failed turn to its ON_FAIL, after the cleanup of the turn", async () => {
		const outcome = await runDocument({
			triplets: [
				"poll >> REPEAT turn >> first",
				"first >> then >> step",
				"step >> then >> skipped",
				"first >> ALWAYS >> clean",
				"step >> ALWAYS >> tidy",
				"poll >> ON_FAIL >> rescue",
			],
			config: {
				poll: repeat("turn == 5"),
				first: { component: "check", condition: "turn == 1" },
				step: { component: "guard", value: "{{first}}" },
				skipped: give(1),
				clean: give("{{turn}}"),
				tidy: give("{{turn}}"),
				rescue: give(["{{tidy}}", "{{first}}"]),
			},
		});
		assert.equal(outcome.error, undefined);
		assert.deepEqual(outcome.data, [1, true]);
		assert.equal(outcome.nodes[0]?.error, "step[1]: refused");
		assert.equal(listStatuses(outcome).poll, "failed");
	});

	test("fails the run with the turn of the failed node", async () => {
		const outcome = await runDocument({
			triplets: ["poll >> REPEAT turn >> first", "first >> then >> step", "poll >> ALWAYS >> tidy"],
			config: {
				poll: repeat("false"),
				first: { component: "check", condition: "turn == 2" },
				step: { component: "guard", value: "{{first}}" },
				tidy: give("done"),
			},
		});
		assert.equal(outcome.error, "step[2]: refused");
		assert.equal(outcome.failedNode, "step");
		assert.deepEqual(listStatuses(outcome), {
			poll: "failed",
			first: "success",
			step: "failed",
			tidy: "success",
		});
	});

	test("goes on after a failure that a node of the body handles", async () => {
		const outcome = await runDocument({
			triplets: [
				"poll >> REPEAT turn >> step",
				"step >> then >> good",
				"step >> ON_FAIL >> bad",
				"poll >> then >> after",
			],
			config: {
				poll: repeat("has(good)", { max: 5 }),
				step: { component: "guard", value: "{{turn_last.bad | default(true)}}" },
				good: give("yes"),
				bad: give("{{turn}}"),
				after: give(["{{poll.turns}}", "{{step}}", "{{good}}", '{{bad | default("none")}}']),
			},
		});
		assert.deepEqual(outcome.data, [2, 0, "yes", "none"]);
	});

	test("waits between the turns", async () => {
		const started = performance.now();
		const outcome = await runDocument({
			triplets: poll,
			config: { poll: repeat("turn == 2", { delay_ms: 20 }), step: give(1), after: give("{{poll.turns}}") },
		});
		const took = performance.now() - started;
		assert.equal(outcome.data, 3);
		assert.ok(took >= 38, `took ${took} ms`);
		assert.ok((outcome.nodes[0]?.duration_ms ?? 0) >= 38);
	});

	test("waits neither before the first turn nor after the last", async () => {
		const outcome = await runDocument(
			{
				triplets: poll,
				config: { poll: repeat("true", { delay_ms: 60_000 }), step: give(1), after: give("{{poll.turns}}") },
			},
			{ timeoutMs: 30_000 },
		);
		assert.equal(outcome.data, 1);
	});

	test("ends in a delay at the deadline, and is named", async () => {
		const outcome = await runDocument(
			{
				triplets: poll,
				config: { poll: repeat("false", { delay_ms: 60_000 }), step: give(1), after: give(2) },
			},
			{ timeoutMs: 30 },
		);
		assert.equal(outcome.error, 'the run took longer than 30 ms while "poll" was running');
		assert.deepEqual(listStatuses(outcome), { poll: "cancelled", step: "success", after: "skipped" });
	});

	test("ends in a delay when the run is cancelled", async () => {
		const controller = new AbortController();
		setTimeout(() => controller.abort(), 10);
		const outcome = await runDocument(
			{
				triplets: poll,
				config: { poll: repeat("false", { delay_ms: 60_000 }), step: give(1), after: give(2) },
			},
			{ signal: controller.signal },
		);
		assert.equal(outcome.error, "cancelled");
		assert.equal(listStatuses(outcome).poll, "cancelled");
	});

	test("ends when another node fails the run, in a turn and in a delay", async () => {
		for (const delay_ms of [0, 60_000]) {
			const outcome = await runDocument({
				triplets: ["poll >> REPEAT turn >> step", "input >> then >> bad", "slow >> then >> bad"],
				config: {
					poll: repeat("false", { delay_ms, max: 1000 }),
					step: { component: "pause", ms: 2 },
					slow: { component: "pause", ms: 15 },
					bad: { component: "refuse", value: "no" },
				},
			});
			assert.equal(outcome.error, "bad: no");
			assert.equal(listStatuses(outcome).poll, "cancelled");
		}
	});

	test("names the turn of a node that runs at the deadline", async () => {
		const outcome = await runDocument(
			{
				triplets: ["poll >> REPEAT turn >> step", "step >> then >> nap"],
				config: {
					poll: repeat("false"),
					step: give("{{turn}}"),
					nap: { component: "pause", ms: 60_000 },
				},
			},
			{ timeoutMs: 30 },
		);
		assert.equal(outcome.error, 'the run took longer than 30 ms while "nap[0]" was running');
	});

	test("counts its turns as steps, and is named when they run out", async () => {
		const outcome = await runDocument(
			{ triplets: poll, config: { poll: repeat("false", { max: 1000 }), step: give(1), after: give(2) } },
			{ budget: { stepsLeft: 100 } },
		);
		assert.equal(outcome.error, 'more than 10000 steps, most of them in the loop "poll >> REPEAT turn"');
	});
});

describe("nested", () => {
	test("in a FOREACH, each element repeats on its own, and the lists hold the last turns", async () => {
		const outcome = await runDocument({
			triplets: [
				"all >> FOREACH one >> poll",
				"poll >> REPEAT turn >> step",
				"poll >> then >> done",
				"all >> then >> after",
			],
			config: {
				all: give([2, 0, 1]),
				poll: repeat("turn == one"),
				step: give("{{one_index}}:{{turn}}"),
				done: give("{{poll.turns}}"),
				after: give({ step: "{{step}}", done: "{{done}}", poll: "{{poll}}" }),
			},
		});
		assert.deepEqual(outcome.data, {
			step: ["0:2", "1:0", "2:1"],
			done: [3, 1, 2],
			poll: [{ turns: 3 }, { turns: 1 }, { turns: 2 }],
		});
	});

	test("around a FOREACH, each turn gives lists", async () => {
		const lists = await runDocument({
			triplets: ["poll >> REPEAT turn >> list", "list >> FOREACH one >> name", "poll >> then >> after"],
			config: {
				poll: repeat("name.size() == 2 && turn == 1"),
				list: give(["a", "b"]),
				name: give("{{turn}}{{one}}{{turn_last.name | json | default('')}}"),
				after: give("{{name}}"),
			},
		});
		assert.deepEqual(lists.data, ['1a["0a","0b"]', '1b["0a","0b"]']);
	});

	test("in a REPEAT, the inner turns start again in each outer turn", async () => {
		const outcome = await runDocument({
			triplets: [
				"outer >> REPEAT o >> inner",
				"inner >> REPEAT i >> step",
				"inner >> then >> text",
				"outer >> then >> after",
			],
			config: {
				outer: repeat("o == 2"),
				inner: repeat("i == o"),
				step: give('{{i_last.step | default("")}}{{o}}{{i}} '),
				text: give('{{o_last.text | default("")}}{{step}}'),
				after: give("{{text}}"),
			},
		});
		assert.equal(outcome.data, "00 10 11 20 21 22 ");
	});

	test("a failure names all indexes, and an ON_FAIL handles it where it is", async () => {
		const config = {
			all: give([0, 1]),
			poll: repeat("false"),
			step: { component: "check", condition: "turn == 1 && one == 1" },
			guard: { component: "guard", value: "{{step}}" },
			rescue: give("rescued {{one}}"),
			after: give(["{{rescue}}"]),
		};
		const triplets = ["all >> FOREACH one >> poll", "poll >> REPEAT turn >> step", "step >> then >> guard"];
		const failed = await runDocument({
			triplets,
			config: { all: config.all, poll: repeat("one == 0"), step: config.step, guard: config.guard },
		});
		assert.equal(failed.error, "guard[1][1]: refused");
		const rescued = await runDocument({
			triplets: [...triplets, "poll >> ON_FAIL >> rescue", "all >> then >> after"],
			config: { ...config, poll: repeat("one == 0") },
		});
		assert.deepEqual(rescued.data, [[null, "rescued 1"]]);
	});

	test("with on_item_error: collect outside, a failed repeat is the element's error", async () => {
		const outcome = await runDocument(
			{
				triplets: [
					"all >> FOREACH one >> poll",
					"poll >> REPEAT turn >> step",
					"poll >> then >> done",
					"all >> then >> after",
				],
				config: {
					all: { ...give([0, 1, 5]), on_item_error: "collect" },
					poll: repeat("turn == one", { max: 3 }),
					step: { component: "guard", value: "{{input.stop[1]}}" },
					done: give("{{one}}"),
					after: give({ poll: "{{poll}}", done: "{{done}}", step: "{{step}}" }),
				},
			},
			{ input: { stop: [0, false] } },
		);
		const error = "until was not true after 3 turns";
		assert.deepEqual(outcome.data, {
			poll: [{ turns: 1 }, { turns: 2 }, { error }],
			done: [0, 1, { error }],
			step: [false, false, { error }],
		});
		assert.deepEqual(outcome.nodes[0]?.log, [`1 of 3 elements failed; element 2: poll: ${error}`]);
	});

	test("a failed turn inside a collecting loop names its turn", async () => {
		const outcome = await runDocument({
			triplets: ["all >> FOREACH one >> poll", "poll >> REPEAT turn >> step", "all >> then >> after"],
			config: {
				all: { ...give([true, false]), on_item_error: "collect" },
				poll: repeat("true"),
				step: { component: "guard", value: "{{one}}" },
				after: give(["{{poll}}", "{{step}}"]),
			},
		});
		const error = "step[0]: refused";
		assert.deepEqual(outcome.data, [
			[{ error }, { turns: 1 }],
			[{ error }, false],
		]);
	});
});
