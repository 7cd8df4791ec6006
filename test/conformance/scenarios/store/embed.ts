import assert from "node:assert/strict";
import { EmbedStatus } from "@tripline/contract/embed";
import { AppendedEntry, DeletedAnswer, UpsertedEntry } from "@tripline/contract/entries";
import { CreatedPartnerKey } from "@tripline/contract/partner-keys";
import { RecordAnswer } from "@tripline/contract/records";
import { Suggestions } from "@tripline/contract/search";
import type * as z from "zod";
import { startEmbedServer } from "../../../embed-server.ts";
import type { Scenario, World } from "../../scenario.ts";

/** Replaces the operator's model; it runs until the process ends. */
const server = await startEmbedServer();

const KEY = "canary-embed-key";
const MINUTE = 60_000;

/** The model's name also separates the store and the requests of one scenario from the others'. */
const buildSettings = (model: string) => ({ EMBED_URL: server.url, EMBED_MODEL: model, EMBED_API_KEY: KEY });

const listTexts = (model: string): string[] =>
	server.received.filter((each) => each.model === model).flatMap((each) => each.input);

const note = (world: World, fields: object = {}) => ({
	entry_type: "note",
	owner_id: world.owner,
	page_name: "Tea",
	content: "Green tea: 75 °C, two minutes",
	metadata_json: '{"embed":true}',
	...fields,
});

const put = (world: World, fields: object = {}, status = 201) =>
	world.expect(status, UpsertedEntry, "PUT", "/entries", { body: note(world, fields) });

const status = (world: World) => world.expect(200, EmbedStatus, "GET", "/embed/status");

