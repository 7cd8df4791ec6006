import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics } from "@tripline/platform/metrics";
import { renderMetrics } from "@tripline/platform/metrics-text";
import { collectMetrics, createSiblings, relayMetrics, type ToProcess } from "../src/relay-metrics.ts";

const TIMEOUT_MS = 30;

/** Processes that a supervisor relays between, without their processes. Those that hang answer nothing. */
function openProcesses(count: number, hanging: readonly number[] = []) {
	const listeners = new Map<number, (message: unknown) => void>();
	const toAsked = (number: number) => ({
		number,
		send: (message: ToProcess) => {
			if (!hanging.includes(number)) queueMicrotask(() => listeners.get(number)?.(message));
		},
	});
	const numbers = Array.from({ length: count }, (_, index) => index + 1);
	const relay = relayMetrics(() => numbers.map(toAsked), TIMEOUT_MS);
	return numbers.map((number) => {
		const metrics = createMetrics();
		metrics.counter({ name: "runs", help: "Runs" }).add(number);
		metrics.read({ files: { type: "gauge", help: "Files" } }, () => ({ files: 9 }), { isShared: true });
		const siblings = createSiblings({
			...{ number, timeoutMs: TIMEOUT_MS },
			send: (message) => void relay(toAsked(number), message),
			onMessage: (listener) => listeners.set(number, listener),
		});
		siblings.answer(() => metrics.collect("own"));
		return async () => {
			const text = renderMetrics(await collectMetrics(metrics, siblings), "prometheus");
			return text.split("\n").filter((line) => /^(?:runs|files)/.test(line));
		};
	});
}

test("whichever process is scraped, all are seen, and what they share only once", async () => {
	const [first, second, third] = openProcesses(3);
	const runs = (order: readonly number[]) =>
		order.map((number) => `runs_total{process="${number}"} ${number}`);
	assert.deepEqual(await first?.(), ["files 9", ...runs([1, 2, 3])]);
	assert.deepEqual(await second?.(), ["files 9", ...runs([2, 1, 3])]);
	assert.deepEqual(await Promise.all([first?.(), third?.(), third?.()]), [
		["files 9", ...runs([1, 2, 3])],
		["files 9", ...runs([3, 1, 2])],
		["files 9", ...runs([3, 1, 2])],
	]);
});

test("a process that hangs is left out, and does not keep the scrape for long", async () => {
	const [first] = openProcesses(3, [2]);
	assert.deepEqual(await first?.(), ["files 9", 'runs_total{process="1"} 1', 'runs_total{process="3"} 3']);
});

test("without an answer of the supervisor a process shows its own", async () => {
	const [first] = openProcesses(1, [1]);
	assert.deepEqual(await first?.(), ["files 9", 'runs_total{process="1"} 1']);
});
