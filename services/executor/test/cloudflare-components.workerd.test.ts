import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { apiRecipes, authRecipes } from "@tripline/components/seeds/seeds";
import { exchanges } from "../../../packages/components/test/seeds/requests.ts";
import { counted, type Deployment, eventually, NAMESPACE, startDeployment } from "./deployment.ts";

const TOKEN = "token-that-only-its-host-may-see";
const OWN_HEADERS = ["cf-worker", "cf-connecting-ip", "cf-ew-via", "cdn-loop", "mf-vitest-worker-data"];

describe("components with outbound calls, as three workers", () => {
	let deployment: Deployment;

	before(async () => {
		deployment = await startDeployment({ entries: counted });
		await deployment.migrate();
	});
	after(() => deployment.close());

	const call = async (method: string, path: string, body?: object) =>
		deployment.executor(method, path, body === undefined ? {} : { body });

	async function save(name: string, nodes: Readonly<Record<string, object>>): Promise<void> {
		const graph = { nodes: Object.entries(nodes).map(([id, node]) => ({ id, ...node })), edges: [] };
		const { status, body } = await call("POST", "/webhooks/named", { name, description: "d", graph });
		assert.ok(status < 300, JSON.stringify(body));
	}

	const trigger = (name: string, input: object = {}) =>
		call("POST", `/webhooks/named/${NAMESPACE}/${encodeURIComponent(name)}/trigger`, input);

	async function runOutput(name: string, input: object = {}): Promise<unknown> {
		const { status, body } = await trigger(name, input);
		assert.equal(status, 200, JSON.stringify(body));
		return body.data;
	}

	const instances = async () => (await call("GET", "/instances")).body.instances;
	const calls = async () => (await call("GET", "/counted")).body.calls as string[];

	/** How many calls to the store one run makes. */
	async function countStoreCalls(name: string): Promise<number> {
		await calls();
		await runOutput(name);
		const made: string[] = [];
		await eventually(async () => {
			made.push(...(await calls()));
			assert.ok(made.includes("STORE POST /execution-log"));
		});
		return made.filter((each) => each.startsWith("STORE")).length;
	}

	test("instantiates no WebAssembly before code runs", async () => {
		await save("plain", { hello: { component: "template", params: { text: "hello" } } });
		assert.equal(await runOutput("plain"), "hello");
		assert.equal(await instances(), 0);
	});

	test("seeds the bundled recipes in one request with few calls, and repeats without a write", async () => {
		const all = (state: string) => ({
			recipes: { created: 0, updated: 0, unchanged: 0, [state]: apiRecipes.length },
			auth_recipes: { created: 0, updated: 0, unchanged: 0, [state]: authRecipes.length },
		});
		await calls();
		const seeded = await call("POST", "/init/seed");
		assert.deepEqual([seeded.status, seeded.body], [200, all("created")]);
		const [read, ...writes] = await calls();
		assert.equal(read, "STORE GET /entries");
		assert.deepEqual(new Set(writes), new Set(["STORE PUT /entries"]));
		// A worker may make 50 calls for a request.
		assert.ok(writes.length <= 10, `${writes.length} writes`);
		assert.deepEqual((await call("POST", "/init/seed")).body, all("unchanged"));
		assert.deepEqual(await calls(), ["STORE GET /entries"]);
		const { body } = await call("GET", "/recipes");
		assert.deepEqual(
			(body.recipes as { id: string }[]).map(({ id }) => id),
			apiRecipes.map(({ id }) => id).sort(),
		);
	});

	test("sends a credential to its host in the header of its auth recipe and reveals it nowhere", async () => {
		deployment.outside.serve("api.example.com", () => ({ json: { echoed: `Bearer ${TOKEN}` } }));
		const fields = { host: "api.example.com", token: TOKEN };
		const put = await call("PUT", "/credentials/example", { auth_recipe: "bearer_token", fields });
		assert.equal(put.status, 201, JSON.stringify(put.body));
		await save("ask", {
			ask: {
				component: "http_request",
				credential: "example",
				params: { method: "POST", url: "https://api.example.com/v1/things?a=1", json: { n: 1 } },
			},
		});
		const { data } = (await runOutput("ask")) as { data: { echoed: string } };
		assert.doesNotMatch(data.echoed, new RegExp(TOKEN));
		const [sent, ...others] = deployment.outside.sentTo("api.example.com");
		assert.deepEqual(others, []);
		assert.deepEqual(
			[sent?.method, sent?.url, sent?.body],
			["POST", "https://api.example.com/v1/things?a=1", '{"n":1}'],
		);
		assert.deepEqual(dropPlatformHeaders(sent?.headers), {
			accept: "*/*",
			authorization: `Bearer ${TOKEN}`,
			"content-type": "application/json",
			"user-agent": "Tripline",
		});
	});

	test("a seeded recipe sends the request that its service expects", async () => {
		const exchange = exchanges.find(({ component }) => component === "github.create_issue");
		assert.ok(exchange !== undefined);
		const { component, authRecipe, fields, params, request, response, output } = exchange;
		deployment.outside.serve("api.github.com", () => response);
		const put = await call("PUT", "/credentials/github", { auth_recipe: authRecipe, fields });
		assert.equal(put.status, 201, JSON.stringify(put.body));
		await save("issue", { issue: { component, credential: "github", params } });
		assert.deepEqual(await runOutput("issue"), output);
		const [sent] = deployment.outside.sentTo("api.github.com");
		assert.deepEqual(
			[sent?.method, sent?.url, dropPlatformHeaders(sent?.headers), { json: JSON.parse(sent?.body ?? "") }],
			[request.method, request.url, request.headers, request.body],
		);
	});

	test("code runs repeatedly and leaves no state behind", async () => {
		const code = "globalThis.seen = (globalThis.seen ?? 0) + 1; return input.n * 2 + globalThis.seen;";
		await save("twice", { twice: { component: "code", params: { code, input: { n: "{{input.n}}" } } } });
		assert.equal(await runOutput("twice", { n: 20 }), 41);
		const made = await instances();
		assert.equal(await runOutput("twice", { n: 30 }), 61);
		assert.equal(await instances(), made);
	});

	test("stops an endless loop and serves the next request", async () => {
		await save("endless", { loop: { component: "code", timeout_ms: 300, params: { code: "for (;;) {}" } } });
		const [stopped, served] = await Promise.all([trigger("endless"), trigger("twice", { n: 1 })]);
		assert.equal(stopped.status, 500);
		assert.match(String(stopped.body.error), /time|long/);
		assert.deepEqual([served.status, served.body.data], [200, 3]);
		assert.equal(await runOutput("twice", { n: 2 }), 5);
	});

	test("installs a component from the registry through the binding, runs it and uninstalls it", async () => {
		const { body: market } = await deployment.registry("GET", "/components/slugify");
		const { version, sha256 } = market as { version: string; sha256: string };
		await calls();
		const installed = await call("PUT", "/components/slugify", { version, sha256 });
		assert.equal(installed.status, 201, JSON.stringify(installed.body));
		await save("slug", { slug: { component: "slugify", params: { text: "Über uns & mehr" } } });
		assert.equal(await runOutput("slug"), "uber-uns-mehr");
		assert.deepEqual(
			(await calls()).filter((made) => made.startsWith("REGISTRY")),
			[`REGISTRY GET /components/slugify/${version}`, "REGISTRY POST /components/slugify/installs"],
		);
		await eventually(async () => {
			const { body } = await deployment.registry("GET", "/components/slugify");
			assert.equal(body.downloads, 1);
		});
		const wrong = await call("PUT", "/components/slugify", { version, sha256: "0".repeat(64) });
		assert.equal(wrong.status, 409);
		assert.equal((await call("DELETE", "/components/slugify")).status, 200);
		const gone = await trigger("slug");
		assert.equal(gone.status, 500);
		assert.match(String(gone.body.error), /slugify/);
	});

	test("a trigger with a recipe makes a few extra store calls when nothing is cached, then none", async () => {
		deployment.outside.serve("open.example.com", () => ({ json: {} }));
		const recipe = {
			title: "Open",
			description: "Without a credential",
			auth: null,
			base_url: "https://open.example.com",
			operations: {
				look: {
					title: "Look",
					description: "Looks",
					method: "GET",
					path: "/",
					params: { type: "object" },
					output: { schema: {} },
				},
			},
		};
		const put = await call("PUT", "/recipes/open", recipe);
		assert.equal(put.status, 201, JSON.stringify(put.body));
		await save("open", { look: { component: "open.look" } });
		// Three for the workflow, the record and the namespace's settings, four for the tenant's three kinds and the seeded recipes, four for the vault.
		for (const [name, cold, warm] of [
			["plain", 3, 2],
			["open", 3 + 4, 2],
			["issue", 3 + 4 + 4, 2],
		] as const) {
			await deployment.restart();
			const asked = [await countStoreCalls(name), await countStoreCalls(name)];
			assert.deepEqual([name, ...asked], [name, cold, warm]);
		}
	});

	test("no secret appears in an answer or log line", () => {
		assert.match(deployment.logged(), /"message":"request"/);
		assert.doesNotMatch(deployment.logged(), /"level":"error"/);
		deployment.assertTold(TOKEN, "test-github-token");
	});
});

/** Without the headers that the platform adds. */
const dropPlatformHeaders = (headers: Readonly<Record<string, string>> = {}) =>
	Object.fromEntries(
		Object.entries(headers).filter(([name]) => !["host", "content-length", ...OWN_HEADERS].includes(name)),
	);
