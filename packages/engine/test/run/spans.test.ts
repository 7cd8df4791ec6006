import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { NodeSpan, NodeSpans } from "../../src/run/options.ts";
import { type Act, fails, failsLater, gives, later, runNodes, waitsForAbort } from "./build.ts";

interface FakeSpan {
	readonly id: string;
	readonly loop: string | null;
	attempts: number;
	status: string | null;
}

function createSpans() {
	const begun: FakeSpan[] = [];
	/** The node that is being attempted. */
	let present: string | null = null;
	const spans: NodeSpans = {
		begin({ id, component }, loop) {
			assert.ok(component.length > 0);
			const span = { id, loop: (loop as FakeSpan | undefined)?.id ?? null, attempts: 0, status: null };
			begun.push(span);
			return span;
		},
		attempt(span: NodeSpan, attempt, work) {
			(span as FakeSpan).attempts = attempt;
			const before = present;
			present = (span as FakeSpan).id;
			try {
				return work();
			} finally {
				present = before;
			}
		},
		end(span, status) {
			assert.equal((span as FakeSpan).status, null);
			(span as FakeSpan).status = status;
		},
	};
	return { spans, begun, getPresent: () => present };
}

const listSpans = (begun: readonly FakeSpan[]) =>
	begun.map(({ id, loop, attempts, status }) => [id, loop, attempts, status]);

describe("spans of nodes", () => {
	test("begin with the first attempt and end with the node; skipped nodes have none", async () => {
		const { spans, begun, getPresent } = createSpans();
		const seen: (string | null)[] = [];
		const look: Act = () => {
			seen.push(getPresent());
			return true;
		};
		await runNodes(
			{ a: look, yes: later(5), no: gives(1) },
			[
				["a", "ON_TRUE", "yes"],
				["a", "ON_FALSE", "no"],
			],
			{ spans },
		);
		assert.deepEqual(seen, ["a"]);
		assert.equal(getPresent(), null);
		assert.deepEqual(listSpans(begun), [
			["a", null, 1, "success"],
			["yes", null, 1, "success"],
		]);
	});

	test("count the attempts", async () => {
		const { spans, begun } = createSpans();
		await runNodes({ a: { act: fails("no"), retry: { max: 2, delay_ms: 1 } } }, [], { spans });
		assert.deepEqual(listSpans(begun), [["a", null, 3, "failed"]]);
	});

	test("of a loop's body are within that of the loop's node, one for each element", async () => {
		const { spans, begun } = createSpans();
		await runNodes(
			{ list: gives([1, 2]), each: gives([1]), inner: gives(1) },
			[
				["list", "FOREACH x", "each"],
				["each", "FOREACH y", "inner"],
			],
			{ spans },
		);
		assert.deepEqual(
			listSpans(begun).map(([id, loop]) => [id, loop]),
			[
				["list", null],
				["each", "list"],
				["each", "list"],
				["inner", "each"],
				["inner", "each"],
			],
		);
		assert.ok(begun.every(({ status }) => status === "success"));
	});

	test("of cancelled nodes end", async () => {
		const { spans, begun } = createSpans();
		await runNodes({ a: failsLater("no", 5), b: waitsForAbort([]) }, [], { spans });
		assert.deepEqual(listSpans(begun), [
			["a", null, 1, "failed"],
			["b", null, 1, "cancelled"],
		]);
	});
});
