import assert from "node:assert/strict";
import { EndedPage, ExecutionPage } from "@tripline/contract/execution-log";
import { CreatedWebhook, ExecutionDetail, PortalWorkflows, SavedWorkflow } from "@tripline/contract/executor";
import { RunResult } from "@tripline/contract/workflows";
import type { Scenario, World } from "../../scenario.ts";
import { eventually } from "./eventually.ts";
import {
	createWorkflow,
	echo,
	fails,
	listRecords,
	otherTenant,
	run,
	save,
	says,
	waitForRecords,
} from "./saving.ts";
import { withSettings } from "./with-settings.ts";

/** Fails if the trigger context says so. */
const mayFail = (name: string) => ({
	...createWorkflow(name, {}),
	triplets: ["input >> ON_SUCCESS >> check", "check >> ON_TRUE >> stop", "check >> ON_FALSE >> go"],
	config: {
		check: { component: "if", condition: "input.fail" },
		stop: { component: "fail", message: "told to" },
		go: { component: "template", text: "went" },
	},
});

const listExecutions = (world: World, name: string, query: object = {}) =>
	world.executor.expect(
		200,
		ExecutionPage.strict(),
		"GET",
		`/workflows/${encodeURIComponent(name)}/executions`,
		{
			query: query as Record<string, string>,
		},
	);

const SECOND = 1000;
const NOON = Date.UTC(2026, 10, 1, 12);

/** Creates runs that alternately fail and succeed, ten seconds apart. */
async function createRuns(world: World, name: string, count: number) {
	await save(world, mayFail(name));
	for (let nth = 0; nth < count; nth++) {
		await world.target.setNow(NOON + nth * 10 * SECOND);
		await run(world, name, { fail: nth % 2 === 1 }, nth % 2 === 1 ? 500 : 200);
	}
	await waitForRecords(world, name, count);
}

