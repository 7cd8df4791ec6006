import assert from "node:assert/strict";
import { SavedWorkflow, WorkflowDocument } from "@tripline/contract/executor";
import type { Scenario, World } from "../../scenario.ts";
import { echo, everything, getNamedPath, listStored, otherTenant, save } from "./saving.ts";

const YAML = { "content-type": "application/yaml" };
const ACCEPT = { accept: "application/yaml" };
const TEXT = `# Every morning, before anybody asks.
version: "1" # raise it when the text changes
name: greet
description: Greets somebody

triplets:
  - input >> then >> hello   # an alias stays one
config:
  hello: { component: template, text: "Hello {{input.name}}!" }
`;

const post = (world: World, raw: string, status = 201, path = "/workflows") =>
	world.executor.expect(status, SavedWorkflow, "POST", path, { raw, headers: YAML });

const readDocument = (world: World, name: string) =>
	world.executor.expect(200, WorkflowDocument, "GET", getNamedPath(name));

async function readText(world: World, name: string, accept = ACCEPT): Promise<string> {
	const answer = await world.executor.call("GET", getNamedPath(name), { headers: accept });
	assert.equal(answer.status, 200);
	assert.match(answer.headers.get("content-type") ?? "", /^application\/yaml\b/);
	return answer.body as string;
}

/** Asserts that the returned YAML, saved again, gives the same document under the same name. */
async function assertSame(world: World, name: string): Promise<string> {
	const before = await readDocument(world, name);
	const rendered = await readText(world, name);
	await post(world, rendered, 200, "/webhooks/named");
	assert.deepEqual(await readDocument(world, name), before);
	assert.equal(await readText(world, name), rendered, "the text is now the saved one");
	return rendered;
}

