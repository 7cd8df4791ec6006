import assert from "node:assert/strict";
import { CredentialList, WrittenCredential } from "@tripline/contract/credentials";
import { AppendedEntry, DeletedAnswer, Entry, EntryPage } from "@tripline/contract/entries";
import { ComponentDetail, ComponentList, InstalledComponent } from "@tripline/contract/executor";
import { Belief, FoundTriplets, Neighbors, NodeSources, Traversal } from "@tripline/contract/graph";
import { GuiRevoked, GuiTakenPage, GuiTokens } from "@tripline/contract/gui";
import { ComponentAnswer, ComponentPage, VersionAnswer } from "@tripline/contract/market";
import { AuthRecipeList } from "@tripline/contract/recipes";
import { Suggestions } from "@tripline/contract/search";
import * as z from "zod";
import { MODERN } from "../../../mcp/wire.ts";
import type { Scenario, World } from "../../scenario.ts";
import { mcpCall } from "./asking.ts";
import { openConsole, openOthersConsole } from "./console.ts";
import { MCP_ENVIRONMENT } from "./login.ts";
import { OPEN, putToken } from "./settings.ts";

const OneEntry = z.object({ entry: Entry });
const FACT = { subject: "Ada", predicate: "wrote", object: "Notes" };

async function ingest(world: World) {
	const source = { uri: "https://example.com/ada", hash: "v1" };
	const answer = await world.call("POST", "/triplets/ingest", {
		body: { owner_id: world.owner, ...FACT, source },
	});
	assert.ok(answer.status < 300, JSON.stringify(answer.body));
}

