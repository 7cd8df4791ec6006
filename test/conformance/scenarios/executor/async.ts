import assert from "node:assert/strict";
import { AcceptedRun, CreatedWebhook, ExecutionDetail } from "@tripline/contract/executor";
import type { Scenario, Surface, World } from "../../scenario.ts";
import { eventually } from "./eventually.ts";
import {
	createWorkflow,
	echo,
	fails,
	getNamedPath,
	listRecords,
	listStored,
	otherTenant,
	run,
	save,
	trigger,
	waitForRecords,
} from "./saving.ts";
import { ticking } from "./ticking.ts";

const PREFER = { prefer: "respond-async" };
const NOON = Date.UTC(2026, 10, 6, 12);
const MINUTE = 60_000;
const LEFT_BEHIND = "0199aaaa-bbbb-7ccc-8ddd-";

/** Starts an asynchronous run and returns its location. */
async function accept(surface: Surface, path: string, body: object = {}) {
	const answer = await surface.call("POST", path, { body, headers: PREFER });
	assert.equal(answer.status, 202, JSON.stringify(answer.body));
	const { execution_id, status } = AcceptedRun.strict().parse(answer.body);
	assert.equal(status, "accepted");
	const location = answer.headers.get("location") ?? "";
	assert.equal(location, `/executions/${execution_id}`);
	return { execution_id, location };
}

const readExecution = (world: World, location: string) =>
	world.executor.expect(200, ExecutionDetail.strict(), "GET", location);

const waitForEnd = (world: World, location: string) =>
	eventually(async () => {
		const detail = await readExecution(world, location);
		assert.notEqual(detail.status, "accepted");
		assert.notEqual(detail.record, null);
		return detail;
	});

/** Writes an accepted run to the store as a process leaves it while it runs or after it dies. */
async function putAccepted(world: World, nth: number, dueAt: number, fields: object = {}) {
	const page_name = `${LEFT_BEHIND}${String(nth).padStart(12, "0")}`;
	const accepted = {
		status: "accepted",
		due_at: dueAt / 1000,
		address: { kind: "named", namespace: world.owner, name: "job" },
		namespace: world.owner,
		trigger: "named",
		workflow: "job",
		input: { secret: "of the caller", page: 7 },
		event_depth: 0,
		attempts: 1,
		...fields,
	};
	const answer = await world.call("PUT", "/entries", {
		body: {
			entry_type: "accepted_run",
			owner_id: world.owner,
			page_name,
			content: "",
			metadata_json: JSON.stringify(accepted),
		},
	});
	assert.equal(answer.status, 201);
	return { id: page_name, location: `/executions/${page_name}` };
}

