import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { bundleModules, startWorkers } from "../../../test/workerd.ts";
import {
	counted,
	eventually,
	getEntryPath,
	OWNER_SECRET,
	STATIC_TOKEN,
	startDeployment,
} from "../../executor/test/deployment.ts";
import {
	assistant,
	exchangeCode,
	type Fields,
	type Grant,
	greeting,
	requestGrant,
	saveWorkflow,
} from "./assistant.ts";

test("says which binding or secret is missing; everything else works", async (context) => {
	const away = async () => new Response(null, { status: 503 });
	const worker = (name: string, secrets: Readonly<Record<string, string>>, kv: string[]) => ({
		name,
		entry: getEntryPath("mcp"),
		flags: [],
		bindings: { MULTI_TENANT: "false", MCP_STATIC_TOKEN: STATIC_TOKEN, ...secrets },
		kv,
		answers: { STORE: away, EXECUTOR: away, REGISTRY: away },
	});
	const { miniflare, getUrl } = await startWorkers([
		worker("no-storage", { MCP_OWNER_SECRET: OWNER_SECRET }, []),
		worker("no-secret", {}, ["OAUTH_KV"]),
	]);
	context.after(() => miniflare.dispose());
	const headers = { authorization: `Bearer ${STATIC_TOKEN}` };
	for (const [name, missing] of [
		["no-storage", "OAUTH_KV"],
		["no-secret", "MCP_OWNER_SECRET"],
	] as const) {
		const url = await getUrl(name);
		const page = await fetch(`${url}/authorize`);
		assert.deepEqual([page.status, (await page.text()).includes(missing)], [503, true], name);
		const session = await fetch(`${url}/gui/session`, { headers });
		assert.deepEqual([session.status, ((await session.json()) as Fields).oauth], [200, false], name);
	}
	const storageless = await getUrl("no-storage");
	assert.equal((await fetch(`${storageless}/token`, { method: "POST" })).status, 503);
	assert.equal((await fetch(`${storageless}/gui/tokens`, { headers })).status, 503);
});

const RECORDS = "select 1 from entries where entry_type = 'execution_log'";
const CREDENTIAL = "KV get token";

test("requests need few calls to other workers and to storage", async (context) => {
	const deployment = await startDeployment({ mcp: {}, entries: counted });
	context.after(deployment.close);
	await deployment.migrate();
	const counters = () =>
		Promise.all(
			(["mcp", "executor", "store"] as const).map((worker) => deployment[worker]("GET", "/counted")),
		);
	let value: unknown;
	/** The credential check: one in five seconds. */
	let looks = 0;
	const countDuring = async (
		work: () => Promise<unknown>,
		ended: () => Promise<unknown> = async () => {},
	) => {
		await counters();
		value = await work();
		await ended();
		const [mcp, executor, store] = await counters();
		const calls = mcp?.body.calls as string[];
		looks = calls.filter((call) => call === CREDENTIAL).length;
		return [calls.filter((call) => call !== CREDENTIAL), executor?.body.calls, store?.body.statements];
	};

	assert.deepEqual(await countDuring(() => requestGrant(deployment)), [
		[
			"STORE GET /entries",
			"STORE POST /entries",
			"STORE GET /entries",
			"STORE DELETE /entries/{id}",
			"KV put code",
		],
		[],
		5,
	]);
	const grant = value as Grant;
	assert.deepEqual(await countDuring(() => exchangeCode(deployment, grant)), [
		["KV get code", "STORE PUT /entries", "KV delete code", "KV put token", "STORE PUT /entries"],
		[],
		3,
	]);
	const client = assistant(deployment, (value as { body: { access_token: string } }).body.access_token);
	const tools = () => client.ask("tools/list");
	const listed = ["STORE GET /entries", "KV list"];
	for (const expected of [1, 0]) {
		assert.deepEqual(await countDuring(tools), [["EXECUTOR GET /webhooks/named"], listed, 1]);
		assert.equal(looks, expected);
	}
	const component = () => client.called("get_component", { id: "template" });
	await component();
	assert.deepEqual(await countDuring(component), [["EXECUTOR GET /components/template"], [], 0]);
	await saveWorkflow(client, greeting("greeting"));
	assert.deepEqual(
		await countDuring(
			() => client.called("run_workflow", { name: "greeting" }),
			() => eventually(async () => assert.equal((await deployment.sql(RECORDS)).length, 1)),
		),
		[
			["EXECUTOR POST /webhooks/named/greeting/trigger"],
			// The namespace's settings are read once a minute, after the response.
			["STORE GET /entries", "STORE GET /entries", "STORE POST /execution-log"],
			5,
		],
	);
	assert.deepEqual(await countDuring(() => client.called("list_recent_executions")), [
		["EXECUTOR GET /executions"],
		["STORE GET /execution-log"],
		1,
	]);
	assert.deepEqual(await countDuring(() => client.gui("GET", "/overview")), [
		[
			"STORE GET /execution-log/summary",
			"STORE GET /execution-log",
			"STORE GET /schedules/upcoming",
			"STORE GET /usage",
		],
		[],
		6,
	]);
});

test("the MCP server's modules fit the size limit of the free plan", async () => {
	const modules = await bundleModules(getEntryPath("mcp"), { minify: true });
	const bytes = modules.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0);
	assert.ok(bytes < 3_000_000, `${bytes} bytes`);
});
