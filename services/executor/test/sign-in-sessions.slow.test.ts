import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import type { AuthRecipe } from "@tripline/contract/recipes";
import type { HttpRequest } from "@tripline/platform/http";
import { createMasterKeyText } from "@tripline/platform/master-key";
import { type SignInRequired, signInSessions } from "../src/sign-in/sessions.ts";
import type { VaultStorage } from "../src/vault/storage.ts";
import { createKeys, vaultFixture } from "./vault-fixture.ts";

const RECIPE: AuthRecipe = {
	id: "mail",
	title: "Mail",
	type: "oauth2_authorization_code",
	fields: [
		{ name: "client_id", secret: false, help: "" },
		{ name: "client_secret", secret: true, help: "" },
	],
	hosts: ["api.example.com"],
	inject: {
		authorize_url: "https://auth.example.com/authorize",
		token_url: "https://auth.example.com/token",
		client_id: "{client_id}",
		client_secret: "{client_secret}",
		client_auth: "body",
	},
};
const SIGNAL = new AbortController().signal;

/** A token endpoint whose refresh tokens are valid once. */
function tokenEndpoint() {
	const asked: string[] = [];
	let issued = 0;
	return {
		asked,
		/** Awaited before each answer. */
		before: async () => {},
		status: 200,
		/** An OAuth error code to answer with. */
		error: "",
		async send(request: HttpRequest) {
			const form = new URLSearchParams(String(request.body));
			asked.push(form.get("refresh_token") ?? "");
			await this.before();
			const { status, error } = this;
			if (status !== 200 || error !== "")
				return { status, headers: {}, body: toBytes(error === "" ? {} : { error }) };
			const isValid = form.get("refresh_token") === `refresh-${issued}`;
			const answer = isValid
				? { access_token: `access-${++issued}`, refresh_token: `refresh-${issued}`, expires_in: 600 }
				: { error: "invalid_grant" };
			return { status: isValid ? 200 : 400, headers: {}, body: toBytes(answer) };
		},
	};
}

const toBytes = (value: object) => new TextEncoder().encode(JSON.stringify(value));

async function openSignedIn(context: TestContext, refreshToken: string | null = "refresh-0") {
	const fixture = await vaultFixture(context);
	const endpoint = tokenEndpoint();
	const required: SignInRequired[] = [];
	/** As in another process. */
	const startProcess = (vault = fixture.vault()) => {
		const sessions = signInSessions({
			vault,
			store: fixture.store,
			send: (request) => endpoint.send(request),
			clock: fixture.clock,
			background: fixture.background,
			sharesPromises: true,
			onRequired: async (each) => void required.push(each),
		});
		const getSession = async () => {
			const revealed = await vault.reveal("acme", "mail");
			assert.ok(revealed !== null);
			return sessions.open("acme", "mail", RECIPE, revealed).session;
		};
		return { vault, sessions, getSession };
	};
	const first = startProcess();
	await first.vault.put("acme", "mail", {
		auth_recipe: "mail",
		fields: { client_id: "id-1", client_secret: "client-secret-1" },
	});
	const put = (await first.vault.reveal("acme", "mail"))?.put ?? "";
	const signIn = (login = "login-1") =>
		first.sessions.begin("acme", "mail", put, login, {
			accessToken: "access-0",
			refreshToken,
			lifetime: 600,
			account: "ada",
			fields: {},
		});
	assert.ok(await signIn());
	const getToken = async (process = first) => (await (await process.getSession())?.getToken(SIGNAL))?.value;
	return { ...fixture, endpoint, required, startProcess, first, put, signIn, getToken };
}

