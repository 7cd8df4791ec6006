import assert from "node:assert/strict";
import { DeletedAnswer } from "@tripline/contract/entries";
import { Backfilled, PortalWorkflows, WorkflowDocument, WorkflowList } from "@tripline/contract/executor";
import { RunResult } from "@tripline/contract/workflows";
import type { Scenario, World } from "../../scenario.ts";
import { getNamedPath, listStored, otherTenant, run, save, says, trigger, waitForRecords } from "./saving.ts";

const createGraph = (text: string) => ({
	nodes: [{ id: "only", component: "template", params: { text } }],
	edges: [{ from: "input", to: "only", on: "ON_SUCCESS" }],
});

/** A workflow in the format of the legacy store. */
async function putLegacy(world: World, name: string, fields: object = {}, owner = world.owner) {
	const value = { name, description: `old ${name}`, graph: createGraph(`${name} of kv`), ...fields };
	await world.target.kv.put(`${owner}:wf:${name}`, JSON.stringify(value));
}

const legacyKeys = async (world: World) =>
	(await world.target.kv.keys()).filter((key) => key.startsWith(`${world.owner}:`));

const list = async (world: World) =>
	(await world.executor.expect(200, WorkflowList, "GET", "/webhooks/named")).workflows;

const backfill = (world: World) =>
	world.executor.expect(200, Backfilled.strict(), "POST", "/workflows/backfill-search-entries");

async function withStoreAway(world: World, act: () => Promise<void>) {
	await world.target.setStoreAway(true);
	try {
		await act();
	} finally {
		await world.target.setStoreAway(false);
	}
}

