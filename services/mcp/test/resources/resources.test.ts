import assert from "node:assert/strict";
import { test } from "node:test";
import { LANGUAGE_GUIDE } from "../../src/guide/language.ts";
import type { Resource } from "../../src/protocol/content.ts";
import { resources } from "../../src/resources/resources.ts";
import { ToolProblem } from "../../src/tools/tool.ts";
import { buildWorkflow, startWorld } from "./world.ts";

const world = await startWorld();
const LANGUAGE = "tripline://guide/language";
const COMPONENTS = "tripline://guide/components";

async function readTexts(uri: string, tenant: string): Promise<readonly string[]> {
	const read = await resources.read(uri, world.context(tenant));
	assert.ok(read, `${uri} is not there`);
	return read.contents.map((content) => ("text" in content ? content.text : ""));
}

async function listPages(tenant: string): Promise<Resource[][]> {
	const found: Resource[][] = [];
	let cursor: string | undefined;
	do {
		const page = await resources.list(world.context(tenant), cursor);
		found.push([...page.resources]);
		cursor = page.nextCursor;
	} while (cursor !== undefined && found.length < 20);
	return found;
}

test("lists the guides, then the workflows by name, then the newest entries", async () => {
	await world.save("list-1", buildWorkflow("zebra"));
	await world.save("list-1", buildWorkflow("日報"));
	await world.save("list-1", buildWorkflow("apple pie"));
	await world.note("list-1", "Tea", "Green tea at 80 degrees.\nNot more.");
	await world.note("list-1", "Coffee", "");
	const [page] = await listPages("list-1");
	assert.deepEqual(
		page?.map(({ uri, name }) => [uri.replace(/[0-9a-f-]{36}/, "ID"), name]),
		[
			[LANGUAGE, "language guide"],
			[COMPONENTS, "components"],
			["tripline://workflows/apple%20pie", "apple pie"],
			["tripline://workflows/zebra", "zebra"],
			["tripline://workflows/%E6%97%A5%E5%A0%B1", "日報"],
			["tripline://entries/ID", "Coffee"],
			["tripline://entries/ID", "Tea"],
		],
	);
	assert.equal(page?.[6]?.description, "Green tea at 80 degrees. Not more.");
	for (const { title, description, mimeType } of page ?? []) assert.ok(title && description && mimeType);
});

test("every listed resource can be read and matches its type", async () => {
	await world.save("list-2", buildWorkflow("a % b"));
	await world.note("list-2", "Tea", "Green");
	const found = (await listPages("list-2")).flat();
	assert.equal(found.length, 4);
	for (const { uri, mimeType } of found) {
		const read = await resources.read(uri, world.context("list-2"));
		assert.equal(read?.contents[0]?.uri, uri);
		assert.equal(read?.contents[0]?.mimeType, mimeType);
	}
});

test("pages list each resource once, even while workflows are added", async () => {
	for (let nth = 0; nth < 150; nth++)
		await world.save("list-3", buildWorkflow(`flow ${String(nth).padStart(3, "0")}`));
	for (let nth = 0; nth < 130; nth++) await world.note("list-3", `page ${nth}`, "x");
	const first = await resources.list(world.context("list-3"), undefined);
	assert.equal(first.resources.length, 100);
	await world.save("list-3", buildWorkflow("a flow before all others"));
	const rest: Resource[] = [];
	for (let cursor = first.nextCursor; cursor !== undefined; ) {
		const page = await resources.list(world.context("list-3"), cursor);
		assert.ok(page.resources.length <= 100);
		rest.push(...page.resources);
		cursor = page.nextCursor;
	}
	const uris = [...first.resources, ...rest].map(({ uri }) => uri);
	assert.equal(uris.length, 2 + 150 + 130);
	assert.equal(new Set(uris).size, uris.length);
});

