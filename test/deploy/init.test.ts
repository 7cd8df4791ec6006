import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { type Machine, startMachine } from "./machine.ts";
import { connectAssistant } from "./owner.ts";

const MAX_REPEATED_CALLS = 22;
const GREET = `name: greet
description: Says hello
version: "1"
triplets:
  - input >> ON_SUCCESS >> hello
config:
  hello:
    component: template
    text: "Hello {{input.name}}"
`;

describe("a deployment that init created from scratch", () => {
	let machine: Machine;
	let first: Awaited<ReturnType<Machine["cli"]>>;
	/** The output of all commands. */
	let printed = "";
	before(async () => {
		machine = await startMachine({ mostPerPage: 2 });
		first = await runCli(["init"]);
	});

	async function runCli(...call: Parameters<Machine["cli"]>): ReturnType<Machine["cli"]> {
		const answer = await machine.cli(...call);
		printed += answer.out + answer.err;
		return answer;
	}

	const listBindings = (worker: string) =>
		Object.fromEntries(
			(machine.standIn.state().scripts.find(({ name }) => name === worker)?.bindings ?? []).map((binding) => {
				const { name, type, text, service, entrypoint } = binding as Record<string, string>;
				return [name, [type, text ?? service, entrypoint].filter((part) => part !== undefined).join(" ")];
			}),
		);

	test("has four workers with their bindings, one of them private", () => {
		assert.equal(first.code, 0, first.err + first.out);
		assert.deepEqual(listBindings("tripline-store"), {
			STORE_DB: "d1",
			VECTORIZE: "vectorize",
			AI: "ai",
			EXECUTOR: "service tripline-executor Runs",
			MULTI_TENANT: "plain_text false",
			NAMESPACE: "plain_text default",
			STORE_INTERNAL_TOKEN: "secret_text",
		});
		assert.deepEqual(listBindings("tripline-registry"), {
			COMPONENTS_KV: "kv_namespace",
			SUBMISSIONS_KV: "kv_namespace",
			STATS_KV: "kv_namespace",
			SERVICE_ACCESS_TOKEN: "secret_text",
			REGISTRY_ADMIN_TOKEN: "secret_text",
		});
		assert.deepEqual(listBindings("tripline-executor"), {
			WORKFLOWS_KV: "kv_namespace",
			EXECUTOR_DB: "d1",
			FILES: "r2_bucket",
			STORE: "service tripline-store",
			REGISTRY: "service tripline-registry",
			RUNS: "service tripline-executor Runs",
			MULTI_TENANT: "plain_text false",
			BASE_URL: `plain_text ${machine.url("executor")}`,
			STORE_INTERNAL_TOKEN: "secret_text",
			MASTER_KEY: "secret_text",
			SERVICE_ACCESS_TOKEN: "secret_text",
		});
		assert.deepEqual(listBindings("tripline-mcp"), {
			OAUTH_KV: "kv_namespace",
			STORE: "service tripline-store",
			EXECUTOR: "service tripline-executor Internal",
			REGISTRY: "service tripline-registry",
			MULTI_TENANT: "plain_text false",
			NAMESPACE: "plain_text default",
			BASE_URL: `plain_text ${machine.url("executor")}`,
			MCP_URL: `plain_text ${machine.url("mcp")}`,
			ASSETS: "assets",
			STORE_INTERNAL_TOKEN: "secret_text",
			MCP_OWNER_SECRET: "secret_text",
		});
		const { scripts } = machine.standIn.state();
		assert.deepEqual(
			scripts.map(({ name, isPublic, crons }) => [name, isPublic, crons]),
			[
				["tripline-store", false, ["* * * * *"]],
				["tripline-registry", true, []],
				["tripline-executor", true, ["* * * * *"]],
				["tripline-mcp", true, []],
			],
		);
	});

	test("has each namespace, database, index, bucket and secret once, and a subdomain", () => {
		const { namespaces, databases, indexes, buckets, subdomain, scripts } = machine.standIn.state();
		assert.deepEqual(
			namespaces.map(({ title }) => title.replace("tripline-", "")),
			["COMPONENTS_KV", "SUBMISSIONS_KV", "STATS_KV", "WORKFLOWS_KV", "OAUTH_KV"],
		);
		assert.deepEqual([databases.length, indexes.length], [2, 1]);
		assert.deepEqual(
			buckets.map(({ name }) => name),
			["tripline-files"],
		);
		assert.match(subdomain ?? "", /^tripline-[0-9a-f]{8}$/);
		const secrets = machine.secrets();
		for (const script of scripts)
			for (const [name, text] of Object.entries(script.secrets))
				assert.equal(text, secrets[name], `${script.name} ${name}`);
	});

	test("was seeded by one call, and got no other requests than readiness checks", () => {
		const asked = machine.visits.filter((visit) => !visit.endsWith(" /readyz"));
		assert.deepEqual(asked, ["POST tripline-executor /init/seed"]);
	});

	test("was seeded with the API recipes and the auth recipes", async () => {
		const parts = await runCli(["parts", "search", "--source", "recipe", "--json"]);
		const sources = (parts.json as { parts: { source: string }[] }).parts.map(({ source }) => source);
		assert.ok(sources.length > 50 && sources.every((source) => source === "recipe"), parts.out);
		const { json } = await runCli(["auth-recipe", "list", "--json"]);
		const ids = (json as { auth_recipes: { id: string }[] }).auth_recipes.map(({ id }) => id);
		assert.ok(ids.includes("bearer_token") && ids.includes("signing_secret"), ids.join());
	});

	test("is in the project's and the user's config, and its addresses and the next step are printed", () => {
		const settings = {
			base_url: machine.url("executor"),
			mcp_url: machine.url("mcp"),
			registry_url: machine.url("registry"),
			account_id: machine.standIn.accountId,
		};
		for (const path of [
			join(machine.cwd, "tripline.json"),
			join(machine.home, ".config/tripline/config.json"),
		])
			assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), settings);
		for (const url of [settings.base_url, `${settings.mcp_url}/mcp`, settings.registry_url])
			assert.ok(first.out.includes(url), first.out);
		assert.match(first.out, /^Next: tripline push/m);
	});

	test("accepts a workflow, runs it by its URL, and records the run", async () => {
		const pushed = await runCli(["push", "greet.yaml"], { files: { "greet.yaml": GREET } });
		assert.equal(pushed.code, 0, pushed.err);
		const url = /curl -X POST '([^']+)'/.exec(pushed.out)?.[1] ?? "";
		assert.equal(url, `${machine.url("executor")}/webhooks/named/default/greet/trigger`);
		const answer = await machine.fetch(new Request(url, { method: "POST", body: '{"name":"Ada"}' }));
		assert.equal(((await answer.json()) as { data: string }).data, "Hello Ada");
		const ran = await runCli(["run", "greet", "--input", '{"name":"Grace"}']);
		assert.equal(ran.out, "Hello Grace\n");
		const { out } = await runCli(["executions", "greet"]);
		assert.equal(out.match(/\bsuccess\b/g)?.length, 2, out);
	});

	test("passes mcp-setup --verify", async () => {
		const { code, out } = await runCli(["mcp-setup", "--verify"]);
		assert.equal(code, 0, out);
		assert.doesNotMatch(out, /^wrong/m);
		const { mcpServers } = JSON.parse(readFileSync(join(machine.cwd, ".mcp.json"), "utf8"));
		assert.equal(mcpServers.tripline.url, `${machine.url("mcp")}/mcp`);
	});

	test("accepts the owner's assistant by the owner secret, and runs tools for it", async () => {
		const assistant = await connectAssistant(machine, machine.secrets().MCP_OWNER_SECRET ?? "");
		const { tools } = await assistant.listTools();
		assert.ok(tools.length > 10);
		const ran = await assistant.callTool({
			name: "run_workflow",
			arguments: { name: "greet", input: { name: "Ada" } },
		});
		assert.match(JSON.stringify(ran), /Hello Ada/);
		await assistant.close();
	});

	test("is not changed by a second init with flags, which makes few calls", async () => {
		const state = machine.standIn.state();
		const calls = machine.standIn.calls.length;
		const visits = machine.visits.length;
		const { CLOUDFLARE_ACCOUNT_ID: account = "", CLOUDFLARE_API_TOKEN: token = "" } = machine.env;
		// A token may begin with a dash, which only this form allows.
		const { code, err } = await runCli(["init", "--account-id", account, `--api-token=${token}`], {
			env: { CLOUDFLARE_ACCOUNT_ID: "", CLOUDFLARE_API_TOKEN: "" },
		});
		assert.equal(code, 0, err);
		assert.ok(machine.standIn.calls.length - calls <= MAX_REPEATED_CALLS);
		assert.deepEqual(machine.standIn.state(), state);
		assert.deepEqual(machine.writes(calls), []);
		assert.ok(machine.visits.slice(visits).every((visit) => visit.endsWith(" /readyz")));
	});

	test("has its secrets only in a private file", () => {
		const folder = join(machine.home, "..");
		const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
			.map((file) => join(folder, file))
			.filter((path) => statSync(path).isFile());
		const texts = new Map(files.map((path) => [path, readFileSync(path, "utf8")]));
		assert.ok(texts.size >= 4, [...texts.keys()].join());
		const { CLOUDFLARE_API_TOKEN: token = "" } = machine.env;
		for (const text of texts.values()) assert.ok(!text.includes(token));
		const secrets = Object.values(machine.secrets());
		assert.equal(secrets.length, 5);
		for (const secret of [token, ...secrets]) assert.ok(secret.length >= 32 && !printed.includes(secret));
		const holding = [...texts].filter(([, text]) => secrets.some((secret) => text.includes(secret)));
		assert.deepEqual(
			holding.map(([path]) => [path.includes("/deployments/"), statSync(path).mode & 0o777]),
			[[true, 0o600]],
		);
	});

	test("logs no secret", () => {
		const lines = machine.standIn.lines().join("\n");
		for (const secret of Object.values(machine.secrets())) assert.ok(!lines.includes(secret));
	});
});
