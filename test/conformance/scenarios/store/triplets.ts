import assert from "node:assert/strict";
import { Entry, EntryPage } from "@tripline/contract/entries";
import { Belief, Neighbors } from "@tripline/contract/graph";
import { RecordAnswer } from "@tripline/contract/records";
import { TemplatePage } from "@tripline/contract/templates";
import { Ingested, IngestedVersion, type Triplet } from "@tripline/contract/triplets";
import * as z from "zod";
import type { Scenario, World } from "../../scenario.ts";

const source = (uri: string, hash: string, more: object = {}) => ({ uri, hash, ...more });

const candidate = (world: World, fields: object = {}) => ({
	owner_id: world.owner,
	subject: "Ada",
	predicate: "works at",
	object: "Acme",
	source: source("doc:1", "v1"),
	...fields,
});

const ingest = (world: World, status: number, fields: object = {}) =>
	world.expect(status, Ingested, "POST", "/triplets/ingest", { body: candidate(world, fields) });

const ingestVersion = (world: World, uri: string, hash: string, objects: readonly string[]) =>
	world.expect(200, IngestedVersion, "POST", "/triplets/ingest/batch", {
		body: {
			owner_id: world.owner,
			source: { uri, hash },
			candidates: objects.map((object) => ({ subject: "Ada", predicate: "knows", object })),
		},
	});

async function listStored(world: World): Promise<Triplet[]> {
	const page = await world.expect(200, EntryPage, "GET", "/entries", {
		query: { owner_id: world.owner, entry_type: "triplet" },
	});
	return page.entries
		.map(({ id, owner_id, created_at, updated_at, metadata_json }) => ({
			...(JSON.parse(metadata_json) as Omit<Triplet, "id">),
			id,
			owner_id,
			created_at,
			updated_at,
		}))
		.reverse();
}

const summarize = (triplets: readonly Triplet[]) =>
	triplets.map((triplet) => `${triplet.object} ${triplet.content_hash} ${triplet.status}`);

