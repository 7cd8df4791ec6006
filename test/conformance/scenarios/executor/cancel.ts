import assert from "node:assert/strict";
import {
	AcceptedRun,
	CancelledExecution,
	ExecutionDetail,
	UnfinishedPage,
} from "@tripline/contract/executor";
import type { Scenario, World } from "../../scenario.ts";
import { eventually } from "./eventually.ts";
import { createWorkflow, echo, listRecords, otherTenant, run, save, trigger } from "./saving.ts";

const PREFER = { prefer: "respond-async" };
const UNKNOWN = "0199aaaa-bbbb-7ccc-8ddd-00000000ffff";

/** Waits, then writes an entry. */
const slow = (name: string, more: object = {}) => ({
	...createWorkflow(name, { component: "wait", ms: 1_500 }, more),
	triplets: ["input >> ON_SUCCESS >> only", "only >> ON_SUCCESS >> write"],
	config: {
		only: { component: "wait", ms: 1_500 },
		write: { component: "kb_upsert", page_name: "written", content: "x" },
	},
});

const write = (page_name: string) => ({ component: "kb_upsert", page_name, content: "x" });

/** Waits for long, and writes that it was cleaned up, slowly. */
const cleaning = (name: string, more: object = {}) => ({
	...createWorkflow(name, {}, more),
	triplets: [
		"input >> ON_SUCCESS >> begin",
		"begin >> ON_SUCCESS >> only",
		"only >> ON_SUCCESS >> next",
		"only >> ON_FAIL >> handle",
		"only >> ALWAYS >> slow",
		"slow >> ON_SUCCESS >> clean",
	],
	config: {
		begin: write(`{{execution.id}}${BEGUN}`),
		only: { component: "wait", ms: 25_000 },
		next: write(`${name} next`),
		handle: write(`${name} handled`),
		slow: { component: "wait", ms: 300 },
		clean: write(`${name} cleaned`),
	},
});

const BEGUN = " begun";

const listNotes = async (world: World) => (await listPages(world)).filter((page) => !page.endsWith(BEGUN));

async function listPages(world: World): Promise<string[]> {
	const query = { owner_id: world.owner, entry_type: "note" };
	const { body } = await world.call("GET", "/entries", { query });
	return (body as { entries: { page_name: string }[] }).entries.map(({ page_name }) => page_name).sort();
}

const waitForStatus = (world: World, id: string, status: string) =>
	eventually(async () => {
		const detail = await world.executor.expect(200, ExecutionDetail, "GET", `/executions/${id}`);
		assert.equal(detail.status, status);
		return detail;
	});

/** Until its second node is in progress. `begun` is how many runs have then begun. */
const waitUntilRunning = (world: World, id: string, begun = 1) =>
	eventually(async () => {
		const found = (await listUnfinished(world)).find((run) => run.id === id);
		assert.equal(found?.status, "running");
		assert.equal((await listPages(world)).filter((page) => page.endsWith(BEGUN)).length, begun);
		await new Promise((resolve) => setTimeout(resolve, 300));
	});

async function accept(world: World, name: string): Promise<string> {
	const answer = await trigger(world, name, { body: {}, headers: PREFER });
	assert.equal(answer.status, 202, JSON.stringify(answer.body));
	return AcceptedRun.parse(answer.body).execution_id;
}

const listUnfinished = async (world: World) =>
	(await world.executor.expect(200, UnfinishedPage.strict(), "GET", "/executions/unfinished")).executions;

const cancel = (world: World, id: string) =>
	world.executor.expect(200, CancelledExecution.strict(), "POST", `/executions/${id}/cancel`);

