import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { nodeTurns } from "../src/turns.node.ts";

let time = 1000;

// A resting key would keep the process alive, because its clock does not advance between the tests.
afterEach(() => {
	time += 60_000;
});

/** A clock that only computing moves. */
function world({ isShared = true } = {}) {
	const turns = nodeTurns({ now: () => time, isShared });
	const order: string[] = [];
	const pass = (ms: number) => {
		time += ms;
	};
	const run = (key: string, ms: number) =>
		turns.run(key, () => {
			order.push(key);
			pass(ms);
		});
	return { turns, order, run, pass };
}

/** After a turn that was used up the loop looks for requests first. */
const nextTurn = () => loopTurn().then(loopTurn);
const loopTurn = () => new Promise((resolve) => setImmediate(resolve));

describe("turns of the event loop", () => {
	test("the first callers compute immediately, several in one turn", () => {
		const { run, order } = world();
		for (let nth = 0; nth < 5; nth++) assert.equal(run("a", 1), undefined);
		assert.equal(order.length, 5);
	});

	test("work that waits is bound to its caller, and other work is not", async () => {
		let bound = 0;
		const bind = (work: () => void) => {
			bound++;
			return work;
		};
		const turns = nodeTurns({ now: () => time, bind });
		turns.run("a", () => {
			time += 30;
		});
		assert.equal(bound, 0);
		assert.equal(await turns.run("a", () => 2), 2);
		assert.equal(bound, 1);
		await new Promise<void>((resolve) => turns.later("a", resolve));
		assert.equal(bound, 2);
	});

	test("results and errors are passed to the caller", async () => {
		const { turns, run } = world();
		assert.equal(
			turns.run("a", () => 1),
			1,
		);
		run("a", 30);
		assert.equal(await turns.run("a", () => 2), 2);
		run("a", 30);
		await assert.rejects(async () => {
			await turns.run("a", () => {
				throw new Error("bad");
			});
		}, /bad/);
	});

	test("after a turn is used up, others wait for the next", async () => {
		const { run, order } = world();
		run("a", 30);
		const waiting = run("b", 1);
		assert.deepEqual(order, ["a"]);
		await waiting;
		assert.deepEqual(order, ["a", "b"]);
	});

	test("work that arrives before the loop polls belongs to the used-up turn", async () => {
		const { run, order } = world();
		run("a", 30);
		await loopTurn();
		const waiting = run("a", 1);
		assert.deepEqual(order, ["a"]);
		await waiting;
		assert.deepEqual(order, ["a", "a"]);
	});

	test("each long computation takes its own turn of the event loop", async () => {
		const { run, order } = world();
		const runs = Array.from({ length: 5 }, () => run("a", 100));
		const seen: number[] = [];
		while (order.length < 5) {
			seen.push(order.length);
			await loopTurn();
		}
		await Promise.all(runs);
		assert.deepEqual([...new Set(seen)], [1, 2, 3, 4]);
	});

	test("a key that computed little runs before one that computed much", async () => {
		const { run, order } = world();
		run("busy", 3);
		run("busy", 3);
		const all = [run("busy", 3), run("busy", 3), run("quiet", 1), run("quiet", 1)];
		await Promise.all(all);
		assert.deepEqual(order.slice(2), ["quiet", "quiet", "busy", "busy"]);
	});

	test("a key that computes long rests while others compute, but not when alone", async () => {
		const { run, order, pass } = world();
		run("long", 60);
		await nextTurn();
		run("long", 60);
		assert.deepEqual(order, ["long", "long"]);
		await nextTurn();
		run("other", 1);
		const resting = run("long", 60);
		await loopTurn();
		await loopTurn();
		assert.deepEqual(order.slice(2), ["other"]);
		pass(1200);
		await resting;
		assert.deepEqual(order.slice(2), ["other", "long"]);
	});

	test("no key rests if all belong to one owner", async () => {
		const { run, order } = world({ isShared: false });
		for (let nth = 0; nth < 5; nth++) {
			run("long", 60);
			await nextTurn();
			run("other", 1);
			await nextTurn();
		}
		assert.equal(order.length, 10);
	});

	test("a key that is occasionally slow does not rest", async () => {
		const { run, order, pass } = world();
		for (let nth = 0; nth < 5; nth++) {
			run("unlucky", 20);
			await nextTurn();
			run("other", 1);
			pass(1000);
			await nextTurn();
		}
		assert.equal(order.length, 10);
	});

	test("waiting work gets its own turn, however long new requests take", async () => {
		const { turns, pass } = world();
		let begun = 0;
		turns.run("a", () => pass(30));
		const waiting = turns.run("b", () => begun++);
		// As if every turn of the event loop were used up before waiting work starts.
		const requests = setInterval(() => turns.run("a", () => pass(30)));
		await waiting;
		clearInterval(requests);
		assert.equal(begun, 1);
	});

	test("synchronous work runs before deferred work", async () => {
		const { turns, pass } = world();
		const events: string[] = [];
		turns.run("a", () => pass(30));
		turns.later("quiet", () => events.push("later"));
		void turns.run("busy", () => events.push("run"));
		while (events.length < 2) await loopTurn();
		assert.deepEqual(events, ["run", "later"]);
	});

	test("deferred work yields to the event loop, one after another", async () => {
		const { turns } = world();
		const events: string[] = [];
		turns.later("a", () => events.push("first"));
		turns.later("a", () => events.push("second"));
		setImmediate(() => events.push("loop"));
		while (events.length < 3) await loopTurn();
		assert.deepEqual(events, ["loop", "first", "second"]);
	});
});

