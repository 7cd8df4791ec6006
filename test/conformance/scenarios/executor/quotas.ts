import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { AcceptedRuns, MAX_DESCENDED_RUNS, MAX_WAITING_RUNS } from "@tripline/contract/accepted-runs";
import { ExecutionSummary } from "@tripline/contract/execution-log";
import { AcceptedRun, ExecutionDetail, RaisedEvents } from "@tripline/contract/executor";
import { uuidv7 } from "@tripline/contract/ids";
import type { Scenario, World } from "../../scenario.ts";
import { eventually } from "./eventually.ts";
import {
	createWorkflow,
	getNamedPath,
	listRecords,
	listStored,
	otherTenant,
	run,
	save,
	says,
	trigger,
	waitForRecords,
} from "./saving.ts";
import { ticking } from "./ticking.ts";
import { withSettings } from "./with-settings.ts";

const NOON = Date.UTC(2026, 10, 8, 12);
/** So far in the future that no executor takes the runs over. */
const FAR = Date.UTC(2040, 0) / 1000;
const ONE_PLACE = { MAX_CONCURRENT_RUNS: "1", MAX_QUEUED_RUNS: "0" };
const ASYNC = { headers: { prefer: "respond-async" } };

const listener = (name: string, event: string) => says(name, "x", { trigger: { type: "event", event } });

const raise = (world: World, body: object, headers: Record<string, string> = {}) =>
	world.executor.expect(202, RaisedEvents, "POST", "/events", { body, headers });

const asOther = (world: World): World => ({ ...world, owner: `${world.owner}-other` });

interface Left {
	readonly count?: number;
	readonly workflow?: string;
	/** Whether the runs wait to start. */
	readonly isWaiting?: boolean;
	/** The root that the runs count toward. */
	readonly root?: string;
	readonly dueAt?: number;
}

/** Writes accepted runs to the store as other processes do. */
async function addRuns(world: World, left: Left): Promise<void> {
	const { count = 1, workflow = "job", isWaiting = false, root, dueAt = FAR } = left;
	const metadata = {
		status: "accepted",
		namespace: world.owner,
		trigger: "named",
		input: {},
		event_depth: 0,
		root,
	};
	const runs = Array.from({ length: count }, () => ({
		id: uuidv7(NOON),
		metadata_json: JSON.stringify({
			workflow,
			address: { kind: "named", namespace: world.owner, name: workflow },
		}),
		...(isWaiting && { waits_for: workflow }),
	}));
	const { accepted } = await world.expect(200, AcceptedRuns, "POST", "/accepted-runs", {
		body: { owner_id: world.owner, due_at: dueAt, metadata_json: JSON.stringify(metadata), runs, root },
	});
	assert.equal(accepted.length, count);
}

/** The internal events that were rejected, according to the log. */
function watchRefusals(world: World) {
	const types: string[] = [];
	return async (): Promise<readonly string[]> => {
		for (const line of await world.target.lines()) {
			if (line.message !== "event refused") continue;
			assert.equal(line.level, "warn");
			types.push((line as unknown as { type: string }).type);
		}
		return types;
	};
}

