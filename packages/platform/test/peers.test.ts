import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Kv } from "../src/kv.ts";
import { type Peers, signalPeers } from "../src/peers.ts";
import type { Signals } from "../src/signals.ts";

/** Processes that share a key-value store and hear each other. */
function createProcesses(count: number) {
	const stored = new Map<string, string>();
	const kv = {
		get: async (key) => stored.get(key) ?? null,
		put: async (key, value) => void stored.set(key, value),
		delete: async (key) => void stored.delete(key),
		list: async () => ({ keys: [...stored.keys()], cursor: null }),
	} satisfies Kv;
	const receivers: Map<string, (text: string) => void>[] = Array.from({ length: count }, () => new Map());
	const sealer = {
		seal: async (context: readonly string[], text: string) =>
			`sealed ${context.join()} ${text.split("").reverse().join("")}`,
		open: async (context: readonly string[], envelope: string) =>
			envelope.slice(`sealed ${context.join()} `.length).split("").reverse().join(""),
	};
	const processes = receivers.map((own, nth): Peers => {
		const signals: Signals = {
			send(topic, text) {
				for (const [other, topics] of receivers.entries()) if (other !== nth) topics.get(topic)?.(text);
			},
			on: (topic, receive) => void own.set(topic, receive),
		};
		const background = { run: (_: string, work: () => Promise<unknown>) => void work() };
		return signalPeers({ signals, kv, sealer: async () => sealer, background, count: () => count - 1 });
	});
	return { processes, stored };
}

describe("peers", () => {
	test("answer with what one of them has, which is sealed while it is stored", async () => {
		const { processes, stored } = createProcesses(3);
		processes[1]?.answer("output", async () => null);
		processes[2]?.answer("output", async (key) => `value of ${key}`);
		assert.equal(await processes[0]?.ask("output", "a b"), "value of a b");
		assert.ok([...stored.values()].every((text) => !text.includes("value")));
	});

	test("say at once that none has it", async () => {
		const { processes } = createProcesses(3);
		for (const each of processes) each.answer("output", async () => null);
		const started = performance.now();
		assert.equal(await processes[0]?.ask("output", "x"), null);
		assert.ok(performance.now() - started < 300);
	});

	test("are waited for only so long, if one does not answer", async () => {
		const { processes } = createProcesses(3);
		processes[1]?.answer("output", async () => null);
		assert.equal(await processes[0]?.ask("output", "x"), null);
	});

	test("are not asked if there are none", async () => {
		const { processes } = createProcesses(1);
		const started = performance.now();
		assert.equal(await processes[0]?.ask("output", "x"), null);
		assert.ok(performance.now() - started < 50);
	});
});