describe("calls that compute in small pieces", () => {
	const { signal } = new AbortController();

	/** Calls that are under way until they are told to end. */
	function calls() {
		const { turns, pass } = world();
		const begun: string[] = [];
		const ends: (() => void)[] = [];
		const call = (owner: string, given = signal) =>
			turns.call(owner, given, () => {
				begun.push(owner);
				return new Promise<void>((resolve) => ends.push(resolve));
			});
		const endNext = async () => {
			ends.shift()?.();
			await loopTurn();
		};
		return { turns, pass, begun, call, endNext };
	}

	test("only a few run at once, and owners take turns", async () => {
		const { begun, call, endNext } = calls();
		for (let nth = 0; nth < 100; nth++) void call("storm");
		void call("other");
		await loopTurn();
		const atOnce = begun.length;
		assert.ok(atOnce < 100);
		await endNext();
		await endNext();
		assert.deepEqual(begun.slice(atOnce), ["storm", "other"]);
	});

	test("while others compute, each owner starts one per turn", async () => {
		const { turns, begun, call } = calls();
		turns.run("other", () => {});
		for (let nth = 0; nth < 5; nth++) void call("storm");
		await Promise.resolve();
		assert.equal(begun.length, 1);
		while (begun.length < 5) await loopTurn();
	});

	test("after a turn is used up, waiting calls start in the next", async () => {
		const { turns, pass, begun, call } = calls();
		turns.run("a", () => pass(30));
		void call("a");
		await Promise.resolve();
		assert.deepEqual(begun, []);
		await loopTurn();
		await loopTurn();
		assert.deepEqual(begun, ["a"]);
	});

	test("one starts in every turn, however much others compute", async () => {
		const { turns, pass, begun, call } = calls();
		const requests = setInterval(() => turns.run("other", () => pass(30)));
		turns.run("other", () => pass(30));
		void call("a");
		for (let nth = 0; nth < 20 && begun.length === 0; nth++) await loopTurn();
		clearInterval(requests);
		assert.deepEqual(begun, ["a"]);
	});

	test("a call aborted while waiting does not start", async () => {
		const { turns, pass, begun, call } = calls();
		turns.run("a", () => pass(30));
		const controller = new AbortController();
		const given = call("a", controller.signal);
		controller.abort(new Error("too late"));
		await assert.rejects(given, /too late/);
		assert.deepEqual(begun, []);
	});

	test("results and errors reach the caller, and the slot is released", async () => {
		const { turns } = calls();
		for (let nth = 0; nth < 100; nth++) {
			assert.equal(await turns.call("a", signal, async () => nth), nth);
			await assert.rejects(
				turns.call("a", signal, () => Promise.reject(new Error("bad"))),
				/bad/,
			);
		}
	});
});
