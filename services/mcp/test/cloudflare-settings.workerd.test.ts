import assert from "node:assert/strict";
import { after, before, describe, type TestContext, test } from "node:test";
import {
	type Deployment,
	eventually,
	NAMESPACE,
	type ServiceName,
	STATIC_TOKEN,
	startDeployment,
} from "../../executor/test/deployment.ts";

/** An invalid setting for each worker, and the error it causes. */
const BAD: Readonly<Record<ServiceName, readonly [name: string, value: string, problem: string]>> = {
	executor: ["MULTI_TENANT", "CANARY", "must be true or false"],
	store: [
		"EMBED_MODEL",
		"canary-model",
		"is set without EMBED_URL: set the server's address too, or leave EMBED_MODEL unset",
	],
	registry: ["REGISTRY_ADMIN_TOKEN", "canary", "must have at least 16 characters"],
	mcp: ["MCP_TOKEN_TTL", "30", "must be a whole number from 60 to 31536000"],
};

const PATHS: Readonly<Record<ServiceName, readonly (readonly [method: string, path: string])[]>> = {
	executor: [
		["GET", "/workflows"],
		["POST", "/webhooks/some-token/trigger"],
		["GET", "/q/acme/any"],
	],
	store: [
		["GET", "/entries"],
		["POST", "/search"],
	],
	registry: [
		["GET", "/components"],
		["POST", "/submissions"],
	],
	mcp: [
		["POST", "/mcp"],
		["OPTIONS", "/mcp"],
		["GET", "/authorize"],
		["GET", "/.well-known/oauth-authorization-server"],
		["GET", "/console/"],
	],
};
const EVERYWHERE = [
	["GET", "/healthz"],
	["HEAD", "/healthz"],
	["GET", "/readyz"],
	["GET", "/openapi.json"],
	["DELETE", "/nothing/is/here"],
] as const;

const buildError = (service: ServiceName): string => {
	const [name, , problem] = BAD[service];
	return `${name} ${problem}`;
};

const listVariables = (service: ServiceName) => {
	const [name, value] = BAD[service];
	return { [name]: value };
};

/** The log lines with a message, without the time. */
const listLines = (deployment: Deployment, message: string): object[] =>
	deployment
		.logged()
		.split("\n")
		.filter((line) => line.includes(`"message":"${message}"`))
		.map((line) => {
			const { time, ...rest } = JSON.parse(line) as Record<string, unknown>;
			assert.equal(typeof time, "string");
			return rest;
		});

const unusable = (deployment: Deployment) => listLines(deployment, "a setting cannot be used");

async function deploy(
	context: TestContext,
	options: Parameters<typeof startDeployment>[0],
): Promise<Deployment> {
	const deployment = await startDeployment(options);
	context.after(deployment.close);
	await deployment.migrate();
	return deployment;
}

describe("workers with an invalid setting", () => {
	let deployment: Deployment;

	before(async () => {
		deployment = await startDeployment({
			executor: listVariables("executor"),
			store: listVariables("store"),
			registry: listVariables("registry"),
			mcp: listVariables("mcp"),
		});
	});
	after(() => deployment.close());

	for (const service of ["executor", "store", "registry", "mcp"] as const) {
		test(`the ${service} answers 503 to every request, names the setting and logs it`, async () => {
			const paths = [...PATHS[service], ...EVERYWHERE];
			for (const [method, path] of paths) {
				const headers = { "x-request-id": "trace-7" };
				const answer = await deployment[service](method, path, { headers });
				const about = `${method} ${path}: ${answer.text}`;
				assert.equal(answer.status, 503, about);
				assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8", about);
				assert.equal(answer.headers.get("retry-after"), "60", about);
				assert.equal(answer.headers.get("x-request-id"), "trace-7", about);
				if (method === "HEAD") assert.equal(answer.text, "");
				else assert.deepEqual(JSON.parse(answer.text), { error: buildError(service) }, about);
			}
			const line = { level: "error", message: "a setting cannot be used", error: buildError(service) };
			await eventually(async () => {
				const own = unusable(deployment).filter((each) => JSON.stringify(each) === JSON.stringify(line));
				assert.equal(own.length, paths.length);
			});
		});
	}

	for (const service of ["executor", "store"] as const) {
		test(`a cron of the ${service} fails and logs it`, async () => {
			const before = unusable(deployment).length;
			await assert.rejects(deployment.cron(service), /the cron trigger ended with exception/);
			await eventually(async () => {
				const [line, ...others] = unusable(deployment).slice(before);
				assert.deepEqual(line, {
					level: "error",
					message: "a setting cannot be used",
					error: buildError(service),
				});
				assert.deepEqual(others, []);
			});
		});
	}

	test("no answer or log line contains a value", () => {
		assert.doesNotMatch(deployment.logged(), /canary/i);
		deployment.assertTold();
	});
});

