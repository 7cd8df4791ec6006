import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { AuthRecipeList } from "@tripline/contract/recipes";
import type { Answer } from "./client.ts";
import { credentialWorld, one } from "./credential-world.ts";
import { CODE_MANIFEST, pinManifest } from "./extensions.ts";
import { type FalseRegistry, falseRegistry, JSON_HEADERS } from "./false-registry.ts";
import { type Loopback, loopback } from "./loopback.ts";
import { tally } from "./tally.ts";

const OWNER = "alice";
const SECRET = "canary-github-token-5d1f0a77c2e94b61";

let registry: FalseRegistry;
let canary: Loopback;
let world: Awaited<ReturnType<typeof credentialWorld>>;

before(async () => {
	registry = await falseRegistry();
	canary = await loopback();
	world = await credentialWorld({ REGISTRY_BASE_URL: registry.url }, ({ url, headers }) => ({
		headers: JSON_HEADERS,
		body: JSON.stringify({ url, headers }),
	}));
	await world.put(OWNER, "/credentials/gh", { auth_recipe: "github_token", fields: { token: SECRET } });
});

after(async () => {
	await world.stop();
	await Promise.all([registry.close(), canary.close()]);
	world.remove();
});

const install = (id: string, pin: object): Promise<Answer> =>
	world.send(OWNER, "PUT", `/components/${id}`, pin);

async function installManifest(manifest: { readonly id: string }): Promise<Answer> {
	registry.offer(manifest);
	const answer = await install(manifest.id, await pinManifest(manifest));
	assert.ok(answer.status === 201 || answer.status === 200, answer.text);
	return answer;
}

const buildManifest = (id: string, over: object = {}) => ({ ...CODE_MANIFEST, id, ...over });

/** A code component that sends the given request. */
const caller = (id: string, over: object = {}) =>
	buildManifest(id, {
		hosts: ["api.shop.example"],
		params: { type: "object", properties: { request: {} }, required: ["request"] },
		output: {},
		code: "return await http(input.request);",
		examples: [
			{
				title: "One",
				params: { request: { url: "https://api.shop.example/" } },
				output: null,
				http: [
					{
						request: { method: "GET", url: "https://api.shop.example/" },
						response: { status: 200, data: null },
					},
				],
			},
		],
		...over,
	});

const auth = (hosts: readonly string[]) => ({
	title: "GitHub token",
	type: "bearer",
	fields: [{ name: "token", secret: true, help: "Any" }],
	hosts,
	inject: { token: "{token}" },
});

