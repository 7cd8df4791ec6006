import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Machine, startMachine } from "./machine.ts";

const run = promisify(execFile);
const WRANGLER = join(fileURLToPath(import.meta.resolve("wrangler/package.json")), "../bin/wrangler.js");

/** A worker with static files, uploaded by the provider's own client. */
const TINY = {
	"wrangler.json": JSON.stringify({
		name: "tiny",
		main: "main.mjs",
		compatibility_date: "2026-07-01",
		workers_dev: true,
		assets: {
			directory: "public",
			binding: "ASSETS",
			run_worker_first: true,
			html_handling: "none",
			not_found_handling: "none",
		},
	}),
	"main.mjs": `export default {
	fetch: (request, env) =>
		new URL(request.url).pathname === "/" ? new Response("the worker") : env.ASSETS.fetch(request),
};`,
	"public/page.html": "<h1>hello</h1>\n",
	"public/styles/main.css": "body { margin: 0 }\n",
};

describe("a deployment as the provider's own command line sees it", () => {
	const root = mkdtempSync(join(tmpdir(), "tripline-wrangler-"));
	const project = join(root, "project");
	let machine: Machine;

	before(async () => {
		for (const folder of ["home", "project/public/styles"])
			mkdirSync(join(root, folder), { recursive: true });
		for (const [path, text] of Object.entries(TINY)) writeFileSync(join(project, path), text);
		// Wrangler checks the registry for a newer version; this address does not answer.
		writeFileSync(join(root, "home/.npmrc"), "registry=http://127.0.0.1:1/\n");
		machine = await startMachine({ maxPerBucket: 1 });
		const { code, err } = await machine.cli(["init"]);
		assert.equal(code, 0, err);
	});
	after(() => rmSync(root, { recursive: true, force: true }));

	/** Runs wrangler with its own home folder and without telemetry. */
	async function wrangler(argv: readonly string[], cwd = join(root, "home")): Promise<string> {
		const { CLOUDFLARE_API_BASE_URL, CLOUDFLARE_ACCOUNT_ID, CLOUDFLARE_API_TOKEN } = machine.env;
		const env = {
			PATH: process.env.PATH,
			HOME: join(root, "home"),
			XDG_CONFIG_HOME: join(root, "home/.config"),
			TMPDIR: root,
			CI: "1",
			NO_COLOR: "1",
			WRANGLER_SEND_METRICS: "false",
			WRANGLER_SEND_ERROR_REPORTS: "false",
			CLOUDFLARE_API_BASE_URL,
			CLOUDFLARE_ACCOUNT_ID,
			CLOUDFLARE_API_TOKEN,
		};
		const { stdout } = await run(process.execPath, [WRANGLER, ...argv], { cwd, env, timeout: 60_000 });
		return stdout;
	}
	const json = async <Rows>(...argv: string[]) => JSON.parse(await wrangler(argv)) as Rows;
	const text = async (script: string, path: string) => {
		const url = `https://${script}.${machine.standIn.state().subdomain}.workers.dev${path}`;
		return (await machine.fetch(new Request(url))).text();
	};

	test("the token and its account", async () => {
		const said = await wrangler(["whoami"]);
		assert.match(said, /logged in with an User API Token/);
		assert.ok(said.includes(machine.standIn.accountId));
	});

	test("versions, deployments and secrets of a worker", async () => {
		const named = ["--name", "tripline-mcp", "--json"];
		const versions = await json<{ id: string; metadata: object }[]>("versions", "list", ...named);
		const deployments = await json<{ versions: { version_id: string }[] }[]>("deployments", "list", ...named);
		assert.ok(versions.length >= 2);
		assert.equal(deployments.at(-1)?.versions[0]?.version_id, versions.at(-1)?.id);
		const secrets = await json<{ name: string }[]>("secret", "list", "--name", "tripline-mcp");
		assert.deepEqual(secrets.map(({ name }) => name).sort(), ["MCP_OWNER_SECRET", "STORE_INTERNAL_TOKEN"]);
		const seen = await wrangler(["versions", "view", versions.at(-1)?.id ?? "", "--name", "tripline-mcp"]);
		for (const binding of ["OAUTH_KV", "EXECUTOR", "ASSETS", "MCP_URL"])
			assert.ok(seen.includes(binding), seen);
	});

	test("namespaces, their keys and values", async () => {
		const namespaces = await json<{ id: string; title: string }[]>("kv", "namespace", "list");
		assert.deepEqual(
			namespaces.map(({ title }) => title.replace("tripline-", "")),
			["COMPONENTS_KV", "SUBMISSIONS_KV", "STATS_KV", "WORKFLOWS_KV", "OAUTH_KV"],
		);
		const { id = "" } = namespaces.find(({ title }) => title.endsWith("OAUTH_KV")) ?? {};
		const there = ["--namespace-id", id, "--remote"];
		await wrangler(["kv", "key", "put", "a/key with more", "a value", ...there]);
		assert.deepEqual(await json("kv", "key", "list", ...there), [{ name: "a/key with more" }]);
		assert.equal(await wrangler(["kv", "key", "get", "a/key with more", ...there]), "a value");
	});

	test("the databases, their tables and the index", async () => {
		const databases = await json<{ name: string }[]>("d1", "list", "--json");
		assert.deepEqual(
			databases.map(({ name }) => name),
			["tripline-store", "tripline-executor"],
		);
		const sql = "select count(*) as entries from entries; select 1 as one";
		const answer = await json<{ results: object[]; success: boolean }[]>(
			...["d1", "execute", "tripline-store", "--remote", "--json", "--command", sql],
		);
		assert.ok(answer.every(({ success }) => success));
		assert.deepEqual(answer[1]?.results, [{ one: 1 }]);
		const indexes = await json<{ name: string; config: object }[]>("vectorize", "list", "--json");
		assert.deepEqual(
			indexes.map(({ name, config }) => [name, config]),
			[["tripline-store", { dimensions: 1024, metric: "cosine" }]],
		);
	});

	test("the bucket of files", async () => {
		assert.match(await wrangler(["r2", "bucket", "list"]), /^name: +tripline-files$/m);
		await wrangler(["r2", "bucket", "create", "another"]);
		assert.equal(machine.standIn.state().buckets.length, 2);
	});

	test("deploys, changes and rolls back a worker with files", async () => {
		assert.match(await wrangler(["deploy"], project), /Uploaded 2 of 2 assets/);
		assert.equal(await text("tiny", "/"), "the worker");
		assert.equal(await text("tiny", "/page.html"), TINY["public/page.html"]);
		assert.equal(await text("tiny", "/styles/main.css"), TINY["public/styles/main.css"]);
		assert.equal(await text("tiny", "/none.html"), "");
		writeFileSync(join(project, "public/page.html"), "<h1>changed</h1>\n");
		assert.match(await wrangler(["deploy", "--message", "second"], project), /\+ \/page\.html\n/);
		assert.equal(await text("tiny", "/page.html"), "<h1>changed</h1>\n");
		assert.match(await wrangler(["versions", "list"], project), /Message: +second/);
		await wrangler(["rollback", "--yes", "--message", "back"], project);
		assert.equal(await text("tiny", "/page.html"), TINY["public/page.html"]);
	});

	test("the deployment was not changed", async () => {
		assert.match((await machine.cli(["update"])).out, /4 unchanged/);
	});
});