test("internal entries are not listed and cannot be read", async () => {
	const context = world.context("list-4");
	const { entry } = await world.store.entries.upsert({
		owner_id: "list-4",
		entry_type: "idempotency",
		page_name: "key",
		content: "internal",
	});
	await world.save("list-4", buildWorkflow("flow"));
	const workflow = await world.store.entries.get("list-4", "workflow", "flow");
	assert.equal((await listPages("list-4")).flat().length, 3);
	assert.equal(await resources.read(`tripline://entries/${entry.id}`, context), null);
	assert.equal(await resources.read(`tripline://entries/${workflow?.id}`, context), null);
});

test("another tenant's workflows and entries are not listed and cannot be read", async () => {
	await world.save("theirs", buildWorkflow("secret flow"));
	const id = await world.note("theirs", "Secret", "x");
	const context = world.context("list-5");
	assert.equal((await listPages("list-5")).flat().length, 2);
	assert.equal(await resources.read(`tripline://entries/${id}`, context), null);
	assert.equal(await resources.read("tripline://workflows/secret%20flow", context), null);
	assert.deepEqual(await resources.complete("tripline://workflows/{name}", "name", "", context), []);
	assert.deepEqual(await resources.complete("tripline://entries/{id}", "id", id.slice(0, 8), context), []);
	assert.deepEqual(await resources.complete("tripline://entries/{id}", "id", "Secret", context), []);
});

test("rejects an invalid cursor", async () => {
	const forged = [
		"",
		"x",
		"%%%",
		btoa("null"),
		btoa('{"entries":"x"}'),
		btoa('{"workflow":7}'),
		"A".repeat(5_000),
	];
	for (const cursor of forged) {
		await assert.rejects(resources.list(world.context("list-6"), cursor), ToolProblem, cursor.slice(0, 40));
	}
});

test("a workflow's document is what save_workflow takes", async () => {
	const document = buildWorkflow("greet", { options: { expose: true }, context: { a: "é" } });
	await world.save("read-1", document);
	const [text = ""] = await readTexts("tripline://workflows/greet", "read-1");
	assert.deepEqual(JSON.parse(text), document);
	await world.save("read-2", JSON.parse(text));
});

test("accepts encoded and unencoded names", async () => {
	await world.save("read-3", buildWorkflow("日報 100%"));
	for (const name of ["%E6%97%A5%E5%A0%B1%20100%25", "日報 100%"]) {
		const [text = ""] = await readTexts(`tripline://workflows/${name}`, "read-3");
		assert.equal(JSON.parse(text).name, "日報 100%");
	}
});

test("a workflow written as YAML has its document and its original text", async () => {
	const yaml = `# a note\nname: noted\ndescription: d\nversion: "1"\ntriplets: [input >> then >> set]\nconfig: { set: { values: {} } }\n`;
	const { workflows } = world.context("read-8").executor;
	await workflows.save({ yaml });
	const uri = "tripline://workflows/noted";
	const { contents = [] } = (await resources.read(uri, world.context("read-8"))) ?? {};
	assert.deepEqual(
		contents.map((content) => [content.uri, content.mimeType]),
		[
			[uri, "application/json"],
			[`${uri}#yaml`, "application/yaml"],
		],
	);
	const [document = "", text] = await readTexts(uri, "read-8");
	assert.deepEqual(JSON.parse(document), await workflows.document("noted"));
	assert.equal(text, yaml);
	await workflows.save({ yaml: `${yaml}# ${"x".repeat(90_000)}\n` });
	const [, long = ""] = await readTexts(uri, "read-8");
	assert.match(
		long,
		/first \d+ of \d+ characters\. Read the text in parts with get_workflow and select yaml/,
	);
	await workflows.save({ json: JSON.parse(document) });
	assert.equal((await readTexts(uri, "read-8")).length, 1);
});

