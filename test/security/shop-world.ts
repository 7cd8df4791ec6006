import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { HttpRequest } from "@tripline/platform/http";
import {
	buildRecipes,
	ISSUED,
	KINDS,
	type Kind,
	REFRESH,
	SECRETS,
	SIGNED_IN,
	TOKEN_HOST,
} from "./credential-kinds.ts";
import { credentialWorld, one } from "./credential-world.ts";
import { loopback } from "./loopback.ts";
import { findSecret } from "./secret-spellings.ts";
import { answerShop } from "./shop.ts";

export const OWNER = "alice";
export const OTHER = "mallory";
export const OTHERS_SECRET = "canary-of-mallory-8844aa1122bb";
export const SHOP = "api.shop.example";
/** A credential's placeholder before the call; knowing one would allow forging it. */
export const PLACEHOLDER = /credential[0-9a-f]{32}x/;

const OWNERS = [...Object.values(SECRETS), ISSUED, SIGNED_IN, REFRESH];
const ALL = [...OWNERS, OTHERS_SECRET];

export const containsSecret = (text: string, secrets: readonly string[] = ALL): boolean =>
	secrets.some((each) => findSecret(Buffer.from(text), each) !== null);

export type ShopWorld = Awaited<ReturnType<typeof shopWorld>>;

/** Two tenants with credentials for the shop, its hostile host, a foreign host, and a canary host that must not be reached. */
export async function shopWorld() {
	const shop = await loopback(answerShop);
	const foreign = await loopback();
	const canary = await loopback();
	const hosts = [SHOP, `${SHOP}:8443`, "*.cdn.shop.example", shop.host];
	const world = await credentialWorld({ ALLOW_PRIVATE_HOSTS: `${shop.host},${foreign.host}` }, double);
	for (const [kind, { recipe, fields }] of Object.entries(buildRecipes(hosts))) {
		await world.put(OWNER, `/auth-recipes/shop-${kind}`, recipe);
		await world.put(OWNER, `/credentials/${kind}`, { auth_recipe: `shop-${kind}`, fields });
	}
	await world.put(OWNER, "/recipes/shop", buildShopRecipe(shop.url, foreign.host));
	assert.equal((await world.signIn(OWNER, "sign_in", "shop-sign_in")).status, 200);
	const theirs = buildRecipes([SHOP, "evil.example"]).bearer.recipe;
	await world.put(OTHER, "/auth-recipes/shop-bearer", theirs);
	const fields = { token: OTHERS_SECRET };
	await world.put(OTHER, "/credentials/bearer", { auth_recipe: "shop-bearer", fields });

	/** The shop's hosts, to which the values may be sent. */
	const isBound = (host: string): boolean =>
		host === TOKEN_HOST || hosts.includes(host) || /^(?:eu|us)\.cdn\.shop\.example$/.test(host);
	const away = (from = 0) => world.sent.slice(from).filter(({ host }) => !isBound(host));

	return {
		...world,
		shop,
		foreign,
		canary,
		/** Requests sent since then to other hosts than the shop's. */
		away,
		run: (settings: object) => world.run(OWNER, one(settings)),
		runOf: world.run,

		/** Stops the service and searches everywhere for leaks. */
		async finish(t: TestContext): Promise<void> {
			const during = world.leaks(ALL);
			await world.stop();
			const found = [...during, ...world.leaks(ALL)];
			const seen = world.leaks(["shop-bearer"]).filter((place) => place.startsWith("store.db"));
			await Promise.all([shop.close(), foreign.close(), canary.close()]);
			world.remove();
			const escaped = away().filter(({ text }) => containsSecret(text, OWNERS));
			assert.ok(seen.length > 0, "the search finds nothing at all");
			assert.deepEqual(found.slice(0, 5), []);
			assert.deepEqual(
				escaped.map(({ text }) => text),
				[],
			);
			const marked = away().filter(({ text }) => PLACEHOLDER.test(text));
			assert.deepEqual(marked, [], "a foreign host saw what stands for a credential");
			assert.equal(canary.connections(), 0, "something reached the canary");
			assert.ok(world.lines.length > 500 && world.answers.length > 500 && away().length > 10);
			t.diagnostic(
				`looked through ${world.answers.length} answers, ${world.lines.length} log lines, all files, ${away().length} requests to foreign hosts of ${world.sent.length}: found 0, the canary saw 0`,
			);
		},
	};
}

