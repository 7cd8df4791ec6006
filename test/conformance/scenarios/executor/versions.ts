import assert from "node:assert/strict";
import { SavedWorkflow } from "@tripline/contract/executor";
import {
	ChangedWorkflow,
	WorkflowDiff,
	WorkflowVersionPage,
	WorkflowVersionText,
} from "@tripline/contract/workflow-versions";
import type { Scenario, Surface, World } from "../../scenario.ts";
import { getNamedPath, run, save, says, trigger, waitForRecords } from "./saving.ts";

const YAML = { "content-type": "application/yaml" };

/** With comments, quotes and spaces that only the original text has. */
const write = (text: string, name = "greet") => `# Greets whoever asks.
name: ${name}   # the name
description: "Greets somebody"
version: '1'

triplets:
  - input >> then >> hello # an alias stays one
config:
  hello: { component: template, text: "${text}" }
`;

const post = (world: World, raw: string, headers: Record<string, string> = {}) =>
	world.executor.call("POST", "/workflows", { raw, headers: { ...YAML, ...headers } });

const getPath = (name: string, action: string) => `/workflows/${encodeURIComponent(name)}/${action}`;

export const listVersions = async (world: World, name: string, from: Surface = world.executor) =>
	(await from.expect(200, WorkflowVersionPage, "GET", getPath(name, "versions"))).versions;

const readText = async (world: World, name: string) => {
	const answer = await world.executor.call("GET", getNamedPath(name), {
		headers: { accept: "application/yaml" },
	});
	return { text: answer.body as string, etag: answer.headers.get("etag") };
};

