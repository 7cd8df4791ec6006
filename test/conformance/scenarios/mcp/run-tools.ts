import assert from "node:assert/strict";
import { AcceptedRun } from "@tripline/contract/executor";
import { ERAS, type Fields } from "../../../mcp/wire.ts";
import type { Scenario, World } from "../../scenario.ts";
import { eventually } from "../executor/eventually.ts";
import { createWorkflow, listRecords, listStored, save, trigger } from "../executor/saving.ts";
import { callForProblem, callTool, listTools } from "./asking.ts";
import { OPEN } from "./settings.ts";

const UNKNOWN = "0199aaaa-bbbb-7ccc-8ddd-00000000ffff";

/** Writes an entry, then runs the last node. */
const writing = (name: string, last: Fields, options: Fields = { keep: "failed" }) => ({
	...createWorkflow(name, {}, { options }),
	triplets: ["input >> then >> write", "write >> then >> last"],
	config: {
		write: { component: "kb_upsert", page_name: `${name} of {{input.who}}`, content: "x" },
		last,
	},
});

/** Waits longer than a test, then writes. */
const pausing = (name: string) => ({
	...createWorkflow(name, {}),
	triplets: ["input >> then >> pause", "pause >> then >> write"],
	config: {
		pause: { component: "wait", ms: 30_000 },
		write: { component: "kb_upsert", page_name: "p", content: "x" },
	},
});

/** Waits for days, then writes. */
const waiting = (name: string, options: Fields) => ({
	...pausing(name),
	config: { ...pausing(name).config, pause: { component: "wait", for: "3 days" } },
	options,
});

async function accept(world: World, name: string): Promise<string> {
	const answer = await trigger(world, name, { body: { who: "Ada" }, headers: { prefer: "respond-async" } });
	assert.equal(answer.status, 202, JSON.stringify(answer.body));
	return AcceptedRun.parse(answer.body).execution_id;
}

/** Waits until the run has ended and its record is stored. */
const waitForStatus = (world: World, execution_id: unknown, status: string) =>
	eventually(async () => {
		const told = await callTool(world, "get_execution", { execution_id });
		assert.deepEqual([told.status, told.time === null], [status, false]);
		return told;
	});