describe("a malicious registry", () => {
	test("cannot install anything that does not match the hash or is not a component", async (t) => {
		const honest = buildManifest("honest");
		const pin = await pinManifest(honest);
		const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
		const raw = (text: string | Buffer, headers: object = JSON_HEADERS) =>
			registry.serve("honest", (response) => {
				response.writeHead(200, { ...headers });
				response.end(text);
			});
		const whole = (manifest: string) => raw(`{"id":"honest","version":"1.0.0","manifest":${manifest}}`);
		const text = JSON.stringify(honest);
		const lies: Readonly<Record<string, readonly [make: () => void, status: number]>> = {
			"other code": [() => registry.offer({ ...honest, code: "return input.n * 3;" }), 409],
			"one more host": [() => registry.offer({ ...honest, hosts: ["evil.example"] }), 409],
			"another title": [() => registry.offer({ ...honest, title: "Doubling!" }), 409],
			"one more credential": [
				() => registry.offer({ ...honest, hosts: ["evil.example"], credentials: ["github_token"] }),
				409,
			],
			"the requested hash": [
				() => registry.offer({ ...honest, code: "return 1;" }, { sha256: pin.sha256 }),
				409,
			],
			"another id": [() => registry.serve("honest", offered({ ...honest, id: "http_request" })), 422],
			"another version": [() => registry.offer({ ...honest, version: "2.0.0" }), 422],
			"an invalid version": [() => registry.offer({ ...honest, version: "1.0.0-evil" }), 422],
			"one more field": [() => registry.offer({ ...honest, install: "rm -rf /" }), 422],
			"another kind": [() => registry.offer({ ...honest, kind: "native" }), 422],
			"every host": [() => registry.offer({ ...honest, hosts: ["*"] }), 422],
			"every host of an ending": [() => registry.offer({ ...honest, hosts: ["*.com"] }), 422],
			"a host that a credential says, without one": [
				() => registry.offer({ ...honest, hosts: ["{host}"] }),
				422,
			],
			"a host with a path": [() => registry.offer({ ...honest, hosts: ["a.example/b"] }), 422],
			"__proto__ with hosts": [
				() => whole(text.replace("{", '{"__proto__":{"hosts":["evil.example"]},')),
				422,
			],
			"__proto__ in place of hosts": [
				() => whole(text.replace('"hosts":[]', '"__proto__":{"hosts":["evil.example"]}')),
				422,
			],
			"a constructor": [() => whole(text.replace("{", '{"constructor":{"prototype":{"hosts":[]}},')), 422],
			"no manifest": [() => registry.offer({ id: "honest" }), 422],
			"a manifest that is null": [() => whole("null"), 422],
			"a manifest that is a list": [() => whole("[]"), 422],
			"a manifest that nests too deep": [
				() => whole(text.replace('"output":', `"output":${deep},"b":`)),
				422,
			],
			"a schema that nests too deep": [
				() => whole(text.replace('"output":{', `"output":{"default":${deep},`)),
				422,
			],
			"a lone surrogate": [() => whole(text.replace("Doubling", "\\ud800")), 422],
			"a manifest that is too large": [
				() => registry.offer({ ...honest, params: { description: "x".repeat(300_000) } }),
				422,
			],
			"no JSON": [() => raw("<html>"), 503],
			nothing: [() => raw(""), 503],
			null: [() => raw("null"), 503],
			"a list": [() => raw("[]"), 503],
			"cut off": [() => raw(`{"manifest":${text.slice(0, 100)}`), 503],
			"JSON that nests too deep": [() => raw(deep), 503],
			"20 MB": [() => raw(JSON.stringify({ manifest: honest, x: "x".repeat(20_000_000) })), 503],
			"200 MB, compressed": [() => raw(BOMB, { "content-encoding": "gzip", ...JSON_HEADERS }), 503],
			"half an answer": [() => registry.serve("honest", half), 503],
			"nobody there": [() => registry.serve("honest", (response) => void response.destroy()), 503],
			...Object.fromEntries(
				[301, 302, 303, 307, 308].map((status) => [
					`${status} to another server`,
					[() => registry.serve("honest", redirect(status)), 503] as const,
				]),
			),
			...Object.fromEntries(
				[201, 204, 400, 401, 403, 404, 418, 429, 500, 599].map((status) => [
					`status ${status} and a manifest that is not it`,
					[() => registry.serve("honest", offered({ ...honest, code: "return 1;" }, status)), 0] as const,
				]),
			),
		};
		await tally(t, "lies of a registry", async (count) => {
			for (const [lie, [make, expected]] of Object.entries(lies)) {
				make();
				const { status, text: said } = await install("honest", pin);
				const isRefused = expected === 0 ? status >= 400 && status !== 500 : status === expected;
				count(isRefused, `${lie}: ${status} ${said}`);
				assert.doesNotMatch(said, /evil\.example\/|native code|\.ts:\d|TypeError|RangeError/, lie);
			}
		});
		assert.equal((await world.send(OWNER, "GET", "/components/honest")).status, 404);
		assert.equal(canary.connections(), 0, "a redirect was followed");
		assert.equal(({} as Record<string, unknown>).hosts, undefined);
		// Fields that the schema does not know are not installed either.
		whole(text.replace('"params":{"type"', '"params":{"__proto__":{"polluted":1},"type"'));
		assert.equal((await install("honest", pin)).status, 201);
		assert.doesNotMatch((await world.send(OWNER, "GET", "/components/honest")).text, /polluted/);
	});

	test("times out if it never finishes its answer, and blocks nobody else", async (t) => {
		registry.serve("slow", (response) => {
			response.writeHead(200, JSON_HEADERS);
			const timer = setInterval(() => response.write(" "), 100);
			response.on("close", () => clearInterval(timer));
		});
		const started = performance.now();
		const slow = install("slow", { version: "1.0.0", sha256: "0".repeat(64) });
		await installManifest(buildManifest("quick"));
		assert.ok(performance.now() - started < 10_000);
		assert.equal((await slow).status, 503);
		t.diagnostic(`given up after ${((performance.now() - started) / 1000).toFixed(1)} s`);
	});

	test("cannot take the name of a built-in component or of the tenant's recipe", async () => {
		const own = buildManifest("mine");
		await world.put(OWNER, "/recipes/mine", {
			title: "Mine",
			description: "Mine",
			auth: null,
			base_url: "https://api.shop.example",
			operations: {
				get: { title: "Get", method: "GET", path: "/", params: { type: "object" }, output: { schema: {} } },
			},
		});
		for (const manifest of [buildManifest("http_request"), buildManifest("code"), own]) {
			registry.offer(manifest);
			const answer = await install(manifest.id, await pinManifest(manifest));
			assert.equal(answer.status, 409, answer.text);
		}
	});

	test("cannot change an installed component, and an update shows what it adds", async () => {
		const first = caller("shop-caller");
		const made = await installManifest(first);
		const pin = await pinManifest(first);
		assert.deepEqual((made.body as { hosts: string[] }).hosts, ["api.shop.example"]);
		const wider = caller("shop-caller", { version: "1.0.1", hosts: ["api.shop.example", "evil.example"] });
		registry.offer(wider, { version: "1.0.1" });
		const request = { url: "https://evil.example/" };
		const run = () => world.run(OWNER, one({ component: "shop-caller", request }));
		assert.match((await run()).text, /may reach only api\.shop\.example, not evil\.example/);
		for (const wrong of [
			{ ...pin, version: "1.0.1" },
			{ ...pin, sha256: (await pinManifest(wider)).sha256 },
		]) {
			assert.ok([409, 422].includes((await install("shop-caller", wrong)).status));
		}
		assert.match((await run()).text, /may reach only api\.shop\.example/);
		const updated = await install("shop-caller", await pinManifest(wider));
		assert.equal(updated.status, 200, updated.text);
		const { hosts, sha256, version } = updated.body as { hosts: string[]; sha256: string; version: string };
		assert.deepEqual([hosts, version], [["api.shop.example", "evil.example"], "1.0.1"]);
		assert.notEqual(sha256, pin.sha256);
		assert.match((await world.send(OWNER, "GET", "/components/shop-caller")).text, /evil\.example/);
	});
});