export const quotas: readonly Scenario[] = [
	{
		name: "with 1,000 runs of a namespace waiting to start, triggers and events get 429 and emit_event fails",
		cites: [],
		run: (world) =>
			withSettings(world, ONE_PLACE, async () => {
				await save(world, createWorkflow("slow", { component: "wait", ms: 1_500 }));
				await save(world, createWorkflow("shop", { component: "emit_event", type: "order.paid" }));
				await save(world, listener("paid", "order.paid"));
				await world.executor.call("POST", "/webhooks/named", {
					body: listener("paid", "order.paid"),
					headers: otherTenant(world),
				});
				await addRuns(world, { count: MAX_WAITING_RUNS, isWaiting: true });
				assert.equal((await trigger(world, "slow", ASYNC)).status, 202);
				const order = { specversion: "1.0", id: "1", source: "/s", type: "order.paid" };
				for (const answer of [
					await trigger(world, "slow", ASYNC),
					await world.executor.call("POST", "/events", { body: { type: "order.paid" } }),
					await world.executor.call("POST", "/events", { body: order }),
				]) {
					assert.equal(answer.status, 429, JSON.stringify(answer.body));
					assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
					assert.match((answer.body as { error: string }).error, /^1000 accepted runs .* waiting to start/);
				}
				assert.equal((await raise(world, { type: "order.paid" }, otherTenant(world))).matched, 1);
				await waitForRecords(world, "slow", 1);
				await waitForRecords(asOther(world), "paid", 1);
				// It occupies the only place, so the runs it starts have to wait.
				assert.match(
					(await run(world, "shop", {}, 500)).error ?? "",
					/^only: 1000 accepted runs .* waiting to start/,
				);
				assert.deepEqual(await listRecords(world, { workflow: "paid" }), []);
			}),
	},
	{
		name: "a rejected internal event is logged and fails neither the run nor the write",
		cites: [],
		run: (world) =>
			withSettings(world, { ...ONE_PLACE, MAX_QUEUED_RUNS: "1" }, async () => {
				const refused = watchRefusals(world);
				await save(world, {
					...createWorkflow("job", {}),
					triplets: ["input >> then >> pause", "pause >> then >> end"],
					config: { pause: { component: "wait", ms: 500 }, end: { component: "fail", message: "no paper" } },
				});
				await save(world, createWorkflow("slow", { component: "wait", ms: 2_000 }));
				await save(world, listener("watch", "execution.failed"));
				await save(world, listener("written", "entry.upserted"));
				await save(world, listener("known", "triplet.ingested"));
				await addRuns(world, { count: MAX_WAITING_RUNS, isWaiting: true });
				await refused();
				const failing = run(world, "job", {}, 500);
				await wait(200);
				// It gets the place as soon as the other run has failed, so the listeners have to wait.
				const slow = run(world, "slow");
				assert.equal((await failing).error, "end: no paper");
				const entry = { owner_id: world.owner, entry_type: "note", page_name: "p", content: "c" };
				assert.equal((await world.call("PUT", "/entries", { body: entry })).status, 201);
				const source = { uri: "doc:1", hash: "h1" };
				const triplet = { owner_id: world.owner, subject: "tea", predicate: "is", object: "a drink", source };
				assert.equal((await world.call("POST", "/triplets/ingest", { body: triplet })).status, 201);
				await eventually(async () => {
					const types = [...(await refused())].sort();
					assert.deepEqual(types, ["entry.upserted", "execution.failed", "triplet.ingested"]);
				});
				await slow;
				for (const workflow of ["written", "watch", "known"])
					assert.deepEqual(await listRecords(world, { workflow }), []);
			}),
	},
	{
		name: "a rejected event starts nothing and can be sent again",
		cites: [],
		// Runs left by other scenarios would occupy the only place.
		environment: { RUN_TIMEOUT_MS: "29998" },
		run: (world) =>
			withSettings(world, ONE_PLACE, async () => {
				await save(world, createWorkflow("slow", { component: "wait", ms: 3000 }));
				for (const name of ["a", "b", "c"]) await save(world, listener(name, "order.paid"));
				await addRuns(world, { count: MAX_WAITING_RUNS - 2, isWaiting: true });
				await trigger(world, "slow", ASYNC);
				const body = { specversion: "1.0", id: "1", source: "/s", type: "order.paid" };
				assert.equal((await world.executor.call("POST", "/events", { body })).status, 429);
				await waitForRecords(world, "slow", 1);
				const { matched } = await eventually(() => raise(world, body));
				assert.equal(matched, 3);
				assert.equal((await raise(world, body)).matched, 0);
				for (const name of ["a", "b", "c"]) await waitForRecords(world, name, 1);
			}),
	},
	ticking({
		name: "one external event leads to at most 1,000 runs, across processes",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const refused = watchRefusals(world);
			const root = uuidv7(NOON - 60_000);
			await save(world, {
				...createWorkflow("job", {}),
				triplets: ["input >> then >> each", "each >> for each item >> tell"],
				config: {
					each: { component: "foreach", items: [1, 2, 3, 4, 5] },
					tell: { component: "emit_event", type: "ping" },
				},
			});
			await save(world, createWorkflow("write", { component: "kb_upsert", page_name: "p", content: "c" }));
			await save(world, listener("heard", "ping"));
			await save(world, listener("written", "entry.upserted"));
			await addRuns(world, { count: MAX_DESCENDED_RUNS - 4, workflow: "other", root });
			await addRuns(world, { workflow: "write", root, dueAt: NOON / 1000 });
			await addRuns(world, { workflow: "job", root, dueAt: NOON / 1000 });
			await refused();
			await world.target.tick();
			// Two more runs fit into the quota, so two of the six events that the two runs cause are accepted.
			await waitForRecords(world, "write", 1);
			const [failed] = await waitForRecords(world, "job", 1);
			assert.match(failed?.error ?? "", /one event has led to 1000 runs/);
			const listStarted = async () => [
				...(await listRecords(world, { workflow: "heard" })),
				...(await listRecords(world, { workflow: "written" })),
			];
			await eventually(async () => assert.equal((await listStarted()).length, 2));
			// Further runs of the same root are rejected; an external event has its own root.
			assert.equal((await run(world, "write")).success, true);
			await eventually(async () => assert.equal((await listStarted()).length, 3));
			assert.equal((await raise(world, { type: "ping" })).matched, 1);
		},
	}),
	{
		name: "runs caused indirectly, also by writes to the store, count toward the root event",
		cites: [],
		async run(world) {
			const then = (name: string, event: string, tell: object) => ({
				...createWorkflow(name, {}),
				trigger: { type: "event", event },
				triplets: ["input >> then >> tell", "tell >> then >> pause"],
				config: { tell, pause: { component: "wait", ms: 1_000 } },
			});
			await save(world, then("first", "one", { component: "emit_event", type: "two" }));
			await save(world, then("second", "two", { component: "kb_upsert", page_name: "p", content: "c" }));
			await save(world, then("third", "entry.upserted", { component: "template", text: "x" }));
			await raise(world, { type: "one" });
			await eventually(async () => {
				const entries = await listStored(world, "accepted_run");
				const roots = entries.map(({ metadata_json }) => JSON.parse(metadata_json).root);
				assert.equal(roots.length, 3);
				assert.ok(typeof roots[0] === "string" && new Set(roots).size === 1, JSON.stringify(roots));
			});
			for (const name of ["first", "second", "third"]) await waitForRecords(world, name, 1);
		},
	},
	{
		name: "deleting a workflow ends its accepted runs that have not started, and records each",
		cites: [],
		run: (world) =>
			withSettings(world, ONE_PLACE, async () => {
				await save(world, {
					...createWorkflow("job", {}),
					triplets: ["begin >> then >> nap"],
					config: {
						begin: { component: "kb_upsert", page_name: "begin", content: "x" },
						nap: { component: "wait", ms: 3_000 },
					},
				});
				await save(world, createWorkflow("other", { component: "wait", ms: 1 }));
				await save(world, listener("watch", "execution.failed"));
				const first = await trigger(world, "job", ASYNC);
				// Runs that earlier scenarios left behind may have the only place.
				await eventually(async () => assert.equal((await listStored(world, "note")).length, 1));
				const waiting = await Promise.all(
					Array.from({ length: 4 }, (_, nth) =>
						trigger(world, "job", { ...ASYNC, body: { path: `/${nth}` } }),
					),
				);
				await trigger(world, "other", ASYNC);
				const listIds = (answers: readonly { body: unknown }[]) =>
					answers.map(({ body }) => AcceptedRun.parse(body).execution_id).sort();
				assert.equal((await world.executor.call("DELETE", getNamedPath("job"))).status, 200);
				const cancelled = await waitForRecords(world, "job", 4);
				assert.deepEqual(cancelled.map(({ id }) => id).sort(), listIds(waiting));
				for (const { id, verdict, error, trigger: started } of cancelled) {
					assert.deepEqual(
						[verdict, error, started],
						["failed", "cancelled: the workflow was deleted", "named"],
					);
					const detail = await world.executor.expect(200, ExecutionDetail, "GET", `/executions/${id}`);
					assert.deepEqual([detail.status, detail.workflow], ["failed", "job"]);
				}
				assert.deepEqual(cancelled.map(({ target }) => target).sort(), ["/0", "/1", "/2", "/3"]);
				// Running runs finish, and runs that wait for another workflow start.
				const all = await waitForRecords(world, "job", 5);
				const finished = all.find(({ verdict }) => verdict === "success");
				assert.deepEqual([finished?.id], listIds([first]));
				await waitForRecords(world, "other", 1);
				assert.deepEqual(await listRecords(world, { workflow: "watch" }), []);
			}),
	},
	{
		name: "deleting a workflow does not wait for its many accepted runs, and each of them ends with a record",
		cites: [],
		async run(world) {
			await save(world, says("job", "x"));
			await save(world, says("another", "x"));
			await addRuns(world, { count: 450, isWaiting: true });
			await addRuns(world, { count: 2, isWaiting: true, workflow: "another" });
			const began = Date.now();
			assert.equal((await world.executor.call("DELETE", getNamedPath("job"))).status, 200);
			assert.ok(Date.now() - began < 2_000);
			await eventually(async () => {
				const runs = await listStored(world, "accepted_run", { limit: 1000 });
				const statuses = runs.map(({ metadata_json }) => JSON.parse(metadata_json));
				assert.equal(statuses.filter(({ status }) => status === "accepted").length, 2);
				assert.ok(
					!runs.some(
						({ metadata_json }) => metadata_json.includes("input") && !metadata_json.includes("another"),
					),
				);
			});
			await eventually(async () => {
				const { hours } = await world.expect(200, ExecutionSummary, "GET", "/execution-log/summary", {
					query: { owner_id: world.owner },
				});
				assert.equal(
					hours.reduce((sum, { failed }) => sum + failed, 0),
					450,
				);
			});
		},
	},
	{
		name: "a recreated workflow keeps the runs that were accepted after it was recreated",
		cites: [],
		run: (world) =>
			withSettings(world, ONE_PLACE, async () => {
				await save(world, createWorkflow("slow", { component: "wait", ms: 1_000 }));
				await save(world, says("job", "x"));
				await trigger(world, "slow", ASYNC);
				await addRuns(world, { count: 300, isWaiting: true });
				assert.equal((await world.executor.call("DELETE", getNamedPath("job"))).status, 200);
				await save(world, says("job", "y"));
				assert.equal((await trigger(world, "job", ASYNC)).status, 202);
				await eventually(async () => {
					const done = await listRecords(world, { workflow: "job", verdict: "success" });
					assert.equal(done.length, 1);
				});
			}),
	},
	{
		name: "an accepted run whose workflow was deleted before it started ends with a record",
		cites: [],
		run: (world) =>
			withSettings(world, ONE_PLACE, async () => {
				await save(world, createWorkflow("slow", { component: "wait", ms: 800 }));
				await save(world, says("job", "x"));
				await trigger(world, "slow", ASYNC);
				assert.equal((await trigger(world, "job", ASYNC)).status, 202);
				const [entry] = await listStored(world, "workflow", { page_name: "job" });
				await world.call("DELETE", `/entries/${entry?.id}?owner_id=${world.owner}`);
				assert.equal((await waitForRecords(world, "job", 1))[0]?.error, "the workflow no longer exists");
			}),
	},
];