/** Waits for the wanted status, because embedding continues after the response. */
async function waitForStatus(
	world: World,
	wanted: Partial<z.output<typeof EmbedStatus>>,
): Promise<z.output<typeof EmbedStatus>> {
	const deadline = Date.now() + 20_000;
	const names = Object.keys(wanted) as (keyof typeof wanted)[];
	for (;;) {
		const now = await status(world);
		if (names.every((name) => now[name] === wanted[name])) return now;
		if (Date.now() > deadline) assert.fail(`${JSON.stringify(now)} is not ${JSON.stringify(wanted)}`);
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}

const settled = { pending: 0, failed: 0, last_error: null };

export const embed: readonly Scenario[] = [
	{
		name: "an entry with embed in its metadata is embedded after the response, with its page and content",
		cites: ["KNOW-EMBED-INDEXED", "KNOW-HOLDS-USER-KNOWLEDGE"],
		environment: buildSettings("indexed"),
		async run(world) {
			server.received.length = 0;
			assert.deepEqual(await status(world), {
				provider: "http",
				model: "indexed",
				dimensions: null,
				done: 0,
				...settled,
			});
			await put(world);
			const body = note(world, { page_name: "Coffee", content: "咖啡 ☕", metadata_json: '{"embed":"yes"}' });
			await world.expect(201, AppendedEntry, "POST", "/entries", { body });
			assert.deepEqual(await waitForStatus(world, { done: 2 }), {
				provider: "http",
				model: "indexed",
				dimensions: 32,
				done: 2,
				...settled,
			});
			assert.deepEqual(listTexts("indexed").sort(), [
				"Coffee\n咖啡 ☕",
				"Tea\nGreen tea: 75 °C, two minutes",
			]);
			const asked = server.received.filter((each) => each.model === "indexed");
			assert.ok(asked.every((each) => each.authorization === `Bearer ${KEY}`));
		},
	},
	{
		name: "changed content is embedded again, unchanged content is not",
		cites: ["KNOW-EMBED-ON-WRITE"],
		environment: buildSettings("on-write"),
		async run(world) {
			server.received.length = 0;
			await put(world);
			await waitForStatus(world, { done: 1 });
			await put(world, {}, 200);
			await put(world, { metadata_json: '{"embed":true,"tags":["kitchen"]}' }, 200);
			await put(world, { content: "Black tea: 95 °C" }, 200);
			await waitForStatus(world, { done: 1, pending: 0 });
			await world.target.tick();
			assert.deepEqual(listTexts("on-write"), [
				"Tea\nGreen tea: 75 °C, two minutes",
				"Tea\nBlack tea: 95 °C",
			]);
			// Omitted metadata stays, including embed.
			await put(world, { content: "White tea: 70 °C", metadata_json: undefined }, 200);
			await waitForStatus(world, { done: 1, pending: 0 });
			assert.equal(listTexts("on-write")[2], "Tea\nWhite tea: 70 °C");
		},
	},
	{
		name: "a workflow's description is embedded, because it is its content",
		cites: ["KNOW-EMBED-WORKFLOW", "KNOW-EMBED-INDEXED"],
		environment: buildSettings("workflow"),
		async run(world) {
			server.received.length = 0;
			const metadata_json = JSON.stringify({ graph: { nodes: [], edges: [] }, config: {}, embed: true });
			const workflow = { entry_type: "workflow", page_name: "report", metadata_json };
			await put(world, { ...workflow, content: "Mails the numbers of the day" });
			await waitForStatus(world, { done: 1 });
			await put(world, { ...workflow, content: "Mails the numbers of the week" }, 200);
			await waitForStatus(world, { done: 1, pending: 0 });
			assert.deepEqual(listTexts("workflow"), [
				"report\nMails the numbers of the day",
				"report\nMails the numbers of the week",
			]);
		},
	},
	{
		name: "execution records, records and entries without a truthy embed are not embedded",
		cites: ["STORE-EXECLOG-NO-EMBED"],
		environment: buildSettings("not-embedded"),
		async run(world) {
			server.received.length = 0;
			for (const [index, metadata_json] of [
				"{}",
				'{"embed":false}',
				'{"embed":null}',
				'{"embed":0}',
				'{"embed":""}',
				'{"nested":{"embed":true}}',
			].entries()) {
				await put(world, { page_name: `page ${index}`, metadata_json });
			}
			await put(world, { entry_type: "execution_log", page_name: "forged" });
			const report = { owner_id: world.owner, workflow: "w", verdict: "failed", duration_ms: 1 };
			const context = { page_name: "p", embed: true };
			assert.equal(
				(await world.call("POST", "/execution-log", { body: { ...report, context } })).status,
				200,
			);
			const slots = [{ name: "embed", type: "boolean" }];
			await world.call("POST", "/templates", { body: { owner_id: world.owner, name: "switch", slots } });
			const record = { owner_id: world.owner, template: "switch", values: { embed: true } };
			await world.expect(201, RecordAnswer, "POST", "/records", { body: record });
			await world.target.tick();
			const { done, pending } = await status(world);
			assert.deepEqual([done, pending, listTexts("not-embedded")], [0, 0, []]);
		},
	},
	{
		name: "an entry leaves the semantic index when embed is removed and when it is deleted",
		cites: ["KNOW-EMBED-INDEXED"],
		environment: buildSettings("leaves"),
		async run(world) {
			server.received.length = 0;
			const { entry } = await put(world, { page_name: "one" });
			await put(world, { page_name: "two" });
			await put(world, { page_name: "three" });
			await waitForStatus(world, { done: 3 });
			await put(world, { page_name: "two", metadata_json: "{}" }, 200);
			assert.equal((await status(world)).done, 2);
			const query = { owner_id: world.owner };
			await world.expect(200, DeletedAnswer, "DELETE", `/entries/${entry.id}`, { query });
			assert.equal((await status(world)).done, 1);
			await put(world, { page_name: "two" }, 200);
			await waitForStatus(world, { done: 2, pending: 0 });
		},
	},
	{
		name: "a failing provider fails no write, is shown in the status and is retried",
		cites: [],
		environment: buildSettings("failing"),
		async run(world) {
			server.received.length = 0;
			const failures = [
				[{ kind: "status", status: 500, body: `{"error":"${KEY}"}` }, "the provider answered 500"],
				[{ kind: "status", status: 429 }, "the provider answered 429"],
				[{ kind: "body", body: "<html>busy</html>" }, "the provider's response is not JSON"],
				[
					{ kind: "body", body: '{"data":[]}' },
					"the provider's response does not have a vector for each text",
				],
				[{ kind: "hang up" }, "the provider cannot be reached"],
				[{ kind: "status", status: 400 }, "the provider rejected this text"],
			] as const;
			let now = Date.now();
			await world.target.setNow(now);
			try {
				for (const [index, [behaviour, message]] of failures.entries()) {
					server.behave(behaviour);
					await put(world, { page_name: `page ${index}` });
					const { last_error } = await waitForStatus(world, { pending: 0, failed: index + 1, done: 0 });
					assert.equal(last_error?.message, message);
					assert.equal(Date.parse(last_error?.time ?? ""), Math.floor(now / 1000) * 1000);
					assert.doesNotMatch(JSON.stringify(last_error), /canary|127\.0\.0\.1/);
					now += 1000;
					await world.target.setNow(now);
				}
			} finally {
				server.behave({ kind: "vectors" });
			}
			await world.target.tick();
			assert.equal((await status(world)).failed, failures.length);
			await world.target.setNow(now + 2 * MINUTE);
			await world.target.tick();
			const recovered = await waitForStatus(world, { failed: 0 });
			assert.deepEqual([recovered.done, recovered.last_error], [failures.length, null]);
		},
	},
	{
		name: "a provider that does not respond delays no write",
		cites: [],
		environment: buildSettings("silent"),
		async run(world) {
			server.received.length = 0;
			server.behave({ kind: "silence" });
			try {
				const began = performance.now();
				for (let nth = 0; nth < 5; nth++) await put(world, { page_name: `page ${nth}` });
				// A write that waited for the provider would take its timeout of 20 seconds, even on a busy machine.
				assert.ok(performance.now() - began < 15_000);
				const { pending, failed, done } = await status(world);
				assert.deepEqual([pending, failed, done], [5, 0, 0]);
			} finally {
				server.behave({ kind: "vectors" });
			}
			await world.target.setNow(Date.now() + 10 * MINUTE);
			await world.target.restart(buildSettings("silent"));
			await world.target.tick();
			await waitForStatus(world, { done: 5, pending: 0, failed: 0 });
		},
	},
	{
		name: "a new model embeds everything again",
		cites: [],
		environment: buildSettings("before"),
		async run(world) {
			server.received.length = 0;
			const pages = Array.from({ length: 40 }, (_, nth) => `page ${nth}`);
			await Promise.all(pages.map((page_name) => put(world, { page_name })));
			await world.target.tick();
			await waitForStatus(world, { done: 40, pending: 0, model: "before" });
			server.behave({ kind: "vectors", dimensions: 48 });
			try {
				await world.target.restart(buildSettings("after"));
				await world.target.tick();
				const changed = await waitForStatus(world, { done: 40, pending: 0, model: "after" });
				assert.equal(changed.dimensions, 48);
			} finally {
				server.behave({ kind: "vectors" });
			}
			const again = listTexts("after");
			assert.deepEqual([again.length, new Set(again).size], [40, 40]);
			await world.target.tick();
			assert.equal(listTexts("after").length, 40);
		},
	},
	{
		name: "with embedding off, entries wait and are embedded once it is on",
		cites: [],
		environment: { EMBED: "off" },
		async run(world) {
			server.received.length = 0;
			await put(world);
			await world.target.tick();
			assert.deepEqual(await status(world), {
				provider: null,
				model: null,
				dimensions: null,
				pending: 1,
				done: 0,
				failed: 0,
				last_error: null,
			});
			await world.target.restart(buildSettings("later"));
			await world.target.tick();
			await waitForStatus(world, { done: 1, pending: 0 });
		},
	},
	{
		name: "an entry is found by meaning, but not by another owner or after embed is removed",
		cites: ["KNOW-EMBED-INDEXED"],
		environment: buildSettings("meaning"),
		async run(world) {
			const { entry } = await put(world, { content: "Tea" });
			await put(world, { entry_type: "workflow", page_name: "brew", content: "Tea" });
			await put(world, { owner_id: `${world.owner}-other`, content: "Tea" });
			await put(world, { page_name: "Rain", content: "Rain in Spain" });
			await waitForStatus(world, { pending: 0 });
			const findPages = async (more: object = {}) => {
				const body = { owner_id: world.owner, q: "beverage ", ...more };
				const { suggestions } = await world.expect(200, Suggestions, "POST", "/search", { body });
				return suggestions;
			};
			const [first, ...others] = await findPages();
			assert.equal(first?.id, entry.id);
			assert.equal(first?.why, "meaning");
			assert.ok(others.every((each) => each.entry_type === "note" && each.score < (first?.score ?? 0)));
			const [workflow] = await findPages({ entry_types: ["workflow"] });
			assert.equal(workflow?.page_name, "brew");
			await put(world, { content: "Tea", metadata_json: "{}" }, 200);
			assert.ok((await findPages()).every((each) => each.id !== entry.id));
		},
	},
	{
		name: "search uses only words while the model fails",
		cites: [],
		environment: buildSettings("failing-at-search"),
		async run(world) {
			const { entry } = await put(world);
			await waitForStatus(world, { pending: 0, done: 1 });
			server.behave({ kind: "status", status: 500 });
			try {
				const body = { owner_id: world.owner, q: "green" };
				const { suggestions } = await world.expect(200, Suggestions, "POST", "/search", { body });
				assert.deepEqual(
					suggestions.map((each) => each.id),
					[entry.id],
				);
			} finally {
				server.behave({ kind: "vectors" });
			}
		},
	},
	{
		name: "the status is only for internal callers, because it counts all namespaces",
		cites: [],
		environment: { ...buildSettings("status"), MULTI_TENANT: "true" },
		async run(world) {
			server.received.length = 0;
			const { key } = await world.expect(201, CreatedPartnerKey, "POST", "/partner-keys", {
				body: { namespace: world.owner },
			});
			await world.refuse(403, "GET", "/embed/status", { headers: { authorization: `Bearer ${key}` } });
			await world.refuse(405, "POST", "/embed/status", { body: {} });
		},
	},
];