export const cancelling: readonly Scenario[] = [
	{
		name: "a run in progress is listed and can be cancelled: it starts nothing more and is recorded as failed",
		cites: [],
		async run(world) {
			await save(world, slow("slow"));
			const id = await accept(world, "slow");
			const [running] = await eventually(async () => {
				const unfinished = await listUnfinished(world);
				assert.equal(unfinished.length, 1);
				return unfinished;
			});
			assert.deepEqual(
				[running?.id, running?.workflow, running?.status, running?.trigger, running?.attempts],
				[id, "slow", "running", "named", 1],
			);
			assert.deepEqual(await cancel(world, id), { execution_id: id, status: "cancelled" });
			assert.deepEqual(await listUnfinished(world), []);
			const record = await eventually(async () => {
				const [found] = await listRecords(world);
				assert.notEqual(found, undefined);
				return found;
			});
			assert.deepEqual([record?.id, record?.verdict, record?.error], [id, "failed", "cancelled"]);
			const detail = await world.executor.expect(200, ExecutionDetail, "GET", `/executions/${id}`);
			assert.equal(detail.status, "cancelled");
			await new Promise((resolve) => setTimeout(resolve, 2_000));
			assert.deepEqual(await listNotes(world), []);
			assert.equal((await listRecords(world)).length, 1);
			await world.executor.refuse(409, "POST", `/executions/${id}/cancel`);
		},
	},
	{
		name: "a cancelled run cleans up: only what the ALWAYS edges of nodes in progress lead to still runs",
		cites: [],
		async run(world) {
			await save(world, cleaning("job"));
			const alarm = { trigger: { type: "event", event: "execution.failed" } };
			await save(world, createWorkflow("alarm", write("alarm"), alarm));
			const id = await accept(world, "job");
			await waitUntilRunning(world, id);
			assert.deepEqual(await cancel(world, id), { execution_id: id, status: "cancelling" });
			assert.deepEqual(await cancel(world, id), { execution_id: id, status: "cancelling" });
			await waitForStatus(world, id, "cancelled");
			assert.deepEqual(await listNotes(world), ["job cleaned"]);
			assert.deepEqual(await listUnfinished(world), []);
			const record = await eventually(async () => {
				const [found] = await listRecords(world);
				assert.notEqual(found, undefined);
				return found;
			});
			assert.deepEqual([record?.id, record?.verdict, record?.error], [id, "failed", "cancelled"]);
			assert.equal((await listRecords(world)).length, 1, "no execution.failed was raised");
			await world.executor.refuse(409, "POST", `/executions/${id}/cancel`);
		},
	},
	{
		name: "a cancelled run cleans up inside the workflows that it calls, then after the nodes that call them",
		cites: [],
		async run(world) {
			await save(world, cleaning("inner"));
			await save(world, {
				...createWorkflow("outer", {}),
				triplets: [
					"input >> ON_SUCCESS >> first",
					"first >> ON_SUCCESS >> call",
					"call >> ON_FAIL >> handle",
					"call >> ALWAYS >> clean",
				],
				config: {
					first: write("outer first"),
					call: { component: "workflow", name: "inner", retry: { max: 2, delay_ms: 10 } },
					handle: write("outer handled"),
					clean: { ...write("outer cleaned"), metadata: { after: "{{first.entry.page_name}}" } },
				},
			});
			const id = await accept(world, "outer");
			await waitUntilRunning(world, id);
			await eventually(async () => assert.deepEqual(await listNotes(world), ["outer first"]));
			assert.equal((await cancel(world, id)).status, "cancelling");
			await waitForStatus(world, id, "cancelled");
			assert.deepEqual(await listNotes(world), ["inner cleaned", "outer cleaned", "outer first"]);
		},
	},
	{
		name: "the next run of a workflow that runs one at a time starts after the cleanup of a cancelled one",
		cites: [],
		async run(world) {
			await save(world, cleaning("job", { options: { concurrency: 1 } }));
			const first = await accept(world, "job");
			await waitUntilRunning(world, first);
			const second = await accept(world, "job");
			assert.equal((await cancel(world, first)).status, "cancelling");
			await waitForStatus(world, first, "cancelled");
			await waitUntilRunning(world, second, 2);
			assert.equal((await cancel(world, second)).status, "cancelling");
			await waitForStatus(world, second, "cancelled");
		},
	},
	{
		name: "a run that waits for its workflow can be cancelled, and the next one goes on after a cancelled one",
		cites: [],
		async run(world) {
			await save(world, slow("queue", { options: { concurrency: 1 } }));
			const first = await accept(world, "queue");
			const second = await accept(world, "queue");
			const third = await accept(world, "queue");
			await eventually(async () => {
				const unfinished = await listUnfinished(world);
				const waiting = unfinished.filter(({ status }) => status === "waiting").map(({ id }) => id);
				assert.deepEqual(waiting.sort(), [second, third].sort());
			});
			await cancel(world, second);
			await cancel(world, first);
			await eventually(async () => {
				const detail = await world.executor.expect(200, ExecutionDetail, "GET", `/executions/${third}`);
				assert.equal(detail.status, "success");
			});
		},
	},
	{
		name: "a run that has ended, is unknown or is another tenant's cannot be cancelled",
		cites: [],
		async run(world) {
			await save(world, echo("quick"));
			const { execution_id } = await run(world, "quick");
			await eventually(async () => assert.equal((await listRecords(world)).length, 1));
			await world.executor.refuse(409, "POST", `/executions/${execution_id}/cancel`);
			await world.executor.refuse(404, "POST", `/executions/${UNKNOWN}/cancel`);
			await save(world, slow("slow"));
			const id = await accept(world, "slow");
			const headers = otherTenant(world);
			await world.executor.refuse(404, "POST", `/executions/${id}/cancel`, { headers });
			const page = await world.executor.expect(200, UnfinishedPage, "GET", "/executions/unfinished", {
				headers,
			});
			assert.deepEqual(page.executions, []);
			for (const query of [{ limit: 0 }, { limit: 101 }, { cursor: "x" }, { status: "running" }])
				await world.executor.refuse(422, "GET", "/executions/unfinished", { query });
			await cancel(world, id);
		},
	},
];
