import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { ERAS, type Era } from "../../../mcp/wire.ts";
import type { Scenario, World } from "../../scenario.ts";
import { createWorkflow, getNamedPath, listStored, save, waitForRecords } from "../executor/saving.ts";
import { mcpCall } from "./asking.ts";
import { OPEN } from "./settings.ts";

const SLOW_MS = 1_500;

/** Waits, then writes a note, which must not happen after the client has disconnected. */
const slow = {
	...createWorkflow("slow", { component: "wait", ms: SLOW_MS }),
	triplets: ["input >> then >> only", "only >> then >> note"],
	config: {
		only: { component: "wait", ms: SLOW_MS },
		note: { component: "kb_upsert", page_name: "done", content: "yes" },
	},
};

/** Starts a run and disconnects while it waits. */
async function disconnect(world: World, era: Era, meta?: Readonly<Record<string, unknown>>): Promise<void> {
	const caller = new AbortController();
	const params = { name: "run_workflow", arguments: { name: "slow" } };
	const sent = { signal: caller.signal, ...(meta !== undefined && { meta }) };
	const call = mcpCall(world, world.owner, era, "tools/call", params, sent);
	await Promise.all([
		assert.rejects(call),
		wait(300).then(() => caller.abort(new Error("the client has no more time"))),
	]);
}

/** Workers without `enable_request_signal` do not see disconnects; the deployment tests cover Workers that have it. */
const seesDisconnects = (world: World): boolean => !world.target.isolatesRequests;

export const cancelling: readonly Scenario[] = [
	{
		name: "a client that disconnects ends its run if the platform reports it; every run is recorded",
		cites: ["MCP-ENDPOINT"],
		environment: OPEN,
		async run(world) {
			await save(world, slow);
			const expected = seesDisconnects(world) ? ["failed", "cancelled", "mcp"] : ["success", "", "mcp"];
			for (const [nth, era] of ERAS.entries()) {
				await disconnect(world, era, nth === 0 ? undefined : { progressToken: "p" });
				const [record] = await waitForRecords(world, "slow", nth + 1);
				assert.deepEqual([record?.verdict, record?.error, record?.trigger], expected);
			}
			await wait(SLOW_MS);
			assert.equal((await listStored(world, "note")).length, seesDisconnects(world) ? 0 : 1);
		},
	},
	{
		name: "a webhook caller that disconnects does not end the run",
		cites: [],
		environment: OPEN,
		async run(world) {
			await save(world, slow);
			const url = `${world.target.publicUrl}${getNamedPath("slow", "trigger")}`;
			const headers = { "x-service-api-key": world.owner };
			await assert.rejects(fetch(url, { method: "POST", headers, signal: AbortSignal.timeout(300) }));
			const [record] = await waitForRecords(world, "slow", 1);
			assert.equal(record?.verdict, "success");
		},
	},
];
