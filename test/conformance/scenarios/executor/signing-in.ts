import assert from "node:assert/strict";
import { ExecutionDetail } from "@tripline/contract/executor";
import { CreatedPartnerKey } from "@tripline/contract/partner-keys";
import { SeededRecipes } from "@tripline/contract/recipes";
import { createSurface, createWorld, type Scenario, type World } from "../../scenario.ts";
import { putCredential } from "./credential.ts";
import { eventually } from "./eventually.ts";
import {
	BASE,
	CLIENT,
	callBack,
	type OAuthService,
	openOAuthService,
	putSignIn,
	putSignInRecipe,
	readSignIn,
	signIn,
	startSignIn,
} from "./oauth-service.ts";
import { openHost } from "./outside-host.ts";
import { createWorkflow, listStored, run, save } from "./saving.ts";
import { createRow, failOnce, runOnce } from "./token-webhook.ts";
import { withSettings } from "./with-settings.ts";

const environment = { BASE_URL: BASE };
const ACCESS = { SERVICE_ACCESS_TOKEN: "access-token-for-signing-in" };

const MULTI_TENANT = { MULTI_TENANT: "true", STORE_INTERNAL_TOKEN: "internal-token-of-the-tests" };

/** The world's namespace as a tenant with a key. */
async function openTenant(world: World): Promise<World> {
	const { key } = await world.expect(201, CreatedPartnerKey, "POST", "/partner-keys", {
		body: { namespace: world.owner },
		headers: { authorization: `Bearer ${MULTI_TENANT.STORE_INTERNAL_TOKEN}` },
	});
	return { ...world, executor: createSurface(() => world.target.publicUrl, { "x-service-api-key": key }) };
}

async function putAndStart(world: World, service: OAuthService) {
	await putSignIn(world, service);
	const started = await startSignIn(world);
	const redirect = new URL(started.location).searchParams.get("redirect_uri") ?? "";
	return { ...started, redirect: new URL(redirect).pathname };
}

const read = (url: string) => createRow({ call: { component: "http_request", url, credential: "mail" } });
const getData = async (world: World, url: string) => {
	const { data } = (await runOnce(world, read(url))).data as { data: unknown };
	return data as { name: string; echo: string };
};

/** Nothing that the service issued or was given may be in it. */
function assertHoldsNoSecret(place: unknown): void {
	assert.doesNotMatch(JSON.stringify(place), /canary/);
}

