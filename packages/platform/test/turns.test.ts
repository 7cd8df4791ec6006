import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { nodeTurns } from "../src/turns.node.ts";

let time = 1000;

// A key that still rests would keep the process alive, because its clock stands still between the tests.
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
	test("whoever comes first computes at once, also several in one turn", () => {
		const { run, order } = world();
		for (let nth = 0; nth < 5; nth++) assert.equal(run("a", 1), undefined);
		assert.equal(order.length, 5);
	});

	test("what is computed is given back, and so is what is thrown", async () => {
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

	test("once a turn is used up, the others wait for the next", async () => {
		const { run, order } = world();
		run("a", 30);
		const waiting = run("b", 1);
		assert.deepEqual(order, ["a"]);
		await waiting;
		assert.deepEqual(order, ["a", "b"]);
	});

	test("what comes before the loop has looked for requests belongs to the turn that is used up", async () => {
		const { run, order } = world();
		run("a", 30);
		await loopTurn();
		const waiting = run("a", 1);
		assert.deepEqual(order, ["a"]);
		await waiting;
		assert.deepEqual(order, ["a", "a"]);
	});

	test("each that computes long takes a turn of the event loop for itself", async () => {
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

	test("a key that has computed little goes before one that has computed much", async () => {
		const { run, order } = world();
		run("busy", 3);
		run("busy", 3);
		const all = [run("busy", 3), run("busy", 3), run("quiet", 1), run("quiet", 1)];
		await Promise.all(all);
		assert.deepEqual(order.slice(2), ["quiet", "quiet", "busy", "busy"]);
	});

	test("whoever computes long rests while others compute, and not when it is alone", async () => {
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

	test("where all belong to one owner, nobody rests", async () => {
		const { run, order } = world({ isShared: false });
		for (let nth = 0; nth < 5; nth++) {
			run("long", 60);
			await nextTurn();
			run("other", 1);
			await nextTurn();
		}
		assert.equal(order.length, 10);
	});

	test("who is held up once in a while does not rest", async () => {
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

	test("those who wait have a turn of their own, however long requests take that have just come", async () => {
		const { turns, pass } = world();
		let begun = 0;
		turns.run("a", () => pass(30));
		const waiting = turns.run("b", () => begun++);
		// As if every turn of the event loop were used up before it comes to those who wait.
		const requests = setInterval(() => turns.run("a", () => pass(30)));
		await waiting;
		clearInterval(requests);
		assert.equal(begun, 1);
	});

	test("what computes at once comes before what goes on later", async () => {
		const { turns, pass } = world();
		const events: string[] = [];
		turns.run("a", () => pass(30));
		turns.later("quiet", () => events.push("later"));
		void turns.run("busy", () => events.push("run"));
		while (events.length < 2) await loopTurn();
		assert.deepEqual(events, ["run", "later"]);
	});

	test("what goes on later lets the event loop have its turn, one after another", async () => {
		const { turns } = world();
		const events: string[] = [];
		turns.later("a", () => events.push("first"));
		turns.later("a", () => events.push("second"));
		setImmediate(() => events.push("loop"));
		while (events.length < 3) await loopTurn();
		assert.deepEqual(events, ["loop", "first", "second"]);
	});
});

describe("calls that compute bit by bit", () => {
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

	test("few are under way at once, and then the owners take turns", async () => {
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

	test("while others compute, each owner begins one in a turn", async () => {
		const { turns, begun, call } = calls();
		turns.run("other", () => {});
		for (let nth = 0; nth < 5; nth++) void call("storm");
		await Promise.resolve();
		assert.equal(begun.length, 1);
		while (begun.length < 5) await loopTurn();
	});

	test("once a turn is used up, those that wait begin in the next", async () => {
		const { turns, pass, begun, call } = calls();
		turns.run("a", () => pass(30));
		void call("a");
		await Promise.resolve();
		assert.deepEqual(begun, []);
		await loopTurn();
		await loopTurn();
		assert.deepEqual(begun, ["a"]);
	});

	test("one begins however much others compute in every turn", async () => {
		const { turns, pass, begun, call } = calls();
		const requests = setInterval(() => turns.run("other", () => pass(30)));
		turns.run("other", () => pass(30));
		void call("a");
		for (let nth = 0; nth < 20 && begun.length === 0; nth++) await loopTurn();
		clearInterval(requests);
		assert.deepEqual(begun, ["a"]);
	});

	test("one that was given up while it waited does not begin", async () => {
		const { turns, pass, begun, call } = calls();
		turns.run("a", () => pass(30));
		const controller = new AbortController();
		const given = call("a", controller.signal);
		controller.abort(new Error("too late"));
		await assert.rejects(given, /too late/);
		assert.deepEqual(begun, []);
	});

	test("what is given back or thrown reaches the caller, and its place is free again", async () => {
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
