import assert from "node:assert/strict";
import { ERAS, type Fields, MODERN } from "../../../mcp/wire.ts";
import type { Scenario, World } from "../../scenario.ts";
import { echo, fails, run, save, waitForRecords } from "../executor/saving.ts";
import { callForResult, callTool, mcpCall } from "./asking.ts";
import { OPEN } from "./settings.ts";

interface Content {
	readonly uri: string;
	readonly mimeType: string;
	readonly text: string;
}

const NOTED = `name: noted # as a text
description: d
version: "1"
triplets: [input >> then >> set]
config: { set: { values: {} } }
`;

const readContents = async (world: World, uri: string, era = MODERN as (typeof ERAS)[number]) =>
	(await callForResult(world, world.owner, era, "resources/read", { uri })).contents as Content[];

const getMessages = async (world: World, name: string, args: Fields, era = MODERN as (typeof ERAS)[number]) =>
	(await callForResult(world, world.owner, era, "prompts/get", { name, arguments: args })).messages as {
		role: string;
		content: { type: string; text?: string; resource?: Content };
	}[];

const joinText = (messages: Awaited<ReturnType<typeof getMessages>>): string =>
	messages.map(({ content }) => content.text ?? content.resource?.text ?? "").join("\n");

/** Asserts that the resource is not found. */
async function assertNotFound(world: World, bearer: string, uri: string): Promise<void> {
	const { error, result } = await mcpCall(world, bearer, MODERN, "resources/read", { uri });
	assert.equal(result, undefined);
	assert.equal(error?.code, -32602);
}

