import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, describe, test } from "node:test";
import { ALLOWED_HOSTS } from "../../services/mcp/test/oauth/redirect-uris.ts";
import { parseElements, toSkeleton } from "../../services/mcp/test/pages/markup.ts";
import { node, platforms, type Target } from "../conformance/platforms.ts";
import { type Answer, type Client, createClient, forEachItem, JSON_TYPE } from "./client.ts";
import { loopback } from "./loopback.ts";
import { hasFailed, tryAll } from "./mcp-attacks.ts";
import { AUTHORIZE_ATTACKS } from "./mcp-authorize-attacks.ts";
import { BAD_DOCUMENTS, NEVER_FETCHED, PRIVATE_HOSTS } from "./mcp-document-attacks.ts";
import {
	buildRequest,
	CALLBACK,
	createLogin,
	FORM_TYPE,
	type Login,
	OWNER_SECRET,
	parseLocation,
	sha256,
} from "./mcp-login.ts";
import { listSpellings } from "./mcp-spellings.ts";
import { TOKEN_ATTACKS } from "./mcp-token-attacks.ts";
import { buildPath, readRoutes } from "./routes.ts";
import { tally } from "./tally.ts";

const ENVIRONMENT = {
	MCP_OWNER_SECRET: OWNER_SECRET,
	MCP_ALLOWED_REDIRECT_HOSTS: ALLOWED_HOSTS.join(","),
};
const OAUTH_ROUTE = /^\/(?:register|authorize|token|revoke|\.well-known\/)/;
const METADATA = [
	"/.well-known/oauth-protected-resource",
	"/.well-known/oauth-authorization-server",
	"/.well-known/oauth-protected-resource/mcp",
	"/.well-known/oauth-authorization-server/mcp",
];

