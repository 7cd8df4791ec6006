import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { Failed } from "@tripline/contract/failures";
import type { JsonObject } from "@tripline/contract/workflows";
import type { PollState } from "../src/domain/poll-state.ts";
import type { NewRuns } from "../src/runs/accepted.ts";
import { type PollRequest, polls } from "../src/runs/polls.ts";

const OCCURRENCE = "2026-11-02T12:00:00.000Z";
const STARTED = 1;

/** Polls of a service whose list is `items`; every call takes some milliseconds. */
function openPolls(settings: { isolatesRequests?: boolean; maxStarted?: number } = {}) {
	const states = new Map<string, PollState>();
	const accepted: NewRuns[] = [];
	const failures: string[] = [];
	const work: Promise<unknown>[] = [];
	const calls: { readonly workflow: string; readonly at: number; readonly until: number }[] = [];
	const service = { items: [] as JsonObject[], waiting: Number.POSITIVE_INFINITY };
	const start = polls({
		states: {
			find: async (_namespace, workflow) => states.get(workflow) ?? null,
			save: async (_namespace, workflow, state) => void states.set(workflow, state),
			delete: async () => {},
		},
		accepted: {
			async accept(fresh: NewRuns) {
				if (service.waiting < fresh.runs.length)
					throw new Failed({ kind: "too_many", message: "too many wait", retryAfterSeconds: 5 });
				service.waiting -= fresh.runs.length;
				accepted.push(fresh);
				return [];
			},
		} as never,
		runs: {
			placeFor: () => true,
			async run({ workflow }: { workflow: string }) {
				const at = Date.now();
				await wait(20);
				calls.push({ workflow, at, until: Date.now() });
				return { result: { success: true, data: service.items } };
			},
		} as never,
		background: { run: (_name, run) => void work.push(run()) },
		fail: (_request, error) => void failures.push(error),
		isolatesRequests: settings.isolatesRequests === true,
		maxStarted: settings.maxStarted,
	});
	const request = (workflow: string, credential?: string) =>
		({
			workflow,
			namespace: "o",
			trigger: "schedule",
			executionId: "e",
			eventDepth: 0,
			input: {},
			entryId: workflow,
			occurrence: OCCURRENCE,
			runnable: {
				poll: { plan: { nodes: [] }, settings: { operation: "shop.list", key: "id", credential } },
			},
		}) as unknown as PollRequest;
	const drain = async () => {
		while (work.length > 0) await work.shift();
	};
	return {
		states,
		accepted,
		failures,
		calls,
		service,
		poll: async (workflow = "w") => {
			start.start(request(workflow));
			await drain();
		},
		startWith: (workflow: string, credential: string) => start.start(request(workflow, credential)),
		drain,
	};
}

const listIds = (from: number, to: number): JsonObject[] =>
	Array.from({ length: to - from }, (_, index) => ({ id: to - 1 - index }));

describe("polls", () => {
	test("that use the same credential run one at a time, with a pause", async () => {
		const { startWith, drain, calls } = openPolls();
		startWith("a", "mine");
		startWith("b", "mine");
		startWith("c", "other");
		await drain();
		const [c, a, b] = ["c", "a", "b"].map((name) => calls.find(({ workflow }) => workflow === name));
		assert.ok(c !== undefined && a !== undefined && b !== undefined);
		assert.ok(b.at - a.until >= 990, `${b.at - a.until} ms between the polls`);
		assert.ok(c.at < a.until, "another credential does not wait");
	});

	test("of one workflow run one at a time: what is due meanwhile is polled afterwards, once", async () => {
		const { startWith, drain, calls } = openPolls();
		for (let nth = 0; nth < 4; nth++) startWith("a", "mine");
		await drain();
		assert.equal(calls.length, 2);
	});

	test("accept their items in small batches, each with its own input and a lasting id", async () => {
		const { poll, service, accepted } = openPolls();
		await poll();
		service.items = listIds(0, 120);
		await poll();
		assert.deepEqual(
			accepted.map(({ runs }) => runs.length),
			[50, 50, 20],
		);
		const runs = accepted.flatMap((batch) => batch.runs);
		assert.deepEqual(
			runs.map(({ input }) => input?.id),
			listIds(0, 120)
				.map(({ id }) => id)
				.reverse(),
		);
		assert.equal(new Set(runs.map(({ executionId }) => executionId)).size, 120);
	});

	test("split large items into more batches", async () => {
		const { poll, service, accepted } = openPolls();
		await poll();
		service.items = [1, 2, 3].map((id) => ({ id, text: "x".repeat(200_000) }));
		await poll();
		assert.equal(accepted.length, 3);
	});

	test("start no more than fit, and the others at the next poll", async () => {
		const { poll, service, accepted } = openPolls({ isolatesRequests: true, maxStarted: 2 });
		await poll();
		service.items = listIds(STARTED, STARTED + 5);
		const started = () => accepted.flatMap(({ runs }) => runs.map(({ input }) => input?.id));
		await poll();
		assert.deepEqual(started(), [1, 2]);
		await poll();
		await poll();
		await poll();
		assert.deepEqual(started(), [1, 2, 3, 4, 5]);
		assert.ok(accepted.every(({ isOneOfMany }) => isOneOfMany === true));
	});

	test("that cannot start all runs fail, remember those that they started, and back off", async () => {
		const { poll, service, accepted, failures, states } = openPolls();
		await poll();
		service.items = listIds(0, 80);
		service.waiting = 60;
		await poll();
		assert.equal(accepted.length, 1);
		assert.deepEqual(failures, ["poll: too many wait"]);
		const { seen, ...state } = states.get("w") as PollState;
		assert.equal(seen.length, 50);
		assert.deepEqual(
			[state.failures, state.error, state.retry_at],
			[1, "poll: too many wait", "2026-11-02T12:01:00.000Z"],
		);
	});
});