describe("the tokens of a sign-in", () => {
	test("are renewed once by two processes and many runs", async (context) => {
		const { clock, endpoint, first, startProcess, getToken } = await openSignedIn(context);
		const second = startProcess();
		assert.deepEqual([await getToken(first), await getToken(second)], ["access-0", "access-0"]);
		clock.advance(560_000);
		endpoint.before = () => new Promise((resolve) => setTimeout(resolve, 300));
		const runs = Array.from({ length: 100 }, (_, index) => getToken(index % 2 === 0 ? first : second));
		assert.deepEqual(new Set(await Promise.all(runs)), new Set(["access-1"]));
		assert.deepEqual(endpoint.asked, ["refresh-0"]);
	});

	test("are renewed by another process after the one that did so died", async (context) => {
		const { clock, store, getToken, endpoint } = await openSignedIn(context);
		clock.advance(560_000);
		await store.entries.createOnce({
			owner_id: "acme",
			entry_type: "sign_in_lease",
			page_name: "mail",
			content: "",
			metadata_json: JSON.stringify({ until: clock.now() + 45_000 }),
		});
		const token = getToken();
		await new Promise((resolve) => setTimeout(resolve, 400));
		assert.deepEqual(endpoint.asked, []);
		clock.advance(45_000);
		assert.equal(await token, "access-1");
	});

	test("are stored before they are used, with more tries if the store is away", async (context) => {
		const { clock, storage, endpoint, startProcess, vaultOver, getToken } = await openSignedIn(context);
		let failures = 2;
		const flaky: VaultStorage = {
			...storage,
			async append(entry) {
				if (failures-- > 0) throw new Error("the store is away");
				await storage.append(entry);
			},
		};
		clock.advance(560_000);
		assert.equal(await getToken(startProcess(vaultOver(flaky))), "access-1");
		assert.equal(await getToken(startProcess()), "access-1");
		assert.deepEqual(endpoint.asked, ["refresh-0"]);
	});

	test("are used until they expire while the service is away, and then the run fails for now", async (context) => {
		const { clock, endpoint, getToken, required } = await openSignedIn(context);
		endpoint.status = 503;
		clock.advance(560_000);
		assert.equal(await getToken(), "access-0");
		clock.advance(60_000);
		await assert.rejects(getToken(), /auth\.example\.com answered 503/);
		assert.deepEqual(required, []);
		endpoint.status = 200;
		assert.equal(await getToken(), "access-1");
	});

	test("are in no error, whatever the service echoes", async (context) => {
		const { clock, endpoint, getToken } = await openSignedIn(context, "refresh-token-0");
		clock.advance(620_000);
		for (const echoed of ["refresh-token-0", "access-0", "UmVmcmVzaA.refresh-token-0"]) {
			for (const status of [400, 401, 429, 500]) {
				Object.assign(endpoint, { status, error: echoed });
				await assert.rejects(getToken(), new RegExp(`at auth\\.example\\.com answered ${status}$`));
			}
		}
	});

	test("end once when the service refuses to renew them", async (context) => {
		const { clock, background, first, startProcess, getToken, required } = await openSignedIn(
			context,
			"refresh-revoked",
		);
		clock.advance(600_000);
		const second = startProcess();
		const runs = [first, second, first, second].map((process) => getToken(process));
		for (const result of await Promise.allSettled(runs)) assert.equal(result.status, "rejected");
		await background.flush();
		assert.deepEqual(required, [
			{ namespace: "acme", credential: "mail", auth_recipe: "mail", account: "ada" },
		]);
		assert.equal(await second.getSession(), undefined);
		assert.deepEqual((await first.vault.list("acme"))[0]?.session?.is_ended, true);
	});

	test("are kept when the service refuses the client, and renewed once it accepts it again", async (context) => {
		const { clock, endpoint, background, getToken, startProcess, required } = await openSignedIn(context);
		const codes = [
			[401, "invalid_client"],
			[400, "unauthorized_client"],
			[200, "bad_client_secret"],
			[200, "incorrect_client_credentials"],
			[401, "deleted_client"],
		] as const;
		clock.advance(560_000);
		Object.assign(endpoint, { status: 401, error: "invalid_client" });
		assert.equal(await getToken(), "access-0");
		clock.advance(60_000);
		for (const [status, error] of codes) {
			Object.assign(endpoint, { status, error });
			for (const process of [startProcess(), startProcess()])
				await assert.rejects(getToken(process), {
					name: "TerminalError",
					message: `the token endpoint of credential "mail" at auth.example.com answered ${status} (${error}): it does not accept the client. Check the app at the service, and the fields client_id and client_secret of the credential`,
				});
		}
		await background.flush();
		assert.deepEqual(required, []);
		Object.assign(endpoint, { status: 200, error: "" });
		assert.equal(await getToken(startProcess()), "access-1");
	});

	test("end when they expire, if there is no refresh token", async (context) => {
		const { clock, getToken, required, background, first } = await openSignedIn(context, null);
		const { session } = (await first.vault.list("acme"))[0] ?? {};
		assert.equal(session?.expires_at, new Date(clock.now() + 600_000).toISOString());
		clock.advance(600_000);
		await assert.rejects(getToken(), /"mail" is not signed in, or no longer/);
		await background.flush();
		assert.equal(required.length, 1);
	});

	test("of an earlier sign-in do not replace those of a later one", async (context) => {
		const { clock, endpoint, first, signIn, getToken, startProcess } = await openSignedIn(context);
		clock.advance(560_000);
		endpoint.before = async () => void (await signIn("login-2"));
		const late = getToken();
		await late.catch(() => {});
		assert.equal(await getToken(startProcess()), "access-0");
		assert.equal((await first.vault.reveal("acme", "mail", { isFresh: true }))?.session?.login, "login-2");
	});

	test("are not stored for a credential that was replaced or deleted meanwhile", async (context) => {
		const { first, signIn, sealed } = await openSignedIn(context);
		await first.vault.put("acme", "mail", { auth_recipe: "mail", fields: { client_id: "id-2" } });
		assert.equal(await first.getSession(), undefined);
		assert.equal(await signIn(), false);
		assert.equal((await sealed()).length, 1);
		await first.vault.delete("acme", "mail");
		assert.equal(await signIn(), false);
	});

	test("are sealed, and survive a rotation and a new master key", async (context) => {
		const { operations, rows, firstKey, vault, startProcess, getToken } = await openSignedIn(context);
		const holdsToken = async () => /access-0|refresh-0/.test(JSON.stringify(await rows()));
		assert.equal(await holdsToken(), false);
		assert.deepEqual((await operations().rotate(() => {})).broken, []);
		assert.equal(await getToken(startProcess()), "access-0");
		const next = createMasterKeyText();
		const keys = createKeys(firstKey, next);
		const rekeyed = operations(keys);
		const [, other] = await keys.load();
		await rekeyed.wrapAll(other?.id ?? "");
		await rekeyed.leaveOnly(other?.id ?? "");
		assert.equal(await getToken(startProcess(vault(createKeys(next)))), "access-0");
		assert.equal(await holdsToken(), false);
	});
});