for (const platform of platforms) {
	describe(`attacks on the login on ${platform.name}`, () => {
		const isNode = platform === node;
		let target: Target;
		let client: Client;
		let login: Login;

		before(async () => {
			target = await platform.start(ENVIRONMENT);
			client = createClient(() => target.publicUrl);
			login = createLogin(client, target);
		});

		after(async () => {
			client.close();
			await target.close();
		});

		test("the owner's clients get in, and the answer names the issuer", async () => {
			assert.match(await login.token(), /^tlo_/);
			const answer = await login.post(
				"/authorize",
				buildRequest({ state: "s", iss: "x", owner_secret: OWNER_SECRET }),
			);
			const sent = parseLocation(answer)?.searchParams;
			assert.deepEqual([...(sent?.keys() ?? [])], ["code", "state", "iss"]);
			assert.equal(sent?.get("iss"), target.publicUrl);
		});

		test("no forged authorization request gets a code", async (t) => {
			const known = await codes();
			const name = `${Object.keys(AUTHORIZE_ATTACKS).length} attacks on /authorize and /register`;
			await tally(t, name, (count) => tryAll(AUTHORIZE_ATTACKS, login, count));
			assert.deepEqual(await codes(), known);
		});

		test("no stolen or forged code gets a token", async (t) => {
			const name = `${Object.keys(TOKEN_ATTACKS).length} attacks on /token`;
			await tally(t, name, (count) => tryAll(TOKEN_ATTACKS, login, count));
		});

		test("no token can be revoked by its hash", async (t) => {
			const token = await login.token();
			const hash = sha256(token);
			await tally(t, "attacks on /revoke", async (count) => {
				for (const wrong of [
					...[hash, `token:${hash}`, token.slice(0, -1), `${token}A`, ` ${token}`],
					...[token.toUpperCase(), token.slice(4), "*", "", "token:", "%"],
				]) {
					const form = await login.post("/revoke", new URLSearchParams({ token: wrong }));
					count(form.status < 500, `${wrong}: ${form.status}`);
					const body = JSON.stringify({ token: [wrong] });
					const json = await client.call("POST", "/revoke", { headers: JSON_TYPE, body });
					count(json.status === 400, `${wrong}: ${json.status}`);
				}
			});
			const headers = ["authorization", `Bearer ${token}`];
			assert.equal((await client.call("GET", "/gui/session", { headers })).status, 200);
		});

		test("a page shows foreign text as text and keeps its structure", async (t) => {
			const plain = await skeletons("Claude", "state");
			await tally(t, "markup in names, states, ids and addresses", async (count) => {
				for (const text of MARKUP) {
					for (const [name, pages] of Object.entries(await skeletons(text, text))) {
						count(JSON.stringify(pages) === JSON.stringify(plain[name]), `${name}: ${text}`);
					}
				}
			});
		});

		test("a client's document is fetched from listed hosts only, never from a private address", async (t) => {
			const { outside } = target;
			const nearby = await loopback();
			t.after(() => nearby.close());
			await tally(t, "addresses of documents", async (count) => {
				for (const id of [...NEVER_FETCHED, `${nearby.url}/client`, `https://${nearby.host}/client`]) {
					const { status } = await client.call("GET", `/authorize?${buildRequest({ client_id: id })}`);
					count(outside.requests.length === 0 && status < 500, id);
				}
				const hosts = PRIVATE_HOSTS.map((host) => `+${host}`).join(",");
				await target.restart({ ...ENVIRONMENT, MCP_ALLOWED_REDIRECT_HOSTS: hosts });
				for (const host of PRIVATE_HOSTS) {
					const answers = await bothWays({ client_id: `https://${host}/client` });
					for (const answer of answers) count(answer.status === 400 && hasFailed(login, answer), host);
				}
				await target.restart(ENVIRONMENT);
				count(outside.requests.length === 0 && nearby.connections() === 0, "something was asked");
			});
		});

		test("an invalid client document grants no access and causes no redirect", async (t) => {
			const { outside } = target;
			const documents = Object.entries(BAD_DOCUMENTS).map(
				([what, answer], index) => ({ what, id: `https://claude.ai/client-${index}`, answer }) as const,
			);
			outside.serve("claude.ai", ({ url }) => documents.find(({ id }) => id === url)?.answer(url) ?? {});
			await tally(t, "bad documents", async (count) => {
				for (const { what, id } of documents) {
					for (const answer of await bothWays({ client_id: id }))
						count(answer.status === 400 && hasFailed(login, answer), `${what}: ${answer.status}`);
				}
				const others = outside.requests.filter(({ url }) => !url.startsWith("https://claude.ai/client-"));
				count(others.length === 0, JSON.stringify(others));
			});
			assert.ok(outside.requests.length >= documents.length);
		});

		test("no other spelling of a path and no other method bypasses the bearer or the secret", async (t) => {
			const routes = (await readRoutes(client)).filter(
				({ path }) => OAUTH_ROUTE.test(path) || path === "/mcp" || path.startsWith("/gui/"),
			);
			assert.ok(routes.length >= 40, String(routes.length));
			const right = `${buildRequest()}&${new URLSearchParams({ owner_secret: OWNER_SECRET })}`;
			const values = { name: "private", id: "01890000-0000-7000-8000-000000000000", version: "1.0.0" };
			await tally(t, `spellings and methods of ${routes.length} routes`, async (count) => {
				const spelled = routes.flatMap((route) =>
					listSpellings(buildPath(route, values), { dots: isNode || !OAUTH_ROUTE.test(route.path) }).map(
						(path) => ({ method: route.method, path }),
					),
				);
				const paths = [...new Set(routes.map(({ path }) => path))];
				const methods = paths.flatMap((path) =>
					["GET", "PUT", "POST", "PATCH", "DELETE", "PROPFIND"]
						.filter((method) => !routes.some((each) => each.path === path && each.method === method))
						.map((method) => ({ method, path: buildPath({ ...NO_ROUTE, path }, values) })),
				);
				await forEachItem(
					[...spelled, ...methods],
					async ({ method, path }) => {
						const answer = await client.call(method, path, { headers: FORM_TYPE, body: right });
						count(
							hasFailed(login, answer),
							`${method} ${path}: ${answer.status} ${answer.text.slice(0, 100)}`,
						);
					},
					// workerd closes the connection if a body is not read, which also breaks calls that have just arrived.
					isNode ? 16 : 1,
				);
			});
			assert.deepEqual(await login.strangers(), []);
		});

		test("untrusted forwarded headers change neither the issuer nor any address", async (t) => {
			const plain = await Promise.all(METADATA.map((path) => client.call("GET", path)));
			await tally(t, "forwarded headers", async (count) => {
				for (const header of FORWARDED) {
					for (const [index, path] of METADATA.entries()) {
						const answer = await client.call("GET", path, { headers: header });
						count(answer.text === plain[index]?.text, `${path} ${header.join(" ")}`);
					}
					const denied = await client.call("GET", "/mcp", { headers: header });
					const challenge = `Bearer resource_metadata="${target.publicUrl}/.well-known/oauth-protected-resource"`;
					count(denied.headers["www-authenticate"] === challenge, header.join(" "));
					const sent = await client.call("GET", `/authorize?${buildRequest({ response_type: "x" })}`, {
						headers: header,
					});
					count(parseLocation(sent)?.searchParams.get("iss") === target.publicUrl, header.join(" "));
				}
			});
		});

		if (isNode) {
			test("another host name gets no metadata, page or challenge", async (t) => {
				const { port } = new URL(target.publicUrl);
				await tally(t, "forged hosts", async (count) => {
					for (const host of [
						...["evil.example", `evil.example:${port}`, "claude.ai", `127.0.0.1.evil.example:${port}`],
						...[`localhost.evil.example:${port}`, "169.254.169.254", `evil@127.0.0.1:${port}.example`],
					]) {
						for (const path of [...METADATA, `/authorize?${buildRequest()}`, "/mcp", "/gui/session"]) {
							const { status, text } = await sendWithHost(target.publicUrl, host, path);
							const isRefused = (status === 403 || status === 400) && !text.includes("evil");
							count(isRefused, `${host} ${path}: ${status}`);
							const absolute = await client.call("GET", `http://${host}${path}`);
							count(absolute.status === 403 || absolute.status === 400, `http://${host}${path}`);
						}
					}
				});
			});
		}

		test("only ten wrong secrets are checked, whether sent in sequence or fifty at once, by any route", async (t) => {
			await tally(t, "wrong secrets", async (count) => {
				const guess = async (owner_secret: string, headers: readonly string[] = []) =>
					login.post("/authorize", buildRequest({ owner_secret }), headers);
				await later(0);
				for (const secret of WRONG_SECRETS)
					count((await guess(secret)).status === 401, `${JSON.stringify(secret)}`);
				count((await guess(OWNER_SECRET)).status === 429, "the right one after ten wrong ones");

				await later(1);
				const statuses: number[] = [];
				for (let nth = 0; nth < 15; nth++) {
					const from = [`10.0.0.${nth}`, `203.0.113.${nth}`][nth % 2] as string;
					const forged = ["x-forwarded-for", from, "x-real-ip", from, "forwarded", `for=${from}`];
					statuses.push((await guess("another wrong secret", forged)).status);
				}
				const looked = statuses.filter((status) => status === 401).length;
				count(looked === 10 && statuses.at(-1) === 429, `by forged addresses: ${statuses}`);

				await later(2);
				await target.lines();
				const burst = await Promise.all(
					Array.from({ length: 50 }, async (_, nth) => {
						const response = await fetch(`${target.publicUrl}/authorize`, {
							method: "POST",
							redirect: "manual",
							body: buildRequest({ owner_secret: `wrong secret number ${nth}` }),
						});
						await response.text();
						return response.status;
					}),
				);
				const compared = (await target.lines()).filter(({ message }) =>
					message.startsWith("wrong owner secret"),
				);
				count(compared.length <= 10, `${compared.length} of 50 at once were compared`);
				for (const status of burst) count(status === 401 || status === 429, String(status));

				await later(3);
				const { status } = await guess(OWNER_SECRET);
				count(status === 302, "the right one after five minutes");
				await target.setNow(null);
			});
			assert.deepEqual(await login.strangers(), []);
		});

		/** A little more than this many times five minutes from now. */
		const later = (times: number) => target.setNow(Date.now() + times * 301_000);

		const codes = async () => (await target.oauth.keys()).filter((key) => key.startsWith("code:"));

		async function bothWays(changed: Readonly<Record<string, string>>): Promise<Answer[]> {
			const right = buildRequest({ ...changed, owner_secret: OWNER_SECRET });
			return [
				await client.call("GET", `/authorize?${buildRequest(changed)}`),
				await login.post("/authorize", right),
			];
		}

		/** Every page that can contain the texts, reduced to its markup. */
		async function skeletons(name: string, state: string): Promise<Readonly<Record<string, string[]>>> {
			const checkPage = (answer: Answer, status: number) => {
				assert.equal(answer.status, status, answer.text.slice(-600));
				assert.match(
					String(answer.headers["content-security-policy"]),
					/default-src 'none'.*frame-ancestors 'none'/,
				);
				assert.equal(answer.headers["content-type"], "text/html; charset=utf-8");
				return toSkeleton(parseElements(answer.text));
			};
			const open = (parameters: URLSearchParams) => client.call("GET", `/authorize?${parameters}`);
			const body = JSON.stringify({ client_name: name, redirect_uris: [CALLBACK] });
			const registered = await client.call("POST", "/register", { headers: JSON_TYPE, body });
			const { client_id } = registered.body as { client_id: string };
			const asked = buildRequest({ client_id, state });
			const ascii = name.replaceAll(/[^\x20-\x7e]/g, "?");
			return {
				"the consent page": checkPage(await open(asked), 200),
				"the consent page again": checkPage(await login.post("/authorize", asked), 401),
				"a client id": checkPage(await open(buildRequest({ client_id: ascii, state })), 200),
				"a redirect path": checkPage(
					await open(buildRequest({ redirect_uri: `${CALLBACK}?a=${encodeURIComponent(name)}`, state })),
					200,
				),
				"a redirect URI that is refused": checkPage(await open(buildRequest({ redirect_uri: name })), 400),
				"a redirect host that is refused": checkPage(
					await open(buildRequest({ redirect_uri: `https://${name}/` })),
					400,
				),
			};
		}
	});
}

