import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TerminalError } from "../../src/terminal-error.ts";
import { fails, gives, later, listStatuses, runNodes, waitsForAbort } from "./build.ts";

const one = gives(1);

describe("an unhandled failure", () => {
	test("fails the run and names the node", async () => {
		const outcome = await runNodes({ a: one, "my node": fails("no luck") }, [["a", "ON_SUCCESS", "my node"]]);
		assert.equal(outcome.success, false);
		assert.equal(outcome.error, "my node: no luck");
		assert.equal(outcome.failedNode, "my node");
		assert.equal(outcome.data, null);
		assert.equal(outcome.nodes[1]?.error, "no luck");
	});

	test("cancels what is in flight and starts nothing else", async () => {
		const aborted: string[] = [];
		const started: string[] = [];
		const { promise: isDone, resolve } = Promise.withResolvers<void>();
		const outcome = await runNodes(
			{
				bad: () => isDone.then(() => Promise.reject(new Error("no"))),
				slow: waitsForAbort(aborted),
				after: () => started.push("after"),
				done: () => {
					resolve();
					return 1;
				},
				join: () => started.push("join"),
			},
			[
				["slow", "ALWAYS", "after"],
				["done", "ON_SUCCESS", "join"],
				["slow", "ON_SUCCESS", "join"],
			],
		);
		assert.equal(outcome.error, "bad: no");
		assert.deepEqual(aborted, ["slow"]);
		assert.deepEqual(started, []);
		assert.deepEqual(listStatuses(outcome), {
			bad: "failed",
			slow: "cancelled",
			after: "skipped",
			done: "success",
			join: "skipped",
		});
		assert.equal(outcome.nodes[1]?.attempts, 1);
	});

	test("does not start nodes that were ready but not started", async () => {
		const started: string[] = [];
		const outcome = await runNodes({ bad: fails("no"), ready: () => started.push("ready") });
		assert.deepEqual(started, []);
		assert.deepEqual(listStatuses(outcome), { bad: "failed", ready: "skipped" });
	});

	test("still runs nodes behind the failed node's ALWAYS edges", async () => {
		const outcome = await runNodes(
			{
				bad: fails("no"),
				clean: later(5, true),
				more: one,
				not: one,
				other: one,
				join: one,
			},
			[
				["bad", "ALWAYS", "clean"],
				["clean", "ON_TRUE", "more"],
				["clean", "ON_FALSE", "not"],
				["other", "ON_SUCCESS", "join"],
				["more", "ON_SUCCESS", "join"],
			],
		);
		assert.equal(outcome.error, "bad: no");
		assert.equal(outcome.data, null);
		assert.deepEqual(listStatuses(outcome), {
			bad: "failed",
			clean: "success",
			more: "success",
			not: "skipped",
			other: "skipped",
			join: "success",
		});
	});

	test("keeps the first error when the cleanup fails too", async () => {
		const outcome = await runNodes(
			{ bad: fails("first"), clean: fails("second"), rest: later(5), handled: one, last: one },
			[
				["bad", "ALWAYS", "clean"],
				["bad", "ALWAYS", "rest"],
				["clean", "ON_FAIL", "handled"],
				["rest", "ON_SUCCESS", "last"],
			],
		);
		assert.equal(outcome.error, "bad: first");
		assert.equal(outcome.failedNode, "bad");
		assert.deepEqual(listStatuses(outcome), {
			bad: "failed",
			clean: "failed",
			rest: "success",
			handled: "success",
			last: "success",
		});
	});

	test("runs the cleanup only within the deadline", async () => {
		const aborted: string[] = [];
		const outcome = await runNodes(
			{ bad: fails("first"), clean: waitsForAbort(aborted), last: one },
			[
				["bad", "ALWAYS", "clean"],
				["clean", "ALWAYS", "last"],
			],
			{ timeoutMs: 20 },
		);
		assert.equal(outcome.error, "bad: first");
		assert.deepEqual(aborted, ["clean"]);
		assert.deepEqual(listStatuses(outcome), { bad: "failed", clean: "cancelled", last: "skipped" });
	});

	test("ignores a late answer of a cancelled node", async () => {
		let late: (value: number) => void = () => {};
		const outcome = await runNodes(
			{
				bad: () => Promise.reject(new Error("no")),
				slow: () => new Promise((resolve) => (late = resolve)),
				after: one,
			},
			[["slow", "ON_SUCCESS", "after"]],
		);
		const before = JSON.stringify(outcome);
		late(1);
		await new Promise((resolve) => setTimeout(resolve, 5));
		assert.equal(JSON.stringify(outcome), before);
	});
});

describe("ON_FAIL", () => {
	test("handles the failure: the run continues and succeeds", async () => {
		const outcome = await runNodes({ a: fails("no"), b: gives("mended"), c: one }, [
			["a", "ON_FAIL", "b"],
			["a", "ON_SUCCESS", "c"],
		]);
		assert.equal(outcome.success, true);
		assert.equal(outcome.data, "mended");
		assert.equal(outcome.error, undefined);
		assert.deepEqual(listStatuses(outcome), { a: "failed", b: "success", c: "skipped" });
	});

	test("together with ALWAYS handles it, and both are taken", async () => {
		const outcome = await runNodes({ a: fails("no"), b: one, c: one }, [
			["a", "ON_FAIL", "b"],
			["a", "ALWAYS", "c"],
		]);
		assert.equal(outcome.success, true);
		assert.deepEqual(listStatuses(outcome), { a: "failed", b: "success", c: "success" });
	});

	test("handles an output that does not match the node's edges", async () => {
		const outcome = await runNodes({ a: gives("?"), b: one, c: gives("mended") }, [
			["a", "ON_TRUE", "b"],
			["a", "ON_FAIL", "c"],
		]);
		assert.equal(outcome.data, "mended");
	});
});

describe("the message of a failure", () => {
	const thrown = async (value: unknown) =>
		(
			await runNodes({
				a: () => {
					throw value;
				},
			})
		).error;

	test("is the message of the error", async () => {
		assert.equal(await thrown(new TerminalError("no")), "a: no");
		assert.equal((await runNodes({ a: () => Promise.reject(new Error("later")) })).error, "a: later");
	});

	test("is a generic message if something else was thrown", async () => {
		for (const value of ["secret", 1, null, undefined, { message: "x" }, new Error("")]) {
			assert.equal(await thrown(value), "a: the component failed without an error message");
		}
		const hostile = Object.defineProperty(new Error(), "message", {
			get: () => {
				throw new Error("trap");
			},
		});
		assert.equal(await thrown(hostile), "a: the component failed without an error message");
	});

	test("is at most 2,000 well-formed characters", async () => {
		assert.equal(await thrown(new Error("x".repeat(5_000))), `a: ${"x".repeat(2_000)}`);
		assert.equal(await thrown(new Error(`${"x".repeat(1_999)}😀`)), `a: ${"x".repeat(1_999)}\uFFFD`);
		assert.equal(await thrown(new Error("a\u0000b")), "a: a\uFFFDb");
	});
});