export const writtenTexts: readonly Scenario[] = [
	{
		name: "a workflow saved as YAML is returned as written, with its comments",
		cites: [],
		async run(world) {
			await post(world, TEXT);
			assert.equal(await readText(world, "greet"), TEXT);
			assert.equal(await readText(world, "greet", { accept: "text/html, text/yaml;q=0.9, */*;q=0.1" }), TEXT);
			const json = await world.executor.call("GET", getNamedPath("greet"));
			for (const accept of [
				"*/*",
				"application/json",
				"application/yaml;q=0",
				"application/json, text/yaml",
			]) {
				const answer = await world.executor.call("GET", getNamedPath("greet"), { headers: { accept } });
				assert.deepEqual([answer.status, answer.body], [200, json.body], accept);
			}
			assert.deepEqual(Object.keys(json.body as object), [
				"name",
				"description",
				"version",
				"triplets",
				"config",
			]);
			const edited = TEXT.replace("Every morning", "Every evening");
			await post(world, edited, 200);
			assert.equal(await readText(world, "greet"), edited);
			const copied = `${edited}# by program\n`;
			await post(world, copied, 200, "/webhooks/named");
			assert.equal(await readText(world, "greet"), copied);
		},
	},
	{
		name: "the returned text always matches the saved workflow",
		cites: [],
		async run(world) {
			await post(world, TEXT);
			const whole = await readDocument(world, "greet");
			await save(world, whole);
			assert.equal((await readText(world, "greet")).includes("#"), false);
			await post(world, TEXT, 200);
			// Writes through the store, including a copy of the text.
			const [entry] = await listStored(world, "workflow");
			assert.ok(entry !== undefined);
			const { id: _, created_at: _c, updated_at: _u, next_run_at: _n, version: _v, ...fields } = entry;
			const metadata_json = entry.metadata_json.replaceAll("Hello {{", "Good day {{");
			await world.call("PUT", "/entries", { body: { ...fields, metadata_json } });
			const changed = await readText(world, "greet");
			assert.ok(changed.includes("Good day") && !changed.includes("#"), changed);
			await world.call("PUT", "/entries", { body: { ...fields, content: "Says: hi" } });
			assert.match(await readText(world, "greet"), /^description: "Says: hi"$/m);
			await world.call("PUT", "/entries", { body: fields });
			assert.equal(await readText(world, "greet"), TEXT);
			await world.executor.call("DELETE", getNamedPath("greet"));
			await world.executor.refuse(404, "GET", getNamedPath("greet"), { headers: ACCEPT });
		},
	},
	{
		name: "a workflow that was not saved as YAML is returned as YAML that compiles to the same workflow",
		cites: [],
		async run(world) {
			await save(world, everything("orders"));
			const rendered = await assertSame(world, "orders");
			assert.match(
				rendered,
				/^name: orders\ndescription: sorts orders, 訂單\nversion: 2026.1-β\ntags:\n {2}- shop\n {2}- 訂單\ntrigger:\n/,
			);
			const graph = {
				nodes: [{ id: "only", component: "template", params: { text: "one\ntwo\n" } }],
				edges: [{ from: "input", to: "only", on: "ON_SUCCESS" }],
			};
			await save(world, { name: "graph", graph });
			assert.match(await assertSame(world, "graph"), /text: \|\n {6}one\n {6}two\n/);
			const legacy = JSON.stringify({ name: "old", description: "an old one", graph });
			await world.target.kv.put(`${world.owner}:wf:old`, legacy);
			assert.match(await readText(world, "old"), /^name: old\ndescription: an old one\nversion: "1"\n/);
			assert.equal(await world.target.kv.get(`${world.owner}:wf:old`), legacy);
		},
	},
	{
		name: "the original text alone can be requested, and gives 404 if none is stored",
		cites: [],
		async run(world) {
			const readOriginal = (name: string) =>
				world.executor.call("GET", getNamedPath(name), { query: { written: "true" }, headers: ACCEPT });
			await post(world, TEXT);
			assert.deepEqual(
				[(await readOriginal("greet")).status, (await readOriginal("greet")).body],
				[200, TEXT],
			);
			await save(world, echo("other"));
			for (const name of ["other", "nothing"]) assert.equal((await readOriginal(name)).status, 404);
			await save(world, await readDocument(world, "greet"));
			assert.equal((await readOriginal("greet")).status, 404);
			const query = { written: "true" };
			const json = await world.executor.expect(200, WorkflowDocument, "GET", getNamedPath("greet"), {
				query,
			});
			assert.deepEqual(json, await readDocument(world, "greet"));
			await world.executor.refuse(422, "GET", getNamedPath("greet"), { query: { written: "yes" } });
		},
	},
	{
		name: "a workflow whose text is too long to store is saved without it",
		cites: [],
		async run(world) {
			// A quote in JSON within JSON takes four bytes, and the store accepts 1 MiB.
			const long = `${TEXT.replace("Hello", `Hello${"茶".repeat(20_000)}`)}# ${'"'.repeat(240_000)}\n`;
			assert.equal((await post(world, long)).created, true);
			// In one process the store accepts more from the executor than over HTTP.
			const kept = await readText(world, "greet");
			assert.ok(kept === long || (world.target.isolatesRequests && !kept.includes("#")));
			const ran = await world.executor.call("POST", getNamedPath("greet", "trigger"), {
				body: { name: "Ada" },
			});
			assert.equal((ran.body as { data: string }).data, `Hello${"茶".repeat(20_000)} Ada!`);
		},
	},
	{
		name: "the text is hidden from other tenants and is not searchable",
		cites: [],
		async run(world) {
			await post(world, TEXT);
			await save(world, echo("other"));
			const headers = { ...ACCEPT, ...otherTenant(world) };
			await world.anyone.refuse(404, "GET", getNamedPath("greet"), { headers });
			const search = (q: string) =>
				world.call("POST", "/search", { body: { q, owner_id: world.owner, entry_types: ["workflow"] } });
			const { body } = await search("anybody morning");
			// The workflow may be found by meaning, because its description is embedded.
			const byWords = (body as { suggestions: { why: string }[] }).suggestions.filter(
				({ why }) => why !== "meaning",
			);
			assert.deepEqual(byWords, []);
		},
	},
];
