import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { rateLimit } from "../src/http/rate-limit.ts";

function createLimit(perMinute: number) {
	const clock = { time: 1_700_000_000_000, now: () => clock.time };
	return { clock, limit: rateLimit({ perMinute, clock }) };
}

describe("rate limit", () => {
	test("allows calls up to the limit and refuses the next with the seconds to wait", () => {
		const { clock, limit } = createLimit(3);
		for (let call = 0; call < 3; call++) assert.equal(limit.take("a"), null);
		clock.time += 15_000;
		const wait = limit.take("a");
		assert.equal(wait, 45 + 20);
		clock.time += 65_000;
		assert.equal(limit.take("a"), null);
	});

	test("counts each key separately", () => {
		const { limit } = createLimit(1);
		assert.equal(limit.take("a"), null);
		assert.equal(limit.take("b"), null);
		assert.notEqual(limit.take("a"), null);
	});

	test("is off at 0", () => {
		const limit = rateLimit({ perMinute: 0, clock: { now: () => assert.fail("asked for the time") } });
		for (let call = 0; call < 1000; call++) assert.equal(limit.take("a"), null);
	});

	test("does not allow a second burst right after the minute ends", () => {
		const { clock, limit } = createLimit(60);
		assert.equal(limit.take("other"), null);
		clock.time += 59_999;
		for (let call = 0; call < 60; call++) assert.equal(limit.take("a"), null);
		clock.time += 2;
		assert.notEqual(limit.take("a"), null);
	});

	test("forgets a key after two minutes", () => {
		const { clock, limit } = createLimit(2);
		limit.take("a");
		limit.take("a");
		clock.time += 120_000;
		assert.equal(limit.take("a"), null);
		assert.equal(limit.take("a"), null);
	});

	test("a clock set back by an hour locks no key out for that hour", () => {
		const { clock, limit } = createLimit(1);
		limit.take("a");
		clock.time -= 3_600_000;
		const wait = limit.take("a");
		assert.ok(wait !== null && wait <= 120);
	});

	test("forgets the oldest keys when there are too many and keeps the newest", () => {
		const { limit } = createLimit(1);
		limit.take("first");
		for (let key = 0; key < 100_000; key++) limit.take(`k${key}`);
		assert.equal(limit.take("first"), null);
		assert.notEqual(limit.take("k99999"), null);
		assert.notEqual(limit.take("k60000"), null);
	});

	test("the returned wait is sufficient, and no minute allows more than twice the limit", () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 40 }),
				fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 200 }),
				(perMinute, gaps) => {
					const { clock, limit } = createLimit(perMinute);
					const passed: number[] = [];
					for (const gap of gaps) {
						clock.time += gap;
						const wait = limit.take("a");
						if (wait !== null) {
							assert.ok(wait >= 1 && wait <= 120);
							clock.time += wait * 1000;
							assert.equal(limit.take("a"), null);
						}
						passed.push(clock.time);
						const recent = passed.filter((time) => time > clock.time - 60_000);
						assert.ok(recent.length <= 2 * perMinute);
					}
				},
			),
		);
	});

	test("counts what other processes tell, and tells them without naming the key", async () => {
		const clock = { now: () => 1_000_000 };
		const receivers: ((text: string) => void)[] = [];
		const sent: string[] = [];
		const openLimit = (nth: number) =>
			rateLimit({
				perMinute: 3,
				clock,
				name: "triggers",
				signals: {
					send(_topic, text) {
						sent.push(text);
						for (const [other, receive] of receivers.entries()) if (other !== nth) receive(text);
					},
					on: (_topic, receive) => void receivers.push(receive),
				},
			});
		const [one, other] = [openLimit(0), openLimit(1)];
		assert.equal(one.take("a secret token"), null);
		assert.equal(one.take("a secret token"), null);
		await wait(400);
		assert.equal(other.take("a secret token"), null);
		assert.notEqual(other.take("a secret token"), null);
		assert.equal(other.take("another"), null);
		assert.ok(sent.length > 0 && !sent.join().includes("secret"));
	});
});