export const reading: readonly Scenario[] = [
	{
		name: "workflows, entries and the guides can be listed and read as resources, in both eras",
		cites: ["MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			await save(world, echo("日報 - daily"));
			await callTool(world, "save_workflow", { document: NOTED });
			const { id } = await callTool(world, "save_entry", {
				page_name: "Tea 茶",
				content: "green",
				metadata: { a: 1 },
			});
			for (const era of ERAS) {
				const listed = await callForResult(world, world.owner, era, "resources/list");
				const uris = (listed.resources as { uri: string }[]).map(({ uri }) => uri);
				const workflow = `tripline://workflows/${encodeURIComponent("日報 - daily")}`;
				assert.deepEqual(uris, [
					"tripline://guide/language",
					"tripline://guide/components",
					"tripline://workflows/noted",
					workflow,
					`tripline://entries/${id}`,
				]);
				const [document] = await readContents(world, workflow, era);
				assert.equal(document?.mimeType, "application/json");
				assert.deepEqual(JSON.parse(document?.text ?? "").triplets, ["input >> ON_SUCCESS >> only"]);
				const written = await readContents(world, "tripline://workflows/noted", era);
				assert.deepEqual(
					written.map(({ mimeType }) => mimeType),
					["application/json", "application/yaml"],
				);
				assert.equal(written[1]?.text, NOTED);
				const [entry, about] = await readContents(world, `tripline://entries/${id}`, era);
				assert.equal(entry?.text, "green");
				assert.equal(JSON.parse(about?.text ?? "").metadata.a, 1);
				assert.match(
					(await readContents(world, "tripline://guide/language", era))[0]?.text ?? "",
					/ON_SUCCESS/,
				);
				assert.match(
					(await readContents(world, "tripline://guide/components", era))[0]?.text ?? "",
					/http_request/,
				);
				const { resourceTemplates } = await callForResult(
					world,
					world.owner,
					era,
					"resources/templates/list",
				);
				assert.deepEqual(
					(resourceTemplates as { uriTemplate: string }[]).map(({ uriTemplate }) => uriTemplate),
					["tripline://workflows/{name}", "tripline://entries/{id}", "tripline://files/{id}"],
				);
			}
		},
	},
	{
		name: "a resource of another tenant, or an internal entry, is not found",
		cites: ["MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			await save(world, echo("job"));
			const { id } = await callTool(world, "save_entry", { page_name: "p", content: "hidden" });
			const other = `${world.owner}-other`;
			for (const uri of ["tripline://workflows/job", `tripline://entries/${id}`]) {
				await readContents(world, uri);
				await assertNotFound(world, other, uri);
			}
			const listed = await callForResult(world, other, MODERN, "resources/list");
			assert.equal((listed.resources as unknown[]).length, 2);
			const body = { auth_recipe: "signing_secret", fields: { secret: "hidden-too" } };
			assert.equal((await world.executor.call("PUT", "/credentials/c", { body })).status, 201);
			const query = { owner_id: world.owner, entry_type: "credential" };
			const { body: page } = await world.call("GET", "/entries", { query });
			const [credential] = (page as { entries: { id: string }[] }).entries;
			await assertNotFound(world, world.owner, `tripline://entries/${credential?.id}`);
			for (const uri of [
				"tripline://entries/none",
				"file:///etc/passwd",
				"",
				"tripline://workflows/%E0%A4%A",
			]) {
				await assertNotFound(world, world.owner, uri);
			}
		},
	},
	{
		name: "a list of resources longer than a page continues with its cursor",
		cites: ["MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			await save(world, echo("job"));
			for (let nth = 0; nth < 120; nth++) {
				const body = { entry_type: "note", owner_id: world.owner, page_name: `p${nth}`, content: `c${nth}` };
				assert.equal((await world.call("PUT", "/entries", { body })).status, 201);
			}
			const seen: string[] = [];
			let cursor: string | undefined;
			do {
				const page: Fields = await callForResult(world, world.owner, MODERN, "resources/list", {
					...(cursor !== undefined && { cursor }),
				});
				seen.push(...(page.resources as { name: string }[]).map(({ name }) => name));
				cursor = page.nextCursor as string | undefined;
			} while (cursor !== undefined);
			assert.equal(seen.length, 123);
			assert.equal(new Set(seen).size, 123);
		},
	},
	{
		name: "the prompt write_workflow contains the goal, the guide and the existing workflow",
		cites: ["MCP-ENDPOINT"],
		environment: OPEN,
		async run(world) {
			await save(world, echo("job"));
			for (const era of ERAS) {
				const { prompts } = await callForResult(world, world.owner, era, "prompts/list");
				assert.deepEqual(
					(prompts as { name: string }[]).map(({ name }) => name),
					["write_workflow", "debug_last_failure"],
				);
				const fresh = joinText(await getMessages(world, "write_workflow", { goal: "brew 茶" }, era));
				assert.match(fresh, /brew 茶/);
				assert.match(fresh, /validate_workflow/);
				const known = await getMessages(world, "write_workflow", { goal: "more", name: "job" }, era);
				assert.ok(known.some(({ content }) => content.resource?.uri === "tripline://workflows/job"));
				const missing = await mcpCall(world, world.owner, era, "prompts/get", { name: "write_workflow" });
				assert.equal(missing.error?.code, -32602);
				assert.match(missing.error?.message ?? "", /goal/);
			}
		},
	},
	{
		name: "the prompt debug_last_failure contains the details of the tenant's latest failed run",
		cites: ["MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			assert.match(joinText(await getMessages(world, "debug_last_failure", {})), /nothing to debug/);
			await save(world, fails("bad", "kettle {{input.kettle}}"));
			await save(world, echo("good"));
			await run(world, "bad", { kettle: "cold" }, 500);
			await run(world, "good");
			await waitForRecords(world, "good", 1);
			const [record] = await waitForRecords(world, "bad", 1);
			for (const era of ERAS) {
				const text = joinText(await getMessages(world, "debug_last_failure", {}, era));
				assert.match(text, /only: kettle cold/);
				assert.ok(text.includes(record?.id ?? "none"));
				assert.match(
					joinText(await getMessages(world, "debug_last_failure", { workflow: "good" }, era)),
					/No failed run/,
				);
			}
			const other = { name: "debug_last_failure", arguments: {} };
			const theirs = await callForResult(world, `${world.owner}-other`, MODERN, "prompts/get", other);
			assert.doesNotMatch(JSON.stringify(theirs), /kettle/);
		},
	},
	{
		name: "arguments of prompts and resources are completed with the tenant's own names",
		cites: ["MCP-ENDPOINT"],
		environment: OPEN,
		async run(world) {
			await save(world, echo("tea time"));
			await save(world, echo("iced tea"));
			const { id } = await callTool(world, "save_entry", { page_name: "p", content: "c" });
			for (const era of ERAS) {
				const complete = async (ref: Fields, name: string, value: string, bearer = world.owner) => {
					const params = { ref, argument: { name, value } };
					const { completion } = await callForResult(world, bearer, era, "completion/complete", params);
					return (completion as { values: string[] }).values;
				};
				const prompt = { type: "ref/prompt", name: "debug_last_failure" };
				assert.deepEqual(await complete(prompt, "workflow", "tea"), ["tea time", "iced tea"]);
				assert.deepEqual(await complete(prompt, "workflow", "tea", `${world.owner}-other`), []);
				const template = { type: "ref/resource", uri: "tripline://entries/{id}" };
				assert.deepEqual(await complete(template, "id", String(id).slice(0, 8)), [id]);
			}
		},
	},
];
