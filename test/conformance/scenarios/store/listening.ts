import assert from "node:assert/strict";
import { EntryPage } from "@tripline/contract/entries";
import type { Scenario, World } from "../../scenario.ts";

const save = (world: World, page_name: string, trigger: unknown, fields: object = {}, method = "PUT") =>
	world.call(method, "/entries", {
		body: {
			entry_type: "workflow",
			owner_id: world.owner,
			page_name,
			content: "",
			metadata_json: JSON.stringify({ graph: {}, config: { trigger }, cron_expr: null }),
			...fields,
		},
	});

async function listListening(world: World, query: object = {}) {
	const page = await world.expect(200, EntryPage, "GET", "/entries", {
		query: { owner_id: world.owner, entry_type: "workflow", listens: "true", ...query },
	});
	return page.entries.map((entry) => entry.page_name);
}

export const listeners: readonly Scenario[] = [
	{
		name: "listens=true lists the workflows with an event trigger, and follows changes",
		cites: [],
		async run(world) {
			await save(world, "orders", { type: "event", event: "order.*" });
			await save(world, "clock", { type: "schedule", cron: "@daily", event: "order.*" });
			await save(world, "plain", { type: "webhook" });
			await save(world, "appended", { type: "event", event: "x" }, {}, "POST");
			await save(world, "note", { type: "event", event: "order.*" }, { entry_type: "note" });
			await save(world, "theirs", { type: "event", event: "order.*" }, { owner_id: `${world.owner}-x` });
			assert.deepEqual(await listListening(world), ["appended", "orders"]);
			assert.deepEqual(await listListening(world, { page_name: "orders" }), ["orders"]);
			await save(world, "orders", { type: "webhook" });
			await save(world, "plain", { type: "event", event: "a" });
			assert.deepEqual(await listListening(world), ["appended", "plain"]);
			await world.refuse(422, "GET", "/entries", { query: { owner_id: world.owner, listens: "yes" } });
		},
	},
	{
		name: "a malformed trigger listens to nothing and is stored unchanged",
		cites: [],
		async run(world) {
			const odd = [null, "event", 5, [], { type: "event" }, { type: "event", event: 5 }];
			for (const [nth, trigger] of [...odd, { type: "event", event: "" }, { event: "a" }].entries()) {
				assert.equal((await save(world, String(nth), trigger)).status, 201);
			}
			for (const [nth, config] of [null, "x", [], { trigger: { type: ["event"], event: "a" } }].entries()) {
				const metadata_json = JSON.stringify({ config });
				assert.equal((await save(world, `config ${nth}`, null, { metadata_json })).status, 201);
			}
			assert.deepEqual(await listListening(world), []);
		},
	},
];
