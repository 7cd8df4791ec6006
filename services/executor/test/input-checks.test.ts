import assert from "node:assert/strict";
import { test } from "node:test";
import { Failed } from "@tripline/contract/failures";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { systemClock as clock } from "@tripline/platform/clock";
import { platformTurns as turns } from "@tripline/platform/turns";
import type { StoreClient } from "@tripline/store/client";
import { toIncoming } from "@tripline/web/http-message";
import type { ChatReplies } from "../src/chat/replies.ts";
import type { ChatTurns } from "../src/chat/turns.ts";
import type { ExecutorParts } from "../src/http/deps.ts";
import { queryRoutes } from "../src/http/query.ts";
import { rateLimit } from "../src/http/rate-limit.ts";
import type { Target } from "../src/http/target.ts";
import { type TriggerDeps, triggerRun } from "../src/http/trigger.ts";
import { watchRun } from "../src/http/watch.ts";
import { acceptedRuns } from "../src/runs/accepted.ts";
import { readUnfinished } from "../src/runs/accepted-run.ts";
import { admission } from "../src/runs/admission.ts";
import { admittedRuns } from "../src/runs/admitted.ts";
import type { RunEffectsDeps } from "../src/runs/effects.ts";
import { events } from "../src/runs/events.ts";
import { executions, newExecutionId, type Trigger } from "../src/runs/execute.ts";
import { heldRuns } from "../src/runs/held-runs.ts";
import type { RunLeases } from "../src/runs/leases.ts";
import type { RecordBuffer } from "../src/runs/record-buffer.ts";
import { type Runnable, runnables } from "../src/runs/runnable.ts";
import { schedule } from "../src/runs/schedule.ts";

type RecordedRun = Parameters<RecordBuffer["add"]>[0];

const INPUT_SCHEMA = { type: "object", required: ["id"], properties: { id: { type: "integer" } } };
const PROBLEM = "the input does not match input_schema: id: is required";
const address = { kind: "named", namespace: "o", name: "strict" } as const;
const due = { id: "1", owner_id: "o", page_name: "strict", entry_type: "workflow" } as const;

/** Every way to start a run of one workflow, which counts its checks. Only the storage is a stand-in. */
async function openStarts(input_schema: JsonObject = INPUT_SCHEMA) {
	const checked: Json[] = [];
	const records: RecordedRun[] = [];
	const work: Promise<unknown>[] = [];
	const background = { run: (_: string, start: () => Promise<unknown>) => void work.push(start()) };
	const compiled = runnables({ getCatalogue: () => assert.fail("built-in components only"), turns });
	const stored = new Map<string, string>();
	const store = {
		acceptedRuns: {
			async accept({ metadata_json, runs }: { metadata_json: string; runs: StoredRun[] }) {
				for (const run of runs)
					stored.set(
						run.id,
						JSON.stringify({ ...JSON.parse(metadata_json), ...JSON.parse(run.metadata_json) }),
					);
				return { accepted: runs.map(({ id }) => id), refused: null };
			},
			claim: async ({ id }: { id: string }) => ({ metadata_json: stored.get(id) ?? null }),
			end: async () => {},
		},
		schedules: { claim: async () => ({ claimed: true, occurrence: null, next_run_at: null }) },
	} as unknown as StoreClient;

	const compileCounted = async (options: JsonObject) => {
		const graph = { nodes: [{ id: "out", component: "set", params: { values: {} } }], edges: [] };
		const runnable = await compiled.get(JSON.stringify({ ...graph, options }), JSON.parse, "o");
		const check = runnable.checkInput ?? assert.fail("it has a schema");
		const checkInput: Runnable["checkInput"] = (input) => {
			checked.push(input);
			return check(input);
		};
		return { ...runnable, checkInput };
	};
	let strict = await compileCounted({ input_schema });
	const counted = { get: () => strict };
	const kept = { begin: () => undefined, end() {}, follow() {}, leave() {} };
	const { execute, fail, cancel } = executions({
		clock,
		turns,
		runTimeoutMs: 1_000,
		records: { add: (record: RecordedRun) => void records.push(record) } as RecordBuffer,
		held: heldRuns(),
		kept,
		tracing: null,
		effects: {
			...{ clock, turns, kept, findWorkflow: async () => ({ runnable: strict }) },
		} as unknown as RunEffectsDeps,
		onFailure() {},
	});
	const places = admission();
	const leases = {} as RunLeases;
	const runs = admittedRuns({ admission: places, execute, leases });
	const log = () => {};
	const find = async () => ({ runnable: strict });
	const common = {
		store,
		clock,
		log,
		background,
		runs,
		leases,
		fail,
		cancel,
		isolatesRequests: false,
		turns,
		files: { hold: async () => {} },
		tracing: null,
	};
	const accepted = acceptedRuns({
		...common,
		durable: null,
		retainsFailed: async () => false,
		chatReplies: {} as ChatReplies,
		runTimeoutMs: 1_000,
		find,
	});
	const deps = {
		clock,
		turns,
		runs,
		accepted,
		records: { settle: async () => {} },
		background,
		settings: { maxBodyBytes: 1_000, baseUrl: undefined },
		mayLoosenPages: () => false,
		rate: rateLimit({ perMinute: 0, clock }),
		idempotency: { readKey: () => null },
		finder: { find: async () => ({ runnable: strict, source: "store" }) },
	} as unknown as TriggerDeps & ExecutorParts & { background: typeof background; chatTurns: ChatTurns };
	const toTarget = (trigger: Trigger): Target => ({
		runnable: strict,
		workflow: "strict",
		namespace: "o",
		trigger,
		address,
		rateKey: "o",
	});
	const toRequest = (input: Json, headers = {}) =>
		toIncoming(new Request("http://x/", { method: "POST", body: JSON.stringify(input), headers }));
	const listener = {
		owner_id: "o",
		page_name: "strict",
		metadata_json: '{"config":{"trigger":{"event":"e"}}}',
	};

	return {
		checked,
		records,
		places,
		/** Until nothing works in the background any more. */
		async settle() {
			for (let next = work.shift(); next !== undefined; next = work.shift()) await next;
		},
		async change(schema: JsonObject) {
			strict = await compileCounted({ input_schema: schema });
		},
		trigger: (trigger: Trigger, input: Json) => triggerRun(deps)(toRequest(input), toTarget(trigger)),
		triggerAsync: (input: Json) =>
			triggerRun(deps)(toRequest(input, { prefer: "respond-async" }), toTarget("named")),
		watch: async (input: Json) => (await watchRun(deps)(toRequest(input), toTarget("console"))).text(),
		query: async (input: Json) => {
			const [byPost] = queryRoutes(deps);
			const call = { caller: { namespace: "o" }, params: { name: "strict" }, request: toRequest(input) };
			return byPost?.handle(call as never);
		},
		raise: (data: Json) =>
			events({
				seen: {} as never,
				workflows: { listListeners: async () => [listener] } as never,
				runnables: counted,
				accepted,
				waits: { deliver: async () => 0 },
				clock,
				log,
			}).raise({ namespace: "o", type: "e", data, depth: 1, attributes: data as JsonObject }),
		runScheduled: () =>
			schedule({ ...common, runnables: counted, accepted, polls: { start() {} } }).runDue(
				{ ...due, metadata_json: "" } as never,
				0,
			),
		takeOver: (input: JsonObject) => {
			const id = newExecutionId(clock);
			const metadata_json = JSON.stringify({
				status: "accepted",
				attempts: 1,
				workflow: "strict",
				address,
				trigger: "named",
				input,
				event_depth: 0,
			});
			stored.set(id, metadata_json);
			const run = readUnfinished({ owner_id: "o", page_name: id, metadata_json });
			return run !== null && accepted.resume(run);
		},
		/** Calls it from a node of another workflow. */
		async callFromWorkflow(input: JsonObject) {
			const params = { name: "strict", input };
			const graph = { nodes: [{ id: "call", component: "workflow", params }], edges: [] };
			const runnable = await compiled.get(JSON.stringify(graph), JSON.parse, "o");
			const request = { runnable, workflow: "caller", namespace: "o", input: {}, trigger: "named" } as const;
			return (await runs.runNow({ ...request, executionId: newExecutionId(clock), eventDepth: 0 })).result;
		},
	};
}

