import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { ERAS, LEGACY, MODERN } from "../../../test/mcp/wire.ts";
import {
	type Deployment,
	eventually,
	MCP_URL,
	NAMESPACE,
	STATIC_TOKEN,
	startDeployment,
} from "../../executor/test/deployment.ts";
import {
	assistant,
	type Client,
	exchangeCode,
	type Fields,
	findRun,
	greeting,
	logIn,
	requestGrant,
	saveWorkflow,
} from "./assistant.ts";
import { buildHeaders, buildMessage } from "./protocol/asking.ts";

const BASE_URL = "https://run.example.com";

describe("the MCP server as a worker, bound to executor, store and registry", () => {
	let deployment: Deployment;
	let token: string;
	let client: Client;
	const tokens: string[] = [];

	before(async () => {
		deployment = await startDeployment({ mcp: {}, executor: { BASE_URL } });
		assert.equal((await deployment.mcp("GET", "/readyz")).status, 503);
		await deployment.migrate();
		token = await login();
		client = assistant(deployment, token);
	});
	after(() => deployment.close());

	async function login(): Promise<string> {
		const issued = await logIn(deployment);
		tokens.push(issued);
		return issued;
	}

	test("is ready once the store is", async () => {
		assert.equal((await deployment.mcp("GET", "/healthz")).status, 200);
		assert.equal((await deployment.mcp("GET", "/readyz")).status, 200);
	});

	test("points requests without a credential to the login at the public address", async () => {
		const refused = await deployment.mcp("POST", "/mcp", { body: {} });
		assert.equal(refused.status, 401);
		assert.equal(
			refused.headers.get("www-authenticate"),
			`Bearer resource_metadata="${MCP_URL}/.well-known/oauth-protected-resource"`,
		);
		const resource = await deployment.mcp("GET", "/.well-known/oauth-protected-resource");
		assert.deepEqual(
			[resource.body.resource, resource.body.authorization_servers],
			[`${MCP_URL}/mcp`, [MCP_URL]],
		);
		const server = await deployment.mcp("GET", "/.well-known/oauth-authorization-server");
		assert.deepEqual([server.body.issuer, server.body.token_endpoint], [MCP_URL, `${MCP_URL}/token`]);
	});

	test("registers a client and shows a consent page that names the namespace", async () => {
		const registered = await deployment.mcp("POST", "/register", {
			body: { redirect_uris: ["https://claude.ai/api/mcp/auth_callback"], client_name: "Claude" },
			headers: { "content-type": "application/json" },
		});
		assert.equal(registered.status, 201);
		const query = new URLSearchParams({
			response_type: "code",
			client_id: String(registered.body.client_id),
			redirect_uri: "https://claude.ai/api/mcp/auth_callback",
			code_challenge: "c".repeat(43),
			code_challenge_method: "S256",
		});
		const page = await deployment.mcp("GET", `/authorize?${query}`);
		assert.equal(page.status, 200);
		for (const shown of ["Claude", "claude.ai", NAMESPACE]) assert.ok(page.text.includes(shown), shown);
	});

	for (const era of ERAS) {
		test(`${era}: lists and calls tools`, async () => {
			const speaking = assistant(deployment, token, era);
			const { status, result } = await speaking.ask("tools/list");
			assert.equal(status, 200);
			assert.ok(result?.tools.some(({ name }) => name === "list_recent_executions"));
			assert.equal((await speaking.called("get_component", { id: "template" })).id, "template");
		});
	}

	test("saves and runs a workflow, and records its trigger and namespace", async () => {
		const { webhook_url } = await saveWorkflow(client, greeting("greeting"));
		assert.equal(webhook_url, `${BASE_URL}/webhooks/named/${NAMESPACE}/greeting/trigger`);
		const run = await client.called("run_workflow", { name: "greeting", input: { who: "Ada" } });
		assert.equal(run.data, "hello Ada");
		const [record] = await deployment.records(1);
		assert.deepEqual(
			[record?.id, record?.owner, record?.trigger, record?.verdict],
			[run.execution_id, NAMESPACE, "mcp", "success"],
		);
		const listed = await findRun(client, ({ execution_id }) => execution_id === run.execution_id);
		assert.equal(listed.trigger, "mcp");
	});

	test("an exposed workflow is a tool of its own", async () => {
		const input_schema = { type: "object", properties: { who: { type: "string" } }, required: ["who"] };
		await saveWorkflow(client, greeting("hail", { options: { expose: true, input_schema } }));
		const { result } = await client.ask("tools/list");
		const tool = result?.tools.find(({ name }) => name === "run_hail");
		assert.deepEqual(tool?.inputSchema, input_schema);
		assert.equal((await client.called("run_hail", { who: "Bo" })).data, "hello Bo");
	});

	test("the console: session, overview and workflows", async () => {
		const session = (await client.gui("GET", "/session")).body;
		assert.deepEqual(
			[session.namespace, session.by, session.mode, session.oauth, session.mcp_url],
			[NAMESPACE, "oauth", "self-hosted", true, `${MCP_URL}/mcp`],
		);
		const overview = await eventually(async () => {
			const { body } = await client.gui("GET", "/overview?hours=2");
			const hours = body.hours as { success: number }[];
			assert.equal(
				hours.reduce((sum, { success }) => sum + success, 0),
				2,
			);
			return body;
		});
		assert.equal((overview.counts as { workflows: Fields }).workflows.count, 2);
		const { workflows } = (await client.gui("GET", "/workflows")).body as { workflows: Fields[] };
		const found = workflows.find(({ name }) => name === "greeting") ?? {};
		assert.equal(found.webhook_url, `${BASE_URL}/webhooks/named/${NAMESPACE}/greeting/trigger`);
		assert.equal((found.last_execution as Fields).verdict, "success");
	});

	test("the console: stores a credential and never returns its values", async () => {
		const secret = "s3cr3t-of-the-console";
		const put = await client.gui("PUT", "/credentials/signer", {
			auth_recipe: "signing_secret",
			fields: { secret },
		});
		assert.equal(put.status, 201, put.text);
		const { body } = await client.gui("GET", "/credentials");
		assert.deepEqual(
			(body.credentials as Fields[]).map(({ name }) => name),
			["signer"],
		);
		deployment.assertTold(secret);
	});

	test("the console: finds, installs and runs a component of the market", async () => {
		const { body: market } = await client.gui("GET", "/registry/components?q=batches+of+a+list");
		const { id, version, sha256 } = (market.components as Record<string, string>[])[0] ?? {};
		assert.equal(id, "batch_list");
		const installed = await client.gui("PUT", `/components/${id}`, { version, sha256 });
		assert.equal(installed.status, 200, installed.text);
		await saveWorkflow(client, {
			...greeting("batches"),
			config: { hello: { component: "batch_list", items: [1, 2, 3], size: 2 } },
		});
		const run = await client.called("run_workflow", { name: "batches" });
		assert.deepEqual(run.data, [[1, 2], [3]]);
	});

	test("the console's connection check passes", async () => {
		const { body } = await client.gui("POST", "/connect/verify");
		assert.deepEqual(
			(body.checks as Fields[]).filter(({ ok }) => ok !== true),
			[],
		);
		assert.equal(body.origin, MCP_URL);
	});

	test("lists and revokes tokens, and refuses revoked ones", async () => {
		const other = assistant(deployment, await login());
		assert.equal((await other.gui("GET", "/session")).status, 200);
		const list = async () => (await client.gui("GET", "/tokens")).body.tokens as Fields[];
		const issued = await list();
		assert.equal(issued.length, 2);
		const id = issued.find(({ current }) => current === false)?.id;
		assert.equal((await client.gui("DELETE", `/tokens/${id}`)).status, 200);
		assert.equal((await other.gui("GET", "/session")).status, 401);
		assert.deepEqual(
			(await list()).map(({ current }) => current),
			[true],
		);
	});

	test("accepts the static token as the owner and refuses a bare namespace", async () => {
		const { body } = await assistant(deployment, STATIC_TOKEN).gui("GET", "/session");
		assert.deepEqual([body.namespace, body.by], [NAMESPACE, "static"]);
		assert.equal((await assistant(deployment, NAMESPACE).gui("GET", "/session")).status, 401);
	});

	test("of eight concurrent requests with one code, exactly one gets a token", async () => {
		const grant = await requestGrant(deployment);
		const answers = await Promise.all(Array.from({ length: 8 }, () => exchangeCode(deployment, grant)));
		const lost = answers.filter(({ status }) => status !== 200);
		assert.equal(lost.length, 7);
		for (const { status, body } of lost) assert.deepEqual([status, body.error], [400, "invalid_grant"]);
	});

	test("using a code again revokes its token", async () => {
		const grant = await requestGrant(deployment);
		const given = String((await exchangeCode(deployment, grant)).body.access_token);
		tokens.push(given);
		assert.equal((await assistant(deployment, given).gui("GET", "/session")).status, 200);
		assert.equal((await exchangeCode(deployment, grant)).status, 400);
		assert.equal((await assistant(deployment, given).gui("GET", "/session")).status, 401);
	});

	// With progress, and always before 2026-07-28, the response starts before the run ends.
	for (const { name, era, meta } of [
		{ name: "slow", era: MODERN, meta: {} },
		{ name: "slow-with-progress", era: MODERN, meta: { progressToken: 1 } },
		{ name: "slow-in-a-stream", era: LEGACY, meta: { progressToken: 1 } },
	] as const) {
		test(`an assistant that disconnects cancels the run, which is recorded as cancelled: ${name}`, async () => {
			const host = `${name}.example`;
			await saveWorkflow(client, greeting(name, { config: slow(host) }));
			const params = { name: "run_workflow", arguments: { name } };
			const body = buildMessage("tools/call", params, { era, meta });
			const answer = await hangUpDuring(deployment, host, () =>
				send("/mcp", buildHeaders("tools/call", params, era), body),
			);
			const run = await eventually(() => findRun(client, ({ workflow }) => workflow === name));
			answer();
			assert.deepEqual([run.verdict, run.trigger, run.error], ["failed", "mcp", "cancelled"]);
		});
	}

	for (const accept of ["application/json", "text/event-stream"]) {
		test(`closing a page does not cancel a run: ${accept}`, async () => {
			const name = `patient-${accept.length}`;
			await saveWorkflow(client, greeting(name, { config: slow("page.example") }));
			const path = `/gui/workflows/${name}/run`;
			const headers = { "content-type": "application/json", accept };
			const answer = await hangUpDuring(deployment, "page.example", () => send(path, headers, "{}"));
			answer();
			const run = await eventually(() => findRun(client, ({ workflow }) => workflow === name));
			assert.deepEqual([run.verdict, run.trigger], ["success", "console"], String(run.error));
		});
	}

	test("streams the progress of the nodes to the page before the run ends", async () => {
		await saveWorkflow(client, greeting("watched", { config: slow("watched.example") }));
		const answered = Promise.withResolvers<object>();
		deployment.outside.serve("watched.example", () => answered.promise);
		const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
		const response = await deployment.open("mcp", "/gui/workflows/watched/run", headers, "{}");
		assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/);
		let text = "";
		for await (const chunk of response.body ?? []) {
			text += new TextDecoder().decode(chunk);
			if (/"status":"running"/.test(text)) answered.resolve({});
		}
		assert.match(text, /^event: started\n.*\n\nevent: node\n.*"running".*\n\nevent: node\n.*"success"/);
		assert.match(text, /\n\nevent: result\ndata: {"success":true,.*}\n\n$/);
	});

	function send(path: string, headers: Readonly<Record<string, string>>, body: string): () => void {
		const own = { authorization: `Bearer ${token}`, "x-forwarded-proto": "https" };
		return deployment.abandoning("mcp", path, { ...headers, ...own }, body);
	}

	test("the executor's public address requires its access token and trusts no caller as the MCP server", async () => {
		const trigger = "/webhooks/named/greeting/trigger";
		for (const said of ["mcp", "console"]) {
			const headers = { "x-run-trigger": said };
			const without = { body: {}, headers: { ...headers, authorization: "" } };
			assert.equal((await deployment.executor("POST", trigger, without)).status, 401);
			const { body } = await deployment.executor("POST", trigger, { body: {}, headers });
			const run = await eventually(() =>
				findRun(client, ({ execution_id }) => execution_id === body.execution_id),
			);
			assert.equal(run.trigger, "named");
		}
	});

	test("new isolates accept a token issued before, and refuse a revoked one", async () => {
		await deployment.restart();
		const many = ERAS.flatMap((era) => Array.from({ length: 6 }, () => assistant(deployment, token, era)));
		const called = await Promise.all(many.map((each) => each.called("get_component", { id: "template" })));
		assert.ok(called.every(({ id }) => id === "template"));
		assert.equal((await client.called("run_workflow", { name: "greeting" })).data, "hello you");
		const [, revoked = ""] = tokens;
		assert.equal((await assistant(deployment, revoked).gui("GET", "/session")).status, 401);
	});

	test("no answer or log line contains a secret, token or code", () => {
		assert.match(deployment.logged(), /"message":"request"/);
		assert.doesNotMatch(deployment.logged(), /"level":"error"/);
		deployment.assertTold(...tokens);
	});
});

const slow = (host: string) => ({ hello: { component: "http_request", url: `https://${host}/` } });

/** Starts a run that calls the host, and disconnects while the host keeps it waiting; the result releases the host. */
async function hangUpDuring(
	deployment: Deployment,
	host: string,
	send: () => () => void,
): Promise<() => void> {
	const called = Promise.withResolvers<void>();
	const answered = Promise.withResolvers<object>();
	deployment.outside.serve(host, () => {
		called.resolve();
		return answered.promise;
	});
	const hangUp = send();
	await called.promise;
	hangUp();
	await wait(100);
	return () => answered.resolve({});
}
