import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import type { Triplet } from "@tripline/contract/triplets";
import { systemClock } from "@tripline/platform/clock";
import { statement } from "@tripline/platform/sql";
import fc from "fast-check";
import { openMigrated } from "../../../packages/platform/test/open-migrated.ts";
import { createStore } from "../src/app.ts";
import { walk } from "../src/domain/graph.ts";
import { foldName, toTriplet } from "../src/domain/triplets.ts";
import { storeEnvironment, storeSettings } from "../src/settings.ts";
import { storeMigrations } from "../src/storage/migrations.ts";

async function openStore(context: TestContext) {
	const sql = await openMigrated(storeMigrations);
	context.after(() => sql.close());
	const store = createStore({
		sql,
		clock: systemClock,
		log: () => {},
		version: "0.0.0-test",
		settings: storeSettings(storeEnvironment.parse({ MULTI_TENANT: "false" })),
	});
	const ingest = async (hash: string, object: string) => {
		const body = { subject: "Ada", predicate: "works at", object, source: { uri: "doc", hash } };
		const request = new Request("http://store/triplets/ingest", {
			method: "POST",
			body: JSON.stringify(body),
		});
		return (await (await store.fetch(request)).json()) as {
			triplet: Triplet;
			action: string;
			deprecated: string[];
		};
	};
	const total = async () => {
		const [row] = await sql.read<{ changes: number }>(statement("select total_changes() as changes"));
		return row?.changes ?? 0;
	};
	const call = async (method: string, path: string, body?: object) => {
		const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
		return (await store.fetch(new Request(`http://store${path}`, init))).status;
	};
	return { sql, ingest, total, call };
}

test("an old record of a graph template can be read and deleted, not changed", async (context) => {
	const { sql, ingest, call } = await openStore(context);
	await ingest("v1", "Acme");
	const id = "01920000-0000-7000-8000-000000000000";
	const values = { subject: "Ada", predicate: "knows", object: "Bob", source_uri: "doc", content_hash: "v1" };
	await sql.write([
		statement(
			`insert into entries
				(id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at, template_id)
			select ?1, 'value', 'default', id, '', ?2, 1, 1, id from templates where name = 'triplet'`,
			id,
			JSON.stringify(values),
		),
	]);
	assert.equal(await call("GET", `/records/${id}`), 200);
	assert.equal(await call("PATCH", `/records/${id}`, { values: { subject: "Eve" } }), 422);
	assert.equal(await call("DELETE", `/records/${id}`), 200);
});

describe("ingest", () => {
	test("repeating a call that was interrupted between append and deprecation finishes it", async (context) => {
		const { sql, ingest } = await openStore(context);
		const old = await ingest("v1", "Acme");
		await ingest("v2", "Beta");
		// The state after such an interruption: the old triplet is still active.
		await sql.write([
			statement(
				"update entries set metadata_json = json_set(metadata_json, '$.status', 'active') where id = ?1",
				old.triplet.id,
			),
			statement(
				"update triplets set active = 1 where seq = (select seq from entries where id = ?1)",
				old.triplet.id,
			),
		]);
		const again = await ingest("v2", "Beta");
		assert.equal(again.action, "unchanged");
		assert.deepEqual(again.deprecated, [old.triplet.id]);
		assert.deepEqual((await ingest("v2", "Beta")).deprecated, []);
	});

	test("ingesting a known triplet changes no row", async (context) => {
		const { ingest, total } = await openStore(context);
		await ingest("v1", "Acme");
		const before = await total();
		assert.equal((await ingest("v1", "Acme")).action, "unchanged");
		assert.equal(await total(), before);
	});
});

test("a stored triplet without a status reads as active", () => {
	const stored = { subject: "a", predicate: "b", object: "c", source_uri: "u", content_hash: "h" };
	const row = { id: "x", owner_id: "o", created_at: 1, updated_at: 1, metadata_json: JSON.stringify(stored) };
	assert.equal(toTriplet(row).status, "active");
});

describe("names", () => {
	test("all spellings of a sharp s, and a long s, fold to the same name", () => {
		assert.deepEqual(new Set(["STRASSE", "Straße", "STRAẞE", "ſtrasse"].map(foldName)), new Set(["strasse"]));
	});

	test("folding is stable: a folded name folds to itself", () => {
		fc.assert(
			fc.property(fc.string({ unit: "grapheme" }), (name) =>
				assert.equal(foldName(foldName(name)), foldName(name)),
			),
		);
	});
});

describe("a graph walk", () => {
	const nodes = fc.integer({ min: 0, max: 12 }).map((number) => `n${number}`);
	const graphs = fc.array(fc.tuple(nodes, nodes), { maxLength: 40 });

	const findEdges =
		(pairs: readonly (readonly [string, string])[]) => async (names: readonly string[], limit: number) => {
			const all = pairs.map(([subject, object], index) => ({
				subject,
				object,
				triplet: triplet(index, subject, object),
			}));
			const out = all.filter((edge) => names.includes(edge.subject)).slice(0, limit);
			const into = all.filter((edge) => names.includes(edge.object)).slice(0, limit);
			return [
				...out.map((edge) => ({ ...edge, direction: "out" as const })),
				...into.map((edge) => ({ ...edge, direction: "in" as const })),
			];
		};

	/** Distances in the undirected graph by textbook breadth-first search. */
	function computeDistances(
		pairs: readonly (readonly [string, string])[],
		start: string,
	): Map<string, number> {
		const found = new Map([[start, 0]]);
		for (const name of found.keys()) {
			for (const [one, other] of pairs) {
				const next = one === name ? other : other === name ? one : undefined;
				if (next !== undefined && !found.has(next)) found.set(next, (found.get(name) ?? 0) + 1);
			}
		}
		return found;
	}

	test("visits exactly the nodes within its depth, each at its distance, with one query per level", async () => {
		await fc.assert(
			fc.asyncProperty(graphs, fc.integer({ min: 1, max: 5 }), async (pairs, depth) => {
				let questions = 0;
				const edges = findEdges(pairs);
				const result = await walk("n0", { depth, limit: 1000 }, (names, limit) => {
					questions++;
					return edges(names, limit);
				});
				const expected = [...computeDistances(pairs, "n0")].filter(([, distance]) => distance <= depth);
				assert.deepEqual(
					new Map([...result.nodes].map(([name, node]) => [name, node.depth])),
					new Map(expected),
				);
				assert.ok(questions <= depth);
				assert.equal(result.truncated, false);
			}),
		);
	});

	test("never exceeds its limit or repeats a triplet, and reports truncation", async () => {
		await fc.assert(
			fc.asyncProperty(graphs, fc.integer({ min: 1, max: 10 }), async (pairs, limit) => {
				const whole = await walk("n0", { depth: 5, limit: 1000 }, findEdges(pairs));
				const cut = await walk("n0", { depth: 5, limit }, findEdges(pairs));
				assert.equal(cut.reached.length, Math.min(limit, whole.reached.length));
				assert.equal(cut.truncated, whole.reached.length > limit);
				assert.equal(new Set(cut.reached.map((each) => each.triplet.id)).size, cut.reached.length);
			}),
		);
	});
});

function triplet(index: number, subject: string, object: string): Triplet {
	const stored = { subject, predicate: "r", object, source_uri: "u", content_hash: "h" };
	const row = { id: String(index), owner_id: "o", created_at: 1, updated_at: 1 };
	return toTriplet({ ...row, metadata_json: JSON.stringify(stored) });
}