export const legacy: readonly Scenario[] = [
	{
		name: "the list is the union of both stores; if both have a name, the store's workflow wins",
		cites: ["EXEC-NAMED-LIST-UNION", "EXEC-NAMED-LIST-STORE-WINS"],
		async run(world) {
			await putLegacy(world, "old 舊", { config: { version: "7" }, cron_expr: "0 3 * * *" });
			await putLegacy(world, "both");
			await putLegacy(world, "theirs", {}, `${world.owner}-other`);
			await save(world, says("both", "of the store", { description: "new both" }));
			await save(world, says("new", "x"));
			const workflows = await list(world);
			assert.deepEqual(workflows.map(({ name, source, description }) => [name, source, description]).sort(), [
				["both", "store", "new both"],
				["new", "store", "what new does"],
				["old 舊", "kv", "old old 舊"],
			]);
			const { webhook_url, ...old } = workflows.find(({ source }) => source === "kv") ?? { webhook_url: "" };
			assert.deepEqual(old, {
				name: "old 舊",
				description: "old old 舊",
				version: "7",
				tags: [],
				trigger: { type: "schedule", cron: "0 3 * * *" },
				cron_expr: "0 3 * * *",
				expose: false,
				input_schema: null,
				output_schema: null,
				source: "kv",
				next_run_at: null,
				updated_at: null,
				version_number: null,
				enabled: true,
			});
			assert.ok(webhook_url.endsWith(`/webhooks/named/${world.owner}/old%20%E8%88%8A/trigger`));
		},
	},
	{
		name: "a named trigger reads the store first and falls back to the legacy store",
		cites: ["EXEC-NAMED-TRIGGER-STORE-FIRST", "EXEC-NAMED-TRIGGER-FALLBACK"],
		async run(world) {
			await putLegacy(world, "job");
			assert.equal((await run(world, "job")).data, "job of kv");
			await save(world, says("job", "job of the store"));
			assert.equal((await run(world, "job")).data, "job of the store");
			const path = `/webhooks/named/${world.owner}/job/trigger`;
			assert.equal((await world.anyone.expect(200, RunResult, "POST", path)).data, "job of the store");
			const [first] = await waitForRecords(world, "job", 3);
			assert.equal(first?.trigger, "named");
		},
	},
	{
		name: "while the store is unreachable the legacy store is used, and a workflow it lacks gives 503",
		cites: ["EXEC-NAMED-TRIGGER-FALLBACK"],
		async run(world) {
			await putLegacy(world, "kept");
			await save(world, says("kept", "newer, but out of reach"));
			await save(world, says("only stored", "x"));
			await world.target.lines();
			await withStoreAway(world, async () => {
				assert.equal((await run(world, "kept")).data, "kept of kv");
				const told = (await world.target.lines()).filter(({ message }) => message.includes("legacy version"));
				assert.deepEqual(
					told.map(({ level }) => level),
					["warn"],
				);
				for (const name of ["only stored", "nowhere"]) {
					const { status, headers, body } = await trigger(world, name);
					assert.equal(status, 503, name);
					assert.match(headers.get("retry-after") ?? "", /^[1-9]\d*$/);
					assert.match((body as { error: string }).error, /store cannot be reached/);
				}
				assert.equal((await world.executor.call("GET", "/webhooks/named")).status, 503);
			});
			assert.equal((await run(world, "kept")).data, "newer, but out of reach");
			assert.equal((await trigger(world, "nowhere")).status, 404);
			// The record of the run was held until the store was reachable again.
			await waitForRecords(world, "kept", 2);
		},
	},
	{
		name: "a response says if the legacy version ran, because the store's may be newer",
		cites: ["EXEC-NAMED-TRIGGER-FALLBACK"],
		async run(world) {
			await putLegacy(world, "kept", { config: { options: { query: true } } });
			await save(world, says("kept", "newer", { options: { query: true } }));
			const calls = [
				["POST", "/webhooks/named/kept/trigger", world.executor],
				["POST", `/webhooks/named/${world.owner}/kept/trigger`, world.anyone],
				["POST", "/webhooks/named/kept/query", world.executor],
				["GET", `/q/${world.owner}/kept`, world.anyone],
			] as const;
			const sources = () =>
				Promise.all(
					calls.map(async ([method, path, surface]) => {
						const { status, headers } = await surface.call(method, path);
						return [status, headers.get("x-workflow-source")];
					}),
				);
			assert.deepEqual(
				await sources(),
				calls.map(() => [200, null]),
			);
			await withStoreAway(world, async () => {
				assert.deepEqual(
					await sources(),
					calls.map(() => [200, "kv"]),
				);
			});
		},
	},
	{
		name: "a legacy workflow can be exported, has its executions and is in the portal",
		cites: [],
		async run(world) {
			await putLegacy(world, "old");
			await run(world, "old");
			await waitForRecords(world, "old", 1);
			const document = await world.executor.expect(200, WorkflowDocument, "GET", getNamedPath("old"));
			assert.deepEqual(document, {
				name: "old",
				description: "old old",
				version: "1",
				triplets: ["input >> ON_SUCCESS >> only"],
				config: { only: { component: "template", text: "old of kv" } },
			});
			assert.equal((await world.executor.call("GET", "/workflows/old/executions")).status, 200);
			const { workflows } = await world.executor.expect(
				200,
				PortalWorkflows,
				"GET",
				"/portal/data/workflows",
			);
			assert.equal(workflows[0]?.last_execution?.verdict, "success");
		},
	},
	{
		name: "a legacy workflow that cannot be read is a corrupt definition, and does not hide the others",
		cites: [],
		async run(world) {
			await world.target.kv.put(`${world.owner}:wf:torn`, '{"name":"torn","graph":{');
			await putLegacy(world, "empty", { graph: {} });
			await putLegacy(world, "whole");
			for (const name of ["torn", "empty"]) {
				const { error } = await world.executor.refuse(500, "POST", getNamedPath(name, "trigger"));
				assert.match(error, /^definition corrupt/);
			}
			assert.deepEqual((await list(world)).map(({ name }) => name).sort(), ["empty", "torn", "whole"]);
			assert.equal((await run(world, "whole")).data, "whole of kv");
			await world.executor.expect(200, DeletedAnswer, "DELETE", getNamedPath("torn"));
		},
	},
	{
		name: "DELETE /webhooks/named/{name} deletes from both stores",
		cites: ["EXEC-NAMED-DELETE-STORE", "EXEC-NAMED-DELETE-LEGACY", "EXEC-NAMED-DELETE-BODY"],
		async run(world) {
			await putLegacy(world, "both");
			await putLegacy(world, "old");
			await putLegacy(world, "other");
			await save(world, says("both", "x"));
			for (const name of ["both", "old"]) {
				const answer = await world.executor.expect(200, DeletedAnswer.strict(), "DELETE", getNamedPath(name));
				assert.deepEqual(answer, { deleted: true });
				assert.equal((await trigger(world, name)).status, 404);
			}
			assert.deepEqual(await listStored(world, "workflow"), []);
			assert.deepEqual(await legacyKeys(world), [`${world.owner}:wf:other`]);
		},
	},
	{
		name: "backfill copies every legacy workflow of the tenant, and no others, into the store",
		cites: [
			"EXEC-BACKFILL-COPIES",
			"EXEC-BACKFILL-TENANT",
			"EXEC-BACKFILL-BACKFILLED",
			"EXEC-BACKFILL-NEEDS-DESCRIPTION",
		],
		async run(world) {
			for (let nth = 0; nth < 12; nth++) await putLegacy(world, `job ${nth}`);
			await putLegacy(world, "說明 missing", { description: "" });
			await putLegacy(world, "never told", { description: undefined });
			await putLegacy(world, "theirs", {}, `${world.owner}-other`);
			const answer = await backfill(world);
			assert.deepEqual([answer.backfilled, answer.unchanged], [14, 0]);
			assert.deepEqual(answer.needs_description.sort(), ["never told", "說明 missing"]);
			const entries = await listStored(world, "workflow");
			assert.equal(entries.length, 14);
			const first = entries.find(({ page_name }) => page_name === "job 0");
			assert.equal(first?.content, "old job 0");
			assert.deepEqual(JSON.parse(first?.metadata_json ?? "").graph, createGraph("job 0 of kv"));
			assert.ok((await list(world)).every(({ source }) => source === "store"));
			assert.equal((await run(world, "job 7")).data, "job 7 of kv");
			const others = { owner_id: `${world.owner}-other` };
			assert.deepEqual(await listStored(world, "workflow", others), []);
			const nothing = await world.executor.expect(
				200,
				Backfilled,
				"POST",
				"/workflows/backfill-search-entries",
				{ headers: { "x-service-api-key": `${world.owner}-empty` } },
			);
			assert.deepEqual(nothing, { backfilled: 0, unchanged: 0, needs_description: [] });
		},
	},
	{
		name: "repeating the backfill creates no second entry and overwrites no later change",
		cites: ["EXEC-BACKFILL-REPEATABLE"],
		async run(world) {
			await putLegacy(world, "job");
			await putLegacy(world, "untold", { description: "" });
			await backfill(world);
			await save(world, says("untold", "told", { description: "told now" }));
			const again = await backfill(world);
			assert.deepEqual(again, { backfilled: 2, unchanged: 2, needs_description: [] });
			const entries = await listStored(world, "workflow");
			assert.deepEqual(entries.map(({ page_name, content }) => [page_name, content]).sort(), [
				["job", "old job"],
				["untold", "told now"],
			]);
			assert.equal((await run(world, "untold")).data, "told");
			const both = await Promise.all([backfill(world), backfill(world)]);
			assert.deepEqual(
				both.map(({ backfilled }) => backfilled),
				[2, 2],
			);
			assert.equal((await listStored(world, "workflow")).length, 2);
		},
	},
	{
		name: "an unreadable legacy workflow does not stop the backfill of the others",
		cites: [],
		async run(world) {
			await world.target.kv.put(`${world.owner}:wf:b torn`, "{");
			await putLegacy(world, "a");
			await putLegacy(world, "c");
			await world.executor.call("POST", "/workflows/backfill-search-entries");
			assert.deepEqual((await listStored(world, "workflow")).map(({ page_name }) => page_name).sort(), [
				"a",
				"c",
			]);
		},
	},
	{
		name: "saving or running a named workflow writes nothing to the key-value store",
		cites: [],
		async run(world) {
			await putLegacy(world, "old");
			const before = await world.target.kv.keys();
			await save(world, says("new", "x"));
			for (const name of ["new", "old", "new"]) await run(world, name);
			await world.executor.call("POST", getNamedPath("new", "trigger"), { headers: otherTenant(world) });
			await waitForRecords(world, "new", 2);
			await waitForRecords(world, "old", 1);
			assert.deepEqual(await world.target.kv.keys(), before);
		},
	},
];
