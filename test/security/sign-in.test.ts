import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { CredentialList, SignInLink } from "@tripline/contract/credentials";
import Provider, { type IssuedToken } from "oidc-provider";
import { node } from "../conformance/platforms.ts";
import { createWorld, type World } from "../conformance/scenario.ts";
import { run, save } from "../conformance/scenarios/executor/saving.ts";
import { createBrowser } from "./browser.ts";

const SECRET = "client-secret-with-at-least-32-characters";

/** A real authorization server with PKCE, rotating refresh tokens and its own API, and a service that uses it. */
async function startBoth() {
	let answer: RequestListener = (_, response) => response.end();
	const server = createServer((request, response) => answer(request, response));
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
	const issuer = `http://${host}`;
	const target = await node.start({ ALLOW_PRIVATE_HOSTS: host });
	const world = createWorld(target);
	const provider = new Provider(issuer, {
		clients: [
			{
				client_id: "tripline",
				client_secret: SECRET,
				redirect_uris: [`${target.publicUrl}/oauth/callback/oidc`],
				grant_types: ["authorization_code", "refresh_token"],
				response_types: ["code"],
			},
		],
		pkce: { required: () => true },
		rotateRefreshToken: true,
		cookies: { keys: ["a-key-of-the-tests"] },
		features: { devInteractions: { enabled: true } },
		ttl: { AccessToken: 600, Grant: 3600, IdToken: 600, Interaction: 600, RefreshToken: 3600, Session: 3600 },
	});
	const accessTokens: IssuedToken[] = [];
	const refreshTokens: IssuedToken[] = [];
	let refreshes = 0;
	provider.on("access_token.saved", (token) => accessTokens.push(token));
	provider.on("refresh_token.saved", (token) => refreshTokens.push(token));
	provider.on("refresh_token.consumed", () => refreshes++);
	answer = provider.callback();
	return {
		world,
		issuer,
		host,
		accessTokens,
		refreshTokens,
		countRefreshes: () => refreshes,
		async close() {
			await target.close();
			server.closeAllConnections();
			server.close();
		},
	};
}

const readState = async ({ executor }: World) =>
	(await executor.expect(200, CredentialList, "GET", "/credentials")).credentials[0]?.sign_in;

describe("signing in at a real authorization server", () => {
	let both: Awaited<ReturnType<typeof startBoth>>;
	before(async () => {
		both = await startBoth();
		const { world, host, issuer } = both;
		const recipe = {
			title: "OpenID provider",
			type: "oauth2_authorization_code",
			fields: [
				{ name: "client_id", secret: false, help: "The client's id" },
				{ name: "client_secret", secret: true, help: "Its secret" },
			],
			hosts: [host],
			inject: {
				authorize_url: `${issuer}/auth`,
				token_url: `${issuer}/token`,
				client_secret: "{client_secret}",
				scope: "openid offline_access",
				authorize_params: { prompt: "consent" },
				issuer,
				issuer_required: true,
				account: "id_token.sub",
			},
		};
		await world.executor.call("PUT", "/auth-recipes/oidc", { body: recipe });
		const credential = { auth_recipe: "oidc", fields: { client_id: "tripline", client_secret: SECRET } };
		assert.equal((await world.executor.call("PUT", "/credentials/me", { body: credential })).status, 201);
		await save(world, {
			name: "me",
			triplets: ["input >> then >> ask"],
			config: { ask: { component: "http_request", url: `${issuer}/me`, credential: "me" } },
		});
	});
	after(() => both.close());

	async function signIn(login: string): Promise<string> {
		const { url } = await both.world.executor.expect(201, SignInLink, "POST", "/credentials/me/sign-in");
		const browser = createBrowser();
		await browser.open(url);
		await browser.submit({});
		await browser.submit({ prompt: "login", login, password: "any" });
		return browser.submit({ prompt: "consent" });
	}

	test("the owner signs in, and runs use the account", async () => {
		const page = await signIn("ada");
		assert.match(page, /<h1>Signed in<\/h1>/);
		assert.match(page, /<dd>ada<\/dd>/);
		const state = await readState(both.world);
		assert.deepEqual([state?.state, state?.account], ["done", "ada"]);
		const { data } = await run(both.world, "me");
		assert.deepEqual((data as { data: unknown }).data, { sub: "ada" });
	});

	test("a hundred runs renew a revoked token once, or the provider would revoke everything", async () => {
		const before = both.countRefreshes();
		await both.accessTokens.at(-1)?.destroy();
		const results = await Promise.all(Array.from({ length: 100 }, () => run(both.world, "me")));
		assert.ok(results.every(({ data }) => (data as { status: number }).status === 200));
		assert.equal(both.countRefreshes() - before, 1);
		await both.accessTokens.at(-1)?.destroy();
		await run(both.world, "me");
		assert.equal(both.countRefreshes() - before, 2);
	});

	test("whoever signs in again replaces the account", async () => {
		await signIn("bob");
		assert.equal((await readState(both.world))?.account, "bob");
		assert.deepEqual(((await run(both.world, "me")).data as { data: unknown }).data, { sub: "bob" });
	});

	test("the owner who revokes the access must sign in again", async () => {
		await both.accessTokens.at(-1)?.destroy();
		await both.refreshTokens.at(-1)?.destroy();
		const { error } = await run(both.world, "me", {}, 500);
		assert.match(error ?? "", /^ask: credential "me" is not signed in, or no longer/);
		assert.equal((await readState(both.world))?.state, "required");
		await signIn("ada");
		assert.equal((await readState(both.world))?.state, "done");
		await run(both.world, "me");
	});

	test("an owner who declines sees the code, and nothing changes", async () => {
		const { url } = await both.world.executor.expect(201, SignInLink, "POST", "/credentials/me/sign-in");
		const browser = createBrowser();
		await browser.open(url);
		await browser.submit({});
		const page = await browser.follow(/href="([^"]*\/abort)"/);
		assert.match(page, /<code>access_denied<\/code>/);
		assert.equal((await readState(both.world))?.state, "done");
	});
});
