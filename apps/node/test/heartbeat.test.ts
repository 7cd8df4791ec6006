import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { followingClock } from "@tripline/platform/clock";
import { noSignals } from "@tripline/platform/signals";
import { heartbeat } from "../src/heartbeat.ts";

interface Heard {
	readonly alive?: readonly string[];
	readonly lapsed?: readonly string[];
	readonly left?: readonly string[];
}

/** A process whose time is set by the test, and a database that answers as it says. */
function createWorld() {
	const own = { time: 1_000_000, now: () => own.time };
	const clock = followingClock(own);
	const database = { ahead: 0, isAway: false, heard: {} as Heard, hasLeft: false };
	const taken: string[] = [];
	let monotonic = 0;
	const process = heartbeat({
		holder: "me",
		clock,
		log: () => {},
		signals: noSignals,
		monotonic: () => monotonic,
		processes: {
			async beat() {
				if (database.isAway) throw new Error("away");
				const { alive = [], lapsed = [], left = [] } = database.heard;
				return { time: own.time + database.ahead, alive: [...alive], lapsed: [...lapsed], left: [...left] };
			},
			async leave() {
				database.hasLeft = true;
			},
			takeOver: async () => true,
		},
	});
	return {
		process,
		clock,
		own,
		database,
		taken,
		/** Time passes, and the process says that it is alive. */
		async beatAfter(ms: number) {
			monotonic += ms;
			own.time += ms;
			await process.watch(async (from) => taken.push(from));
		},
	};
}

describe("heartbeat", () => {
	test("sets the clock to that of the database before anything else happens", async () => {
		const { process, clock, own, database } = createWorld();
		database.ahead = 30_000;
		await process.begin();
		assert.equal(clock.now(), own.time + 30_000);
		await process.leave();
	});

	test("leaves the clock alone while it is nearly right", async () => {
		const { process, clock, own, database } = createWorld();
		database.ahead = 40;
		await process.begin();
		assert.equal(clock.now(), own.time);
		await process.leave();
	});

	test("takes over from a process that has left at once, and from one that is silent once it can judge", async () => {
		const { process, database, taken, beatAfter } = createWorld();
		database.heard = { left: ["left"], lapsed: ["silent"] };
		await process.begin();
		await beatAfter(4_000);
		assert.deepEqual(taken, ["left"]);
		database.heard = { lapsed: ["silent"] };
		await beatAfter(4_000);
		assert.deepEqual(taken, ["left"]);
		await beatAfter(4_000);
		assert.deepEqual(taken, ["left", "silent"]);
		await process.leave();
	});

	test("judges nobody right after an outage of the database", async () => {
		const { process, database, taken, beatAfter } = createWorld();
		await process.begin();
		for (let n = 0; n < 5; n++) await beatAfter(4_000);
		database.isAway = true;
		for (let n = 0; n < 5; n++) await beatAfter(4_000);
		database.isAway = false;
		database.heard = { lapsed: ["other"] };
		for (let n = 0; n < 3; n++) await beatAfter(4_000);
		assert.deepEqual(taken, []);
		await beatAfter(4_000);
		assert.deepEqual(taken, ["other"]);
		await process.leave();
	});

	test("says that it leaves, and how many others there are", async () => {
		const { process, database } = createWorld();
		database.heard = { alive: ["a", "b"] };
		await process.begin();
		assert.equal(process.countOthers(), 2);
		await process.leave();
		assert.equal(database.hasLeft, true);
	});
});