export const guiData: readonly Scenario[] = [
	{
		name: "the console creates, lists, reads, replaces, finds and deletes entries of the store",
		cites: ["MCP-GUI-AUTH", "MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			const console = openConsole(world);
			const body = { entry_type: "note", page_name: "返品", content: "Refunds within 30 days." };
			const { entry } = await console.expect(201, AppendedEntry, "POST", "/entries", { body });
			assert.equal(entry.owner_id, world.owner);
			const taken = await console.expect(409, GuiTakenPage, "POST", "/entries", { body });
			assert.equal(taken.id, entry.id);
			const path = `/entries/${entry.id}`;
			const content = "Refunds within 14 days.";
			await console.expect(200, OneEntry, "PUT", path, { body: { content } });
			const kept = await world.expect(200, OneEntry, "GET", path, { query: { owner_id: world.owner } });
			assert.equal(kept.entry.content, content);
			assert.deepEqual((await console.expect(200, OneEntry, "GET", path)).entry, kept.entry);
			const { entries } = await console.expect(200, EntryPage, "GET", "/entries");
			assert.deepEqual(
				entries.map(({ id }) => id),
				[entry.id],
			);
			const found = await console.expect(200, Suggestions, "POST", "/search", { body: { q: "refunds" } });
			assert.equal(found.suggestions[0]?.id, entry.id);
			const other = openOthersConsole(world);
			await other.refuse(404, "GET", path);
			await other.refuse(404, "PUT", path, { body: { content: "mine" } });
			await other.refuse(404, "DELETE", path);
			assert.deepEqual((await other.expect(200, EntryPage, "GET", "/entries")).entries, []);
			const none = await other.expect(200, Suggestions, "POST", "/search", { body: { q: "refunds" } });
			assert.deepEqual(none.suggestions, []);
			await console.expect(200, DeletedAnswer, "DELETE", path);
			await console.refuse(404, "GET", path);
		},
	},
	{
		name: "the console shows only the caller's graph from the store",
		cites: ["MCP-GUI-AUTH", "MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			await ingest(world);
			const paths: [z.ZodType, string, object][] = [
				[Neighbors, "/graph/neighbors/Ada", {}],
				[Traversal, "/graph/traverse", { name: "Ada", depth: 2 }],
				[FoundTriplets, "/graph/search", { q: "notes" }],
				[NodeSources, "/graph/source/Ada", {}],
				[Belief, "/graph/why", FACT],
			];
			for (const [schema, path, query] of paths) {
				const told = await openConsole(world).expect(200, schema, "GET", path, { query: { ...query } });
				const kept = await world.expect(200, schema, "GET", path, {
					query: { ...query, owner_id: world.owner },
				});
				assert.deepEqual(told, kept, path);
				assert.match(JSON.stringify(told), /example\.com|Notes/);
				const theirs = await openOthersConsole(world).expect(200, schema, "GET", path, {
					query: { ...query },
				});
				assert.doesNotMatch(JSON.stringify(theirs), /example\.com/, path);
			}
		},
	},
	{
		name: "a component of the market can be viewed, installed by its hash and uninstalled, for one tenant",
		cites: ["MCP-GUI-AUTH", "MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			const console = openConsole(world);
			const market = await console.expect(200, ComponentPage, "GET", "/registry/components", {
				query: { limit: 100 },
			});
			const listed = market.components.find(({ kind }) => kind === "code");
			assert.ok(listed !== undefined);
			const { id } = listed;
			const shown = await console.expect(200, ComponentAnswer, "GET", `/registry/components/${id}`);
			const version = shown.versions[0]?.version ?? "";
			const one = await console.expect(200, VersionAnswer, "GET", `/registry/components/${id}/${version}`);
			assert.equal(one.sha256, listed.sha256);
			const path = `/components/${id}`;
			await console.refuse(404, "GET", path);
			const wrong = await console.call("PUT", path, { body: { version, sha256: "0".repeat(64) } });
			assert.ok(wrong.status >= 400 && wrong.status < 500);
			const body = { version, sha256: one.sha256 };
			await console.expect(200, InstalledComponent, "PUT", path, { body });
			await console.expect(200, ComponentDetail, "GET", path);
			const { components } = await console.expect(200, ComponentList, "GET", "/components");
			assert.equal(components.find((each) => each.id === id)?.source, "installed");
			await openOthersConsole(world).refuse(404, "GET", path);
			await openOthersConsole(world).refuse(404, "DELETE", path);
			await console.expect(200, DeletedAnswer, "DELETE", path);
			await console.refuse(404, "DELETE", path);
			await console.refuse(404, "GET", "/registry/components/none");
			await console.refuse(404, "GET", `/registry/components/${id}/99.0.0`);
		},
	},
	{
		name: "the console saves and deletes credentials, and no response contains their values",
		cites: ["MCP-GUI-AUTH"],
		environment: OPEN,
		async run(world) {
			const console = openConsole(world);
			const body = { auth_recipe: "signing_secret", fields: { secret: "canary-of-the-tests" } };
			const path = `/credentials/${encodeURIComponent("簽章 key")}`;
			const made = await console.expect(201, WrittenCredential, "PUT", path, { body });
			const replaced = await console.expect(200, WrittenCredential, "PUT", path, { body });
			const listed = await console.expect(200, CredentialList, "GET", "/credentials");
			assert.deepEqual(
				listed.credentials.map(({ name }) => name),
				["簽章 key"],
			);
			assert.doesNotMatch(JSON.stringify([made, replaced, listed]), /canary/);
			const { auth_recipes } = await console.expect(200, AuthRecipeList, "GET", "/auth-recipes");
			assert.ok(auth_recipes.some(({ id }) => id === "signing_secret"));
			const other = openOthersConsole(world);
			assert.deepEqual((await other.expect(200, CredentialList, "GET", "/credentials")).credentials, []);
			await other.refuse(404, "DELETE", path);
			await console.expect(200, DeletedAnswer, "DELETE", path);
			await console.refuse(404, "DELETE", path);
		},
	},
	{
		name: "the console lists the valid tokens without their secrets, and revokes them",
		cites: ["MCP-GUI-AUTH", "MCP-BEARER-OAUTH"],
		environment: MCP_ENVIRONMENT,
		async run(world) {
			const mine = await putToken(world);
			const second = await putToken(world, { client_name: "Claude" });
			const old = await putToken(world, { expires_at: Date.now() - 1 });
			const theirs = await putToken(world, { namespace: `${world.owner}-other` });
			const getId = ({ key }: { readonly key: string }) => key.slice("token:".length);
			const console = openConsole(world, mine.token);
			const seen = new Map<string, { client_name: string | null; current: boolean }>();
			let cursor: string | undefined;
			do {
				const page = await console.call("GET", "/tokens", { query: { cursor } });
				assert.ok(!JSON.stringify(page.body).includes("tlo_"));
				const { tokens, next_cursor } = GuiTokens.parse(page.body);
				for (const token of tokens) seen.set(token.id, token);
				cursor = next_cursor ?? undefined;
			} while (cursor !== undefined);
			assert.deepEqual([...seen.keys()].sort(), [getId(mine), getId(second)].sort());
			assert.deepEqual(
				[
					seen.get(getId(mine))?.current,
					seen.get(getId(second))?.current,
					seen.get(getId(second))?.client_name,
				],
				[true, false, "Claude"],
			);
			await console.refuse(404, "DELETE", `/tokens/${getId(theirs)}`);
			await console.refuse(404, "DELETE", `/tokens/${"0".repeat(64)}`);
			assert.equal((await mcpCall(world, theirs.token, MODERN, "tools/list")).status, 200);
			assert.equal((await mcpCall(world, old.token, MODERN, "tools/list")).status, 401);
			await console.expect(200, GuiRevoked, "DELETE", `/tokens/${getId(second)}`);
			assert.equal((await mcpCall(world, second.token, MODERN, "tools/list")).status, 401);
			await console.expect(200, GuiRevoked, "DELETE", `/tokens/${getId(mine)}`);
			assert.equal((await console.call("GET", "/session")).status, 401);
		},
	},
];