export const triplets: readonly Scenario[] = [
	{
		name: "a valid candidate is appended as an active triplet with its source",
		cites: [
			"KNOW-HOLDS-TRIPLETS",
			"KNOW-INGEST-ACTIVE",
			"KNOW-INGEST-SOURCE-URI",
			"KNOW-INGEST-SOURCE-ANCHOR",
			"KNOW-INGEST-SOURCE-HASH",
			"KNOW-TRIPLET-STATUS",
			"KNOW-TRIPLET-STATUS-DEFAULT",
			"KNOW-TRIPLET-SUPERSEDED-BY",
			"KNOW-TRIPLET-SOURCE-URI",
			"KNOW-TRIPLET-CONTENT-HASH",
			"KNOW-TRIPLET-SOURCE-ANCHOR",
		],
		async run(world) {
			const { triplet, action, deprecated } = await ingest(world, 201, {
				source: source("doc:1", "v1", { anchor: "#intro", block_id: "b7" }),
				confidence: 0.9,
			});
			assert.equal(action, "created");
			assert.deepEqual(deprecated, []);
			const { id, created_at: _, updated_at: __, ...fields } = triplet;
			assert.deepEqual(fields, {
				owner_id: world.owner,
				subject: "Ada",
				predicate: "works at",
				object: "Acme",
				status: "active",
				superseded_by: null,
				source_uri: "doc:1",
				content_hash: "v1",
				source_anchor: "#intro",
				block_id: "b7",
				confidence: 0.9,
			});
			const query = { owner_id: world.owner };
			const { entry } = await world.expect(200, z.object({ entry: Entry }), "GET", `/entries/${id}`, {
				query,
			});
			assert.equal(entry.entry_type, "triplet");
		},
	},
	{
		name: "the same uri and hash again write nothing, and the triplet stays active",
		cites: ["KNOW-INGEST-NOOP-WRITES-NOTHING", "KNOW-INGEST-NOOP-STAYS-ACTIVE"],
		async run(world) {
			await world.target.setNow(Date.UTC(2026, 0, 1));
			const first = await ingest(world, 201);
			await world.target.setNow(Date.UTC(2026, 0, 2));
			const again = await ingest(world, 200, { subject: " ADA ", object: "ａｃｍｅ" });
			assert.equal(again.action, "unchanged");
			assert.deepEqual(again.triplet, first.triplet);
			assert.equal((await listStored(world)).length, 1);
		},
	},
	{
		name: "a new version of the source replaces its triplet of the same subject and predicate",
		cites: ["KNOW-INGEST-DEPRECATES", "KNOW-TRIPLET-STATUS-STATES", "KNOW-TRIPLET-SUPERSEDED-BY"],
		async run(world) {
			const old = await ingest(world, 201);
			const { triplet, action, deprecated } = await ingest(world, 201, {
				object: "Beta",
				source: source("doc:1", "v2"),
			});
			assert.equal(action, "replaced");
			assert.deepEqual(deprecated, [old.triplet.id]);
			const [first, second] = await listStored(world);
			assert.equal(first?.status, "deprecated");
			assert.equal(first?.superseded_by, triplet.id);
			assert.equal(second?.status, "active");
		},
	},
	{
		name: "the new triplet is written before the old one is deprecated, so one is always active",
		cites: ["KNOW-INGEST-APPEND-FIRST", "KNOW-INGEST-NEVER-WITHOUT-ACTIVE"],
		async run(world) {
			await ingest(world, 201);
			let watching = true;
			const seen: number[] = [];
			const watcher = (async () => {
				while (watching) {
					seen.push((await listStored(world)).filter((triplet) => triplet.status === "active").length);
				}
			})();
			for (let version = 2; version < 12; version++) {
				await ingest(world, 201, { source: source("doc:1", `v${version}`) });
			}
			watching = false;
			await watcher;
			assert.ok(seen.length > 0 && seen.every((active) => active >= 1), seen.join(" "));
			const all = await listStored(world);
			assert.deepEqual(
				all.map((triplet, index) => triplet.superseded_by === (all[index + 1]?.id ?? null)),
				all.map(() => true),
			);
		},
	},
	{
		name: "several triplets of one version coexist, and a new version replaces them all",
		cites: ["KNOW-INGEST-DEPRECATES"],
		async run(world) {
			await ingest(world, 201);
			await ingest(world, 201, { object: "Beta" });
			assert.deepEqual(summarize(await listStored(world)), ["Acme v1 active", "Beta v1 active"]);
			const { deprecated } = await ingest(world, 201, { object: "Beta", source: source("doc:1", "v2") });
			assert.equal(deprecated.length, 2);
			assert.deepEqual(summarize(await listStored(world)), [
				"Acme v1 deprecated",
				"Beta v1 deprecated",
				"Beta v2 active",
			]);
		},
	},
	{
		name: "triplets of another source, subject, predicate or owner are never replaced",
		cites: ["KNOW-INGEST-DEPRECATES"],
		async run(world) {
			await ingest(world, 201);
			await ingest(world, 201, { source: source("doc:2", "v9") });
			await ingest(world, 201, { subject: "Bob", source: source("doc:1", "v2") });
			await ingest(world, 201, { predicate: "likes", source: source("doc:1", "v2") });
			await ingest(world, 201, { owner_id: `${world.owner}-other`, source: source("doc:1", "v2") });
			assert.ok((await listStored(world)).every((triplet) => triplet.status === "active"));
		},
	},
	{
		name: "a replaced version can become active again",
		cites: ["KNOW-INGEST-ACTIVE"],
		async run(world) {
			await ingest(world, 201);
			await ingest(world, 201, { source: source("doc:1", "v2") });
			const back = await ingest(world, 201);
			assert.equal(back.action, "replaced");
			assert.deepEqual(summarize(await listStored(world)), [
				"Acme v1 deprecated",
				"Acme v2 deprecated",
				"Acme v1 active",
			]);
		},
	},
	{
		name: "thirty parallel ingests of one candidate create one triplet",
		cites: ["KNOW-INGEST-NOOP-WRITES-NOTHING"],
		async run(world) {
			const answers = await Promise.all(
				Array.from({ length: 30 }, () => world.call("POST", "/triplets/ingest", { body: candidate(world) })),
			);
			assert.equal(answers.filter((answer) => answer.status === 201).length, 1);
			assert.equal(answers.filter((answer) => answer.status === 200).length, 29);
			assert.equal((await listStored(world)).length, 1);
		},
	},
	{
		name: "parallel versions of one statement leave exactly one active triplet",
		cites: ["KNOW-INGEST-NEVER-WITHOUT-ACTIVE"],
		async run(world) {
			await Promise.all(
				Array.from({ length: 20 }, (_, version) =>
					ingest(world, 201, { source: source("doc:1", `v${version}`) }),
				),
			);
			const all = await listStored(world);
			assert.equal(all.length, 20);
			assert.equal(all.filter((triplet) => triplet.status === "active").length, 1);
		},
	},
	{
		name: "a batch is a whole version of a source: triplets that it no longer contains are deprecated",
		cites: ["KNOW-INGEST-DEPRECATES", "KNOW-INGEST-APPEND-FIRST"],
		async run(world) {
			const first = await ingestVersion(world, "doc:1", "v1", ["Bob", "Cid", "bob"]);
			assert.deepEqual(
				first.triplets.map((each) => each.action),
				["created", "created", "unchanged"],
			);
			assert.equal(first.triplets[2]?.id, first.triplets[0]?.id);
			await ingestVersion(world, "doc:2", "v1", ["Eve"]);
			const second = await ingestVersion(world, "doc:1", "v2", ["Cid", "Dan"]);
			assert.equal(second.deprecated.length, 2);
			assert.deepEqual(summarize(await listStored(world)), [
				"Bob v1 deprecated",
				"Cid v1 deprecated",
				"Eve v1 active",
				"Cid v2 active",
				"Dan v2 active",
			]);
			const cid = (await listStored(world))[1];
			assert.equal(cid?.superseded_by, second.triplets[0]?.id);
		},
	},
	{
		name: "an identical batch writes nothing, and a version may come in several calls",
		cites: ["KNOW-INGEST-NOOP-WRITES-NOTHING"],
		async run(world) {
			await ingestVersion(world, "doc:1", "v1", ["Bob"]);
			await ingestVersion(world, "doc:1", "v1", ["Cid"]);
			const before = await listStored(world);
			const again = await ingestVersion(world, "doc:1", "v1", ["Bob", "Cid"]);
			assert.ok(again.triplets.every((each) => each.action === "unchanged"));
			assert.deepEqual(await listStored(world), before);
			assert.deepEqual(summarize(before), ["Bob v1 active", "Cid v1 active"]);
		},
	},
	{
		name: "a batch without candidates retires a source",
		cites: [],
		async run(world) {
			await ingestVersion(world, "doc:1", "v1", ["Bob"]);
			const gone = await ingestVersion(world, "doc:1", "deleted", []);
			assert.equal(gone.deprecated.length, 1);
			assert.deepEqual(summarize(await listStored(world)), ["Bob v1 deprecated"]);
			assert.equal((await listStored(world))[0]?.superseded_by, null);
		},
	},
	{
		name: "a gloss creates or updates the entity of its node",
		cites: ["KNOW-ENTITY-GLOSS"],
		async run(world) {
			await ingest(world, 201, { gloss: { subject: "a mathematician", object: "a company" } });
			await ingest(world, 201, {
				subject: "ADA",
				predicate: "likes",
				gloss: { subject: "Countess of Lovelace" },
			});
			const page = await world.expect(200, EntryPage, "GET", "/entries", {
				query: { owner_id: world.owner, entry_type: "entity" },
			});
			assert.deepEqual(
				page.entries.map((entry) => [entry.page_name, JSON.parse(entry.metadata_json).gloss]),
				[
					["Acme", "a company"],
					["Ada", "Countess of Lovelace"],
				],
			);
		},
	},
	{
		name: "slots missing from an older triplet template are added with PATCH",
		cites: ["STORE-TEMPLATE-ENSURE", "KNOW-TRIPLET-STATUS-DEFAULT", "KNOW-ENTITY-GLOSS"],
		environment: { NAMESPACE: "patched" },
		async run(world) {
			const old = [{ name: "subject", type: "string", required: true }];
			await world.call("POST", "/templates", { body: { name: "triplet", slots: old } });
			await ingest(world, 201);
			const { templates } = await world.expect(200, TemplatePage, "GET", "/templates");
			const slots = (name: string) =>
				new Map(templates.find((each) => each.name === name)?.slots.map((slot) => [slot.name, slot]));
			for (const name of ["superseded_by", "source_uri", "content_hash", "source_anchor"]) {
				assert.ok(slots("triplet").has(name), name);
			}
			assert.equal(slots("triplet").get("status")?.default, "active");
			assert.ok(slots("entity").has("gloss"));
		},
	},
	{
		name: "a candidate with an unknown, graph-domain or missing field gets 422, and nothing is written",
		cites: ["KNOW-INGEST-422", "KNOW-INGEST-UNKNOWN-FIELD", "KNOW-INGEST-GRAPH-FIELD"],
		async run(world) {
			const bad: [object, string][] = [
				[{ unknown: 1 }, "unknown"],
				[{ domain: "graph" }, "domain"],
				[{ graph_domain: "x" }, "graph_domain"],
				[{ graph: {} }, "graph"],
				[{ status: "deprecated" }, "status"],
				[{ superseded_by: "x" }, "superseded_by"],
				[{ subject: undefined }, "subject"],
				[{ subject: "" }, "subject"],
				[{ subject: "  " }, "subject"],
				[{ object: "a\u0007b" }, "object"],
				[{ object: "x".repeat(100_000) }, "object"],
				[{ predicate: 5 }, "predicate"],
				[{ confidence: 1.5 }, "confidence"],
				[{ confidence: "high" }, "confidence"],
				[{ source: undefined }, "source"],
				[{ source: { uri: "doc:1" } }, "source.hash"],
				[{ source: { hash: "v1" } }, "source.uri"],
				[{ source: source("doc:1", "v1", { domain: 1 }) }, "source.domain"],
				[{ source: source("", "v1") }, "source.uri"],
				[{ gloss: { predicate: "no" } }, "gloss.predicate"],
				[{ gloss: "text" }, "gloss"],
			];
			for (const [fields, path] of bad) {
				const { issues } = await world.refuse(422, "POST", "/triplets/ingest", {
					body: candidate(world, fields),
				});
				assert.ok(
					issues?.some((issue) => issue.path === path),
					`${path}: ${JSON.stringify(issues)}`,
				);
			}
			const tooMany = Array.from({ length: 501 }, () => ({ subject: "a", predicate: "b", object: "c" }));
			for (const candidates of [
				tooMany,
				[{ subject: "a", predicate: "b", object: "c", domain: 1 }],
				"no",
				[null],
			]) {
				const body = { owner_id: world.owner, source: source("doc:1", "v1"), candidates };
				await world.refuse(422, "POST", "/triplets/ingest/batch", { body });
			}
			assert.deepEqual(await listStored(world), []);
		},
	},
	{
		name: "triplets and entities cannot be written as plain entries or records",
		cites: ["KNOW-HOLDS-TRIPLETS"],
		async run(world) {
			const { triplet } = await ingest(world, 201);
			for (const entry_type of ["triplet", "entity"]) {
				const body = { owner_id: world.owner, entry_type, page_name: "Ada", content: "x" };
				await world.refuse(422, "PUT", "/entries", { body });
				await world.refuse(422, "POST", "/entries", { body });
			}
			await world.refuse(404, "PATCH", `/records/${triplet.id}`, {
				body: { values: { status: "deprecated" } },
			});
			await world.refuse(404, "GET", `/records/${triplet.id}`);
			await world.refuse(404, "DELETE", `/records/${triplet.id}`);
			assert.equal((await listStored(world))[0]?.status, "active");
		},
	},
	{
		name: "POST /records rejects the graph's templates, by name and by id, and refers to ingest",
		cites: ["KNOW-HOLDS-TRIPLETS"],
		environment: { NAMESPACE: "refused" },
		async run(world) {
			const values = {
				triplet: {
					subject: "Ada",
					predicate: "knows",
					object: "Bob",
					source_uri: "doc:1",
					content_hash: "v1",
				},
				entity: { name: "Ada", gloss: "a mathematician" },
			};
			const assertRefused = async (template: string, name: keyof typeof values) => {
				const body = { owner_id: world.owner, template, values: values[name] };
				const { issues } = await world.refuse(422, "POST", "/records", { body });
				assert.deepEqual(issues, [
					{ path: "template", message: `${name} is written by POST /triplets/ingest` },
				]);
			};
			// Before and after the templates exist.
			for (const name of ["triplet", "entity"] as const) await assertRefused(name, name);
			await ingest(world, 201);
			const { templates } = await world.expect(200, TemplatePage, "GET", "/templates");
			for (const name of ["triplet", "entity"] as const) {
				const template = templates.find((each) => each.owner_id === null && each.name === name);
				await assertRefused(name, name);
				await assertRefused(template?.id ?? "", name);
			}
			const page = await world.expect(200, EntryPage, "GET", "/entries", {
				query: { owner_id: world.owner, entry_type: "value" },
			});
			assert.deepEqual(page.entries, []);
		},
	},
	{
		name: "an owner's template with the name of a graph template can have records",
		cites: [],
		async run(world) {
			await ingest(world, 201);
			const slots = [{ name: "notes", type: "array", required: true }];
			const template = { owner_id: world.owner, name: "triplet", slots };
			assert.equal((await world.call("POST", "/templates", { body: template })).status, 201);
			const { record } = await world.expect(201, RecordAnswer, "POST", "/records", {
				body: { owner_id: world.owner, template: "triplet", values: { notes: ["c", "e", "g"] } },
			});
			const body = { values: { notes: [] } };
			await world.expect(200, RecordAnswer, "PATCH", `/records/${record.id}`, { body });
			assert.equal((await listStored(world)).length, 1);
		},
	},
	{
		name: "the provenance of a fact lists its sources, what they replaced, and sources that withdrew it",
		cites: [],
		async run(world) {
			const acme1 = await ingest(world, 201, { object: "Initech", source: source("wiki", "v1") });
			const acme2 = await ingest(world, 201, { source: source("wiki", "v2") });
			const letter = await ingest(world, 201, { source: source("letter", "a") });
			const explainFact = (object: string) =>
				world.expect(200, Belief, "GET", "/graph/why", {
					query: { owner_id: world.owner, subject: "ada", predicate: "WORKS AT", object },
				});
			const acme = await explainFact("acme");
			assert.equal(acme.believed, true);
			assert.deepEqual(
				acme.because.map((triplet) => triplet.id),
				[letter.triplet.id, acme2.triplet.id],
			);
			assert.deepEqual(
				acme.superseded.map((triplet) => triplet.id),
				[acme1.triplet.id],
			);
			const initech = await explainFact("Initech");
			assert.equal(initech.believed, false);
			assert.deepEqual(
				initech.no_longer.map((triplet) => [triplet.id, triplet.superseded_by]),
				[[acme1.triplet.id, acme2.triplet.id]],
			);
			await ingest(world, 201, { object: "Globex", source: source("wiki", "v3") });
			assert.equal((await explainFact("Acme")).believed, true, "the letter is still a source");
			await ingest(world, 201, { object: "Globex", source: source("letter", "b") });
			assert.equal((await explainFact("Acme")).believed, false);
		},
	},
	{
		name: "names and sources of the greatest length are found, told apart and superseded",
		cites: [],
		async run(world) {
			// Folding makes the first one eighteen times as long.
			const [subject, predicate, object] = ["ﷺ", "🧵", "界"].map((letter) => letter.repeat(512));
			const uri = `doc:${"資".repeat(2044)}`;
			const names = { subject, predicate, gloss: { subject: "a long one" } };
			const first = await ingest(world, 201, { ...names, object, source: source(uri, "v".repeat(256)) });
			const again = await ingest(world, 200, { ...names, object, source: source(uri, "v".repeat(256)) });
			assert.equal(again.triplet.id, first.triplet.id);
			const changed = { ...names, object: object?.slice(1) };
			await ingest(world, 201, { ...changed, source: source(`${uri.slice(0, -1)}x`, "1") });
			const second = await ingest(world, 201, { ...changed, source: source(uri, "2") });
			const { gloss, neighbors } = await world.expect(
				200,
				Neighbors,
				"GET",
				`/graph/neighbors/${encodeURIComponent(subject ?? "")}`,
				{ query: { owner_id: world.owner } },
			);
			assert.equal(gloss, names.gloss.subject);
			assert.deepEqual(
				neighbors.map(({ triplet }) => triplet.object),
				[changed.object, changed.object],
			);
			const [superseded] = await listStored(world);
			assert.deepEqual([superseded?.id, superseded?.superseded_by], [first.triplet.id, second.triplet.id]);
		},
	},
];