export const executions: readonly Scenario[] = [
	{
		name: "GET /executions lists only the tenant's records, of all workflows and webhooks, newest first",
		cites: [],
		async run(world) {
			await createRuns(world, "one", 2);
			await save(world, echo("another"));
			await world.target.setNow(NOON + 60 * SECOND);
			await run(world, "another");
			await waitForRecords(world, "another", 1);
			const theirs = { body: echo("theirs"), headers: otherTenant(world) };
			await world.executor.expect(201, SavedWorkflow, "POST", "/webhooks/named", theirs);
			await world.executor.expect(200, RunResult, "POST", "/webhooks/named/theirs/trigger", {
				headers: otherTenant(world),
			});
			const all = (query: Record<string, string> = {}) =>
				world.executor.expect(200, ExecutionPage.strict(), "GET", "/executions", { query });
			const page = await all();
			assert.deepEqual(
				page.executions.map(({ workflow, verdict }) => [workflow, verdict]),
				[
					["another", "success"],
					["one", "failed"],
					["one", "success"],
				],
			);
			assert.equal((await all({ workflow: "one", verdict: "failed" })).executions.length, 1);
			const first = await all({ limit: "2" });
			const rest = await all({ limit: "2", cursor: first.next_cursor ?? "" });
			assert.deepEqual([...first.executions, ...rest.executions], page.executions);
			await world.executor.refuse(422, "GET", "/executions", { query: { owner_id: "x" } });
			await world.anyone.refuse(401, "GET", "/executions");
		},
	},
	{
		name: "GET /executions/ended returns the tenant's runs as they end, from a position on",
		cites: [],
		async run(world) {
			const ended = (query: Record<string, string> = {}, headers = {}) =>
				world.executor.expect(200, EndedPage.strict(), "GET", "/executions/ended", { query, headers });
			await createRuns(world, "one", 2);
			const { executions: none, next: after } = await ended();
			assert.deepEqual(none, []);
			await save(world, echo("another"));
			await run(world, "another");
			await run(world, "one", { fail: true }, 500);
			const names = await eventually(async () => {
				const { executions } = await ended({ after });
				assert.equal(executions.length, 2);
				return executions.map(({ workflow }) => workflow).sort();
			});
			assert.deepEqual(names, ["another", "one"]);
			const failed = await ended({ after, verdict: "failed", workflow: "one" });
			assert.equal(failed.executions.length, 1);
			assert.deepEqual((await ended({ after }, otherTenant(world))).executions, []);
			await world.executor.refuse(422, "GET", "/executions/ended", { query: { after: "nonsense!" } });
			await world.executor.refuse(422, "GET", "/executions/ended", { query: { owner_id: "x" } });
			await world.anyone.refuse(401, "GET", "/executions/ended");
		},
	},
	{
		name: "GET /workflows/{name}/executions lists the store's records of that workflow, newest first",
		cites: ["EXEC-EXECUTIONS-FORWARDS"],
		async run(world) {
			await createRuns(world, "每日 job", 3);
			await save(world, echo("another"));
			await run(world, "another");
			await waitForRecords(world, "another", 1);
			const page = await listExecutions(world, "每日 job");
			assert.deepEqual(page.executions, await listRecords(world, { workflow: "每日 job" }));
			assert.equal(page.next_cursor, null);
			assert.deepEqual(
				page.executions.map(({ verdict, time }) => [verdict, time]),
				[
					["success", "2026-11-01T12:00:20.000Z"],
					["failed", "2026-11-01T12:00:10.000Z"],
					["success", "2026-11-01T12:00:00.000Z"],
				],
			);
		},
	},
	{
		name: "executions can be filtered by verdict, since and until, and are paginated",
		cites: [],
		async run(world) {
			await createRuns(world, "job", 7);
			const times = async (query: object) =>
				(await listExecutions(world, "job", query)).executions.map(({ time }) => time.slice(14, 19));
			assert.deepEqual(await times({ verdict: "failed" }), ["00:50", "00:30", "00:10"]);
			const since = new Date(NOON + 20 * SECOND).toISOString();
			const until = String((NOON + 40 * SECOND) / SECOND);
			assert.deepEqual(await times({ since, until }), ["00:40", "00:30", "00:20"]);
			assert.deepEqual(await times({ since, until, verdict: "failed" }), ["00:30"]);
			assert.deepEqual(await times({ since, until, verdict: "failed", q: "JOB" }), ["00:30"]);
			assert.deepEqual(await times({ q: "no such text" }), []);
			const seen: string[] = [];
			let cursor: string | undefined;
			for (let pages = 1; ; pages++) {
				const page = await listExecutions(world, "job", { limit: 3, cursor });
				seen.push(...page.executions.map(({ id }) => id));
				if (page.next_cursor === null) {
					assert.equal(pages, 3);
					break;
				}
				cursor = page.next_cursor;
			}
			assert.deepEqual(
				seen,
				(await listRecords(world)).map(({ id }) => id),
			);
			for (const query of [
				{ limit: 101 },
				{ limit: 0 },
				{ verdict: "maybe" },
				{ since: "x" },
				{ cursor: "?" },
				{ q: "" },
				{ other: 1 },
			]) {
				await world.executor.refuse(422, "GET", "/workflows/job/executions", {
					query: query as Record<string, string>,
				});
			}
		},
	},
	{
		name: "executions of another tenant's workflow return 404; a workflow of the same name shows only its own",
		cites: ["EXEC-EXECUTIONS-OWNER"],
		async run(world) {
			await save(world, echo("mine"));
			await run(world, "mine");
			await waitForRecords(world, "mine", 1);
			const headers = otherTenant(world);
			const refused = await world.executor.refuse(404, "GET", "/workflows/mine/executions", { headers });
			assert.deepEqual(refused, { error: "workflow not found" });
			await world.executor.call("POST", "/webhooks/named", { body: echo("mine"), headers });
			const page = await world.executor.expect(200, ExecutionPage, "GET", "/workflows/mine/executions", {
				headers,
			});
			assert.deepEqual(page.executions, []);
			await world.anyone.refuse(401, "GET", "/workflows/mine/executions");
		},
	},
	{
		name: "runs of token webhooks do not appear among a workflow's executions",
		cites: [],
		async run(world) {
			const { token } = await world.executor.expect(201, CreatedWebhook, "POST", "/webhooks", {
				body: {
					name: "shown",
					triplets: ["input >> then >> only"],
					config: { only: { component: "set", values: {} } },
				},
			});
			await save(world, echo("shown"));
			await run(world, "shown");
			await world.anyone.expect(200, RunResult, "POST", `/webhooks/${token}/trigger`);
			await waitForRecords(world, token, 1);
			const { executions: found } = await listExecutions(world, "shown");
			assert.deepEqual(
				found.map(({ trigger }) => trigger),
				["named"],
			);
			await world.executor.refuse(404, "GET", `/workflows/${token}/executions`);
		},
	},
	{
		name: "runs of a token webhook whose graph has the name of a workflow stay separate from the workflow's",
		cites: ["EXEC-PORTAL-LAST-EXECUTION"],
		async run(world) {
			await save(world, echo("greet"));
			await run(world, "greet");
			await waitForRecords(world, "greet", 1);
			const { token } = await world.executor.expect(201, CreatedWebhook, "POST", "/webhooks", {
				body: {
					graph: {
						id: "greet",
						nodes: [{ id: "no", component: "fail", params: { message: "x" } }],
						edges: [],
					},
				},
			});
			await world.anyone.expect(500, RunResult, "POST", `/webhooks/${token}/trigger`);
			await waitForRecords(world, "greet", 2);
			const { executions: found } = await listExecutions(world, "greet");
			assert.deepEqual(
				found.map(({ trigger, verdict }) => [trigger, verdict]),
				[["named", "success"]],
			);
			const path = "/portal/data/workflows";
			const { workflows } = await world.executor.expect(200, PortalWorkflows, "GET", path);
			assert.equal(workflows[0]?.last_execution?.verdict, "success");
			const all = await world.executor.expect(200, ExecutionPage, "GET", "/executions", {
				query: { workflow: "greet", runs_of: "webhook" },
			});
			assert.deepEqual(
				all.executions.map(({ trigger }) => trigger),
				["webhook"],
			);
		},
	},
	{
		name: "a workflow that no longer compiles still shows its executions",
		cites: [],
		async run(world) {
			await save(world, echo("aged"));
			await run(world, "aged");
			await waitForRecords(world, "aged", 1);
			await world.call("PUT", "/entries", {
				body: {
					entry_type: "workflow",
					owner_id: world.owner,
					page_name: "aged",
					content: "",
					metadata_json: JSON.stringify({ graph: { nodes: [{ id: "x", component: "gone" }], edges: [] } }),
				},
			});
			const path = "/webhooks/named/aged/trigger";
			const { error } = await world.executor.expect(500, RunResult, "POST", path);
			assert.match(error ?? "", /^x: component "gone" no longer exists/);
			await waitForRecords(world, "aged", 2);
			const { executions: shown } = await listExecutions(world, "aged");
			assert.deepEqual(
				shown.map((each) => each.error),
				[error, ""],
			);
		},
	},
	{
		name: "the portal lists the tenant's workflows, each with its latest execution or null",
		cites: ["EXEC-PORTAL-LIST", "EXEC-PORTAL-LAST-EXECUTION"],
		async run(world) {
			await save(world, says("never ran", "x"));
			await save(world, says("__proto__", "x"));
			await createRuns(world, "ran", 4);
			await world.executor.call("POST", "/webhooks/named", {
				body: echo("theirs"),
				headers: otherTenant(world),
			});
			const { workflows } = await world.executor.expect(
				200,
				PortalWorkflows.strict(),
				"GET",
				"/portal/data/workflows",
			);
			const last = new Map(workflows.map(({ name, last_execution }) => [name, last_execution]));
			assert.deepEqual([...last.keys()].sort(), ["__proto__", "never ran", "ran"]);
			assert.equal(last.get("never ran"), null);
			assert.equal(last.get("__proto__"), null);
			const [latest] = await listRecords(world, { workflow: "ran" });
			assert.deepEqual(last.get("ran"), {
				time: "2026-11-01T12:00:30.000Z",
				verdict: "failed",
				duration_ms: latest?.duration_ms,
				error: "stop: told to",
			});
			const ran = workflows.find(({ name }) => name === "ran");
			assert.equal(ran?.source, "store");
			assert.equal(ran?.description, "what ran does");
			await run(world, "ran", { fail: false });
			await eventually(async () => {
				const page = await world.executor.expect(200, PortalWorkflows, "GET", "/portal/data/workflows");
				assert.equal(page.workflows.find(({ name }) => name === "ran")?.last_execution?.verdict, "success");
			});
		},
	},
	{
		name: "GET /executions/{id} returns a run's record and its node trace",
		cites: [],
		async run(world) {
			await save(world, mayFail("job"));
			const { execution_id } = await run(world, "job", { fail: true, path: "/a/b" }, 500);
			const detail = await eventually(async () => {
				const found = await world.executor.expect(
					200,
					ExecutionDetail.strict(),
					"GET",
					`/executions/${execution_id}`,
				);
				assert.notEqual(found.record, null);
				return found;
			});
			assert.equal(detail.execution_id, execution_id);
			assert.equal(detail.status, "failed");
			assert.equal(detail.workflow, "job");
			assert.equal(detail.record?.id, execution_id);
			assert.equal(detail.record?.target, "/a/b");
			assert.equal(detail.record?.error, "stop: told to");
			assert.deepEqual(
				detail.nodes?.map(({ id, status, error }) => [id, status, error ?? null]),
				[
					["check", "success", null],
					["stop", "failed", "told to"],
					["go", "skipped", null],
				],
			);
			await world.executor.refuse(404, "GET", `/executions/${execution_id}`, { headers: otherTenant(world) });
			await world.executor.refuse(404, "GET", "/executions/01a2b3c4-0000-7000-8000-000000000000");
			await world.executor.refuse(422, "GET", "/executions/not-an-id");
			await world.anyone.refuse(401, "GET", `/executions/${execution_id}`);
		},
	},
	{
		name: "the trace shows how a run ended even if its record is missing or not written yet",
		cites: [],
		run: (world) =>
			withSettings(world, { EXECUTION_LOG_DAILY_WRITE_LIMIT: "1" }, async () => {
				// Uses a day of its own, because the limit counts records per day.
				await world.target.setNow(Date.UTC(2026, 11, 24, 12));
				const handled = {
					...createWorkflow("handled", {}),
					triplets: ["input >> then >> stop", "stop >> ON_FAIL >> mend"],
					config: {
						stop: { component: "fail", message: "no" },
						mend: { component: "template", text: "mended" },
					},
				};
				await save(world, fails("job", "no"));
				await save(world, handled);
				for (let nth = 0; nth < 4; nth++) await run(world, "job", {}, 500);
				await waitForRecords(world, "job", 2);
				const readStatus = async ({ execution_id }: { execution_id: string }) => {
					const path = `/executions/${execution_id}`;
					const detail = await world.executor.expect(200, ExecutionDetail, "GET", path);
					assert.equal(detail.record, null);
					return detail.status;
				};
				assert.equal(await readStatus(await run(world, "handled")), "success");
				assert.equal(await readStatus(await run(world, "job", {}, 500)), "failed");
			}),
	},
];