/** URLs of hosts that the credential must not be sent to, some made to look allowed. */
export const listForeignUrls = ({ shop, foreign, canary }: ShopWorld): string[] => [
	"https://evil.example/",
	`https://${SHOP}.evil.example/`,
	`https://evil.example/${SHOP}`,
	`https://evil.example/?${SHOP}`,
	`https://evil.example/#@${SHOP}`,
	"https://evilapi.shop.example/",
	"https://shop.example/",
	"https://www.api.shop.example/",
	"https://api-shop.example/",
	"https://apixshop.example/",
	`https://${SHOP}./`,
	`https://${SHOP}:444/`,
	`https://${SHOP}:80/`,
	`http://${SHOP}/`,
	`http://${SHOP}:8443/`,
	`http://${SHOP}:443/`,
	"https://cdn.shop.example/",
	"https://eu.cdn.shop.example.evil.example/",
	"https://eu.cdn.shop.example:8443/",
	"http://eu.cdn.shop.example/",
	"https://evil.example:8443/",
	`https://${SHOP}%2eevil.example/`,
	`https://${SHOP}\uff0eevil.example/`,
	"https://api.shop.examp1e.example/",
	"https://ap\u0456.shop.example/",
	"https://evil.example%00.example/",
	`https://${SHOP}@evil.example/`,
	`https://${SHOP}:443@evil.example/`,
	`https://${SHOP}%40evil.example/`,
	`https://user:password@${SHOP}/`,
	`https://evil.example\\@${SHOP}/`,
	`https://evil.example/\\@${SHOP}/`,
	`${foreign.url}/`,
	`http://localhost:${shop.host.split(":")[1]}/`,
	`http://[::ffff:127.0.0.1]:${shop.host.split(":")[1]}/`,
	`http://127.0.0.2:${shop.host.split(":")[1]}/`,
	`https://${shop.host}@evil.example/`,
	`${canary.url}/`,
];

/** The ways in which a node can use a credential. */
export const WAYS: Readonly<Record<string, (kind: Kind, url: string) => object>> = {
	"its credential": (kind, url) => ({ component: "http_request", url, credential: kind }),
	"a header": (kind, url) => ({
		component: "http_request",
		url,
		headers: { "x-value": `a {{credential.${kind}}}` },
	}),
	"the query": (kind, url) => ({
		component: "http_request",
		url,
		query: { value: `{{credential.${kind}}}` },
	}),
	"the body": (kind, url) => ({
		component: "http_request",
		method: "POST",
		url,
		json: { a: [{ b: `{{credential.${kind}}}` }] },
	}),
	llm_chat: (kind, url) => ({
		component: "llm_chat",
		model: "m",
		prompt: "hello",
		base_url: url,
		credential: kind,
	}),
	"a prompt": (kind, url) => ({
		component: "llm_chat",
		model: "m",
		prompt: `{{credential.${kind}}}`,
		base_url: url,
	}),
	embed: (kind, url) => ({ component: "embed", model: "m", input: "a", base_url: url, credential: kind }),
};

/** A recipe whose operations may be redirected to foreign hosts, with any of the credentials. */
function buildShopRecipe(base_url: string, foreign: string) {
	const texts = (...names: string[]) => ({
		type: "object",
		properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
		required: names,
	});
	const redirect = {
		title: "Is redirected",
		method: "GET",
		path: "/redirect/{status}/{to}",
		params: texts("status", "to"),
		redirect_hosts: ["evil.example", "*.evil.example", "*.shop.example", `${SHOP}:444`, foreign],
		output: { schema: {} },
	};
	const email = { from: "shop@shop.example", to: "ada@shop.example", text: "{{params.to}}" };
	const echo = { ...redirect, title: "Echoes", params: texts("encoding"), response: "file" };
	return {
		title: "Corner shop",
		description: "Orders of the corner shop",
		auth: KINDS.map((kind) => `shop-${kind}`),
		base_url,
		operations: {
			get: { ...redirect, response: "text" },
			download: { ...redirect, response: "file" },
			send: { ...redirect, response: "text", method: "POST", body: { kind: "email", email } },
			list: {
				...redirect,
				path: "/link/{to}",
				params: texts("to"),
				paginate: { by: "link", url: "next", items: "items" },
			},
			echo: { ...echo, path: "/echo/{encoding}" },
			content: { ...echo, path: "/content/{encoding}", content: "{{data.content}}" },
		},
	};
}

/** Serves all public hosts: the shop's other hosts and foreign ones. */
function double({ url, headers, body }: HttpRequest) {
	if (url.host === TOKEN_HOST) {
		const isClient = new URLSearchParams(String(body)).get("grant_type") === "client_credentials";
		const tokens = isClient ? { access_token: ISSUED } : { access_token: SIGNED_IN, refresh_token: REFRESH };
		return { body: JSON.stringify({ ...tokens, token_type: "bearer", expires_in: 3600 }) };
	}
	const json = { "content-type": "application/json" };
	if (url.pathname.endsWith("/chat/completions")) {
		const choices = [{ message: { content: "hello" }, finish_reason: "stop" }];
		return { headers: json, body: JSON.stringify({ choices }) };
	}
	if (url.pathname.endsWith("/embeddings")) {
		return { headers: json, body: JSON.stringify({ data: [{ index: 0, embedding: [1] }] }) };
	}
	// A foreign host echoes everything it receives.
	return { headers: json, body: JSON.stringify({ items: [1], url: url.href, headers }) };
}
