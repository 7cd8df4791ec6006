import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { admission } from "../src/domain/admission.ts";

describe("admission", () => {
	test("answers at once while there is room, and in the order of arrival afterwards", async () => {
		const gate = admission({ atOnce: 2, queue: 10 });
		assert.equal(gate.enter("a"), true);
		assert.equal(gate.enter("a"), true);
		const order: string[] = [];
		for (const name of ["first", "second", "third"]) {
			void Promise.resolve(gate.enter(name)).then((admitted) => order.push(`${name} ${admitted}`));
		}
		await turn();
		assert.deepEqual(order, []);
		gate.leave();
		await turn();
		assert.deepEqual(order, ["first true"]);
		gate.leave();
		gate.leave();
		await turn();
		assert.deepEqual(order, ["first true", "second true", "third true"]);
	});

	test("a newcomer never overtakes who waits", async () => {
		const gate = admission({ atOnce: 1, queue: 10 });
		gate.enter("a");
		const waiting = gate.enter("a");
		gate.leave();
		assert.notEqual(gate.enter("a"), true);
		assert.equal(await waiting, true);
	});

	test("refuses past the queue", () => {
		const gate = admission({ atOnce: 1, queue: 2, queuePerNamespace: 2 });
		gate.enter("a");
		assert.ok(gate.enter("a") instanceof Promise);
		assert.ok(gate.enter("a") instanceof Promise);
		assert.equal(gate.enter("b"), false);
	});

	test("one namespace takes at most half of the queue", () => {
		const gate = admission({ atOnce: 1, queue: 4 });
		gate.enter("greedy");
		assert.ok(gate.enter("greedy") instanceof Promise);
		assert.ok(gate.enter("greedy") instanceof Promise);
		assert.equal(gate.enter("greedy"), false);
		assert.ok(gate.enter("modest") instanceof Promise);
	});

	test("who gives up leaves the queue, and its place is free", async () => {
		const gate = admission({ atOnce: 1, queue: 1 });
		gate.enter("a");
		const controller = new AbortController();
		const waiting = gate.enter("a", controller.signal);
		assert.equal(gate.enter("a"), false);
		controller.abort();
		assert.equal(await waiting, false);
		const next = gate.enter("a");
		gate.leave();
		assert.equal(await next, true);
		assert.equal(gate.enter("a", AbortSignal.abort()), false);
	});

	test("giving up after being admitted changes nothing", async () => {
		const gate = admission({ atOnce: 1, queue: 2 });
		gate.enter("a");
		const controller = new AbortController();
		const waiting = gate.enter("a", controller.signal);
		gate.leave();
		controller.abort();
		assert.equal(await waiting, true);
		assert.ok(gate.enter("a") instanceof Promise);
		assert.equal(gate.enter("a"), false);
	});

	test("a namespace's share of the queue is what it holds now", async () => {
		const gate = admission({ atOnce: 1, queue: 4 });
		gate.enter("a");
		const first = gate.enter("a");
		assert.ok(gate.enter("a") instanceof Promise);
		gate.leave();
		assert.equal(await first, true);
		assert.ok(gate.enter("a") instanceof Promise);
		assert.equal(gate.enter("a"), false);
	});

	test("leaving more often than entering is a mistake that shows", () => {
		assert.throws(() => admission().leave(), /more often/);
	});

	test("drain refuses newcomers, lets those who wait run, and ends with the last", async () => {
		const gate = admission({ atOnce: 1, queue: 2 });
		gate.enter("a");
		const waiting = gate.enter("a");
		let isDrained = false;
		const drained = gate.drain().then(() => {
			isDrained = true;
		});
		assert.equal(gate.enter("b"), false);
		gate.leave();
		assert.equal(await waiting, true);
		assert.equal(isDrained, false);
		gate.leave();
		await drained;
		await gate.drain();
	});

	test("never runs more than allowed and forgets nobody, whatever the order", async () => {
		const steps = fc.array(fc.constantFrom("enter a", "enter b", "leave", "give up"), { maxLength: 200 });
		await fc.assert(
			fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), async (order, atOnce) => {
				const gate = admission({ atOnce, queue: 6 });
				let running = 0;
				const controllers: AbortController[] = [];
				const answers: Promise<boolean>[] = [];
				for (const step of order) {
					if (step.startsWith("enter")) {
						const controller = new AbortController();
						const answer = gate.enter(step, controller.signal);
						if (answer instanceof Promise) {
							controllers.push(controller);
							answers.push(answer.then((admitted) => admitted && ++running > 0));
						} else if (answer) running++;
					} else if (step === "leave" && running > 0) {
						running--;
						gate.leave();
					} else if (step === "give up") controllers.shift()?.abort();
					await turn();
					assert.ok(running <= atOnce);
				}
				const drained = gate.drain();
				for (; running > 0; await turn()) {
					running--;
					gate.leave();
				}
				await Promise.all([drained, ...answers]);
			}),
			{ numRuns: 50 },
		);
	});
});
