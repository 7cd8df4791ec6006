import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Deployment, startDeployment } from "../../executor/test/deployment.ts";
import { assistant, type Client, type Fields, greeting, logIn, saveWorkflow } from "./assistant.ts";

const BASE_URL = "https://run.example.com";

describe("the MCP server as a worker, for many tenants", () => {
	const OWNER = "the-owner";
	let deployment: Deployment;
	const keys: string[] = [];

	before(async () => {
		deployment = await startDeployment({
			executor: { MULTI_TENANT: "true" },
			mcp: { MULTI_TENANT: "true", MCP_OWNER_NAMESPACE: OWNER, MCP_URL: undefined, BASE_URL },
		});
		await deployment.migrate();
		keys.push(await getKey("one"), await getKey("two"));
	});
	after(() => deployment.close());

	async function getKey(namespace: string): Promise<string> {
		const { body } = await deployment.store("POST", "/partner-keys", {
			body: { namespace },
			tellsSecret: true,
		});
		return String(body.key);
	}

	test("a partner key stands for its tenant, and tenants do not see each other's data", async () => {
		const [one, two] = keys.map((key) => assistant(deployment, key)) as [Client, Client];
		const { body: session } = await one.gui("GET", "/session");
		assert.deepEqual([session.namespace, session.by, session.mode], ["one", "partner", "multi-tenant"]);
		await saveWorkflow(one, greeting("plan"));
		assert.equal((await one.called("run_workflow", { name: "plan" })).data, "hello you");
		const [record] = await deployment.records(1);
		assert.deepEqual([record?.owner, record?.trigger], ["one", "mcp"]);
		const refused = await two.ask("tools/call", { name: "run_workflow", arguments: { name: "plan" } });
		assert.match(refused.result?.content[0]?.text ?? "", /There is no workflow "plan"/);
		assert.deepEqual((await two.gui("GET", "/workflows")).body.workflows, []);
		assert.deepEqual((await two.called("list_recent_executions")).executions, []);
		assert.equal((await two.gui("GET", "/workflows/plan")).status, 404);
	});

	test("a login acts for the owner, who has no key at the executor", async () => {
		const token = await logIn(deployment);
		const owner = assistant(deployment, token);
		const { body: session } = await owner.gui("GET", "/session");
		assert.deepEqual([session.namespace, session.by], [OWNER, "oauth"]);
		const { webhook_url } = await saveWorkflow(owner, greeting("own"));
		// The executor has no BASE_URL here, so the MCP server's is used.
		assert.equal(webhook_url, `${BASE_URL}/webhooks/named/${OWNER}/own/trigger`);
		await owner.called("run_workflow", { name: "own" });
		const owners = (await deployment.records(2)).map(({ owner }) => owner);
		assert.deepEqual(owners.sort(), ["one", OWNER]);
		deployment.assertTold(token);
	});

	test("without MCP_URL the metadata documents name the address of the request", async () => {
		const { body } = await deployment.mcp("GET", "/.well-known/oauth-protected-resource/mcp");
		assert.match(String(body.resource), /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
	});

	test("the executor's public address accepts no plain namespace, and no key without its access token", async () => {
		const list = (headers: Readonly<Record<string, string>>) =>
			deployment.executor("GET", "/webhooks/named", { headers });
		const [key = ""] = keys;
		assert.equal((await list({ "x-service-api-key": "one" })).status, 401);
		assert.equal((await list({ "x-service-api-key": OWNER })).status, 401);
		assert.equal((await list({ "x-service-api-key": key, authorization: "" })).status, 401);
		const { body } = await list({ "x-service-api-key": key });
		assert.deepEqual(
			(body.workflows as Fields[]).map(({ name }) => name),
			["plan"],
		);
	});

	test("no answer or log line contains a key", () => {
		assert.doesNotMatch(deployment.logged(), /"level":"error"/);
		deployment.assertTold(...keys);
	});
});
