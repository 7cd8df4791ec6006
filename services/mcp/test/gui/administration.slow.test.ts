import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CredentialList, WrittenCredential } from "@tripline/contract/credentials";
import { DeletedAnswer } from "@tripline/contract/entries";
import {
	ComponentDetail,
	ComponentList,
	InstalledComponent,
	PortalWorkflows,
} from "@tripline/contract/executor";
import { GuiConnect, GuiRevoked, GuiSession, GuiTokens, GuiVerifyReport } from "@tripline/contract/gui";
import { sha256Hex } from "@tripline/contract/ids";
import { ComponentAnswer, ComponentPage, VersionAnswer } from "@tripline/contract/market";
import { DescribedOperations, ImportedRecipe } from "@tripline/contract/openapi";
import { ApiRecipeList, AuthRecipeList, WriteApiRecipe } from "@tripline/contract/recipes";
import { RunResult } from "@tripline/contract/workflows";
import { createToken } from "../../src/oauth/tokens.ts";
import { NOON, ORIGIN, OWN_TOKEN_ID, startWorld } from "./world.ts";

const world = await startWorld();

describe("the console's session", () => {
	test("says who is logged in and where assistants connect", async () => {
		assert.deepEqual(await world.expect(200, GuiSession, "GET", "/gui/session"), {
			namespace: "acme",
			by: "oauth",
			version: "1.2.3",
			mode: "self-hosted",
			oauth: true,
			mcp_url: `${ORIGIN}/mcp`,
		});
	});

	test("reports disabled login and multi-tenant mode", async () => {
		const other = await startWorld({ mode: "true", keepsTokens: false });
		const session = await other.expect(200, GuiSession, "GET", "/gui/session");
		assert.deepEqual([session.mode, session.oauth], ["multi-tenant", false]);
		for (const [method, path] of [
			["GET", "/gui/tokens"],
			["DELETE", `/gui/tokens/${OWN_TOKEN_ID}`],
		] as const) {
			const { error, headers } = await other.refuse(503, method, path);
			assert.match(error, /OAUTH_KV is not set/);
			assert.ok(headers.get("retry-after"));
		}
	});
});

describe("the console's components", () => {
	test("shows, installs by hash and uninstalls a component of the market", async () => {
		const market = await world.expect(
			200,
			ComponentPage,
			"GET",
			"/gui/registry/components?q=double&sort=recent",
		);
		assert.deepEqual(
			market.components.map(({ id }) => id),
			["number-doubler"],
		);
		const component = await world.expect(
			200,
			ComponentAnswer,
			"GET",
			"/gui/registry/components/number-doubler",
		);
		assert.equal(component.versions.length, 1);
		const versionPath = "/gui/registry/components/number-doubler/1.0.0";
		const { sha256, manifest } = await world.expect(200, VersionAnswer, "GET", versionPath);
		assert.deepEqual([manifest.hosts, manifest.credentials], [[], []]);
		const path = "/gui/components/number-doubler";
		await world.refuse(404, "GET", path);
		const wrong = { version: "1.0.0", sha256: "0".repeat(64) };
		await world.refuse(409, "PUT", path, { body: wrong });
		const installed = await world.expect(200, InstalledComponent, "PUT", path, {
			body: { version: "1.0.0", sha256 },
		});
		assert.deepEqual(installed.components, ["number-doubler"]);
		const { components } = await world.expect(200, ComponentList, "GET", "/gui/components");
		assert.equal(components.find(({ id }) => id === "number-doubler")?.source, "installed");
		const detail = await world.expect(200, ComponentDetail, "GET", path);
		assert.equal(detail.examples.length, 1);
		await world.refuse(404, "GET", path, { as: "other" });
		await world.refuse(404, "DELETE", path, { as: "other" });
		await world.expect(200, DeletedAnswer, "DELETE", path);
		await world.refuse(404, "DELETE", path);
	});

	test("refuses unknown components and invalid names", async () => {
		await world.refuse(404, "GET", "/gui/components/none");
		await world.refuse(404, "GET", "/gui/registry/components/none");
		await world.refuse(404, "GET", "/gui/registry/components/number-doubler/9.9.9");
		await world.refuse(422, "GET", "/gui/registry/components/number-doubler/latest");
		await world.refuse(422, "GET", "/gui/registry/components?limit=x");
		await world.refuse(422, "GET", "/gui/registry/components?cursor=wrong");
		await world.refuse(422, "PUT", "/gui/components/number-doubler", { body: { version: "1.0.0" } });
		await world.refuse(404, "GET", "/gui/components/__proto__");
	});
});