test("an entry has its content, and its metadata as JSON", async () => {
	const id = await world.note("read-4", "Tea", "# Tea\n\nGreen", { tags: ["hot"] });
	const [content, metadata = ""] = await readTexts(`tripline://entries/${id}`, "read-4");
	assert.equal(content, "# Tea\n\nGreen");
	const { created_at, updated_at, ...rest } = JSON.parse(metadata);
	assert.deepEqual(rest, { id, entry_type: "note", page_name: "Tea", metadata: { tags: ["hot"] } });
	assert.ok(Date.parse(created_at) <= Date.parse(updated_at));
});

test("cuts long content between characters, and says how to read on", async () => {
	const id = await world.note("read-5", "Long", `x${"💡".repeat(200_000)}`);
	const [content = ""] = await readTexts(`tripline://entries/${id}`, "read-5");
	assert.ok(content.length < 61_000);
	assert.match(content, /first 59999 of 400001 characters.*get_entry .*"offset":59999/);
	assert.ok(content.isWellFormed() && !content.includes("\ufffd"));
	const text = "x".repeat(90_000);
	await world.save("read-5", buildWorkflow("long", { config: { say: { component: "template", text } } }));
	const read = await resources.read("tripline://workflows/long", world.context("read-5"));
	const [document] = read?.contents ?? [];
	assert.equal(document?.mimeType, "text/plain");
	assert.match(document !== undefined && "text" in document ? document.text : "", /get_workflow/);
});

test("returns null for any unknown URI", async () => {
	const context = world.context("read-6");
	const uris = [
		"",
		"tripline://",
		"tripline://workflows/",
		"tripline://workflows/nothing",
		"tripline://workflows/..",
		"tripline://workflows/a/b",
		"tripline://workflows/a%2Fb",
		"tripline://workflows/%00",
		"tripline://workflows/%ff",
		"tripline://workflows/\ud800",
		"tripline://workflows/__proto__",
		"tripline://entries/7",
		"tripline://entries/../workflows/x",
		"tripline://entries/019a0000-0000-7000-8000-000000000000",
		"tripline://guide/other",
		"file:///etc/passwd",
		"https://example.com/",
		"x".repeat(100_000),
	];
	for (const uri of uris) assert.equal(await resources.read(uri, context), null, uri.slice(0, 80));
});

test("every tenant can read the guides", async () => {
	assert.deepEqual(await readTexts(LANGUAGE, "read-7"), [LANGUAGE_GUIDE]);
	const [overview = ""] = await readTexts(COMPONENTS, "read-7");
	const { components } = await world.context("read-7").executor.components.list();
	for (const { id } of components) assert.ok(overview.includes(`\n- ${id}: `), id);
	assert.ok(overview.length < 60_000, `${overview.length}`);
});

test("completes at most a hundred workflow names, those that start with the text first", async () => {
	const complete = (value: string) =>
		resources.complete("tripline://workflows/{name}", "name", value, world.context("complete-1"));
	for (const name of ["weekly Report", "report", "Reporting", "other"])
		await world.save("complete-1", buildWorkflow(name));
	assert.deepEqual(await complete("rep"), ["Reporting", "report", "weekly Report"]);
	assert.deepEqual(await complete("none"), []);
	for (let nth = 0; nth < 110; nth++) await world.save("complete-1", buildWorkflow(`many ${nth}`));
	assert.equal((await complete("")).length, 100);
});

test("completes an entry's id by its beginning, or by a search", async () => {
	const id = await world.note("complete-2", "Oolong", "steep for three minutes");
	const complete = (value: string) =>
		resources.complete("tripline://entries/{id}", "id", value, world.context("complete-2"));
	assert.deepEqual(await complete(id.slice(0, 30).toUpperCase()), [id]);
	assert.deepEqual(await complete("oolong"), [id]);
	assert.deepEqual(await complete("\ud800 ~~"), []);
	assert.deepEqual(await resources.complete("tripline://x/{y}", "y", "a", world.context("complete-2")), []);
});

test("every template has a description of its own", () => {
	assert.deepEqual(
		resources.templates.map(({ uriTemplate }) => uriTemplate),
		["tripline://workflows/{name}", "tripline://entries/{id}", "tripline://files/{id}"],
	);
});
