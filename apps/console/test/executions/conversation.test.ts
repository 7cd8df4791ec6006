import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { KeptNode } from "../../src/api/types.ts";
import { findAgent } from "../../src/pages/executions/conversation/agents.ts";
import {
	buildConversations,
	isAnswered,
	isUnfinished,
} from "../../src/pages/executions/conversation/build.ts";

const step = (
	id: string,
	place: string,
	input: Json | undefined,
	output?: Json,
	more: Partial<KeptNode> = {},
): KeptNode => ({
	...{ id, place, attempt: 1, status: "success", duration_ms: 10 },
	...(input !== undefined && { input: { json: input } }),
	...(output !== undefined && { output: { json: output } }),
	...more,
});

const USAGE = { input_tokens: 10, output_tokens: 5, total_tokens: 15, cost: 0.5 };
const call = (id: string, name: string, args: Json) => ({ id, name, arguments: args, is_json: true });
const say = (text: string, ...tool_calls: Json[]): Json => ({ text, tool_calls, usage: USAGE });
const ask = (messages: Json[]): Json => ({ messages });
const SYSTEM = { role: "system", content: "Be brief." };
const USER = { role: "user", content: "Hello" };

const only = (steps: readonly KeptNode[]) => {
	const [first, ...rest] = buildConversations(steps);
	assert.ok(first !== undefined);
	assert.deepEqual(rest, []);
	return first;
};

