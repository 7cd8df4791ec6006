import assert from "node:assert/strict";
import { DeletedAnswer } from "@tripline/contract/entries";
import { WriteApiRecipe } from "@tripline/contract/recipes";
import { ERAS, type Era, type Fields, LEGACY, MODERN } from "../../../mcp/wire.ts";
import type { Scenario, World } from "../../scenario.ts";
import { echo, getNamedPath } from "../executor/saving.ts";
import { listVersions } from "../executor/versions.ts";
import { callFailing, callForProblem, callTool, mcpCall } from "./asking.ts";
import { OPEN, putToken } from "./settings.ts";

interface Saved {
	readonly saved: boolean;
	readonly version_number: number | null;
	readonly diff: string | null;
	readonly next: string;
}

const write = (name: string) => `# Greets whoever asks.
name: ${name}   # the name
description: "Greets somebody"
version: '1'

triplets:
  - input >> then >> hello # an alias stays one
config:
  hello: { component: template, text: "Hello {{input.name}}" } # 問候
`;

const readText = async (world: World, name: string): Promise<unknown> => {
	const headers = { accept: "application/yaml" };
	return (await world.executor.call("GET", getNamedPath(name), { headers })).body;
};

/** Saves a workflow as a client that introduces itself in some way, and returns who made its last version. */
async function saveAs(
	world: World,
	bearer: string,
	era: Era,
	said: { readonly meta?: Fields; readonly headers?: Record<string, string> },
): Promise<readonly unknown[]> {
	const description = crypto.randomUUID();
	const params = { name: "save_workflow", arguments: { document: echo("signed", { description }) } };
	const { result } = await mcpCall(world, bearer, era, "tools/call", params, said);
	assert.notEqual(result?.isError, true, JSON.stringify(result));
	const [last] = await listVersions(world, "signed");
	return [last?.author, last?.client];
}

const buildInfo = (name: string): Fields => ({
	"io.modelcontextprotocol/clientInfo": { name, version: "1" },
});

