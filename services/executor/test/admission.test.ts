import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { admission } from "../src/runs/admission.ts";

describe("admission", () => {
	test("admits at once while there is room, then in order of arrival", async () => {
		const gate = admission({ atOnce: 2, queue: 10 });
		assert.equal(gate.enter("a"), true);
		assert.equal(gate.enter("a"), true);
		const order: string[] = [];
		for (const name of ["first", "second", "third"]) {
			void Promise.resolve(gate.enter(name)).then((admitted) => order.push(`${name} ${admitted}`));
		}
		await turn();
		assert.deepEqual(order, []);
		gate.leave("a");
		await turn();
		assert.deepEqual(order, ["first true"]);
		gate.leave("a");
		gate.leave("first");
		await turn();
		assert.deepEqual(order, ["first true", "second true", "third true"]);
	});

	test("a new caller never overtakes a waiting one", async () => {
		const gate = admission({ atOnce: 1, queue: 10 });
		gate.enter("a");
		const waiting = gate.enter("a");
		gate.leave("a");
		assert.notEqual(gate.enter("a"), true);
		assert.equal(await waiting, true);
	});

	test("refuses callers when the queue is full", () => {
		const gate = admission({ atOnce: 1, queue: 2 });
		gate.enter("a");
		assert.ok(gate.enter("a") instanceof Promise);
		assert.ok(gate.enter("a") instanceof Promise);
		assert.equal(gate.enter("b"), false);
	});

	test("when shared by tenants, one namespace takes at most half of the queue", () => {
		const gate = admission({ atOnce: 1, queue: 4, isShared: true });
		gate.enter("greedy");
		assert.ok(gate.enter("greedy") instanceof Promise);
		assert.ok(gate.enter("greedy") instanceof Promise);
		assert.equal(gate.enter("greedy"), false);
		assert.ok(gate.enter("modest") instanceof Promise);
	});

	test("an aborted caller leaves the queue and frees its place", async () => {
		const gate = admission({ atOnce: 1, queue: 1 });
		gate.enter("a");
		const controller = new AbortController();
		const waiting = gate.enter("a", controller.signal);
		assert.equal(gate.enter("a"), false);
		controller.abort();
		assert.equal(await waiting, false);
		const next = gate.enter("a");
		gate.leave("a");
		assert.equal(await next, true);
		assert.equal(gate.enter("a", AbortSignal.abort()), false);
	});

	test("aborting after admission changes nothing", async () => {
		const gate = admission({ atOnce: 1, queue: 2 });
		gate.enter("a");
		const controller = new AbortController();
		const waiting = gate.enter("a", controller.signal);
		gate.leave("a");
		controller.abort();
		assert.equal(await waiting, true);
		assert.ok(gate.enter("a") instanceof Promise);
		assert.ok(gate.enter("a") instanceof Promise);
		assert.equal(gate.enter("a"), false);
	});

	test("a namespace's share of the queue counts only its current waiters", async () => {
		const gate = admission({ atOnce: 1, queue: 4, isShared: true });
		gate.enter("a");
		const first = gate.enter("a");
		assert.ok(gate.enter("a") instanceof Promise);
		gate.leave("a");
		assert.equal(await first, true);
		assert.ok(gate.enter("a") instanceof Promise);
		assert.equal(gate.enter("a"), false);
	});

	test("throws when leave is called more often than enter", () => {
		assert.throws(() => admission().leave("a"), /more often/);
	});

	test("drain refuses new callers, lets queued ones run, and resolves with the last", async () => {
		const gate = admission({ atOnce: 1, queue: 2 });
		gate.enter("a");
		const waiting = gate.enter("a");
		let isDrained = false;
		const drained = gate.drain().then(() => {
			isDrained = true;
		});
		assert.equal(gate.enter("b"), false);
		gate.leave("a");
		assert.equal(await waiting, true);
		assert.equal(isDrained, false);
		gate.leave("a");
		await drained;
		await gate.drain();
	});

	test("namespaces take turns regardless of how many callers wait in each", async () => {
		const gate = admission({ atOnce: 1, queue: 100 });
		gate.enter("x");
		const order: string[] = [];
		const wait = (name: string, entered: boolean | Promise<boolean>) =>
			void Promise.resolve(entered).then(() => order.push(name));
		for (let nth = 0; nth < 4; nth++) wait("many", gate.enter("many"));
		wait("one", gate.enter("one"));
		wait("patient one", gate.wait("one"));
		for (const leaving of ["x", "many", "one", "one", "many", "many"]) {
			gate.leave(leaving);
			await turn();
		}
		assert.deepEqual(order, ["many", "one", "patient one", "many", "many", "many"]);
	});

	test("background runs have their own lines: they are not counted in the queue and never refused", async () => {
		const gate = admission({ atOnce: 1, queue: 1 });
		gate.enter("a");
		const patient = Array.from({ length: 50 }, () => gate.wait("a"));
		assert.ok(patient.every((entered) => entered instanceof Promise));
		const caller = gate.enter("a");
		assert.ok(caller instanceof Promise);
		assert.equal(gate.enter("a"), false);
		gate.leave("a");
		assert.equal(await patient[0], true);
		gate.leave("a");
		assert.equal(await caller, true);
	});

	test("drain dismisses waiting background runs", async () => {
		const gate = admission({ atOnce: 1, queue: 1 });
		gate.enter("a");
		const patient = [gate.wait("a"), gate.wait("b")];
		const drained = gate.drain();
		assert.deepEqual(await Promise.all(patient), [false, false]);
		assert.equal(gate.wait("a"), false);
		assert.equal(gate.take("a"), false);
		assert.equal(gate.poll("a"), false);
		gate.leave("a");
		await drained;
	});

	test("when shared by tenants, a namespace never holds more places than are free", async () => {
		const gate = admission({ atOnce: 8, queue: 100, isShared: true });
		const entered = (namespace: string) => {
			let count = 0;
			while (gate.take(namespace)) count++;
			return count;
		};
		assert.equal(entered("greedy"), 4);
		assert.equal(entered("another"), 2);
		assert.equal(entered("a third"), 1);
		assert.equal(gate.enter("modest"), true);
		const waiting = gate.enter("greedy");
		assert.ok(waiting instanceof Promise);
		// No starvation: the share grows as places become free.
		gate.leave("another");
		gate.leave("another");
		gate.leave("modest");
		gate.leave("a third");
		assert.ok(gate.enter("greedy") instanceof Promise);
		gate.leave("greedy");
		assert.equal(await waiting, true);
	});

	test("background runs take only their part of the places and leave the rest to callers", async () => {
		const gate = admission({ atOnce: 256, queue: 0, backgroundPlaces: 64 });
		let patient = 0;
		while (gate.take("a", true)) patient++;
		assert.equal(patient, 64);
		const waiting = gate.wait("b");
		assert.ok(waiting instanceof Promise);
		assert.equal(gate.poll("c", true), false);
		for (let nth = 0; nth < 192; nth++) assert.equal(gate.enter("a"), true);
		assert.equal(gate.enter("a"), false);
		gate.leave("a");
		assert.equal(gate.enter("a"), true);
		gate.leave("a", true);
		assert.equal(await waiting, true);
	});

	test("a poller keeps its namespace's turn", () => {
		let now = 0;
		const gate = admission({ atOnce: 1, queue: 0, now: () => now });
		assert.equal(gate.poll("many"), true);
		for (let nth = 0; nth < 5; nth++) assert.equal(gate.poll("many"), false);
		assert.equal(gate.poll("one"), false);
		gate.leave("many");
		for (const namespace of ["another", "one", "many"]) assert.equal(gate.take(namespace), false);
		assert.equal(gate.poll("one"), false);
		assert.equal(gate.poll("many"), true);
		assert.equal(gate.poll("many"), false);
		gate.leave("many");
		assert.equal(gate.poll("many"), false);
		assert.equal(gate.poll("one"), true);
		gate.leave("one");
		// A poller that has stopped does not block others.
		now += 1_500;
		assert.equal(gate.poll("another"), true);
	});

	test("as many pollers as there are places get their turn at once", () => {
		const gate = admission({ atOnce: 2, queue: 0, now: () => 0 });
		assert.deepEqual([gate.poll("a"), gate.poll("a")], [true, true]);
		assert.deepEqual([gate.poll("b"), gate.poll("c"), gate.poll("d")], [false, false, false]);
		gate.leave("a");
		gate.leave("a");
		assert.deepEqual([gate.poll("d"), gate.poll("c"), gate.poll("b")], [false, true, true]);
	});

	test("never admits more than allowed and admits every caller, in any order of calls", async () => {
		const steps = fc.array(fc.constantFrom("enter a", "enter b", "wait a", "wait c", "leave", "give up"), {
			maxLength: 200,
		});
		await fc.assert(
			fc.asyncProperty(
				steps,
				fc.integer({ min: 1, max: 4 }),
				fc.boolean(),
				async (order, atOnce, isShared) => {
					const gate = admission({ atOnce, queue: 6, isShared });
					const running: [namespace: string, isPatient: boolean][] = [];
					const controllers: AbortController[] = [];
					const answers: Promise<boolean>[] = [];
					const admit = (namespace: string, isPatient: boolean, entered: boolean) => {
						if (entered) running.push([namespace, isPatient]);
						return entered;
					};
					const leave = () => gate.leave(...(running.shift() as [string, boolean]));
					for (const step of order) {
						const [action, namespace = ""] = step.split(" ");
						if (action === "enter" || action === "wait") {
							const controller = new AbortController();
							const answer =
								action === "wait" ? gate.wait(namespace) : gate.enter(namespace, controller.signal);
							if (answer instanceof Promise) {
								if (action === "enter") controllers.push(controller);
								answers.push(answer.then((entered) => admit(namespace, action === "wait", entered)));
							} else admit(namespace, action === "wait", answer);
						} else if (action === "leave" && running.length > 0) leave();
						else if (step === "give up") controllers.shift()?.abort();
						await turn();
						assert.ok(running.length <= atOnce);
					}
					const drained = gate.drain();
					for (await turn(); running.length > 0; await turn()) leave();
					await Promise.all([drained, ...answers]);
				},
			),
			{ numRuns: 100 },
		);
	});
});