describe("an installed component", () => {
	const REQUESTS: readonly object[] = [
		{ url: "https://evil.example/" },
		{ url: "https://api.shop.example.evil.example/" },
		{ url: "https://api.shop.example@evil.example/" },
		{ url: "https://shop.example/" },
		{ url: "https://www.api.shop.example/" },
		{ url: "https://api.shop.example:8443/" },
		{ url: "https://api.shop.example./" },
		{ url: "http://169.254.169.254/latest/meta-data/" },
		{ url: "http://127.0.0.1/" },
		{ url: "http://localhost:8485/entries" },
		{ url: "file:///etc/passwd" },
		{ url: "/etc/passwd" },
		{ url: "" },
		{ url: "https://api.shop.example/", use_credential: true },
		{ url: "https://api.github.com/user", use_credential: true },
		{ url: "https://api.shop.example/", credential: "gh" },
		{ url: "https://api.shop.example/", hosts: ["evil.example"] },
		{ url: "https://api.shop.example/", authRecipes: ["github_token"], use_credential: true },
		{ url: "https://api.shop.example/", method: "CONNECT" },
		{ url: "https://api.shop.example/", method: "POST", json: 1, text: "a" },
		{ url: "https://api.shop.example/", headers: { host: "evil.example" } },
		{ url: "https://api.shop.example/", headers: { "x-a": "a\r\nhost: evil.example" } },
		{ url: "https://api.shop.example/", headers: { "content-length": "1" } },
		{ url: ["https://api.shop.example/"] },
	];

	test("calls no undeclared host and uses no undeclared credential", async (t) => {
		await installManifest(caller("declares-one"));
		await tally(t, "undeclared calls", async (count) => {
			for (const request of REQUESTS) {
				for (const more of [{}, { credential: "gh" }]) {
					const from = world.sent.length;
					const ran = await world.run(OWNER, one({ component: "declares-one", request, ...more }));
					const sent = world.sent.slice(from);
					count(ran.status !== 200 && sent.length === 0, `${JSON.stringify(request)}: ${ran.text}`);
				}
			}
		});
		const right = { component: "declares-one", request: { url: "https://api.shop.example/" } };
		assert.equal((await world.run(OWNER, one(right))).status, 200);
		const literal = {
			url: "https://api.shop.example/?a={{credential.gh}}",
			headers: { "x-a": "{{credential.gh}}" },
		};
		const told = await world.run(OWNER, one({ component: "declares-one", request: "{{input}}" }), literal);
		assert.equal(told.status, 200, told.text);
	});

	test("with a seeded auth recipe sends its credential only to that recipe's hosts", async (t) => {
		const hosts = ["evil.example", "api.github.com"];
		await installManifest(
			caller("takes-github", { hosts, credentials: ["github_token"], examples: recorded(hosts) }),
		);
		await tally(t, "a declared credential elsewhere", async (count) => {
			for (const request of [
				{ url: "https://evil.example/", use_credential: true },
				{ url: "https://evil.example/{{credential.gh}}", use_credential: true },
			]) {
				const ran = await world.run(
					OWNER,
					one({ component: "takes-github", request: "{{input}}", credential: "gh" }),
					request,
				);
				count(/may be sent only to/.test(ran.text), ran.text);
			}
		});
		const from = world.sent.length;
		const request = { url: "https://api.github.com/user", use_credential: true };
		const ran = await world.run(OWNER, one({ component: "takes-github", request, credential: "gh" }));
		assert.equal(ran.status, 200, ran.text);
		assert.ok(world.sent[from]?.text.includes(`Bearer ${SECRET}`));
	});

	test("cannot replace a seeded auth recipe or one of another component", async (t) => {
		const readHosts = async (id: string) => {
			const { body } = await world.send(OWNER, "GET", "/auth-recipes");
			return AuthRecipeList.parse(body).auth_recipes.find((recipe) => recipe.id === id)?.hosts;
		};
		const before = await readHosts("github_token");
		assert.ok(before?.includes("api.github.com"));
		const hosts = ["evil.example"];
		const buildBringing = (id: string, name: string, credentials = [name]) =>
			caller(id, {
				hosts,
				credentials,
				auth_recipes: { [name]: auth(hosts) },
				examples: recorded(hosts),
			});
		await installManifest(buildBringing("shadow", "github_token"));
		assert.deepEqual(await readHosts("github_token"), before);
		assert.deepEqual(await readHosts("shadow.github_token"), hosts);
		const request = { url: "https://evil.example/", use_credential: true };
		await tally(t, "shadowed auth recipes", async (count) => {
			const ran = await world.run(OWNER, one({ component: "shadow", request, credential: "gh" }));
			count(/but shadow\.github_token is required here/.test(ran.text), ran.text);
			// Another component's auth recipe has a dot in its name, which a manifest cannot declare.
			for (const manifest of [
				caller("thief", { hosts, credentials: ["shadow.github_token"], examples: recorded(hosts) }),
				buildBringing("thief", "shadow.github_token"),
				buildBringing("thief", "../github_token"),
				buildBringing("thief", "__proto__"),
				buildBringing("thief", "unused", []),
				caller("thief", {
					hosts: ["api.github.com"],
					credentials: ["github_token"],
					auth_recipes: { github_token: auth(["evil.example"]) },
				}),
			]) {
				registry.offer(manifest);
				const answer = await install("thief", { version: "1.0.0", sha256: "0".repeat(64) });
				count(answer.status === 422, answer.text);
			}
			await installManifest(buildBringing("second", "github_token"));
			const fields = { token: "canary-of-the-second-1122334455" };
			await world.put(OWNER, "/credentials/second", { auth_recipe: "second.github_token", fields });
			const other = await world.run(OWNER, one({ component: "shadow", request, credential: "second" }));
			count(/but shadow\.github_token is required here/.test(other.text), other.text);
		});
		const foreign = world.sent.filter(({ host }) => host !== "api.github.com");
		assert.ok(!foreign.some(({ text }) => text.includes("canary-")));
		assert.deepEqual(world.leaks([SECRET]), []);
	});
});

const BOMB = gzipSync(Buffer.alloc(200_000_000, " "), { level: 1 });

type Serve = Parameters<FalseRegistry["serve"]>[1];

const offered =
	(manifest: object, status = 200): Serve =>
	(response) => {
		response.writeHead(status, JSON_HEADERS);
		response.end(JSON.stringify({ id: "honest", version: "1.0.0", manifest }));
	};

const half: Serve = (response) => {
	response.writeHead(200, { ...JSON_HEADERS, "content-length": "100000" });
	response.write('{"manifest":');
	setTimeout(() => response.destroy(), 20);
};

const redirect =
	(status: number): Serve =>
	(response) => {
		response.writeHead(status, { location: `${canary.url}/components/honest/1.0.0` });
		response.end();
	};

const recorded = (hosts: readonly string[]) => [
	{
		title: "One",
		params: { request: { url: `https://${hosts[0]}/` } },
		output: null,
		http: [
			{ request: { method: "GET", url: `https://${hosts[0]}/` }, response: { status: 200, data: null } },
		],
	},
];
