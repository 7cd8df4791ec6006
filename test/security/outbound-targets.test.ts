import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { HttpRequest } from "@tripline/platform/http";
import type { Answer } from "./client.ts";
import { credentialWorld, type Double, one } from "./credential-world.ts";
import { API_RECIPE, AUTH_RECIPE, CODE_MANIFEST, pinManifest } from "./extensions.ts";
import { type FalseRegistry, falseRegistry } from "./false-registry.ts";
import { type Loopback, loopback } from "./loopback.ts";
import { HOSTILE_URLS, THIS_MACHINE } from "./ssrf-targets.ts";
import { tally } from "./tally.ts";

const OWNER = "alice";
const DECLARED = [
	"127.0.0.1",
	"localhost",
	"a.localhost",
	"0.0.0.0",
	"10.0.0.1",
	"192.168.1.1",
	"172.16.0.1",
	"169.254.169.254",
	"100.64.0.1",
	"[::1]",
	"[::]",
	"[::ffff:7f00:1]",
	"metadata.google.internal",
	"db.internal",
	"redis",
];

let registry: FalseRegistry;
let canary: Loopback;
let world: Awaited<ReturnType<typeof credentialWorld>>;
let targets: readonly string[];

before(async () => {
	registry = await falseRegistry();
	canary = await loopback();
	const environment = { REGISTRY_BASE_URL: registry.url };
	world = await credentialWorld(environment, answer);
	await putCredentials();
	const port = canary.host.split(":")[1];
	targets = [
		...sample(THIS_MACHINE, 34).map((host) => `http://${host}:${port}/`),
		...sample(HOSTILE_URLS, 36),
		`${world.service.storeUrl}/entries`,
		`${world.service.publicUrl}/healthz`,
		`${registry.url}/components`,
	];
	assert.ok(targets.length >= 60);
});

after(async () => {
	await world.stop();
	await Promise.all([registry.close(), canary.close()]);
	world.remove();
});

/** Of the host that every call to Google is redirected to. */
let sheet = "";

/** Issues tokens that are no longer valid, links to the target, or redirects to it. */
function answer({ url }: HttpRequest): ReturnType<Double> {
	const json = (value: object) => ({ body: JSON.stringify(value) });
	if (url.host === "auth.example")
		return json({ access_token: "access-token", refresh_token: "refresh-token", expires_in: 0 });
	if (url.pathname === "/pages") return json({ items: [1], next: url.searchParams.get("to") });
	const location = url.host === "sheets.googleapis.com" ? sheet : buildNext(url);
	return { status: 302, headers: { location }, body: "" };
}

/** The next URL in a chain of redirects that ends at the target. */
function buildNext(url: URL): string {
	const left = Number(url.searchParams.get("left") ?? 0);
	const to = url.searchParams.get("to") ?? "";
	if (left === 0) return to;
	return `https://hop${left}.example/?left=${left - 1}&to=${encodeURIComponent(to)}`;
}

const sample = (all: readonly string[], count: number): string[] =>
	Array.from({ length: count }, (_, nth) => all[Math.floor((nth * all.length) / count)] ?? "");

const run = (settings: object): Promise<Answer> => world.run(OWNER, one(settings));

type Outcome = Pick<Answer, "status" | "text">;

