import assert from "node:assert/strict";
import { Entry } from "@tripline/contract/entries";
import { Belief, Traversal } from "@tripline/contract/graph";
import * as z from "zod";
import { ERAS } from "../../../mcp/wire.ts";
import type { Scenario, World } from "../../scenario.ts";
import { callForProblem, callTool } from "./asking.ts";
import { OPEN } from "./settings.ts";

const NODE = { subject: "Ada", predicate: "wrote", object: "Notes" };
const source = (hash: string, uri = "https://example.com/ada") => ({ uri, hash, anchor: "#works" });

const ingest = (world: World, fact: object, options = {}) =>
	callTool<{ id: string; fact: string; action: string; deprecated: string[] }>(
		world,
		"ingest_triplet",
		{ ...fact },
		options,
	);

const theirs = (world: World) => ({ bearer: `${world.owner}-other` });

export const knowledgeTools: readonly Scenario[] = [
	{
		name: "save_entry writes an entry to the store, search_knowledge finds it and get_entry reads it",
		cites: ["MCP-THIN-SHELL", "MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			for (const [nth, era] of ERAS.entries()) {
				const args = {
					page_name: "返品 policy",
					content: `Refunds within ${14 + nth} days.`,
					metadata: { a: 1 },
				};
				const saved = await callTool<{ id: string; created: boolean }>(world, "save_entry", args, { era });
				assert.equal(saved.created, nth === 0);
				const { entry } = await world.expect(200, z.object({ entry: Entry }), "GET", `/entries/${saved.id}`, {
					query: { owner_id: world.owner },
				});
				assert.deepEqual(
					[entry.entry_type, entry.page_name, entry.content],
					["note", args.page_name, args.content],
				);
				const { entries } = await callTool<{ entries: { id: string; snippet: string }[] }>(
					world,
					"search_knowledge",
					{ query: "refunds" },
					{ era },
				);
				assert.deepEqual(
					entries.map(({ id }) => id),
					[saved.id],
				);
				assert.match(entries[0]?.snippet ?? "", new RegExp(`${14 + nth} days`));
				for (const place of [{ id: saved.id }, { page_name: args.page_name }]) {
					const got = await callTool(world, "get_entry", place, { era });
					assert.equal(got.content, args.content);
				}
			}
		},
	},
	{
		name: "save_entry without metadata creates an entry with embed, and keeps the metadata of an existing one",
		cites: ["MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			const saveForEntry = async (args: object) => {
				const { id } = await callTool<{ id: string }>(world, "save_entry", { page_name: "page", ...args });
				const { entry } = await world.expect(200, z.object({ entry: Entry }), "GET", `/entries/${id}`, {
					query: { owner_id: world.owner },
				});
				return [entry.content, JSON.parse(entry.metadata_json)];
			};
			assert.deepEqual(await saveForEntry({ content: "a" }), ["a", { embed: true }]);
			const metadata = { tags: ["x"] };
			assert.deepEqual(await saveForEntry({ content: "b", metadata }), ["b", { tags: ["x"], embed: true }]);
			assert.deepEqual(await saveForEntry({ content: "c" }), ["c", { tags: ["x"], embed: true }]);
			assert.deepEqual(await saveForEntry({ content: "d", embed: false }), ["d", { tags: ["x"] }]);
			assert.deepEqual(await saveForEntry({ content: "e" }), ["e", { tags: ["x"] }]);
			assert.deepEqual(await saveForEntry({ content: "f", embed: true }), [
				"f",
				{ tags: ["x"], embed: true },
			]);
			assert.deepEqual(await saveForEntry({ content: "g", metadata: {}, embed: false }), ["g", {}]);
			const once = { page_name: "words only", content: "a", embed: false };
			assert.deepEqual(await saveForEntry(once), ["a", {}]);
		},
	},
	{
		name: "entries of another tenant and internal entries can be neither found nor read",
		cites: ["MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			const args = { page_name: "secret plan", content: "hidden kettle" };
			const { id } = await callTool(world, "save_entry", args);
			assert.match(await callForProblem(world, "get_entry", { id }, theirs(world)), /no entry/);
			await callForProblem(world, "get_entry", { page_name: "secret plan" }, theirs(world));
			const found = await callTool<{ entries: unknown[] }>(
				world,
				"search_knowledge",
				{ query: "kettle" },
				theirs(world),
			);
			assert.deepEqual(found.entries, []);
			for (const entry_type of ["credential", "execution_log", "oauth_code", "partner_key", "vault_key"]) {
				await callForProblem(world, "get_entry", { page_name: "p", entry_type });
				await callForProblem(world, "save_entry", { page_name: "p", content: "c", entry_type });
			}
		},
	},
	{
		name: "ingest_triplet saves a fact with its source, and a new version of the source replaces it",
		cites: ["MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			const fact = { ...NODE, source: source("v1"), gloss: { subject: "A mathematician" }, confidence: 0.9 };
			const first = await ingest(world, fact);
			assert.deepEqual([first.action, first.fact], ["created", "Ada >> wrote >> Notes"]);
			for (const era of ERAS) assert.equal((await ingest(world, fact, { era })).action, "unchanged");
			const second = await ingest(world, { ...NODE, object: "Letters", source: source("v2") });
			assert.equal(second.action, "replaced");
			assert.deepEqual(second.deprecated, [first.id]);
			const query = { owner_id: world.owner, ...NODE };
			const belief = await world.expect(200, Belief, "GET", "/graph/why", { query });
			assert.equal(belief.believed, false);
		},
	},
	{
		name: "explore_graph returns facts of the store's graph, by name and by words",
		cites: ["MCP-THIN-SHELL", "MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			await ingest(world, { ...NODE, source: source("v1"), gloss: { subject: "A mathematician" } });
			await ingest(world, {
				...NODE,
				subject: "Notes",
				predicate: "describe",
				object: "Engine",
				source: source("v1"),
			});
			for (const era of ERAS) {
				const near = await callTool<{ facts: string[]; nodes: { name: string; gloss: string | null }[] }>(
					world,
					"explore_graph",
					{ name: "ada", depth: 2 },
					{ era },
				);
				assert.deepEqual(near.facts, ["Ada >> wrote >> Notes", "Notes >> describe >> Engine"]);
				const query = { owner_id: world.owner, name: "ada", depth: 2 };
				const walk = await world.expect(200, Traversal, "GET", "/graph/traverse", { query });
				assert.deepEqual(
					near.nodes.map(({ name, gloss }) => [name, gloss]),
					walk.nodes.map(({ name, gloss }) => [name, gloss]),
				);
				const found = await callTool<{ facts: string[] }>(
					world,
					"explore_graph",
					{ query: "engine" },
					{ era },
				);
				assert.deepEqual(found.facts, ["Notes >> describe >> Engine"]);
				const other = await callTool<{ facts: string[] }>(
					world,
					"explore_graph",
					{ name: "Ada" },
					{ ...theirs(world), era },
				);
				assert.deepEqual(other.facts, []);
			}
		},
	},
	{
		name: "trace_sources returns the current and former sources of a fact, and what it replaced",
		cites: ["MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			await ingest(world, { ...NODE, source: source("v1") });
			await ingest(world, { ...NODE, object: "Letters", source: source("v2") });
			for (const era of ERAS) {
				const letters = { ...NODE, object: "Letters" };
				const now = await callTool<{ believed: boolean; sources: { uri: string }[]; replaced: string[] }>(
					world,
					"trace_sources",
					letters,
					{ era },
				);
				assert.equal(now.believed, true);
				assert.deepEqual(
					now.sources.map(({ uri }) => uri),
					["https://example.com/ada"],
				);
				assert.match(now.replaced.join(), /Ada >> wrote >> Notes/);
				const before = await callTool(world, "trace_sources", NODE, { era });
				assert.deepEqual([before.believed, before.no_longer], [false, ["https://example.com/ada"]]);
				const node = await callTool<{ sources: { uri: string; anchor: string }[] }>(
					world,
					"trace_sources",
					{ name: "Ada" },
					{ era },
				);
				assert.equal(node.sources[0]?.anchor, "#works");
				const other = await callTool<{ sources: unknown[] }>(
					world,
					"trace_sources",
					{ name: "Ada" },
					{ ...theirs(world), era },
				);
				assert.deepEqual(other.sources, []);
			}
		},
	},
	{
		name: "an assistant lists, shows and deletes what an agent remembers, of its own tenant only",
		cites: ["MCP-THIN-SHELL", "MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			const name = { workflow: "support", key: "c/7" };
			const tool = "manage_conversations";
			await world.call("POST", "/conversations/turns", {
				body: {
					...{ owner_id: world.owner, ...name, id: "01890000-0000-7000-8000-00000000abcd" },
					...{ execution_id: "run", messages_json: '[{"role":"user","content":"I am Ada."}]' },
				},
			});
			for (const args of [name, { ...name, delete: true }]) {
				const problem = await callForProblem(world, tool, args, { bearer: `${world.owner}-other` });
				assert.match(problem, /^There is no such conversation/);
			}
			assert.match(await callForProblem(world, tool, { delete: true }), /both workflow and key/);
			const { conversations } = await callTool(world, tool);
			assert.equal((conversations as unknown[]).length, 1);
			assert.match(JSON.stringify(await callTool(world, tool, name)), /I am Ada\./);
			const deleted = await callTool(world, tool, { ...name, delete: true });
			assert.deepEqual([deleted.deleted, deleted.turns], [true, 1]);
			assert.deepEqual((await callTool(world, tool)).conversations, []);
		},
	},
];
