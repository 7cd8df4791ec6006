import assert from "node:assert/strict";
import {
	AcceptedRun,
	CancelledExecution,
	ExecutionDetail,
	UnfinishedPage,
} from "@tripline/contract/executor";
import type { Scenario, World } from "../../scenario.ts";
import { eventually } from "../executor/eventually.ts";
import { createWorkflow, echo, run, save, trigger, waitForRecords } from "../executor/saving.ts";
import { openConsole, openOthersConsole } from "./console.ts";
import { OPEN } from "./settings.ts";

const CITES = ["MCP-GUI-AUTH", "MCP-THIN-SHELL", "MCP-EXPOSES-TENANT-DATA"] as const;
const UNKNOWN = "0199aaaa-bbbb-7ccc-8ddd-00000000ffff";

async function accept(world: World, name: string): Promise<string> {
	const answer = await trigger(world, name, { body: {}, headers: { prefer: "respond-async" } });
	assert.equal(answer.status, 202, JSON.stringify(answer.body));
	return AcceptedRun.parse(answer.body).execution_id;
}

export const guiRuns: readonly Scenario[] = [
	{
		name: "the console lists runs that have not ended and cancels them, and another tenant finds none",
		cites: CITES,
		environment: OPEN,
		async run(world) {
			const gui = openConsole(world);
			const others = openOthersConsole(world);
			await save(world, createWorkflow("slow", { component: "wait", ms: 20_000 }));
			const ids = [await accept(world, "slow"), await accept(world, "slow")].sort();
			const list = (query: Record<string, string> = {}) =>
				gui.expect(200, UnfinishedPage.strict(), "GET", "/executions/unfinished", { query });
			const first = await list({ limit: "1" });
			const second = await list({ limit: "1", cursor: first.next_cursor ?? "" });
			const listed = [...first.executions, ...second.executions];
			assert.deepEqual(listed.map(({ id }) => id).sort(), ids);
			assert.deepEqual([listed[0]?.workflow, listed[0]?.trigger], ["slow", "named"]);
			const none = await others.expect(200, UnfinishedPage, "GET", "/executions/unfinished");
			assert.deepEqual(none.executions, []);
			for (const id of ids) {
				const path = `/executions/${id}/cancel`;
				await others.refuse(404, "POST", path);
				assert.equal((await world.anyone.call("POST", `/gui${path}`)).status, 401);
				assert.deepEqual(await gui.expect(200, CancelledExecution.strict(), "POST", path), {
					execution_id: id,
					status: "cancelled",
				});
				assert.equal((await gui.refuse(409, "POST", path)).error, "the run has ended");
			}
			assert.deepEqual((await list()).executions, []);
			await gui.refuse(404, "POST", `/executions/${UNKNOWN}/cancel`);
			for (const wrong of ["limit=101", "cursor=%20", "status=running"])
				await gui.refuse(422, "GET", `/executions/unfinished?${wrong}`);
		},
	},
	{
		name: "the console repeats a run as a new one, with its input or another, and says why it cannot",
		cites: CITES,
		environment: OPEN,
		async run(world) {
			const gui = openConsole(world);
			await save(world, echo("kept", { options: { keep: "all" } }));
			const { execution_id: id } = await run(world, "kept", { who: "Ada" });
			await waitForRecords(world, "kept", 1);
			const path = `/executions/${id}/replay`;
			for (const body of [{}, { version: "current" }, { input: { who: "Bob" } }]) {
				const { execution_id } = await eventually(() =>
					gui.expect(202, AcceptedRun.strict(), "POST", path, { body }),
				);
				await eventually(async () => {
					const { record } = await gui.expect(200, ExecutionDetail, "GET", `/executions/${execution_id}`);
					assert.deepEqual([record?.verdict, record?.trigger], ["success", "replay"]);
				});
			}
			const refused = await gui.refuse(409, "POST", path, { body: { from: "failed" } });
			assert.match(refused.error, /^the steps of this run are not kept.*options\.keep/);
			await openOthersConsole(world).refuse(404, "POST", path, { body: {} });
			await gui.refuse(404, "POST", `/executions/${UNKNOWN}/replay`, { body: {} });
			for (const body of [{ from: "end" }, { input: [] }, { from: "failed", input: {} }, { more: 1 }])
				await gui.refuse(422, "POST", path, { body });
		},
	},
];