const scenarios: readonly Scenario[] = [
	{
		name: "the owner signs in: a page says what for, the service is asked with PKCE, and runs use the account",
		cites: [],
		async run(world) {
			const service = openOAuthService(world);
			await putSignIn(world, service);
			assert.deepEqual(await readSignIn(world), {
				state: "required",
				account: null,
				signed_in_at: null,
				expires_at: null,
			});
			const { error } = await failOnce(world, read(service.api.url));
			assert.match(
				error ?? "",
				/^call: credential "mail" is not signed in, or no longer: its owner signs in/,
			);

			const link = await world.executor.call("POST", "/credentials/mail/sign-in");
			assert.equal(link.status, 201);
			const { url } = link.body as { url: string };
			assert.match(url, /^http:\/\/127\.0\.0\.1:8484\/oauth\/start\/[\w-]{43}$/);
			const page = await world.anyone.call("GET", new URL(url).pathname);
			assert.equal(page.status, 200);
			for (const shown of ["Own &lt;mail&gt;", "mail", world.owner])
				assert.ok(String(page.body).includes(shown));
			assert.match(
				page.headers.get("content-security-policy") ?? "",
				/^default-src 'none';.*frame-ancestors 'none'/,
			);
			assert.equal(page.headers.get("cache-control"), "no-store");
			assert.equal(page.headers.get("set-cookie"), null);

			const { location, state, cookie, setCookie } = await startSignIn(world);
			assert.match(
				setCookie,
				/^tripline-sign-in-\w{16}=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
			);
			const sent = new URL(location);
			assert.equal(sent.origin + sent.pathname, `${service.auth.url}/authorize`);
			const { code_challenge, state: _, ...params } = Object.fromEntries(sent.searchParams);
			assert.match(code_challenge ?? "", /^[\w-]{43}$/);
			assert.deepEqual(params, {
				tenant: "1",
				access_type: "offline",
				response_type: "code",
				client_id: "client-7",
				redirect_uri: `${BASE}/oauth/callback/own_mail`,
				scope: "mail.read mail.send",
				code_challenge_method: "S256",
			});
			const done = await callBack(world, { code: service.authorize(location), state }, { cookie });
			assert.equal(done.status, 200);
			assert.ok(String(done.body).includes("Tea &amp; Co"));
			assert.match(done.headers.get("set-cookie") ?? "", /=; Path=\/; Max-Age=0;/);
			assertHoldsNoSecret(done.body);

			const signedIn = await readSignIn(world);
			assert.deepEqual(
				[signedIn?.state, signedIn?.account, signedIn?.expires_at],
				["done", "Tea & Co", null],
			);
			// The service's answer is redacted.
			assert.deepEqual(await getData(world, service.api.url), { name: "Ada", echo: "Bearer [redacted]" });
		},
	},
	{
		name: "pages of a sign-in are in Traditional Chinese for those who ask for it",
		cites: [],
		async run(world) {
			const service = openOAuthService(world);
			await putSignIn(world, service);
			const link = await world.executor.call("POST", "/credentials/mail/sign-in");
			const path = new URL((link.body as { url: string }).url).pathname;
			const headers = { "accept-language": "zh-TW" };
			const page = await world.anyone.call("GET", path, { headers });
			assert.match(String(page.body), /<html lang="zh-Hant">[\s\S]*連接：Own &lt;mail&gt;/);
			const refused = await callBack(world, { state: "x" }, { language: "zh-TW" });
			assert.match(String(refused.body), /此次登入已失效/);
		},
	},
	{
		name: "a link starts one sign-in, from its own page only, and ends after ten minutes",
		cites: [],
		async run(world) {
			const service = openOAuthService(world);
			await putSignIn(world, service);
			const { path } = await startSignIn(world);
			for (const method of ["GET", "POST"]) assert.equal((await world.anyone.call(method, path)).status, 410);
			assert.equal((await world.anyone.call("GET", `/oauth/start/${"x".repeat(43)}`)).status, 410);
			assert.equal((await world.anyone.call("GET", "/oauth/start/no%20ticket")).status, 410);

			const next = await world.executor.call("POST", "/credentials/mail/sign-in");
			const fresh = new URL((next.body as { url: string }).url).pathname;
			for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }])
				assert.equal((await world.anyone.call("POST", fresh, { headers })).status, 403);
			const both = await Promise.all([1, 2].map(() => world.anyone.call("POST", fresh)));
			assert.deepEqual(both.map(({ status }) => status).sort(), [303, 410]);

			const late = await world.executor.call("POST", "/credentials/mail/sign-in");
			await world.target.setNow(Date.now() + 601_000);
			const answer = await world.anyone.call("GET", new URL((late.body as { url: string }).url).pathname);
			await world.target.setNow(null);
			assert.equal(answer.status, 410);
		},
	},
	{
		name: "a stolen state, a victim's browser and a replayed code sign nobody in: the callback needs the cookie and an unused state of ten minutes",
		cites: [],
		async run(world) {
			const service = openOAuthService(world);
			await putSignIn(world, service);
			const mine = await startSignIn(world);
			const other = await startSignIn(world);
			const code = service.authorize(mine.location);
			const refused = async (query: Record<string, string>, cookie: string, recipe = "own_mail") => {
				const answer = await callBack(world, query, { cookie, recipe });
				assert.equal(answer.status, 400);
				assert.equal(answer.headers.get("location"), null);
				assert.equal(service.count("authorization_code"), 0);
				assertHoldsNoSecret(answer.body);
			};
			await refused({ code, state: mine.state }, "");
			await refused({ code, state: mine.state }, other.cookie);
			await refused(
				{ code, state: mine.state },
				`${mine.cookie.split("=")[0]}=${other.cookie.split("=")[1]}`,
			);
			await refused({ code, state: "x".repeat(43) }, mine.cookie);
			await refused({ code }, mine.cookie);
			await refused({ code, redirect_uri: "https://evil.example", state: mine.state }, "");
			await world.target.setNow(Date.now() + 601_000);
			await refused({ code, state: other.state }, other.cookie);
			await world.target.setNow(null);
			// The refusals have not used it up.
			const parallel = await Promise.all(
				[1, 2, 3].map(() => callBack(world, { code, state: mine.state }, { cookie: mine.cookie })),
			);
			assert.deepEqual(parallel.map(({ status }) => status).sort(), [200, 400, 400]);
			assert.equal(service.count("authorization_code"), 1);
			const again = await callBack(world, { code, state: mine.state }, { cookie: mine.cookie });
			assert.equal(again.status, 400);
		},
	},
	{
		name: "mix-up: an answer of another service is refused, by its issuer or by the redirect URL of another recipe",
		cites: [],
		async run(world) {
			const service = openOAuthService(world);
			await putSignIn(world, service, { issuer: "https://issuer.example", issuer_required: true });
			const attempt = async (query: Record<string, string>, recipe = "own_mail") => {
				const { location, state, cookie } = await startSignIn(world);
				return callBack(world, { code: service.authorize(location), state, ...query }, { cookie, recipe });
			};
			assert.equal((await attempt({ iss: "https://evil.example" })).status, 400);
			assert.equal((await attempt({})).status, 400);
			await putSignInRecipe(world, "other_mail", [service.api.host], {
				authorize_url: "https://evil.example/authorize",
				token_url: "https://evil.example/token",
			});
			assert.equal((await attempt({ iss: "https://issuer.example" }, "other_mail")).status, 400);
			assert.equal(service.count("authorization_code"), 0);
			assert.equal((await attempt({ iss: "https://issuer.example" })).status, 200);
		},
	},
	{
		name: "a sign-in belongs to its namespace, even if another has a recipe and a credential of the same names",
		cites: [],
		async run(world) {
			const other = createWorld(world.target);
			const [mine, theirs] = [openOAuthService(world), openOAuthService(other)];
			await putSignIn(world, mine);
			await putSignIn(other, theirs);
			const started = await startSignIn(world);
			const foreign = await startSignIn(other);
			const code = mine.authorize(started.location);
			for (const [state, cookie] of [
				[foreign.state, started.cookie],
				[started.state, foreign.cookie],
			] as const)
				assert.equal((await callBack(world, { code, state }, { cookie })).status, 400);
			const done = await callBack(world, { code, state: started.state }, { cookie: started.cookie });
			assert.equal(done.status, 200);
			assert.deepEqual(
				[mine, theirs].map((each) => each.count("authorization_code")),
				[1, 0],
			);
			assert.deepEqual(
				[(await readSignIn(world))?.state, (await readSignIn(other))?.state],
				["done", "required"],
			);
			assert.equal((await getData(world, mine.api.url)).name, "Ada");
			for (const { url } of [mine.api, theirs.api])
				assert.match((await failOnce(other, read(url))).error ?? "", /may be sent only to|is not signed in/);
			assert.ok(theirs.auth.seen.length === 0 && theirs.api.seen.length === 0);
		},
	},
	{
		name: "in multi-tenant mode tenants with recipes of the same id have different redirect URLs",
		cites: [],
		environment: {},
		run: (world) =>
			withSettings(world, { ...MULTI_TENANT, BASE_URL: BASE }, async () => {
				const mine = await openTenant(world);
				const theirs = await openTenant(createWorld(world.target));
				const service = openOAuthService(world);
				const back = (await putAndStart(mine, service)).redirect;
				assert.equal(back, `/oauth/callback/own_mail/${mine.owner}`);
				const { location, state, cookie, redirect } = await putAndStart(theirs, service);
				assert.equal(redirect, `/oauth/callback/own_mail/${theirs.owner}`);
				const { body } = await mine.executor.call("GET", "/auth-recipes");
				const listed = (body as { auth_recipes: readonly { id: string; redirect_url?: string }[] })
					.auth_recipes;
				assert.equal(listed.find(({ id }) => id === "own_mail")?.redirect_url, `${BASE}${back}`);
				const query = { code: service.authorize(location), state };
				const attempt = (path: string) => world.anyone.call("GET", path, { query, headers: { cookie } });
				assert.equal((await attempt(back)).status, 400);
				assert.equal(service.count("authorization_code"), 0);
			}),
	},
	{
		name: "in multi-tenant mode a recipe that is written during a sign-in with the seeded one gets no code",
		cites: [],
		environment: {},
		run: (world) =>
			withSettings(world, { ...MULTI_TENANT, BASE_URL: BASE }, async () => {
				const tenant = await openTenant(world);
				const headers = { authorization: `Bearer ${MULTI_TENANT.STORE_INTERNAL_TOKEN}` };
				await world.anyone.expect(200, SeededRecipes, "POST", "/init/seed", { headers });
				await putCredential(tenant, "mail", "google_oauth", { ...CLIENT, scope: "mail" });
				const { state, cookie } = await startSignIn(tenant);
				const service = openOAuthService(world);
				await putSignInRecipe(tenant, "google_oauth", [service.api.host], {
					authorize_url: `${service.auth.url}/authorize`,
					token_url: `${service.auth.url}/token`,
				});
				const done = await callBack(world, { code: "any", state }, { cookie, recipe: "google_oauth" });
				assert.equal(done.status, 409);
				assert.equal(service.auth.seen.length, 0);
			}),
	},
	{
		name: "open redirects: nothing in a link or a callback decides where the browser goes",
		cites: [],
		async run(world) {
			const service = openOAuthService(world);
			await putSignIn(world, service);
			const evil = "https://evil.example/";
			const names = [
				"redirect_uri",
				"redirect_url",
				"return_to",
				"next",
				"url",
				"authorize_url",
				"error_uri",
			];
			const wanted = Object.fromEntries(names.map((name) => [name, evil]));
			const headers = { "x-forwarded-host": "evil.example", referer: evil };
			const link = await world.executor.call("POST", "/credentials/mail/sign-in", { query: wanted, headers });
			const { url } = link.body as { url: string };
			assert.ok(url.startsWith(`${BASE}/oauth/start/`), url);
			const { pathname: path } = new URL(url);
			const page = await world.anyone.call("GET", path, { query: wanted, headers });
			assert.doesNotMatch(String(page.body), /evil/);
			const started = await world.anyone.call("POST", path, { query: wanted, headers });
			const location = started.headers.get("location") ?? "";
			assert.ok(location.startsWith(`${service.auth.url}/authorize?`), location);
			assert.doesNotMatch(location, /evil/);
			const state = new URL(location).searchParams.get("state") ?? "";
			const cookie = (started.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
			const code = service.authorize(location);
			for (const [query, status] of [
				[{ ...wanted, state: "x".repeat(43), code }, 400],
				[{ ...wanted, state, code }, 200],
			] as const) {
				const done = await callBack(world, query, { cookie });
				assert.deepEqual([done.status, done.headers.get("location")], [status, null]);
				assert.equal(done.headers.get("refresh"), null);
				assert.doesNotMatch(String(done.body), /evil|http-equiv/);
			}
		},
	},
	{
		name: "what the service refuses is shown with its code only",
		cites: [],
		async run(world) {
			const service = openOAuthService(world);
			await putSignIn(world, service);
			const first = await startSignIn(world);
			const error_description = "<script>alert(1)</script>";
			const denied = await callBack(
				world,
				{ error: "access_denied", error_description, state: first.state },
				{ cookie: first.cookie },
			);
			assert.equal(denied.status, 400);
			assert.ok(String(denied.body).includes("<code>access_denied</code>"));
			assert.doesNotMatch(String(denied.body), /script|alert\(/);
			const second = await startSignIn(world);
			const wild = await callBack(
				world,
				{ error: "<b>no</b>", state: second.state },
				{ cookie: second.cookie },
			);
			assert.doesNotMatch(String(wild.body), /<b>|no&lt;/);
			const third = await startSignIn(world);
			const wrong = await callBack(
				world,
				{ code: "guessed-canary", state: third.state },
				{ cookie: third.cookie },
			);
			assert.equal(wrong.status, 502);
			assert.ok(String(wrong.body).includes("<code>invalid_grant</code>"));
			assertHoldsNoSecret(wrong.body);
			assert.equal((await readSignIn(world))?.state, "required");
		},
	},
	{
		name: "a credential that is replaced or deleted during a sign-in stays not signed in",
		cites: [],
		async run(world) {
			const service = openOAuthService(world);
			await putSignIn(world, service);
			const { location, state, cookie } = await startSignIn(world);
			await putCredential(world, "mail", "own_mail", CLIENT);
			const changed = await callBack(world, { code: service.authorize(location), state }, { cookie });
			assert.equal(changed.status, 409);
			assert.equal((await readSignIn(world))?.state, "required");
			assert.equal(service.count("authorization_code"), 0);

			await signIn(world, service);
			assert.equal((await readSignIn(world))?.state, "done");
			await putCredential(world, "mail", "own_mail", CLIENT);
			assert.equal((await readSignIn(world))?.state, "required");

			const started = await startSignIn(world);
			await world.executor.call("DELETE", "/credentials/mail");
			const deleted = await callBack(
				world,
				{ code: service.authorize(started.location), state: started.state },
				{ cookie: started.cookie },
			);
			assert.equal(deleted.status, 409);
			assert.equal((await world.executor.call("POST", "/credentials/mail/sign-in")).status, 404);
		},
	},
	{
		name: "refresh storm: a token is renewed before it expires and after a 401, once for 100 runs, with a rotating refresh token",
		isLong: true,
		cites: [],
		async run(world) {
			const service = openOAuthService(world, {}, 50);
			await putSignIn(world, service);
			await signIn(world, service);
			const count = () => service.count("refresh_token");
			await save(world, { ...createWorkflow("mail", {}), ...read(service.api.url), name: "mail" });
			const runMany = (runs: number) => Promise.all(Array.from({ length: runs }, () => run(world, "mail")));
			await runMany(5);
			assert.equal(count(), 0);
			await world.target.setNow(Date.now() + 560_000);
			await runMany(20);
			assert.equal(count(), 1);
			service.revokeToken();
			await runMany(100);
			assert.equal(count(), 2);
			await world.target.setNow(null);
			assert.equal((await readSignIn(world))?.state, "done");
		},
	},
	{
		name: "a refused renewal is marked, raises one event, and runs say that the owner must sign in again",
		cites: [],
		async run(world) {
			const service = openOAuthService(world);
			await putSignIn(world, service);
			await signIn(world, service);
			const told = openHost(world, undefined, `told.${world.owner}.example.com`);
			await save(world, {
				name: "alert",
				trigger: { type: "event", event: "credential.sign_in_required" },
				...createRow({
					tell: { component: "http_request", url: told.url, method: "POST", json: "{{input}}" },
				}),
			});
			service.answerWith({ status: 503, json: {} });
			service.revokeToken();
			await failOnce(world, read(service.api.url));
			service.answerWith({ status: 401, json: { error: "invalid_client" } });
			const { error: refused } = await failOnce(world, read(service.api.url));
			assert.match(refused ?? "", /answered 401 \(invalid_client\): it does not accept the client/);
			assert.equal((await readSignIn(world))?.state, "done");
			service.answerWith({ status: 400, json: { error: "invalid_grant" } });
			const failures = await Promise.all([1, 2, 3].map(() => failOnce(world, read(service.api.url))));
			for (const { error } of failures) assert.match(error ?? "", /"mail" is not signed in, or no longer/);
			assert.deepEqual((await readSignIn(world))?.state, "required");
			assert.equal((await readSignIn(world))?.account, "Tea & Co");
			const asked = service.count("refresh_token");
			await failOnce(world, read(service.api.url));
			assert.equal(service.count("refresh_token"), asked);
			await eventually(async () => assert.equal(told.seen.length, 1));
			const event = JSON.parse(told.seen[0]?.body ?? "{}") as { type: string; data: object };
			assert.equal(event.type, "credential.sign_in_required");
			assert.deepEqual(event.data, { credential: "mail", auth_recipe: "own_mail", account: "Tea & Co" });

			service.answerWith(null);
			await signIn(world, service);
			assert.equal((await getData(world, service.api.url)).name, "Ada");
		},
	},
	{
		name: "a host that the service names becomes a field, if it is one of the recipe's hosts",
		cites: [],
		async run(world) {
			const named = openOAuthService(world, { instance_url: `https://eu.${world.owner}.example.com` });
			await putSignIn(world, named);
			const hosts = [`*.${world.owner}.example.com`];
			const inject = {
				authorize_url: `${named.auth.url}/authorize`,
				token_url: `${named.auth.url}/token`,
				fields: { instance: "instance_url" },
			};
			await putSignInRecipe(world, "own_mail", hosts, inject);
			const { seen } = openHost(world, undefined, `eu.${world.owner}.example.com`);
			const workflow = createRow({
				call: {
					component: "http_request",
					url: `https://eu.${world.owner}.example.com/{{credential.mail.instance}}`,
					credential: "mail",
				},
			});
			assert.match((await failOnce(world, workflow)).error ?? "", /"mail" is not signed in/);
			await signIn(world, named);
			await runOnce(world, workflow);
			assert.equal(seen[0]?.url, `https://eu.${world.owner}.example.com/eu.${world.owner}.example.com`);

			await putSignInRecipe(world, "own_mail", [`elsewhere.${world.owner}.example.com`], inject);
			const { location, state, cookie } = await startSignIn(world);
			const foreign = await callBack(world, { code: named.authorize(location), state }, { cookie });
			assert.equal(foreign.status, 502);
		},
	},
	{
		name: "a token endpoint that redirects, returns a page or too much, or is an inner address, signs nobody in",
		cites: [],
		async run(world) {
			// Pages are limited per minute and address, which the scenarios share.
			await world.target.setNow(Date.now() + 121_000);
			const service = openOAuthService(world);
			await putSignIn(world, service);
			const elsewhere = openHost(world, undefined, `evil.${world.owner}.example.com`);
			const location = `${elsewhere.url}/token`;
			const answers = [
				{ status: 302, headers: { location } },
				{ status: 307, headers: { location } },
				{ status: 200, headers: { "content-type": "text/html" }, body: "<title>Log in</title>" },
				{ status: 200, json: { access_token: "x".repeat(70_000) } },
				{ status: 200, json: { access_token: "with a space", token_type: "bearer" } },
				{ status: 200, json: { access_token: "x", token_type: "DPoP" } },
				{ status: 200, json: { ok: false, error: "invalid_code" } },
				{ status: 500, json: { error: "server_error" } },
			];
			for (const answer of answers) {
				service.answerWith(answer);
				const started = await startSignIn(world);
				const code = service.authorize(started.location);
				const done = await callBack(world, { code, state: started.state }, { cookie: started.cookie });
				assert.equal(done.status, 502, JSON.stringify(answer).slice(0, 100));
				assertHoldsNoSecret(done.body);
			}
			assert.equal(elsewhere.seen.length, 0);
			await putSignInRecipe(world, "own_mail", [service.api.host], {
				authorize_url: `${service.auth.url}/authorize`,
				token_url: "https://169.254.169.254/token",
			});
			const started = await startSignIn(world);
			const inner = await callBack(world, { code: "c", state: started.state }, { cookie: started.cookie });
			assert.equal(inner.status, 502);
			const open = await startSignIn(world);
			await putSignInRecipe(world, "own_mail", [service.api.host], {
				authorize_url: `${service.auth.url}/authorize`,
				token_url: "{instance}",
			});
			const none = await callBack(world, { code: "c", state: open.state }, { cookie: open.cookie });
			assert.equal(none.status, 502);
			await world.executor.refuse(422, "POST", "/credentials/mail/sign-in");
			assert.equal((await readSignIn(world))?.state, "required");
			await world.target.setNow(null);
		},
	},
	{
		name: "no token, code, verifier or client secret is in entries, records, kept data or log lines",
		cites: [],
		async run(world) {
			const service = openOAuthService(world);
			await putSignIn(world, service);
			await world.target.lines();
			await signIn(world, service);
			const result = await runOnce(world, { ...read(service.api.url), options: { keep: "all" } });
			service.revokeToken();
			await runOnce(world, read(service.api.url));
			const { execution_id } = result as { execution_id: string };
			await eventually(() =>
				world.executor.expect(200, ExecutionDetail, "GET", `/executions/${execution_id}`),
			);
			assertHoldsNoSecret(await world.executor.call("GET", `/executions/${execution_id}/data`));
			for (const path of ["/credentials", "/auth-recipes/own_mail", "/executions"])
				assertHoldsNoSecret((await world.executor.call("GET", path)).body);
			assertHoldsNoSecret(await world.target.lines());
			for (const type of ["credential", "vault_key", "sign_in", "sign_in_lease", "execution_log"]) {
				const owners = [world.owner, "_system"];
				for (const owner_id of owners) assertHoldsNoSecret(await listStored(world, type, { owner_id }));
			}
		},
	},
	{
		name: "a credential whose recipe has no sign-in gets no link",
		cites: [],
		async run(world) {
			await putCredential(world, "plain", "signing_secret", { secret: "s3cret" });
			assert.equal((await world.executor.call("POST", "/credentials/plain/sign-in")).status, 409);
			assert.equal(await readSignIn(world, "plain"), undefined);
		},
	},
	{
		name: "with https the cookie has the prefix __Host-, and the public address never comes from the header Host",
		cites: [],
		environment: {},
		run: (world) =>
			withSettings(world, { BASE_URL: "https://flows.example.com/", ...ACCESS }, async () => {
				const authorized = { authorization: `Bearer ${ACCESS.SERVICE_ACCESS_TOKEN}` };
				const owner = {
					...world,
					executor: {
						...world.executor,
						call: (method: string, path: string, options: { body?: unknown } = {}) =>
							world.executor.call(method, path, { ...options, headers: authorized }),
					},
				};
				await putSignIn(owner, openOAuthService(world));
				const headers = { ...authorized, "x-forwarded-host": "evil.example" };
				const link = await world.executor.call("POST", "/credentials/mail/sign-in", { headers });
				assert.equal(link.status, 201, JSON.stringify(link.body));
				const { url } = link.body as { url: string };
				assert.ok(url.startsWith("https://flows.example.com/oauth/start/"));
				const started = await world.anyone.call("POST", new URL(url).pathname);
				assert.match(
					started.headers.get("set-cookie") ?? "",
					/^__Host-tripline-sign-in-\w{16}=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
				);
				const { searchParams } = new URL(started.headers.get("location") ?? "");
				assert.equal(searchParams.get("redirect_uri"), "https://flows.example.com/oauth/callback/own_mail");
			}),
	},
];

export const signingIn: readonly Scenario[] = scenarios.map((scenario) => ({ environment, ...scenario }));