export const versions: readonly Scenario[] = [
	{
		name: "every change of a workflow's text is a version, and a save without a change is none",
		cites: [],
		async run(world) {
			assert.equal((await post(world, write("one"))).headers.get("etag"), '"1"');
			assert.equal((await post(world, write("one"))).headers.get("etag"), '"1"');
			const changed = await post(world, write("two"));
			assert.equal(SavedWorkflow.parse(changed.body).version_number, 2);
			const listed = await listVersions(world, "greet");
			assert.deepEqual(
				listed.map(({ number, name, author, client }) => [number, name, author, client]),
				[
					[2, "greet", world.owner, "api"],
					[1, "greet", world.owner, "api"],
				],
			);
			const path = getPath("greet", "versions/1");
			const first = await world.executor.expect(200, WorkflowVersionText, "GET", path);
			assert.equal(first.text, write("one"));
			const alone = await world.executor.call("GET", path, { headers: { accept: "application/yaml" } });
			assert.equal(alone.body, write("one"));
			assert.deepEqual(await readText(world, "greet"), { text: write("two"), etag: '"2"' });
			const json = await world.executor.call("GET", getNamedPath("greet"));
			assert.equal(json.headers.get("etag"), '"2"');
			await world.executor.refuse(404, "GET", getPath("greet", "versions/3"));
			await world.executor.refuse(404, "GET", getPath("absent", "versions"));
			await world.executor.refuse(422, "GET", getPath("greet", "versions/0"));
		},
	},
	{
		name: "versions are listed in pages",
		cites: [],
		async run(world) {
			for (let nth = 1; nth <= 5; nth++) await save(world, says("paged", `text ${nth}`));
			const numbers: number[] = [];
			let cursor: string | undefined;
			do {
				const query = { limit: 2, cursor };
				const path = getPath("paged", "versions");
				const page = await world.executor.expect(200, WorkflowVersionPage, "GET", path, { query });
				numbers.push(...page.versions.map(({ number }) => number));
				cursor = page.next_cursor ?? undefined;
			} while (cursor !== undefined);
			assert.deepEqual(numbers, [5, 4, 3, 2, 1]);
		},
	},
	{
		name: "a version says by what it was made; only internal callers may name somebody else",
		cites: [],
		environment: { STORE_INTERNAL_TOKEN: "internal-token-of-the-tests", MULTI_TENANT: "false" },
		async run(world) {
			const internal = { authorization: "Bearer internal-token-of-the-tests" };
			const named = { "x-change-author": "Ann%20%E2%9C%93", "x-change-client": "Claude%20Code" };
			await post(world, write("one"), { "user-agent": "tripline-cli/1.3.1" });
			await post(world, write("two"), named);
			await post(world, write("three"), { ...internal, ...named });
			await post(world, write("four"), { ...internal, "x-change-client": "console" });
			assert.deepEqual(
				(await listVersions(world, "greet")).map(({ author, client }) => [author, client]),
				[
					[world.owner, "console"],
					["Ann ✓", "Claude Code"],
					[world.owner, "api"],
					[world.owner, "cli"],
				],
			);
		},
	},
	{
		name: "50 parallel saves with one If-Match: one wins, 49 get 412, and there is one new version",
		cites: [],
		async run(world) {
			await post(world, write("one"));
			const answers = await Promise.all(
				Array.from({ length: 50 }, (_, nth) => post(world, write(`text ${nth}`), { "if-match": '"1"' })),
			);
			const won = answers.flatMap(({ status }, nth) => (status === 200 ? [nth] : []));
			assert.equal(won.length, 1);
			const lost = answers.filter(({ status }) => status === 412);
			assert.equal(lost.length, 49);
			for (const { body, headers } of lost) {
				assert.deepEqual((body as { current_version: number }).current_version, 2);
				assert.match((body as { error: string }).error, /current version is 2, not 1/);
				assert.equal(headers.get("etag"), '"2"');
			}
			assert.deepEqual(
				(await listVersions(world, "greet")).map(({ number }) => number),
				[2, 1],
			);
			assert.equal((await readText(world, "greet")).text, write(`text ${won[0]}`));
		},
	},
	{
		name: "If-Match and If-None-Match are conditions of saving and deleting",
		cites: [],
		async run(world) {
			const created = await post(world, write("one"), { "if-none-match": "*" });
			assert.equal(created.status, 201);
			assert.equal((await post(world, write("two"), { "if-none-match": "*" })).status, 412);
			assert.equal((await post(world, write("two"), { "if-match": "*" })).status, 200);
			assert.equal((await post(world, write("three", "absent"), { "if-match": "*" })).status, 412);
			const absent = await post(world, write("three", "absent"), { "if-match": '"1"' });
			assert.deepEqual(
				[absent.status, (absent.body as { current_version: unknown }).current_version],
				[412, null],
			);
			for (const bad of ["three", '"0"', '"1", "2"', 'W/"1"'])
				assert.equal((await post(world, write("three"), { "if-match": bad })).status, 400, bad);
			const path = getNamedPath("greet");
			const stale = await world.executor.refuse(412, "DELETE", path, { headers: { "if-match": '"1"' } });
			assert.equal(stale.current_version, 2);
			const deleted = await world.executor.call("DELETE", path, { headers: { "if-match": '"2"' } });
			assert.equal(deleted.status, 200);
			await world.executor.refuse(404, "DELETE", path, { headers: { "if-match": '"2"' } });
		},
	},
	{
		name: "a diff shows the changed lines and nodes of two versions",
		cites: [],
		async run(world) {
			await post(world, write("one"));
			const more = write("one").replace(
				'"one" }\n',
				'"two" }\n  bye: { component: template, text: "{{hello}}" }\n',
			);
			await post(world, more.replace("# an alias stays one", "\n  - hello >> then >> bye"));
			const path = getPath("greet", "diff");
			const diff = await world.executor.expect(200, WorkflowDiff, "GET", path);
			assert.deepEqual([diff.from, diff.to], [1, 2]);
			assert.deepEqual(diff.nodes, { added: ["bye"], removed: [], changed: ["hello"] });
			const changed = diff.hunks
				.flatMap(({ lines }) => lines)
				.filter(({ change }) => change !== "same")
				.map(({ change, text }) => `${change}: ${text.trim()}`);
			assert.deepEqual(changed, [
				"removed: - input >> then >> hello # an alias stays one",
				"added: - input >> then >> hello",
				"added: - hello >> then >> bye",
				'removed: hello: { component: template, text: "one" }',
				'added: hello: { component: template, text: "two" }',
				'added: bye: { component: template, text: "{{hello}}" }',
			]);
			const query = { from: 2, to: 2 };
			const same = await world.executor.expect(200, WorkflowDiff, "GET", path, { query });
			assert.deepEqual([same.hunks, same.nodes], [[], { added: [], removed: [], changed: [] }]);
			await world.executor.refuse(404, "GET", path, { query: { from: 1, to: 9 } });
			await world.executor.refuse(422, "GET", path, { query: { from: "one" } });
		},
	},
	{
		name: "a rollback is a new version with the old text, byte for byte",
		cites: [],
		async run(world) {
			const bytes = `${write("one")}# last line without an end`.replaceAll("\n", "\r\n");
			await post(world, bytes);
			await post(world, write("{{input.name | upper}}"));
			const path = getPath("greet", "rollback");
			const body = { version: 1 };
			await world.executor.refuse(412, "POST", path, { body, headers: { "if-match": '"1"' } });
			const back = await world.executor.expect(200, ChangedWorkflow, "POST", path, { body });
			assert.equal(back.version_number, 3);
			assert.deepEqual(await readText(world, "greet"), { text: bytes, etag: '"3"' });
			assert.equal((await run(world, "greet")).data, "one");
			assert.equal((await listVersions(world, "greet")).length, 3);
			await world.executor.refuse(404, "POST", path, { body: { version: 9 } });
			await world.executor.refuse(404, "POST", getPath("absent", "rollback"), { body });
		},
	},
	{
		name: "the record of a run says which version ran, however it started",
		cites: [],
		async run(world) {
			const start = Date.UTC(2026, 10, 16, 12, 0, 30);
			await world.target.setNow(start);
			await save(world, says("greet", "one"));
			await run(world, "greet");
			await save(world, says("greet", "two"));
			await run(world, "greet");
			await trigger(world, "greet", { headers: { prefer: "respond-async" } });
			await world.executor.call("PUT", getPath("greet", "draft"), { body: says("greet", "draft") });
			await world.executor.call("POST", getPath("greet", "draft/run"));
			for (const text of ["one", "two"]) {
				await save(world, says("hears", text, { trigger: { type: "event", event: "order.paid" } }));
				await save(world, says("ticks", text, { trigger: { type: "schedule", cron: "* * * * *" } }));
			}
			await world.executor.call("POST", "/events", { body: { type: "order.paid", data: {} } });
			await world.target.setNow(start + 60_000);
			await world.target.tick();
			const list = async (name: string, count: number) =>
				(await waitForRecords(world, name, count)).map((record) => record.version_number).sort();
			assert.deepEqual(await list("greet", 4), [1, 2, 2, undefined]);
			assert.deepEqual(await list("hears", 1), [2]);
			assert.deepEqual(await list("ticks", 1), [2]);
			await world.executor.call("DELETE", getNamedPath("ticks"));
		},
	},
	{
		name: "a legacy workflow is copied into the store by its first change, and its text is the first version",
		cites: [],
		async run(world) {
			const graph = {
				nodes: [{ id: "only", component: "template", params: { text: "of kv" } }],
				edges: [{ from: "input", to: "only", on: "ON_SUCCESS" }],
			};
			const legacy = JSON.stringify({ name: "old", description: "an old one", graph });
			await world.target.kv.put(`${world.owner}:wf:old`, legacy);
			assert.deepEqual(await listVersions(world, "old"), []);
			await save(world, says("old", "of the store"));
			assert.deepEqual(
				(await listVersions(world, "old")).map(({ number, client }) => [number, client]),
				[
					[2, "api"],
					[1, "legacy"],
				],
			);
			await world.executor.call("POST", getPath("old", "rollback"), { body: { version: 1 } });
			assert.equal((await run(world, "old")).data, "of kv");
		},
	},
];