describe("a test of a component", () => {
	const path = "/gui/components/template/test";

	test("runs it once and leaves no workflow behind", async () => {
		const body = { params: { text: "two things" } };
		const { success, data } = await world.expect(200, RunResult, "POST", path, { body });
		assert.deepEqual([success, data], [true, "two things"]);
		const { workflows } = await world.expect(200, PortalWorkflows, "GET", "/gui/workflows");
		assert.ok(!workflows.some(({ name }) => name.startsWith("test of")));
	});

	test("returns a failed run too", async () => {
		const body = { params: { message: "out of stock" } };
		const { success, error } = await world.expect(200, RunResult, "POST", "/gui/components/fail/test", {
			body,
		});
		assert.equal(success, false);
		assert.match(error ?? "", /out of stock/);
	});

	test("is refused for an unknown component, parameters that do not fit, and other fields", async () => {
		await world.refuse(404, "POST", "/gui/components/nothing/test", { body: { params: {} } });
		await world.refuse(400, "POST", path, { body: { params: { text: "a", other: 2 } } });
		await world.refuse(422, "POST", path, { body: { params: { text: "a" }, component: "code" } });
		// The parameters cannot choose another component.
		const body = { params: { text: "a", component: "fail", message: "no" } };
		await world.refuse(400, "POST", path, { body });
	});
});

describe("the console's credentials", () => {
	const SECRET = "sk-canary-of-the-tests";
	const body = { auth_recipe: "signing_secret", fields: { secret: SECRET } };

	test("creates, replaces, lists and deletes a credential, and never returns its values", async () => {
		const path = `/gui/credentials/${encodeURIComponent("簽章 key")}`;
		const made = await world.expect(201, WrittenCredential, "PUT", path, { body });
		assert.deepEqual([made.created, made.fields], [true, ["secret"]]);
		assert.equal((await world.expect(200, WrittenCredential, "PUT", path, { body })).created, false);
		const listed = await world.call("GET", "/gui/credentials");
		assert.equal(CredentialList.parse(listed.body).credentials[0]?.name, "簽章 key");
		assert.doesNotMatch(JSON.stringify([listed.body, made, world.lines]), /canary/);
		const as = "other";
		assert.deepEqual(
			(await world.expect(200, CredentialList, "GET", "/gui/credentials", { as })).credentials,
			[],
		);
		await world.refuse(404, "DELETE", path, { as });
		await world.expect(200, DeletedAnswer, "DELETE", path);
		await world.refuse(404, "DELETE", path);
	});

	test("an error names the invalid field, but not its value", async () => {
		for (const wrong of [
			{ ...body, fields: {} },
			{ ...body, fields: { secret: 5 } },
			{ ...body, fields: { other: SECRET } },
			{ ...body, auth_recipe: "no-such-recipe" },
			{ fields: { secret: SECRET } },
		]) {
			const refusal = await world.refuse(422, "PUT", "/gui/credentials/wrong", { body: wrong });
			assert.ok((refusal.issues?.length ?? 0) > 0);
			assert.doesNotMatch(JSON.stringify(refusal), /canary/);
		}
		const { credentials } = await world.expect(200, CredentialList, "GET", "/gui/credentials");
		assert.ok(!credentials.some(({ name }) => name === "wrong"));
	});

	test("auth recipes list the fields of a form and the hosts", async () => {
		const { auth_recipes } = await world.expect(200, AuthRecipeList, "GET", "/gui/auth-recipes");
		const github = auth_recipes.find(({ id }) => id.startsWith("github"));
		assert.ok((github?.fields.length ?? 0) > 0 && (github?.hosts.length ?? 0) > 0);
	});
});

