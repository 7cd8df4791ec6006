import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Answer } from "./client.ts";
import { credentialWorld, one } from "./credential-world.ts";
import { API_RECIPE, CODE_MANIFEST, pinManifest } from "./extensions.ts";
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
	world = await credentialWorld(environment, ({ url }) => ({
		status: 302,
		headers: { location: buildNext(url) },
		body: "",
	}));
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

/** The ways in which a workflow can call a URL. */
const WAYS: Readonly<Record<string, (target: string) => Promise<Answer>>> = {
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
};

const chain = (left: number, to: string): string =>
	`https://start.example/?left=${left}&to=${encodeURIComponent(to.toWellFormed())}`;

/** URLs that are also refused for their form. */
const FORM =
	/must (?:start with|be|not)|user name|neither http|is no |invalid URL|valid host|not an? (?:valid |http or https )?URL|may reach only|allows only \{\{|contains characters|without user|not allowed|own address|ends with a dot/;

describe("a non-public address", () => {
	test("is not reached by any component, in any way", async (t) => {
		await installPrivateCaller();
		let named = 0;
		for (const [way, call] of Object.entries(WAYS)) {
			await tally(t, way, async (count) => {
				for (const target of targets) {
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

	test("is reached if ALLOW_PRIVATE_HOSTS names it, which proves that the canary works", async () => {
		const other = await credentialWorld({ ALLOW_PRIVATE_HOSTS: canary.host }, () => ({ body: "" }));
		try {
			const ran = await other.run(OWNER, one({ component: "http_request", url: `${canary.url}/` }));
			assert.equal(ran.status, 200, ran.text);
			assert.equal(canary.connections(), 1);
		} finally {
			await other.stop();
			other.remove();
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