/** The ways in which a workflow, or its owner, can make the service call a URL. */
const WAYS: Readonly<Record<string, (target: string) => Promise<Outcome>>> = {
	http_request: (url) => run({ component: "http_request", url, attempts: 1 }),
	"http_request, from its input": (url) =>
		world.run(OWNER, one({ component: "http_request", url: "{{input.url}}", attempts: 1 }), { url }),
	llm_chat: (base_url) => run({ component: "llm_chat", model: "m", prompt: "a", base_url, attempts: 1 }),
	embed: (base_url) => run({ component: "embed", model: "m", input: "a", base_url, attempts: 1 }),
	"an API recipe": async (base_url) => {
		const { get_order } = API_RECIPE.operations;
		const recipe = { ...API_RECIPE, base_url: base_url.replace(/\/$/, ""), operations: { get_order } };
		const put = await world.send(OWNER, "PUT", "/recipes/target", recipe);
		return put.status >= 400 ? put : run({ component: "target.get_order", id: "7" });
	},
	"an installed component": (url) => run({ component: "reaches", request: { url } }),
	"a redirect": (url) => run({ component: "http_request", url: chain(0, url), attempts: 1 }),
	"a chain of redirects": (url) => run({ component: "http_request", url: chain(3, url), attempts: 1 }),
	pages: (url) =>
		run({
			component: "http_request",
			url: chain(0, url),
			paginate: { by: "link", items: "a" },
			attempts: 1,
		}),
	"pages of a recipe": (to) =>
		runRecipe({ path: "/pages", paginate: { by: "link", url: "next", items: "items" } }, to),
	"further hosts of a recipe": (to) => runRecipe({ path: "/" }, to),
	"a file of a recipe": (to) => runRecipe({ path: "/", response: "file" }, to),
	"rows of a Google sheet": (to) => {
		sheet = to.toWellFormed();
		const settings = { component: "google_sheets_rows", action: "read", spreadsheet_id: "a" };
		return run({ ...settings, credential: "google" });
	},
	"a description": (url) => describeApi({ url }),
	"a description, redirected": (url) => describeApi({ url: chain(2, url) }),
	"a server in a description": async (url) => {
		const description = JSON.stringify({ ...DESCRIPTION, servers: [{ url }] });
		const made = await describeApi({ description, id: "described", operations: ["/orders"], save: true });
		return made.status >= 400 ? made : run({ component: "described.get_orders" });
	},
	"a token endpoint": async (url) => {
		await world.put(OWNER, "/credentials/client", { auth_recipe: "client", fields: { ...CLIENT, url } });
		return run({ component: "http_request", url: "https://start.example/", credential: "client" });
	},
	"a token endpoint, after a sign-in": async (url) => {
		await world.put(OWNER, "/credentials/fresh", { auth_recipe: "fresh", fields: { ...CLIENT, url } });
		world.advance(60_000);
		return world.signIn(OWNER, "fresh", "fresh");
	},
	"a token endpoint, for a renewal": async (token_url) => {
		const put = await world.send(OWNER, "PUT", "/auth-recipes/signed", buildSignIn(token_url));
		if (put.status >= 400) return put;
		return run({ component: "http_request", url: "https://start.example/", credential: "signed" });
	},
	"a poll": async (url) => {
		const poll = { operation: "http_request", params: { url, attempts: 1 }, key: "id" };
		const trigger = { type: "schedule", cron: "* * * * *", poll };
		const workflow = { name: "polled", description: "", version: "1", trigger };
		const document = { ...workflow, ...one({ component: "set", values: {} }) };
		const saved = await world.send(OWNER, "POST", "/workflows", document);
		if (saved.status >= 400) return saved;
		world.advance(60_000);
		await world.service.tick();
		for (;;) {
			const { body, text } = await world.send(OWNER, "GET", "/workflows/polled/poll");
			const { since, failures } = body as { since: string | null; failures: number };
			if (since !== null || failures > 0) {
				await world.send(OWNER, "DELETE", "/webhooks/named/polled");
				return { status: failures > 0 ? 500 : 200, text };
			}
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
	},
};

const CLIENT = { client_id: "ada", client_secret: "client-secret" };
const DESCRIPTION = { openapi: "3.1.0", info: { title: "Shop" }, paths: { "/orders": { get: {} } } };

const describeApi = (body: object) => world.send(OWNER, "POST", "/recipes/from-openapi", body);

/** Runs an operation that may reach the target's host. */
async function runRecipe(more: object, to: string): Promise<Answer> {
	const host = URL.parse(to)?.host ?? "";
	const recipe = {
		...API_RECIPE,
		base_url: "https://start.example",
		operations: {
			get: {
				title: "Is redirected",
				method: "GET",
				params: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
				query: { left: "0", to: "{{params.to}}" },
				redirect_hosts: ["start.example", host],
				output: { schema: {} },
				...more,
			},
		},
	};
	const put = await world.send(OWNER, "PUT", "/recipes/target", recipe);
	if (put.status >= 400) return put;
	return run({ component: "target.get", to, ...("paginate" in more && { paginate: "all" }) });
}

const buildSignIn = (token_url: string) => ({
	...AUTH_RECIPE,
	type: "oauth2_authorization_code",
	fields: [
		{ name: "client_id", secret: false, help: "" },
		{ name: "client_secret", secret: true, help: "" },
		{ name: "url", secret: false, help: "", optional: true },
	],
	hosts: ["start.example"],
	inject: { authorize_url: "https://auth.example/authorize", token_url, client_secret: "{client_secret}" },
});

async function putCredentials(): Promise<void> {
	const { authorize_url: _, ...inject } = buildSignIn("{url}").inject;
	const client = { ...buildSignIn("{url}"), type: "oauth2_client_credentials", inject };
	await world.put(OWNER, "/auth-recipes/client", client);
	await world.put(OWNER, "/auth-recipes/fresh", buildSignIn("{url}"));
	await world.put(OWNER, "/auth-recipes/signed", buildSignIn("https://auth.example/token"));
	await world.put(OWNER, "/credentials/signed", { auth_recipe: "signed", fields: CLIENT });
	assert.equal((await world.signIn(OWNER, "signed", "signed")).status, 200);
	const token = { name: "token", secret: true, help: "" };
	const google = {
		...AUTH_RECIPE,
		type: "bearer",
		fields: [token],
		hosts: ["sheets.googleapis.com"],
		inject: {},
	};
	await world.put(OWNER, "/auth-recipes/google_oauth", google);
	await world.put(OWNER, "/credentials/google", {
		auth_recipe: "google_oauth",
		fields: { token: "a-token" },
	});
}

const chain = (left: number, to: string): string =>
	`https://start.example/?left=${left}&to=${encodeURIComponent(to.toWellFormed())}`;

/** URLs that are also refused for their form. */
const FORM =
	/must (?:start with|be|not)|user name|neither http|is no |invalid URL|valid host|not an? (?:valid |http or https )?URL|may reach only|allows only \{\{|contains characters|without user|not allowed|own address|ends with a dot|no valid token endpoint|over plain http|does not say where|is not a valid address|did not issue a token/;

describe("a non-public address", () => {
	test("is not reached by any component, in any way", async (t) => {
		await installPrivateCaller();
		let named = 0;
		for (const [way, call] of Object.entries(WAYS)) {
			await tally(t, way, async (count) => {
				// Each description is read in a process of its own.
				const isSlow = way === "a server in a description";
				for (const target of isSlow ? sample(targets, 15) : targets) {
					const { status, text } = await call(target);
					const isNamed = text.includes("ALLOW_PRIVATE_HOSTS");
					if (isNamed) named++;
					count(status >= 400 && (isNamed || FORM.test(text)), `${target}: ${status} ${text}`);
				}
			});
			assert.equal(canary.connections(), 0, `${way} reached the canary`);
		}
		t.diagnostic(`refusals that name ALLOW_PRIVATE_HOSTS: ${named}; the canary saw 0`);
		assert.ok(named > 200);
	});

	test("is not called because a description refers to it, or a sign-in leads there", async (t) => {
		await tally(t, "references", async (count) => {
			const from = world.sent.length;
			const refs = targets.map((target) => ({ $ref: `${target}#/paths/orders` }));
			const responses = Object.fromEntries(refs.map((ref, nth) => [200 + nth, ref]));
			const schema = { anyOf: refs, properties: Object.fromEntries(Object.entries(refs)) };
			const content = { "application/json": { schema } };
			const get = { parameters: refs, responses: { ...responses, 200: { content } } };
			const post = { requestBody: { content }, externalDocs: { url: targets[0] } };
			const others = refs.map((ref, nth) => [`/p${nth}`, { get: {}, ...ref }]);
			const paths = { "/orders": { get, post }, ...Object.fromEntries(others) };
			const described = { ...DESCRIPTION, $self: targets[0], paths };
			const operations = ["/orders"];
			const server = "https://start.example";
			const made = await describeApi({ description: JSON.stringify(described), server, operations });
			assert.equal(made.status, 200, made.text);
			assert.match(made.text, /outside of this description/);
			for (const target of targets) count(world.sent.length === from, target);
		});
		await tally(t, "authorization servers", async (count) => {
			for (const target of targets) {
				const from = world.sent.length;
				const recipe = buildSignIn("https://auth.example/token");
				const inject = { ...recipe.inject, authorize_url: target };
				await world.send(OWNER, "PUT", "/auth-recipes/signed", { ...recipe, inject });
				world.advance(60_000);
				const link = await world.send(OWNER, "POST", "/credentials/signed/sign-in");
				const { url } = link.body as { url?: string };
				if (url !== undefined) await world.send(OWNER, "POST", new URL(url).pathname);
				count(world.sent.length === from, target);
			}
		});
		assert.equal(canary.connections(), 0);
	});

	test("is reached in each of these ways if ALLOW_PRIVATE_HOSTS names it, which proves that they work", async (t) => {
		const guarded = world;
		const environment = { REGISTRY_BASE_URL: registry.url, ALLOW_PRIVATE_HOSTS: canary.host };
		world = await credentialWorld(environment, answer);
		try {
			await putCredentials();
			await installPrivateCaller();
			await tally(t, "allowed", async (count) => {
				for (const [way, call] of Object.entries(WAYS)) {
					const before = canary.received.length;
					const { status, text } = await call(`${canary.url}/`);
					const isBound = /may reach only sheets\.googleapis\.com/.test(text);
					count(isBound || canary.received.length > before, `${way}: ${status} ${text}`);
				}
			});
		} finally {
			await world.stop();
			world.remove();
			world = guarded;
		}
	});
});

/** A code component that declares private hosts, which our registry refuses but another might offer. */
async function installPrivateCaller(): Promise<void> {
	const port = canary.host.split(":")[1];
	const hosts = [...DECLARED.slice(0, 3).map((host) => `${host}:${port}`), ...DECLARED];
	const manifest = {
		...CODE_MANIFEST,
		id: "reaches",
		hosts,
		params: { type: "object", properties: { request: {} }, required: ["request"] },
		output: {},
		code: "return await http(input.request);",
		examples: [
			{
				title: "One",
				params: { request: { url: "http://redis/" } },
				output: null,
				http: [{ request: { method: "GET", url: "http://redis/" }, response: { status: 200, data: null } }],
			},
		],
	};
	registry.offer(manifest);
	const answer = await world.send(OWNER, "PUT", "/components/reaches", await pinManifest(manifest));
	assert.equal(answer.status, 201, answer.text);
}