interface StoredRun {
	readonly id: string;
	readonly metadata_json: string;
}

type Starts = Awaited<ReturnType<typeof openStarts>>;

const is422 = (error: unknown) =>
	error instanceof Failed && error.failure.kind === "invalid" && error.failure.issues[0]?.path === "id";

const withCaller: Record<string, (starts: Starts, input: JsonObject) => Promise<unknown>> = {
	webhook: (starts, input) => starts.trigger("webhook", input),
	named: (starts, input) => starts.trigger("named", input),
	mcp: (starts, input) => starts.trigger("mcp", input),
	console: (starts, input) => starts.watch(input),
	query: (starts, input) => starts.query(input),
	"respond-async": (starts, input) => starts.triggerAsync(input),
};

for (const [name, start] of Object.entries(withCaller)) {
	test(`${name}: a run's input is checked once, before its answer`, async () => {
		const starts = await openStarts();
		await start(starts, { id: 1 });
		await starts.settle();
		assert.deepEqual(starts.checked, [{ id: 1 }]);
		assert.deepEqual(
			starts.records.map(({ verdict }) => verdict),
			["success"],
		);
	});

	test(`${name}: input that does not match is checked once and runs nothing`, async () => {
		const starts = await openStarts();
		await assert.rejects(start(starts, {}), is422);
		await starts.settle();
		assert.equal(starts.checked.length, 1);
		assert.deepEqual(starts.records, []);
	});
}

const withoutCaller: Record<string, (starts: Starts, input: JsonObject) => unknown> = {
	event: (starts, input) => starts.raise(input),
	"an accepted run of an ended process": (starts, input) => starts.takeOver(input),
	schedule: (starts) => starts.runScheduled(),
};

for (const [name, start] of Object.entries(withoutCaller)) {
	test(`${name}: a run's input is checked once, and the run fails if it does not match`, async () => {
		const starts = await openStarts();
		await start(starts, {});
		await starts.settle();
		assert.equal(starts.checked.length, 1);
		assert.deepEqual(
			starts.records.map(({ error }) => error),
			[PROBLEM],
		);
	});
}

test("workflow: the called workflow's input is checked once, and the node fails if it does not match", async () => {
	const starts = await openStarts();
	assert.equal((await starts.callFromWorkflow({ id: 1 })).success, true);
	assert.deepEqual(starts.checked, [{ id: 1 }]);
	assert.equal((await starts.callFromWorkflow({})).error, `call: ${PROBLEM}`);
	assert.equal(starts.checked.length, 2);
});

test("an accepted run that waits is checked again only if its workflow has changed", async () => {
	for (const [change, checks, error] of [
		[null, 1, ""],
		[{ type: "object", required: ["other"] }, 2, "the input does not match input_schema: other: is required"],
	] as const) {
		const starts = await openStarts();
		while (starts.places.take("o", true));
		await starts.triggerAsync({ id: 1 });
		if (change !== null) await starts.change(change as unknown as JsonObject);
		starts.places.leave("o", true);
		await starts.settle();
		assert.equal(starts.checked.length, checks);
		assert.deepEqual(
			starts.records.map((record) => record.error),
			[error],
		);
	}
});
