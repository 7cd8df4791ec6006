import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Failed } from "@tripline/contract/failures";
import fc from "fast-check";
import { anyCharacter } from "../../../test/any-character.ts";
import {
	computeFingerprint,
	decide,
	type IdempotencyStorage,
	parseKept,
	readIdempotencyKey,
	runIdempotently,
} from "../src/runs/idempotency.ts";

const DAY = 24 * 60 * 60_000;

/** Insert-once entries with a new id for each write, like the store's. */
class Entries implements IdempotencyStorage<number> {
	readonly kept = new Map<string, { id: number; state: string }>();
	fails = false;
	#ids = 0;

	async claim(key: string, state: string) {
		await turn();
		const there = this.kept.get(key);
		if (there !== undefined) return { theirs: there.id, state: there.state };
		return { mine: this.#put(key, state) };
	}

	async takeOver(key: string, theirs: number, state: string) {
		await turn();
		return this.kept.get(key)?.id === theirs ? this.#put(key, state) : null;
	}

	async keep(key: string, mine: number, state: string) {
		if (this.fails) throw new Error("store away");
		if (this.kept.get(key)?.id === mine) this.kept.set(key, { id: mine, state });
	}

	async release(key: string, mine: number) {
		if (this.fails) throw new Error("store away");
		if (this.kept.get(key)?.id === mine) this.kept.delete(key);
	}

	#put(key: string, state: string): number {
		this.kept.set(key, { id: ++this.#ids, state });
		return this.#ids;
	}
}

function setUp() {
	const clock = { time: 1_700_000_000_000, now: () => clock.time };
	const storage = new Entries();
	const logged: string[] = [];
	let runs = 0;
	/** Of runs that were stored before they started. */
	const statuses = new Map<string, "accepted" | "success" | "failed">();
	const call = (
		options: {
			fingerprint?: string;
			status?: number;
			body?: string;
			isAccepting?: boolean;
			run?: () => Promise<never>;
		} = {},
	) =>
		runIdempotently({
			storage,
			clock,
			log: (_, message) => logged.push(message),
			key: "k",
			fingerprint: options.fingerprint ?? "f",
			executionId: `run ${runs}`,
			deadlineMs: 30_000,
			isAccepting: options.isAccepting ?? false,
			getStatus: async (id) => statuses.get(id) ?? null,
			run:
				options.run ??
				(async () => {
					runs++;
					await turn();
					return {
						status: options.status ?? 200,
						body: options.body ?? `answer ${runs}`,
						headers: { "content-type": "text/plain" },
						isFinal: (options.status ?? 200) < 300,
					};
				}),
		});
	return { clock, storage, logged, statuses, call, runs: () => runs };
}

describe("an idempotent call", () => {
	test("runs once, and a repeat gets the first answer for 24 hours", async () => {
		const { clock, call, runs } = setUp();
		const answer = { status: 200, body: "answer 1", headers: { "content-type": "text/plain" } };
		assert.deepEqual(await call(), { kind: "ran", answer: { ...answer, isFinal: true } });
		clock.time += DAY - 1;
		assert.deepEqual(await call(), { kind: "replayed", answer: { ...answer, execution_id: "run 0" } });
		assert.equal(runs(), 1);
		clock.time += 1;
		assert.equal((await call()).kind, "ran");
	});

	test("with another body is a mismatch, both while the first is running and afterwards", async () => {
		const { call } = setUp();
		const first = call();
		await turn();
		await turn();
		assert.deepEqual(await call({ fingerprint: "g" }), { kind: "mismatch" });
		await first;
		assert.deepEqual(await call({ fingerprint: "g" }), { kind: "mismatch" });
	});

	test("runs once among concurrent calls; the others get a conflict that names the run", async () => {
		const { call, runs } = setUp();
		const outcomes = await Promise.all(Array.from({ length: 20 }, () => call()));
		assert.equal(runs(), 1);
		assert.equal(outcomes.filter((outcome) => outcome.kind === "ran").length, 1);
		for (const outcome of outcomes.filter((each) => each.kind !== "ran")) {
			assert.deepEqual(outcome, { kind: "conflict", execution_id: "run 0", retryAfterSeconds: 5 });
		}
	});

	test("frees its key when it fails", async () => {
		const { call, storage, runs } = setUp();
		assert.equal((await call({ status: 500 })).kind, "ran");
		assert.equal(storage.kept.size, 0);
		await assert.rejects(call({ run: () => Promise.reject(new Error("broken")) }), /broken/);
		assert.equal(storage.kept.size, 0);
		assert.equal((await call()).kind, "ran");
		assert.equal(runs(), 2);
	});

	test("whose stored run goes on after a crash is refused until that ends, and learns then that it succeeded", async () => {
		const { clock, call, statuses, runs } = setUp();
		void call({ run: () => new Promise<never>(() => {}) });
		await turn();
		await turn();
		statuses.set("run 0", "accepted");
		clock.time += DAY;
		assert.equal((await call()).kind, "conflict");
		statuses.set("run 0", "success");
		const answer = { status: 200, body: null, headers: undefined, execution_id: "run 0" };
		assert.deepEqual(await call(), { kind: "replayed", answer });
		assert.equal(runs(), 0);
		statuses.set("run 0", "failed");
		assert.equal((await call()).kind, "ran");
	});

	test("that only has its run accepted gets that answer once the run is stored, whatever becomes of it", async () => {
		const { call, statuses, runs } = setUp();
		const isAccepting = true;
		void call({ isAccepting, run: () => new Promise<never>(() => {}) });
		await turn();
		await turn();
		assert.equal((await call({ isAccepting })).kind, "conflict");
		const body = '{"execution_id":"run 0","status":"accepted"}';
		const answer = { status: 202, body, headers: undefined, execution_id: "run 0" };
		for (const status of ["accepted", "success", "failed"] as const) {
			statuses.set("run 0", status);
			assert.deepEqual(await call({ isAccepting }), { kind: "replayed", answer });
		}
		assert.equal(runs(), 0);
	});

	test("keeps its key if nobody knows whether its run was stored, and frees it if that was refused", async () => {
		const { clock, call, statuses, storage } = setUp();
		const isAccepting = true;
		const refused = new Failed({ kind: "too_many", message: "refused", retryAfterSeconds: 1 });
		await assert.rejects(call({ isAccepting, run: () => Promise.reject(refused) }), /refused/);
		assert.equal(storage.kept.size, 0);
		await assert.rejects(call({ isAccepting, run: () => Promise.reject(new Error("lost")) }), /lost/);
		assert.equal((await call({ isAccepting })).kind, "conflict");
		statuses.set("run 0", "accepted");
		assert.equal((await call({ isAccepting })).kind, "replayed");
		statuses.clear();
		clock.time += 40_000;
		assert.equal((await call({ isAccepting })).kind, "ran");
	});

	test("is taken over by one caller after a crash, once its lease has expired", async () => {
		const { clock, call, runs } = setUp();
		void call({ run: () => new Promise<never>(() => {}) });
		await turn();
		await turn();
		clock.time += 39_999;
		assert.equal((await call()).kind, "conflict");
		clock.time += 1;
		const outcomes = await Promise.all(Array.from({ length: 10 }, () => call()));
		assert.equal(runs(), 1);
		assert.equal(outcomes.filter((outcome) => outcome.kind === "ran").length, 1);
	});

	test("claims again when the state to take over has just been deleted", async () => {
		const { clock, call, storage } = setUp();
		await call();
		clock.time += DAY;
		storage.takeOver = async (key) => {
			storage.kept.delete(key);
			return null;
		};
		assert.equal((await call()).kind, "ran");
	});

	test("does not change the state of a call that has taken over", async () => {
		const { clock, call } = setUp();
		let end = () => {};
		const late = call({
			run: () =>
				new Promise((_, reject) => {
					end = () => reject(new Error("late"));
				}),
		});
		await turn();
		await turn();
		clock.time += 40_000;
		await call();
		end();
		await assert.rejects(late, /late/);
		assert.equal((await call()).kind, "replayed");
	});

	test("answers even if the store becomes unreachable during the run", async () => {
		const { call, storage, logged } = setUp();
		storage.fails = true;
		assert.equal((await call()).kind, "ran");
		assert.deepEqual(logged, ["idempotency key not settled"]);
		assert.equal((await call()).kind, "conflict");
	});

	test("does not run again when its answer was too large to store; the replay omits the body", async () => {
		const { call, storage, runs } = setUp();
		for (const body of ["x".repeat(256 * 1024), "值".repeat(100_000), "\u0001".repeat(50_000)]) {
			storage.kept.clear();
			const before = runs();
			const first = await call({ body });
			assert.equal(first.kind === "ran" && first.answer.body, body);
			const again = await call({ body });
			assert.equal(again.kind === "replayed" && again.answer.body, null);
			assert.equal(runs(), before + 1);
			assert.ok(String(storage.kept.get("k")?.state).length < 1000);
		}
	});

	test("takes over an unreadable state", async () => {
		const { call, storage } = setUp();
		storage.kept.set("k", { id: -1, state: "not json" });
		assert.equal((await call()).kind, "ran");
		assert.equal((await call()).kind, "replayed");
	});
});

describe("decide", () => {
	const running = { state: "running", fingerprint: "f", execution_id: "e", until: 10 } as const;
	const done = { ...running, state: "done", status: 201, body: "b" } as const;

	test("decides by the existing state", () => {
		assert.equal(decide(null, "f", 9), "run");
		assert.equal(decide(running, "f", 9), "conflict");
		assert.equal(decide(running, "g", 9), "mismatch");
		assert.equal(decide(done, "g", 9), "mismatch");
		assert.equal(decide(running, "g", 10), "take over");
		assert.equal(decide(done, "f", 10), "take over");
		assert.deepEqual(decide(done, "f", 9), {
			replay: { status: 201, body: "b", execution_id: "e", headers: undefined },
		});
	});

	test("a state round-trips, and anything else is rejected", () => {
		fc.assert(
			fc.property(fc.string({ unit: anyCharacter }), (body) => {
				assert.deepEqual(parseKept(JSON.stringify({ ...done, body })), { ...done, body });
			}),
		);
		for (const text of [
			"",
			"null",
			"{}",
			"[]",
			'{"state":"done"}',
			JSON.stringify({ ...running, until: "10" }),
		]) {
			assert.equal(parseKept(text), null);
		}
	});
});

describe("the key", () => {
	const read = (headers: Record<string, string>, scheme?: "standard-webhooks" | "github") =>
		readIdempotencyKey(new Headers(headers), scheme);

	test("is Idempotency-Key, else webhook-id, else none", () => {
		assert.equal(read({ "Idempotency-Key": "a", "webhook-id": "b" }), "a");
		assert.equal(read({ "webhook-id": "b" }), "b");
		assert.equal(read({}), null);
		assert.equal(read({ "idempotency-key": "~".repeat(255) }), "~".repeat(255));
	});

	test("is only the signed webhook-id under Standard Webhooks", () => {
		assert.equal(read({ "idempotency-key": "forged", "webhook-id": "b" }, "standard-webhooks"), "b");
		assert.equal(read({ "idempotency-key": "a", "webhook-id": "b" }, "github"), "a");
	});

	test("is refused if it is empty, too long, repeated or not visible ASCII", () => {
		for (const key of ["", " ", "a b", "é", "x".repeat(256), "a\tb"]) {
			assert.throws(() => read({ "idempotency-key": key }), Failed);
		}
		const headers = new Headers({ "idempotency-key": "a" });
		headers.append("idempotency-key", "a");
		assert.throws(() => readIdempotencyKey(headers), /sent once/);
	});
});

test("the fingerprint is the SHA-256 of the body's bytes", async () => {
	const body = new Uint8Array([0xff, 0, 1]);
	assert.equal(await computeFingerprint(body), createHash("sha256").update(body).digest("hex"));
});