export const accepting: readonly Scenario[] = [
	{
		name: "Prefer: respond-async returns 202 with the run's URL, which later shows success",
		cites: [],
		async run(world) {
			await save(world, fails("job", "with {{input | json}}"));
			await save(world, echo("fine"));
			const { execution_id, location } = await accept(world.executor, getNamedPath("fine", "trigger"), {
				a: 1,
			});
			const detail = await waitForEnd(world, location);
			assert.equal(detail.execution_id, execution_id);
			assert.equal(detail.status, "success");
			assert.equal(detail.workflow, "fine");
			assert.equal(detail.record?.id, execution_id);
			assert.equal(detail.record?.trigger, "named");
			assert.deepEqual(
				detail.nodes?.map(({ id, status }) => [id, status]),
				[["only", "success"]],
			);
			const failed = await accept(world.executor, getNamedPath("job", "trigger"), { a: 1 });
			const { status, record } = await waitForEnd(world, failed.location);
			assert.equal(status, "failed");
			assert.equal(record?.error, 'only: with {"a":1}');
		},
	},
	{
		name: "an accepted run has the status accepted while it runs, and only its owner sees it",
		cites: [],
		async run(world) {
			await save(world, createWorkflow("slow", { component: "wait", ms: 1_000 }));
			const { location } = await accept(world.executor, getNamedPath("slow", "trigger"));
			const detail = await readExecution(world, location);
			assert.deepEqual([detail.status, detail.record, detail.nodes], ["accepted", null, null]);
			await world.executor.refuse(404, "GET", location, { headers: otherTenant(world) });
			assert.equal((await waitForEnd(world, location)).status, "success");
		},
	},
	{
		name: "the input of an accepted run stays in the store until the run ends, then it is deleted",
		cites: [],
		async run(world) {
			await save(world, createWorkflow("slow", { component: "wait", ms: 800 }));
			const { execution_id, location } = await accept(world.executor, getNamedPath("slow", "trigger"), {
				secret: "茶 42",
			});
			const [during] = await listStored(world, "accepted_run");
			assert.equal(during?.page_name, execution_id);
			assert.deepEqual(JSON.parse(during?.metadata_json ?? "").input, { secret: "茶 42" });
			await waitForEnd(world, location);
			const after = await eventually(async () => {
				const [entry] = await listStored(world, "accepted_run");
				assert.equal(JSON.parse(entry?.metadata_json ?? "").status, "success");
				return entry;
			});
			assert.ok(!JSON.stringify(after).includes("茶 42"));
			assert.equal((await readExecution(world, location)).status, "success");
		},
	},
	{
		name: "token triggers and triggers with the namespace in their path can also run asynchronously",
		cites: [],
		async run(world) {
			await save(world, echo("job"));
			const { token } = await world.executor.expect(201, CreatedWebhook, "POST", "/webhooks", {
				body: echo("t"),
			});
			for (const path of [`/webhooks/${token}/trigger`, `/webhooks/named/${world.owner}/job/trigger`]) {
				const { location } = await accept(world.anyone, path);
				assert.equal((await waitForEnd(world, location)).status, "success", path);
			}
			assert.deepEqual((await listRecords(world)).map(({ trigger }) => trigger).sort(), ["named", "webhook"]);
		},
	},
	{
		name: "another preference, or none, waits for the run",
		cites: [],
		async run(world) {
			await save(world, echo("job"));
			for (const prefer of ["return=minimal", "wait=5", "respond-asynchronously"]) {
				assert.equal((await trigger(world, "job", { headers: { prefer } })).status, 200, prefer);
			}
			const headers = { prefer: "return=minimal, Respond-Async" };
			assert.equal((await trigger(world, "job", { headers })).status, 202);
			await waitForRecords(world, "job", 4);
		},
	},
	{
		name: "a rejected trigger accepts no run",
		cites: [],
		async run(world) {
			const input_schema = { type: "object", required: ["id"], properties: { id: { type: "integer" } } };
			await save(world, echo("job", { options: { input_schema } }));
			const { issues } = await world.executor.refuse(422, "POST", getNamedPath("job", "trigger"), {
				body: { id: "x" },
				headers: PREFER,
			});
			assert.equal(issues?.[0]?.path, "id");
			await world.executor.refuse(404, "POST", getNamedPath("nothing", "trigger"), { headers: PREFER });
			assert.deepEqual(await listStored(world, "accepted_run"), []);
		},
	},
	ticking({
		name: "an accepted run whose process died runs at the first tick after its lease",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			await save(world, fails("job", "with {{input.page}}"));
			const { id, location } = await putAccepted(world, 1, NOON + MINUTE);
			await world.target.tick();
			assert.equal((await readExecution(world, location)).status, "accepted");
			await world.target.setNow(NOON + MINUTE);
			await world.target.lines();
			await world.target.tick();
			const { status, record } = await waitForEnd(world, location);
			assert.equal(status, "failed");
			assert.equal(record?.id, id);
			assert.equal(record?.error, "only: with 7");
			assert.equal(record?.trigger, "named");
			const said = (await world.target.lines()).find(({ message }) => message.startsWith("cron:"));
			assert.equal(said?.message, "cron: scanned=0 triggered=0");
			await eventually(async () => {
				const [entry] = await listStored(world, "accepted_run");
				assert.ok(!JSON.stringify(entry).includes("of the caller"));
			});
			await world.target.setNow(NOON + 60 * MINUTE);
			await world.target.tick();
			await run(world, "job", { page: 8 }, 500);
			await waitForRecords(world, "job", 2);
		},
	}),
	ticking({
		name: "parallel ticks take over an accepted run once",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			// Every start writes its own page; a record or a page named by the run would be the same for two starts.
			await save(world, {
				...createWorkflow("job", {}),
				triplets: ["input >> then >> start", "start >> then >> note"],
				config: {
					start: { component: "crypto", operation: "uuid" },
					note: { component: "kb_upsert", page_name: "{{start}}", content: "{{execution.id}}" },
				},
			});
			const runs = await Promise.all([20, 21, 22, 23, 24].map((nth) => putAccepted(world, nth, NOON)));
			await Promise.all(Array.from({ length: 4 }, () => world.target.tick()));
			for (const { location } of runs) assert.equal((await waitForEnd(world, location)).status, "success");
			const starts = (await listStored(world, "note")).map(({ content }) => content);
			assert.deepEqual(starts.sort(), runs.map(({ id }) => id).sort());
		},
	}),
	ticking({
		name: "an accepted run is taken over again if that process dies too, up to a limit",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			await save(world, echo("job"));
			const again = await putAccepted(world, 2, NOON, { attempts: 4 });
			const given = await putAccepted(world, 3, NOON, { attempts: 5 });
			await world.target.tick();
			assert.equal((await waitForEnd(world, again.location)).status, "success");
			const detail = await eventually(async () => {
				const found = await readExecution(world, given.location);
				assert.equal(found.status, "failed");
				return found;
			});
			assert.equal(detail.workflow, "job");
			assert.ok(!JSON.stringify(await listStored(world, "accepted_run")).includes("of the caller"));
		},
	}),
	ticking({
		name: "an accepted run whose workflow was deleted in the meantime fails",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const { location } = await putAccepted(world, 4, NOON);
			await world.target.tick();
			await eventually(async () => {
				const { status, workflow } = await readExecution(world, location);
				assert.deepEqual([status, workflow], ["failed", "job"]);
			});
			assert.ok(!JSON.stringify(await listStored(world, "accepted_run")).includes("of the caller"));
		},
	}),
	ticking({
		name: "a store that is briefly unreachable does not end an accepted run",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			await save(world, echo("job"));
			const { location } = await putAccepted(world, 5, NOON);
			await world.target.setStoreAway(true);
			await world.target.tick().catch(() => {});
			await world.target.setStoreAway(false);
			assert.equal((await readExecution(world, location)).status, "accepted");
			await world.target.tick();
			assert.equal((await waitForEnd(world, location)).status, "success");
		},
	}),
];