export const runTools: readonly Scenario[] = [
	{
		name: "an assistant cancels a run that has not ended, once, and nobody else's",
		cites: ["MCP-THIN-SHELL", "MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			for (const era of ERAS) {
				const name = `slow ${era}`;
				await save(world, {
					...createWorkflow(name, {}),
					triplets: ["input >> then >> pause", "pause >> then >> write"],
					config: {
						pause: { component: "wait", ms: 1_500 },
						write: { component: "kb_upsert", page_name: name, content: "x" },
					},
				});
				const execution_id = await accept(world, name);
				const theirs = { bearer: `${world.owner}-other`, era };
				const cancel = (options: { bearer?: string; era: typeof era }) =>
					callForProblem(world, "cancel_execution", { execution_id }, options);
				assert.match(await cancel(theirs), /There is no execution/);
				assert.deepEqual(await callTool(world, "cancel_execution", { execution_id }, { era }), {
					execution_id,
					status: "cancelled",
				});
				const told = await waitForStatus(world, execution_id, "cancelled");
				assert.equal(told.error, "cancelled");
				assert.match(await cancel({ era }), /Rejected: the run has ended/);
				const unknown = { execution_id: UNKNOWN };
				assert.match(
					await callForProblem(world, "cancel_execution", unknown, { era }),
					/There is no execution.*list_recent_executions/,
				);
			}
			await new Promise((resolve) => setTimeout(resolve, 2_000));
			assert.deepEqual(await listStored(world, "note"), []);
		},
	},
	{
		name: "many runs that have not ended are listed within the answer's budget, page by page",
		cites: ["MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			const name = `slow ${"x".repeat(120)}`;
			await save(world, pausing(name));
			const ids = await Promise.all(Array.from({ length: 70 }, () => accept(world, name)));
			const listed: unknown[] = [];
			let pages = 0;
			for (let cursor: unknown; cursor !== null; pages++) {
				const args = { status: "unfinished", limit: 100, ...(cursor !== undefined && { cursor }) };
				const answer = await callTool(world, "list_recent_executions", args);
				assert.ok(JSON.stringify(answer).length <= 20_000);
				listed.push(...(answer.executions as Fields[]).map(({ execution_id }) => execution_id));
				cursor = answer.next_cursor;
			}
			assert.ok(pages > 1);
			assert.deepEqual(listed.sort(), [...ids].sort());
			for (const execution_id of ids) await callTool(world, "cancel_execution", { execution_id });
			const { executions } = await callTool(world, "list_recent_executions", { status: "unfinished" });
			assert.deepEqual(executions, []);
		},
	},
	{
		name: "an assistant lists the runs that have not ended, its own ones only",
		cites: ["MCP-THIN-SHELL", "MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			await save(world, pausing("slow"));
			await save(world, pausing("other"));
			const slow = await accept(world, "slow");
			const other = await accept(world, "other");
			for (const era of ERAS) {
				const list = async (args: object, bearer?: string) => {
					const given = { status: "unfinished", ...args };
					const options = { era, ...(bearer !== undefined && { bearer }) };
					const answer = await callTool(world, "list_recent_executions", given, options);
					return answer as { executions: Fields[]; next_cursor: string | null };
				};
				const { executions } = await list({});
				assert.deepEqual(executions.map(({ execution_id }) => execution_id).sort(), [slow, other].sort());
				for (const { verdict, duration_ms, status, trigger: by } of executions) {
					assert.deepEqual([verdict, duration_ms, by], [null, null, "named"]);
					assert.ok(status === "running" || status === "waiting");
				}
				const ofOne = await list({ workflow: "other" });
				assert.deepEqual(
					ofOne.executions.map(({ execution_id }) => execution_id),
					[other],
				);
				const first = await list({ limit: 1 });
				const rest = await list({ limit: 1, cursor: first.next_cursor });
				assert.equal(
					new Set([...first.executions, ...rest.executions].map(({ execution_id }) => execution_id)).size,
					2,
				);
				assert.deepEqual((await list({}, `${world.owner}-other`)).executions, []);
				const ended = await callTool(world, "list_recent_executions", {}, { era });
				assert.deepEqual(ended.executions, []);
				assert.match(
					await callForProblem(
						world,
						"list_recent_executions",
						{ status: "unfinished", verdict: "failed", since: "2026-01-01T00:00:00Z" },
						{ era },
					),
					/cannot be filtered by verdict, since/,
				);
				assert.match(
					await callForProblem(
						world,
						"list_recent_executions",
						{ status: "unfinished", workflow: "no such" },
						{ era },
					),
					/There is no workflow/,
				);
			}
			for (const execution_id of [slow, other]) await callTool(world, "cancel_execution", { execution_id });
		},
	},
	{
		name: "an assistant is told that a run waits, until when, and that it goes on by itself",
		cites: ["MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			const now = Date.UTC(2026, 10, 3, 12);
			const until = "2026-11-06T12:00:00.000Z";
			await world.target.setNow(now);
			await save(world, waiting("later", { expose: true }));
			for (const era of ERAS) {
				for (const [tool, args] of [
					["run_workflow", { name: "later" }],
					["run_later", {}],
				] as const) {
					const told = await callTool(world, tool, args, { era });
					assert.deepEqual(
						[told.success, told.waits_for, told.until, told.data, told.error],
						[null, "time", until, null, null],
					);
					assert.match(
						String(told.next),
						/waits until 2026-11-06T12:00:00\.000Z at the latest and then goes on by itself, so do not run it again\. get_execution/,
					);
					const { execution_id } = told;
					const listed = await callTool(world, "list_recent_executions", { status: "unfinished" }, { era });
					const [run] = listed.executions as Fields[];
					assert.deepEqual(
						[run?.execution_id, run?.status, run?.waits_for, run?.until],
						[execution_id, "waiting", "time", until],
					);
					const got = await callTool(world, "get_execution", { execution_id }, { era });
					assert.deepEqual([got.status, got.waits_for, got.until], ["accepted", "time", until]);
					assert.equal(got.next, told.next);
					await callTool(world, "cancel_execution", { execution_id }, { era });
				}
			}
			const { execution_id } = await callTool(world, "run_workflow", { name: "later" });
			await world.target.setNow(Date.parse(until));
			await world.target.tick();
			const ended = await waitForStatus(world, execution_id, "success");
			assert.deepEqual([ended.waits_for, ended.until, ended.trigger], [undefined, undefined, "mcp"]);
		},
	},
	{
		name: "an assistant fixes a workflow and repeats its failed run from where it failed",
		cites: ["MCP-THIN-SHELL", "MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			for (const era of ERAS) {
				const name = `job ${era}`;
				await save(world, writing(name, { component: "fail", message: "broken" }));
				const execution_id = await accept(world, name);
				await waitForStatus(world, execution_id, "failed");
				const replay = (args: Fields = {}) =>
					callTool(world, "replay_execution", { execution_id, ...args }, { era });
				const same = await replay();
				assert.notEqual(same.execution_id, execution_id);
				await waitForStatus(world, same.execution_id, "failed");
				const document = writing(name, { component: "template", text: "mended" });
				await callTool(world, "save_workflow", { document }, { era });
				const current = await replay({ from: "failed", version: "current" });
				const told = await waitForStatus(world, current.execution_id, "success");
				assert.equal(told.trigger, "replay");
				const records = await listRecords(world, { workflow: name });
				const find = (id: unknown) => records.find((record) => record.id === id)?.version_number;
				assert.deepEqual([find(same.execution_id), find(current.execution_id)], [1, 2]);
			}
		},
	},
	{
		name: "an assistant is told why a run cannot be repeated, and repeats nobody else's",
		cites: ["MCP-THIN-SHELL", "MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			await save(world, writing("gone", { component: "fail", message: "broken" }, { keep: "none" }));
			const execution_id = await accept(world, "gone");
			await waitForStatus(world, execution_id, "failed");
			for (const era of ERAS) {
				const refuse = (args: Fields, bearer = world.owner) =>
					callForProblem(world, "replay_execution", { execution_id, ...args }, { bearer, era });
				assert.match(await refuse({}), /Rejected: the whole input of this run is not kept/);
				assert.match(await refuse({ from: "failed" }), /Rejected: the steps of this run are not kept/);
				assert.match(await refuse({ from: "end" }), /- from: /);
				assert.match(await refuse({ version: 1 }), /- version: /);
				assert.match(await refuse({ execution_id: UNKNOWN }), /There is no execution/);
				assert.match(await refuse({}, `${world.owner}-other`), /There is no execution/);
			}
			assert.equal((await listRecords(world)).length, 1);
		},
	},
	{
		name: "clients are told that cancelling and repeating runs changes something",
		cites: ["MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			for (const era of ERAS) {
				const tools = await listTools(world, world.owner, era);
				const getHints = (name: string) => {
					const found = tools.find((tool) => tool.name === name)?.annotations;
					return [found?.readOnlyHint, found?.destructiveHint, found?.idempotentHint, found?.openWorldHint];
				};
				assert.deepEqual(getHints("cancel_execution"), [false, true, true, false]);
				assert.deepEqual(getHints("replay_execution"), [false, true, false, true]);
			}
		},
	},
];
