import assert from "node:assert/strict";
import { ExecutionPage } from "@tripline/contract/execution-log";
import { AcceptedRun } from "@tripline/contract/executor";
import { ChangedWorkflow, DeletedWorkflowPage } from "@tripline/contract/workflow-versions";
import type { Scenario, World } from "../../scenario.ts";
import { getNamedPath, run, save, says, trigger, waitForRecords } from "./saving.ts";
import { listVersions } from "./versions.ts";

const listDeleted = async (world: World) =>
	(await world.executor.expect(200, DeletedWorkflowPage, "GET", "/deleted-workflows")).workflows;

const remove = (world: World, name: string) => world.executor.call("DELETE", getNamedPath(name));

const restore = (world: World, id: string) =>
	world.executor.expect(200, ChangedWorkflow, "POST", `/deleted-workflows/${id}/restore`);

const rename = (world: World, name: string, to: string) =>
	world.executor.expect(200, ChangedWorkflow, "POST", `/workflows/${name}/rename`, { body: { to } });

const YAML_TEXT = `# A comment
name: 'old' # with a comment
description: d
version: "1"
triplets: [input >> then >> only]
config: { only: { component: template, text: "name: old" } }
`;

export const trash: readonly Scenario[] = [
	{
		name: "a deleted workflow can be restored with its versions and its switch",
		cites: [],
		async run(world) {
			await save(world, says("greet", "one"));
			await save(world, says("greet", "two", { trigger: { type: "schedule", cron: "0 3 * * *" } }));
			await world.executor.call("PUT", "/workflows/greet/enabled", { body: { enabled: false } });
			await remove(world, "greet");
			await world.executor.refuse(404, "GET", getNamedPath("greet"));
			await world.executor.refuse(404, "GET", "/workflows/greet/versions");
			const [deleted] = await listDeleted(world);
			assert.ok(deleted !== undefined);
			assert.deepEqual([deleted.name, deleted.version_number, deleted.client], ["greet", 2, "api"]);
			assert.equal(Date.parse(deleted.purged_at) - Date.parse(deleted.deleted_at), 30 * 86_400_000);
			const restored = await restore(world, deleted.id);
			assert.deepEqual([restored.name, restored.version_number, restored.enabled], ["greet", 2, false]);
			assert.deepEqual(await listDeleted(world), []);
			assert.equal((await listVersions(world, "greet")).length, 2);
			await world.executor.call("PUT", "/workflows/greet/enabled", { body: { enabled: true } });
			assert.equal((await run(world, "greet")).data, "two");
			await save(world, says("greet", "three"));
			assert.equal((await listVersions(world, "greet")).length, 3);
			await world.executor.refuse(404, "POST", `/deleted-workflows/${deleted.id}/restore`);
		},
	},
	{
		name: "restoring onto a taken name is refused; both can be had after a rename",
		cites: [],
		async run(world) {
			await save(world, says("greet", "first"));
			await remove(world, "greet");
			await save(world, says("greet", "second"));
			assert.equal((await listVersions(world, "greet")).length, 1);
			const [deleted] = await listDeleted(world);
			const path = `/deleted-workflows/${deleted?.id}/restore`;
			const refused = await world.executor.refuse(409, "POST", path);
			assert.match(refused.error, /a workflow named "greet" exists/);
			await rename(world, "greet", "newer");
			await restore(world, deleted?.id ?? "");
			assert.equal((await run(world, "greet")).data, "first");
			assert.equal((await run(world, "newer")).data, "second");
		},
	},
	{
		name: "a deleted workflow is purged on request, and by itself after 30 days",
		cites: [],
		async run(world) {
			const start = Date.UTC(2026, 10, 16, 12);
			await world.target.setNow(start);
			for (const name of ["asked", "aged", "young"]) await save(world, says(name, "x"));
			await remove(world, "asked");
			await remove(world, "aged");
			const [, asked] = await listDeleted(world);
			assert.equal(asked?.name, "asked");
			assert.equal((await world.executor.call("DELETE", `/deleted-workflows/${asked?.id}`)).status, 200);
			await world.executor.refuse(404, "DELETE", `/deleted-workflows/${asked?.id}`);
			await world.target.setNow(start + 86_400_000);
			await remove(world, "young");
			await world.target.setNow(start + 30 * 86_400_000 + 60_000);
			await world.target.tick();
			assert.deepEqual(
				(await listDeleted(world)).map(({ name }) => name),
				["young"],
			);
		},
	},
	{
		name: "a deleted legacy workflow can be restored",
		cites: [],
		async run(world) {
			const graph = {
				nodes: [{ id: "only", component: "template", params: { text: "of kv" } }],
				edges: [{ from: "input", to: "only", on: "ON_SUCCESS" }],
			};
			await world.target.kv.put(`${world.owner}:wf:old`, JSON.stringify({ name: "old", graph }));
			await remove(world, "old");
			assert.equal((await trigger(world, "old")).status, 404);
			const [deleted] = await listDeleted(world);
			await restore(world, deleted?.id ?? "");
			assert.equal((await run(world, "old")).data, "of kv");
		},
	},
	{
		name: "a renamed workflow keeps its versions, its comments and the records of its runs",
		cites: [],
		async run(world) {
			const headers = { "content-type": "application/yaml" };
			await world.executor.call("POST", "/workflows", { raw: YAML_TEXT, headers });
			await run(world, "old");
			await waitForRecords(world, "old", 1);
			const renamed = await rename(world, "old", "new one");
			assert.deepEqual([renamed.name, renamed.version_number], ["new one", 2]);
			await world.executor.refuse(404, "GET", getNamedPath("old"));
			assert.equal((await trigger(world, "old")).status, 404);
			const accept = { headers: { accept: "application/yaml" } };
			const text = (await world.executor.call("GET", getNamedPath("new one"), accept)).body;
			assert.equal(text, YAML_TEXT.replace("name: 'old'", "name: new one"));
			assert.deepEqual(
				(await listVersions(world, "new one")).map(({ number, name }) => [number, name]),
				[
					[2, "new one"],
					[1, "old"],
				],
			);
			const first = await world.executor.call("GET", "/workflows/new%20one/versions/1", accept);
			assert.equal(first.body, YAML_TEXT);
			await run(world, "new one");
			await waitForRecords(world, "new one", 1);
			const path = "/workflows/new%20one/executions";
			const page = await world.executor.expect(200, ExecutionPage, "GET", path);
			assert.deepEqual(
				page.executions.map(({ workflow }) => workflow),
				["new one", "old"],
			);
			await save(world, says("old", "another"));
			const body = { to: "old" };
			await world.executor.refuse(409, "POST", "/workflows/new%20one/rename", { body });
			await world.executor.refuse(412, "POST", "/workflows/new%20one/rename", {
				body: { to: "newer" },
				headers: { "if-match": '"1"' },
			});
			await world.executor.refuse(404, "POST", "/workflows/absent/rename", { body });
			const back = await world.executor.call("POST", "/workflows/new%20one/rollback", {
				body: { version: 1 },
			});
			assert.equal(back.status, 200);
			assert.equal((await world.executor.call("GET", getNamedPath("new one"), accept)).body, text);
		},
	},
	{
		name: "a workflow that got an old name back lists all its runs in pages, and none of another workflow",
		cites: [],
		async run(world) {
			const start = Date.UTC(2026, 10, 16, 12);
			let minutes = 0;
			const pass = () => world.target.setNow(start + ++minutes * 60_000);
			const runTwice = async (name: string) => {
				const ids = [];
				for (let nth = 0; nth < 2; nth++) {
					await pass();
					ids.unshift((await run(world, name)).execution_id);
				}
				await pass();
				return ids;
			};
			await pass();
			await save(world, says("one", "x"));
			const first = await runTwice("one");
			await rename(world, "one", "two");
			await save(world, says("one", "of another workflow"));
			const second = await runTwice("two");
			await runTwice("one");
			await rename(world, "one", "other");
			await pass();
			await rename(world, "two", "one");
			const third = await runTwice("one");
			const ids: string[] = [];
			let cursor: string | undefined;
			do {
				const query = { limit: 2, cursor };
				const page = await world.executor.expect(200, ExecutionPage, "GET", "/workflows/one/executions", {
					query,
				});
				ids.push(...page.executions.map(({ id }) => id));
				cursor = page.next_cursor ?? undefined;
			} while (cursor !== undefined);
			assert.deepEqual(ids, [...third, ...second, ...first]);
		},
	},
	{
		name: "of parallel renames to one name exactly one succeeds",
		cites: [],
		async run(world) {
			const names = Array.from({ length: 10 }, (_, nth) => `wf${nth}`);
			for (const name of names) await save(world, says(name, name));
			const answers = await Promise.all(
				names.map((name) =>
					world.executor.call("POST", `/workflows/${name}/rename`, { body: { to: "one" } }),
				),
			);
			assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(409)]);
		},
	},
	{
		name: "a run that was accepted before a rename runs afterwards",
		cites: [],
		async run(world) {
			const slow = { triplets: ["input >> then >> wait", "wait >> then >> only"] };
			const config = { wait: { component: "wait", ms: 400 }, only: { component: "template", text: "done" } };
			await save(world, { ...says("queued", "x", { options: { concurrency: 1 } }), ...slow, config });
			const headers = { prefer: "respond-async" };
			const ids = [];
			for (let nth = 0; nth < 3; nth++) {
				const path = getNamedPath("queued", "trigger");
				ids.push((await world.executor.expect(202, AcceptedRun, "POST", path, { headers })).execution_id);
			}
			await rename(world, "queued", "renamed");
			await waitForRecords(world, "renamed", 2);
			const path = "/workflows/renamed/executions";
			const { executions } = await world.executor.expect(200, ExecutionPage, "GET", path);
			assert.deepEqual(
				executions.map(({ id, verdict }) => [id, verdict]).sort(),
				ids.map((id) => [id, "success"]).sort(),
			);
			assert.deepEqual(
				executions.map(({ workflow, version_number }) => [workflow, version_number]),
				[
					["renamed", 2],
					["renamed", 2],
					["queued", 1],
				],
			);
		},
	},
];