export const versionTools: readonly Scenario[] = [
	{
		name: "an assistant saves a bad version, reads the diff and rolls back to the same text, byte for byte",
		cites: ["MCP-THIN-SHELL", "MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			for (const era of ERAS) {
				const name = `greet ${era}`;
				const text = write(name);
				await callTool(world, "save_workflow", { document: text }, { era });
				const read = await callTool(world, "get_workflow", { name }, { era });
				assert.deepEqual([read.yaml, read.version_number], [text, 1]);
				const document = text.replace("Hello", "Go away,").replace(" # 問候", "");
				const args = { document, if_version: read.version_number };
				const saved = await callTool<Saved>(world, "save_workflow", args, { era });
				assert.equal(saved.version_number, 2);
				const compared = await callTool(world, "list_versions", { name, from: 1 }, { era });
				assert.equal(
					compared.diff,
					[
						"--- version 1\n+++ version 2\n@@ -6,4 +6,4 @@\n triplets:\n",
						"   - input >> then >> hello # an alias stays one\n config:\n",
						'-  hello: { component: template, text: "Hello {{input.name}}" } # 問候\n',
						'+  hello: { component: template, text: "Go away, {{input.name}}" }\n',
					].join(""),
				);
				const back = await callTool(world, "rollback_workflow", { name, version_number: 1 }, { era });
				assert.equal(back.version_number, 3);
				assert.equal(await readText(world, name), text);
				assert.equal((await callTool(world, "get_workflow", { name }, { era })).yaml, text);
				const { versions } = await callTool<{ versions: Fields[] }>(
					world,
					"list_versions",
					{ name },
					{ era },
				);
				assert.deepEqual(
					versions.map(({ version_number, author }) => [version_number, author]),
					[3, 2, 1].map((number) => [number, world.owner]),
				);
			}
		},
	},
	{
		name: "save_workflow refuses a change of an old version, shows what changed, and saves the merged text",
		cites: ["MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			for (const era of ERAS) {
				const name = `merge ${era}`;
				const text = write(name);
				await callTool(world, "save_workflow", { document: text }, { era });
				const theirs = text.replace("Greets somebody", "Greets everybody");
				const headers = { "content-type": "application/yaml" };
				await world.executor.call("POST", "/workflows", { raw: theirs, headers });
				const stale = { document: text.replace("Hello", "Hi"), if_version: 1 };
				const refused = await callFailing<Saved>(world, "save_workflow", stale, { era });
				assert.deepEqual([refused.saved, refused.version_number], [false, 2]);
				assert.match(
					refused.diff ?? "",
					/\n-description: "Greets somebody"\n\+description: "Greets everybody"\n/,
				);
				assert.match(refused.next, /Nothing was saved.*if_version 2/);
				assert.equal(await readText(world, name), theirs);
				const merged = theirs.replace("Hello", "Hi");
				const again = { document: merged, if_version: refused.version_number };
				assert.equal((await callTool<Saved>(world, "save_workflow", again, { era })).version_number, 3);
				assert.equal(await readText(world, name), merged);
			}
		},
	},
	{
		name: "a version names the client of the assistant: as registered, as it says, or mcp",
		cites: ["MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			const { owner } = world;
			const registered = (await putToken(world, { client_name: "Claude 助理" })).token;
			const unnamed = (await putToken(world)).token;
			const agent = (name: string) => ({ headers: { "user-agent": name } });
			const info = (name: string) => ({ meta: buildInfo(name) });
			for (const [bearer, era, said, client] of [
				[registered, MODERN, info("other"), "Claude 助理"],
				[registered, LEGACY, agent("other/1"), "Claude 助理"],
				[unnamed, MODERN, { ...info("an assistant"), ...agent("other/1") }, "an assistant"],
				[owner, MODERN, info("  line\nfeed\u202e "), "line feed"],
				[owner, MODERN, info("n".repeat(5_000)), "n".repeat(100)],
				[owner, LEGACY, agent("claude-code/2.1.0 (cli)"), "claude-code"],
				[owner, LEGACY, agent("Mozilla/5.0 (X11; Linux x86_64)"), "mcp"],
				[owner, LEGACY, agent("python-httpx/0.28.1"), "mcp"],
				[owner, MODERN, { ...info("console"), ...agent("cli/1") }, "mcp"],
			] as const)
				assert.deepEqual(await saveAs(world, bearer, era, said), [owner, client]);
		},
	},
	{
		name: "a workflow that an assistant deletes can be restored, and its triggers can be switched off",
		cites: ["MCP-THIN-SHELL", "MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			for (const era of ERAS) {
				const name = `job ${era}`;
				const theirs = { bearer: `${world.owner}-other`, era };
				await callTool(world, "save_workflow", { document: write(name) }, { era });
				const enabled = { name, enabled: false };
				assert.match(await callForProblem(world, "set_workflow_enabled", enabled, theirs), /no workflow/);
				await callTool(world, "set_workflow_enabled", enabled, { era });
				await world.executor.refuse(409, "POST", getNamedPath(name, "trigger"), { body: {} });
				const ran = await callTool(world, "run_workflow", { name, input: { name: "Ada" } }, { era });
				assert.equal(ran.data, "Hello Ada");
				const deleted = await callTool(world, "delete_workflow", { name }, { era });
				assert.match(String(deleted.next), /30 days: rollback_workflow/);
				await world.executor.refuse(404, "GET", getNamedPath(name));
				assert.match(
					await callForProblem(world, "rollback_workflow", { name }, theirs),
					/no deleted workflow/,
				);
				const listed = await callTool<{ deleted: Fields[] }>(
					world,
					"list_workflows",
					{ deleted: true },
					{ era },
				);
				assert.deepEqual(
					listed.deleted.map((each) => each.name),
					[name],
				);
				const restored = await callTool(world, "rollback_workflow", { name }, { era });
				assert.deepEqual(restored, { name, version_number: 1, enabled: false });
				assert.equal(await readText(world, name), write(name));
			}
		},
	},
	{
		name: "rollback_workflow refuses a version that no longer compiles, and changes nothing",
		cites: ["MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			const putShop = (status: number, required: readonly string[]) => {
				const properties = { id: { type: "integer" } };
				const params = { type: "object", properties, required, additionalProperties: false };
				const output = { value: "{{data}}", schema: {} };
				const operations = { open: { title: "Open", method: "GET", path: "/", params, output } };
				const about = { title: "Shop", description: "A shop", auth: null };
				const body = { ...about, base_url: "https://shop.example", operations };
				return world.executor.expect(status, WriteApiRecipe, "PUT", "/recipes/shop", { body });
			};
			const rollBack = () => callForProblem(world, "rollback_workflow", { name: "uses", version_number: 1 });
			await putShop(201, []);
			const uses = echo("uses", { config: { only: { component: "shop.open" } } });
			await callTool(world, "save_workflow", { document: uses });
			await callTool(world, "save_workflow", { document: echo("uses") });
			await putShop(200, ["id"]);
			assert.match(await rollBack(), /cannot run today.*nothing was changed.*\n- missing_parameter .*id/);
			await world.executor.expect(200, DeletedAnswer, "DELETE", "/recipes/shop");
			assert.match(await rollBack(), /Version 1 cannot run today.*nothing was changed.*shop\.open/);
			assert.equal((await listVersions(world, "uses")).length, 2);
		},
	},
];
