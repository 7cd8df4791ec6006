import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { echo, type Opened, openTools } from "./open-tools.ts";

interface Found {
	readonly entries: readonly { readonly id: string; readonly page_name: string; readonly snippet: string }[];
	readonly next: string;
}

interface Saved {
	readonly id: string;
	readonly created: boolean;
}

interface Got extends Saved {
	readonly page_name: string;
	readonly content: string;
	readonly metadata: unknown;
	readonly total_chars: number;
	readonly next_offset: number | null;
}

interface Graph {
	readonly facts: readonly string[];
	readonly nodes: readonly { readonly name: string; readonly gloss: string | null }[];
	readonly truncated: boolean;
	readonly next: string;
}

interface Sources {
	readonly believed: boolean | null;
	readonly sources: readonly { readonly uri: string; readonly anchor: string | null }[];
	readonly replaced: readonly string[];
	readonly no_longer: readonly string[];
	readonly next: string;
}

describe("the tools for knowledge", () => {
	let service: Opened;
	before(async () => {
		service = await openTools();
	});
	after(() => service.close());

	test("save_entry writes and replaces, search_knowledge finds, get_entry reads", async () => {
		const acme = service.as("notes");
		const args = {
			page_name: "返品ポリシー",
			content: "Refunds within 30 days.",
			metadata: { tags: ["shop"] },
		};
		const first = await acme.call<Saved>("save_entry", args);
		assert.equal(first.created, true);
		const second = await acme.call<Saved>("save_entry", { ...args, content: "Refunds within 14 days." });
		assert.deepEqual([second.created, second.id], [false, first.id]);
		const { entries } = await acme.call<Found>("search_knowledge", { query: "refunds" });
		assert.equal(entries[0]?.id, first.id);
		assert.match(String(entries[0]?.snippet), /14 days/);
		const byId = await acme.call<Got>("get_entry", { id: first.id });
		assert.equal(byId.content, "Refunds within 14 days.");
		assert.deepEqual(byId.metadata, { tags: ["shop"], embed: true });
		const byName = await acme.call<Got>("get_entry", { page_name: "返品ポリシー" });
		assert.equal(byName.id, first.id);
	});

	test("embed false excludes an entry from search by meaning", async () => {
		const acme = service.as("plain");
		const { id } = await acme.call<Saved>("save_entry", {
			page_name: "p",
			content: "c",
			metadata: { embed: true, a: 1 },
			embed: false,
		});
		assert.deepEqual((await acme.call<Got>("get_entry", { id })).metadata, { a: 1 });
	});

	test("reads a long entry in parts, and splits no character", async () => {
		const acme = service.as("long");
		const content = `${"a".repeat(999)}😀\n"quoted"`.repeat(40);
		const { id } = await acme.call<Saved>("save_entry", { page_name: "p", content, entry_type: "guide" });
		let [whole, offset]: [string, number | null] = ["", 0];
		while (offset !== null) {
			const part: Got = await acme.call<Got>("get_entry", { id, offset, max_chars: 5_000 });
			assert.ok(part.content.isWellFormed());
			assert.equal(part.total_chars, content.length);
			whole += part.content;
			offset = part.next_offset;
		}
		assert.equal(whole, content);
		assert.match(await acme.problem("get_entry", { id, offset: 10_000_000 }), /past the end/);
	});

	test("fits huge metadata into the budget", async () => {
		const acme = service.as("meta");
		const metadata = { list: Array.from({ length: 2_000 }, (_, nth) => `item ${nth}`) };
		const { id } = await acme.call<Saved>("save_entry", { page_name: "p", content: "c", metadata });
		await acme.call("get_entry", { id, max_chars: 2_000 });
	});

	test("suggests similar pages for an unknown entry", async () => {
		const acme = service.as("near");
		await acme.call("save_entry", { page_name: "Refund policy", content: "x", entry_type: "guide" });
		const problem = await acme.problem("get_entry", { page_name: "Refund policy" });
		assert.match(problem, /no entry of type note .*"Refund policy \(guide\)"/);
		assert.match(await acme.problem("get_entry", { page_name: "zzz" }), /none with a similar name/);
		const id = "019a3f0e-7c1b-7c3d-9e2f-0123456789ab";
		assert.match(await acme.problem("get_entry", { id }), /no entry with the id/);
	});

	test("internal entries cannot be read, written or searched", async () => {
		const acme = service.as("internal");
		for (const entry_type of [
			"credential",
			"vault_key",
			"execution_log",
			"value",
			"oauth_code",
			"partner_key",
		]) {
			assert.match(
				await acme.problem("get_entry", { page_name: "p", entry_type }),
				/reserved for internal use/,
			);
			assert.match(
				await acme.problem("save_entry", { page_name: "p", content: "", entry_type }),
				/reserved for internal use/,
			);
			assert.match(
				await acme.problem("search_knowledge", { query: "p", entry_types: [entry_type] }),
				/reserved for internal use/,
			);
		}
		assert.match(
			await acme.problem("save_entry", { page_name: "p", content: "", entry_type: "triplet" }),
			/ingest_triplet/,
		);
		await acme.call("save_workflow", { document: echo("wf") });
		assert.match(
			await acme.problem("get_entry", { page_name: "wf", entry_type: "workflow" }),
			/get_workflow/,
		);
		await acme.context.executor.credentials.put("hook", {
			auth_recipe: "signing_secret",
			fields: { secret: "canary-of-the-tests" },
		});
		for (const entry_type of ["credential", "vault_key", "workflow"]) {
			const { entries } = await service.clients.store.entries.list({ owner_id: "internal", entry_type });
			assert.ok(entries.length > 0, entry_type);
			for (const { id } of entries) {
				const expected = entry_type === "workflow" ? /get_workflow \{"name":"wf"\}/ : /no entry with the id/;
				assert.match(await acme.problem("get_entry", { id }), expected);
			}
		}
	});

	test("another tenant's entries and facts are not found", async () => {
		const acme = service.as("mine");
		const { id } = await acme.call<Saved>("save_entry", { page_name: "Plan", content: "canary" });
		await acme.call("ingest_triplet", fact("Ada", "wrote", "Notes"));
		const other = service.as("theirs");
		assert.match(await other.problem("get_entry", { id }), /no entry with the id/);
		assert.match(await other.problem("get_entry", { page_name: "Plan" }), /none with a similar name/);
		assert.deepEqual((await other.call<Found>("search_knowledge", { query: "canary" })).entries, []);
		assert.deepEqual((await other.call<Graph>("explore_graph", { name: "Ada" })).facts, []);
		assert.deepEqual((await other.call<Graph>("explore_graph", { query: "Ada" })).facts, []);
		assert.deepEqual((await other.call<Sources>("trace_sources", { name: "Ada" })).sources, []);
		const why = { subject: "Ada", predicate: "wrote", object: "Notes" };
		assert.equal((await other.call<Sources>("trace_sources", why)).believed, false);
	});

	test("ingest_triplet stores a fact once for each version of a source", async () => {
		const acme = service.as("facts");
		const actions: unknown[] = [];
		for (const [object, hash] of [
			["Notes", "1"],
			["Notes", "1"],
			["Letters", "2"],
		] as const)
			actions.push((await acme.call("ingest_triplet", fact("Ada", "wrote", object, hash))).action);
		assert.deepEqual(actions, ["created", "unchanged", "replaced"]);
	});

	test("explore_graph walks from a name, searches by words, and suggests similar names", async () => {
		const acme = service.as("graph");
		await acme.call("ingest_triplet", {
			...fact("Ada Lovelace", "wrote", "Notes"),
			gloss: { subject: "A mathematician" },
		});
		await acme.call("ingest_triplet", fact("Notes", "are about", "the >> engine"));
		const near = await acme.call<Graph>("explore_graph", { name: "ada lovelace" });
		assert.deepEqual(near.facts, ["Ada Lovelace >> wrote >> Notes"]);
		assert.ok(near.nodes.some(({ gloss }) => gloss === "A mathematician"));
		const far = await acme.call<Graph>("explore_graph", { name: "Ada Lovelace", depth: 2, direction: "out" });
		assert.deepEqual(far.facts[1], 'Notes >> are about >> "the >> engine"');
		const none = await acme.call<Graph>("explore_graph", { name: "Ada Lovelace", predicate: "read" });
		assert.deepEqual(none.facts, []);
		const found = await acme.call<Graph>("explore_graph", { query: "lovelace" });
		assert.deepEqual(found.facts, ["Ada Lovelace >> wrote >> Notes"]);
		const missed = await acme.call<Graph>("explore_graph", { name: "Lovelace" });
		assert.match(missed.next, /Similar names: "Ada Lovelace"/);
	});

	test("fits a node with very many long facts into the budget", async () => {
		const acme = service.as("hub");
		for (let nth = 0; nth < 120; nth++)
			await acme.call("ingest_triplet", fact("hub", "has", `${nth} ${"長".repeat(400)}`));
		const { truncated, facts } = await acme.call<Graph>("explore_graph", { name: "hub", limit: 100 });
		assert.equal(truncated, true);
		assert.ok(facts.length > 10);
	});

	test("trace_sources returns the sources of a node's facts, and why a fact is believed", async () => {
		const acme = service.as("sources");
		await acme.call("ingest_triplet", fact("Ada", "lives in", "London", "1"));
		await acme.call("ingest_triplet", fact("Ada", "lives in", "Paris", "2"));
		const node = await acme.call<Sources>("trace_sources", { name: "Ada" });
		assert.equal(node.sources[0]?.uri, "https://example.com/ada");
		assert.equal(node.sources[0]?.anchor, "#life");
		const now = await acme.call<Sources>("trace_sources", {
			subject: "Ada",
			predicate: "lives in",
			object: "Paris",
		});
		assert.equal(now.believed, true);
		assert.match(String(now.replaced[0]), /^Ada >> lives in >> London \(deprecated\), by https:/);
		const past = await acme.call<Sources>("trace_sources", {
			subject: "Ada",
			predicate: "lives in",
			object: "London",
		});
		assert.equal(past.believed, false);
		assert.deepEqual(past.no_longer, ["https://example.com/ada"]);
		assert.match(past.next, /No source currently states this/);
	});
});

const fact = (subject: string, predicate: string, object: string, hash = "1") => ({
	subject,
	predicate,
	object,
	source: { uri: "https://example.com/ada", anchor: "#life", hash },
});
