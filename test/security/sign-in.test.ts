import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { after, before, describe, test } from "node:test";
import { CredentialList, SignInLink } from "@tripline/contract/credentials";
import * as z from "zod";
import { node } from "../conformance/platforms.ts";
import { createWorld, type World } from "../conformance/scenario.ts";
import { run, save } from "../conformance/scenarios/executor/saving.ts";
import { startOidc } from "../oidc.ts";
import { createBrowser } from "./browser.ts";
import { loopback } from "./loopback.ts";

/** The server, and a service that uses it. */
async function startBoth() {
	const oidc = await startOidc();
	const target = await node.start({ ALLOW_PRIVATE_HOSTS: oidc.host });
	oidc.register(`${target.publicUrl}/oauth/callback/oidc`);
	return {
		...oidc,
		world: createWorld(target),
		async close() {
			await target.close();
			oidc.close();
		},
	};
}

const readState = async ({ executor }: World) =>
	(await executor.expect(200, CredentialList, "GET", "/credentials")).credentials[0]?.sign_in;

describe("signing in at a real authorization server", () => {
	let both: Awaited<ReturnType<typeof startBoth>>;
	before(async () => {
		both = await startBoth();
		const { world, issuer, recipe, credential } = both;
		await world.executor.call("PUT", "/auth-recipes/oidc", { body: recipe });
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

describe("a token endpoint", () => {
	const MIB = Buffer.alloc(1024 * 1024, 32);

	/** Answers 100 MiB, stalls before or in the middle of its answer, or hangs up. */
	const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
		"/large": (response) => {
			let sent = 0;
			const write = () => {
				while (sent++ < 100) if (!response.write(MIB)) return void response.once("drain", write);
				response.end();
			};
			write();
		},
		"/silent": () => {},
		"/slow": (response) => void response.write('{"access_token":"'),
		"/gone": (response) => void response.destroy(),
	};

	test("that stalls, answers 100 MiB or hangs up signs nobody in", { timeout: 60_000 }, async (context) => {
		const endpoint = await loopback(({ path }, response) => answers[path]?.(response));
		const target = await node.start({ ALLOW_PRIVATE_HOSTS: endpoint.host });
		context.after(async () => {
			await target.close();
			await endpoint.close();
		});
		const { executor, anyone } = createWorld(target);
		await Promise.all(
			Object.keys(answers).map(async (path) => {
				const id = path.slice(1);
				const recipe = {
					title: id,
					type: "oauth2_authorization_code",
					fields: [{ name: "client_id", secret: false, help: "" }],
					hosts: [endpoint.host],
					inject: {
						authorize_url: `${endpoint.url}/authorize`,
						token_url: endpoint.url + path,
						client_auth: "none",
					},
				};
				await executor.expect(201, z.unknown(), "PUT", `/auth-recipes/${id}`, { body: recipe });
				const credential = { auth_recipe: id, fields: { client_id: "id-1" } };
				await executor.expect(201, z.unknown(), "PUT", `/credentials/${id}`, { body: credential });
				const { url } = await executor.expect(201, SignInLink, "POST", `/credentials/${id}/sign-in`);
				const started = await anyone.call("POST", new URL(url).pathname);
				const state = new URL(started.headers.get("location") ?? "").searchParams.get("state") ?? "";
				const cookie = started.headers.get("set-cookie")?.split(";")[0] ?? "";
				const begun = performance.now();
				const done = await anyone.call("GET", `/oauth/callback/${id}`, {
					query: { code: "c", state },
					headers: { cookie },
				});
				assert.equal(done.status, 502, id);
				assert.ok(performance.now() - begun < 35_000, id);
			}),
		);
		const { credentials } = await executor.expect(200, CredentialList, "GET", "/credentials");
		assert.deepEqual(new Set(credentials.map(({ sign_in }) => sign_in?.state)), new Set(["required"]));
	});
});