describe("the conversation of an agent", () => {
	const first = step(
		"a/model",
		"0.0",
		ask([SYSTEM, USER]),
		say("I look.", call("1", "find", { q: "x" }), call("2", "find", { q: 7 }), call("3", "find", { q: "y" })),
	);
	// The second call was wrong, so there is no step of it.
	const found = [
		step("a/find", "1.1", { q: "y", limit: 5 }, "Y"),
		step("a/find", "1.0", { q: "x", limit: 5 }, undefined, { status: "failed", error: "no" }),
	];
	const told = [
		SYSTEM,
		USER,
		{ role: "assistant", content: "I look." },
		{ role: "tool", tool_call_id: "1", content: "no", is_error: true },
		{ role: "tool", tool_call_id: "2", content: "wrong", is_error: true },
		{ role: "tool", tool_call_id: "3", content: "Y" },
	];
	const last = step("a/model", "2.0", ask(told), say("Done."));
	const agent = step(
		"a",
		"",
		{ max_steps: 3 },
		{ text: "Done.", usage: { ...USAGE, cost: 1 } },
		{ duration_ms: 99 },
	);

	test("has each call with its own step, or with why it was not made", () => {
		const { asked, turns, ended } = only([first, ...found, last, agent]);
		assert.deepEqual(asked, [
			{ role: "system", text: "Be brief." },
			{ role: "user", text: "Hello" },
		]);
		assert.deepEqual(
			turns.map(({ text }) => text),
			["I look.", "Done."],
		);
		assert.deepEqual(
			turns[0]?.calls.map(({ step, refusal }) => step?.error ?? step?.output ?? refusal),
			["no", "wrong", { json: "Y" }],
		);
		assert.equal(ended, agent);
	});

	test("adds up what it used, or takes what the agent says", () => {
		const running = only([first, ...found, last]).totals;
		assert.deepEqual(running, { modelCalls: 2, toolCalls: 2, input: 20, output: 10, cost: 1, time: 40 });
		const { input, time } = only([first, ...found, last, agent]).totals;
		assert.deepEqual([input, time], [10, 99]);
		const unpriced = step("a/model", "4.0", ask([]), { text: "", usage: { input_tokens: null } });
		assert.equal(only([first, unpriced]).totals.cost, null);
	});

	test("is unfinished until the model answers without calls", () => {
		const started = only([first]);
		assert.ok(isUnfinished(started));
		assert.deepEqual(started.turns[0]?.calls.map(isAnswered), [false, false, false]);
		assert.ok(!isUnfinished(only([first, last])));
		assert.ok(!isUnfinished(only([step("a/model", "0.0", ask([]), undefined, { status: "failed" })])));
	});

	test("has the approvals of calls", () => {
		const question = (args: Json) => ({ question: "May the agent call **pay**?", show: { arguments: args } });
		const { turns } = only([
			step(
				"a/model",
				"0.0",
				ask([USER]),
				say("", call("1", "pay", { to: "A" }), call("2", "pay", { to: "B" })),
			),
			step("a/approval", "1.1", question({ to: "B" }), { approved: true }),
			step("a/approval", "1.0", question({ to: "A" }), { approved: false, comment: "no" }),
			step("a/pay", "2.0", { name: "pay", input: { to: "B" } }, "paid"),
		]);
		const [refused, paid] = turns[0]?.calls ?? [];
		assert.deepEqual([refused?.approval?.place, refused?.step], ["1.0", null]);
		assert.ok(refused !== undefined && isAnswered(refused));
		assert.deepEqual([paid?.approval?.place, paid?.step?.place], ["1.1", "2.0"]);
	});

	test("shows what is kept, if values are too large", () => {
		const cut = { text: "[{", bytes: 70_000 };
		const { input: _, ...bare } = step("a/model", "0.0", undefined);
		const { asked, turns } = only([
			{ ...bare, input: cut, output: cut },
			step("a/find", "1.0", undefined, "X", { input: cut }),
			step("a", "", { instructions: "Be brief.", prompt: "Hello" }, undefined, { status: "failed" }),
		]);
		assert.deepEqual(
			asked.map(({ text }) => text),
			["Be brief.", "Hello"],
		);
		assert.equal(turns[0]?.isCut, true);
		assert.deepEqual(
			turns[0]?.calls.map(({ name, given }) => [name, given]),
			[["find", undefined]],
		);
	});

	test("is one for each agent and each element of a loop", () => {
		const one = (id: string, place: string) => step(id, place, ask([USER]), say("x"));
		const all = buildConversations([
			one("a/model", "0.0.0"),
			one("a/model", "1.0.0"),
			one("b/c/model", "0.0"),
		]);
		assert.deepEqual(
			all.map(({ agent: name, place, turns }) => [name, place, turns.length]),
			[
				["a", "0", 1],
				["a", "1", 1],
				["b/c", "", 1],
			],
		);
	});

	test("has the workflows of a tag, and nothing of the memory", () => {
		const run = (place: string, name: string, input: Json) =>
			step("a/tag:shop", place, { name, input }, name);
		const { turns, totals } = only([
			step("a/recall", "0.0", { key: "k" }, []),
			step(
				"a/model",
				"1.0",
				ask([USER]),
				say("", call("1", "order_status", {}), call("2", "order_status_2", {})),
			),
			run("2.0", "order status", {}),
			run("2.1", "order.status", {}),
			step("a/model", "3.0", ask([USER]), say("Done.")),
			step("a/keep", "4.0", { key: "k" }, null),
		]);
		assert.deepEqual(
			turns.map(({ calls }) => calls.map(({ step: made }) => made?.place)),
			[["2.0", "2.1"], []],
		);
		assert.equal(totals.toolCalls, 2);
	});

	test("shows parts of messages as text", () => {
		const content = [
			{ type: "text", text: "Look" },
			{ type: "file", file: { $file: "x" } },
		];
		const { asked } = only([step("a/model", "0.0", ask([{ role: "user", content }]), say("x"))]);
		assert.match(asked[0]?.text ?? "", /^Look\n\n\{[\s\S]*\$file/);
	});
});

test("a step belongs to the agent whose name comes before its last slash", () => {
	const nodes = [
		{ id: "a", component: "agent" },
		{ id: "a/b", component: "agent" },
		{ id: "set", component: "set" },
	];
	assert.equal(findAgent("a/model", nodes)?.id, "a");
	assert.equal(findAgent("a/b/model", nodes)?.id, "a/b");
	assert.equal(findAgent("set/model", nodes), undefined);
	assert.equal(findAgent("a", nodes), undefined);
});