test("the executor tells the other workers which of its settings is invalid", async (context) => {
	const deployment = await deploy(context, { executor: listVariables("executor"), mcp: {} });
	const headers = { authorization: `Bearer ${STATIC_TOKEN}` };
	const asked = await deployment.mcp("GET", "/gui/workflows", { headers });
	assert.equal(asked.status, 503);
	assert.ok(String(asked.body.error).includes(buildError("executor")), asked.text);
	const listener = {
		owner_id: NAMESPACE,
		entry_type: "workflow",
		page_name: "on write",
		content: "",
		metadata_json: JSON.stringify({ config: { trigger: { type: "event", event: "entry.*" } } }),
	};
	const note = { owner_id: NAMESPACE, entry_type: "note", page_name: "p", content: "c" };
	for (const body of [listener, note])
		assert.equal((await deployment.store("PUT", "/entries", { body })).status, 201);
	await eventually(async () => {
		const [failed] = listLines(deployment, "background work failed") as { error: string }[];
		assert.ok(failed?.error.includes(buildError("executor")), String(failed?.error));
	});
	assert.doesNotMatch(deployment.logged(), /canary/i);
});

test("reports a variable that is not text", async (context) => {
	const MULTI_TENANT = false as unknown as string;
	const deployment = await deploy(context, { executor: { MULTI_TENANT } });
	const { status, body } = await deployment.executor("GET", "/healthz");
	assert.deepEqual([status, body], [503, { error: "MULTI_TENANT must be text: put its value in quotes" }]);
});

test("an invalid master key stops only what needs a credential", async (context) => {
	const deployment = await deploy(context, { executor: { MASTER_KEY: "canary-key" } });
	assert.equal((await deployment.executor("GET", "/healthz")).status, 200);
	assert.equal((await deployment.executor("GET", "/readyz")).status, 503);
	const put = await deployment.executor("PUT", "/credentials/c", {
		body: { auth_recipe: "signing_secret", fields: { secret: "the-secret" } },
	});
	assert.deepEqual(
		[put.status, put.body.error, put.headers.get("retry-after")],
		[503, "credentials cannot be used: MASTER_KEY is not a master key: it must be 32 bytes in base64", "60"],
	);
	await deployment.cron("executor");
	const [line] = listLines(deployment, "master keys cannot be used") as { level: string; error: string }[];
	assert.equal(line?.level, "error");
	assert.match(line?.error ?? "", /MASTER_KEY is not a master key/);
	assert.doesNotMatch(deployment.logged(), /canary/);
});

describe("workers with empty settings", () => {
	let deployment: Deployment;

	before(async () => {
		deployment = await startDeployment({
			executor: { MULTI_TENANT: "false", RUN_TIMEOUT_MS: "", SERVICE_ACCESS_TOKEN: "", MASTER_KEY_NEXT: "" },
			store: { EMBED_URL: "", EMBED_MODEL: "", NAMESPACE: "" },
			registry: { SERVICE_ACCESS_TOKEN: "", REGISTRY_STATS_SECONDS: "" },
			mcp: { MCP_STATIC_TOKEN: "", MCP_TOKEN_TTL: "", MCP_OWNER_SECRET: "", MCP_ALLOWED_REDIRECT_HOSTS: "" },
		});
		await deployment.migrate();
	});
	after(() => deployment.close());

	test("run as if the settings were not set", async () => {
		for (const service of ["executor", "store", "registry", "mcp"] as const)
			assert.equal((await deployment[service]("GET", "/readyz")).status, 200, service);
	});

	test("an empty token authenticates nobody", async () => {
		for (const authorization of ["", "Bearer", "Bearer ", "Bearer undefined"]) {
			const sent = { body: {}, headers: { authorization } };
			assert.equal((await deployment.executor("POST", "/webhooks", sent)).status, 401);
			assert.equal((await deployment.registry("POST", "/submissions", sent)).status, 401);
			assert.equal((await deployment.mcp("POST", "/mcp", sent)).status, 401);
		}
	});

	test("an empty owner secret still disables login", async () => {
		assert.equal((await deployment.mcp("GET", "/authorize")).status, 503);
	});

	test("each logs once which settings it treats as unset", async () => {
		for (const service of ["executor", "store", "registry", "mcp"] as const)
			await deployment[service]("GET", "/healthz");
		const told = listLines(deployment, "empty settings are taken as unset");
		const names = told.map((line) => (line as { settings: string[] }).settings);
		assert.deepEqual(names.sort(), [
			["MCP_STATIC_TOKEN", "MCP_TOKEN_TTL"],
			["NAMESPACE", "EMBED_URL", "EMBED_MODEL"],
			["SERVICE_ACCESS_TOKEN", "REGISTRY_STATS_SECONDS"],
			["SERVICE_ACCESS_TOKEN", "RUN_TIMEOUT_MS"],
		]);
		assert.ok(told.every((line) => (line as { level: string }).level === "info"));
	});
});

test("the store's worker serves nobody without a token or with an empty one", async (context) => {
	const deployment = await deploy(context, { store: { STORE_INTERNAL_TOKEN: "" } });
	for (const authorization of ["", "Bearer", "Bearer ", "Bearer undefined"])
		assert.equal((await deployment.store("GET", "/entries", { headers: { authorization } })).status, 401);
});