describe("the console's recipes", () => {
	const operation = {
		title: "List tickets",
		method: "GET",
		path: "/tickets",
		params: { type: "object" },
		output: { schema: {} },
	};
	const recipe = {
		title: "Helpdesk",
		description: "Tickets",
		auth: null,
		base_url: "https://desk.example",
		operations: { list_tickets: operation },
	};
	const find = async (id: string) => {
		const { recipes } = await world.expect(200, ApiRecipeList, "GET", "/gui/recipes");
		return recipes.find((each) => each.id === id);
	};

	test("are stored, listed with their category, read and deleted", async () => {
		const github = await find("github");
		assert.deepEqual([github?.source, github?.category], ["seeded", "development"]);
		const body = { ...recipe, category: "messaging" };
		await world.expect(200, WriteApiRecipe, "PUT", "/gui/recipes/helpdesk", { body });
		const listed = await find("helpdesk");
		assert.deepEqual(
			[listed?.source, listed?.category, listed?.operations],
			["own", "messaging", ["list_tickets"]],
		);
		const read = await world.expect(200, WriteApiRecipe, "GET", "/gui/recipes/helpdesk");
		assert.deepEqual(read, { ...body, id: "helpdesk" });
		await world.expect(200, DeletedAnswer, "DELETE", "/gui/recipes/helpdesk");
		await world.refuse(404, "DELETE", "/gui/recipes/helpdesk");
		await world.refuse(404, "GET", "/gui/recipes/helpdesk");
		assert.equal(await find("helpdesk"), undefined);
	});

	test("are refused with the place of each problem", async () => {
		const wrong = { ...recipe, operations: { list_tickets: { ...operation, path: "/tickets/{ticket}" } } };
		const { issues } = await world.refuse(422, "PUT", "/gui/recipes/helpdesk", { body: wrong });
		assert.deepEqual(
			issues?.map(({ path }) => path),
			["operations.list_tickets.path"],
		);
	});

	test("are made of a description", async () => {
		const description = JSON.stringify({
			openapi: "3.0.3",
			info: { title: "Helpdesk", version: "1" },
			servers: [{ url: "https://desk.example" }],
			paths: {
				"/tickets": { get: { operationId: "listTickets", responses: { 200: { description: "All" } } } },
			},
		});
		const path = "/gui/recipes/from-openapi";
		const listed = await world.expect(200, DescribedOperations, "POST", path, { body: { description } });
		assert.deepEqual(
			listed.operations.map(({ id }) => id),
			["listTickets"],
		);
		const body = { description, operations: ["listTickets"], id: "desk", save: true };
		const { saved } = await world.expect(200, ImportedRecipe, "POST", path, { body });
		assert.equal(saved, true);
		assert.equal((await find("desk"))?.source, "own");
		const { issues } = await world.refuse(422, "POST", path, { body: { description: "openapi: 1" } });
		assert.ok((issues?.length ?? 0) > 0);
	});
});

describe("the console's tokens", () => {
	const issue = async (namespace: string, client_name: string | null) => {
		const token = createToken();
		const times = { issued_at: NOON, expires_at: NOON + 60_000 };
		const record = { namespace, resource: `${ORIGIN}/mcp`, client_id: "c", client_name, ...times };
		await world.tokens.issue(record, token);
		return { token, id: await sha256Hex(token) };
	};

	test("are listed without the tokens themselves, and revoked", async () => {
		const { token, id } = await issue("acme", "Claude");
		await issue("other", "theirs");
		const answer = await world.call("GET", "/gui/tokens");
		assert.deepEqual(GuiTokens.parse(answer.body), {
			tokens: [
				{
					id,
					client_id: "c",
					client_name: "Claude",
					issued_at: new Date(NOON).toISOString(),
					expires_at: new Date(NOON + 60_000).toISOString(),
					current: false,
				},
			],
			next_cursor: null,
		});
		assert.ok(!JSON.stringify(answer.body).includes(token));
		await world.refuse(404, "DELETE", `/gui/tokens/${id}`, { as: "other" });
		assert.notEqual(await world.tokens.find(token), null);
		await world.expect(200, GuiRevoked, "DELETE", `/gui/tokens/${id}`);
		assert.equal(await world.tokens.find(token), null);
		await world.refuse(404, "DELETE", `/gui/tokens/${id}`);
		await world.refuse(422, "DELETE", "/gui/tokens/no-hash");
	});

	test("are paged by the cursor", async () => {
		const ids = new Set<string>();
		for (let nth = 0; nth < 45; nth++) ids.add((await issue("many", null)).id);
		const seen = new Set<string>();
		let cursor: string | null = "";
		while (cursor !== null) {
			const query: string = cursor === "" ? "" : `?cursor=${encodeURIComponent(cursor)}`;
			const page: { tokens: { id: string }[]; next_cursor: string | null } = await world.expect(
				200,
				GuiTokens,
				"GET",
				`/gui/tokens${query}`,
				{ as: "many" },
			);
			for (const { id } of page.tokens) seen.add(id);
			cursor = page.next_cursor;
		}
		assert.deepEqual(seen, ids);
	});
});

describe("connecting an assistant", () => {
	test("returns the address and instructions for each client", async () => {
		const { mcp_url, clients } = await world.expect(200, GuiConnect, "GET", "/gui/connect");
		assert.equal(mcp_url, `${ORIGIN}/mcp`);
		assert.ok(clients.some(({ id, snippet }) => id === "claude-code" && snippet?.text.includes(mcp_url)));
	});

	test("is checked with the caller's own request", async () => {
		const report = await world.expect(200, GuiVerifyReport, "POST", "/gui/connect/verify");
		assert.equal(report.origin, ORIGIN);
		assert.equal(world.verified.length, 1);
		await world.refuse(405, "GET", "/gui/connect/verify");
	});
});