const NO_ROUTE = { method: "", parameters: [], isOpen: false, takesBody: false, statuses: new Set<number>() };

const WRONG_SECRETS = [
	`${OWNER_SECRET} `,
	` ${OWNER_SECRET}`,
	OWNER_SECRET.toUpperCase(),
	OWNER_SECRET.slice(0, -1),
	`${OWNER_SECRET}\u0000`,
	OWNER_SECRET + OWNER_SECRET,
	"undefined",
	"true",
	`{"$ne":""}`,
	"' or 1=1 --",
];

const FORWARDED = [
	["x-forwarded-host", "evil.example"],
	["x-forwarded-proto", "https"],
	["x-forwarded-host", "evil.example", "x-forwarded-proto", "https", "x-forwarded-port", "443"],
	["forwarded", "host=evil.example;proto=https"],
	["x-original-host", "evil.example"],
	["x-original-url", "/gui/session"],
	["x-rewrite-url", "/gui/session"],
	["x-host", "evil.example"],
	["x-forwarded-server", "evil.example"],
	["x-forwarded-prefix", "/evil"],
];

const MARKUP = [
	"<script>alert(1)</script>",
	`"><img src=x onerror=alert(1)>`,
	`' onfocus='alert(1)' autofocus='`,
	`" onmouseover="alert(1)" x="`,
	"</title></head><body onload=alert(1)>",
	"</style><script>alert(1)</script>",
	"<!-- <b>",
	"]]><svg onload=alert(1)>",
	"&lt;script&gt;&amp;&#60;b&#62;",
	"<a href=javascript:alert(1)>Claude</a>",
	"<form action=https://evil.example><input name=owner_secret>",
	"<base href=https://evil.example/>",
	'<meta http-equiv="refresh" content="0;url=https://evil.example">',
	"\u202e<script>\u2066",
	"{{7*7}}#{7*7}<%= 7 %>",
	"<".repeat(60),
];

/** Sends a Host header that differs from the address. */
function sendWithHost(url: string, host: string, path: string): Promise<{ status: number; text: string }> {
	const { hostname, port } = new URL(url);
	const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
	const sent = request({ hostname, port, path, headers: { host } }, (response) => {
		const chunks: Buffer[] = [];
		response.on("data", (chunk: Buffer) => chunks.push(chunk));
		response.on("end", () =>
			resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
		);
	});
	sent.on("error", reject);
	sent.end();
	return promise;
}
