import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, describe, type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { createMasterKeyText } from "@tripline/platform/master-key";
import { bundleModules } from "../../../test/workerd.ts";
import {
	counted,
	type Deployment,
	eventually,
	getEntryPath,
	NAMESPACE,
	startDeployment,
} from "./deployment.ts";

const buildWorkflow = (name: string, fields: object = {}) => ({
	name,
	description: "says hello",
	triplets: ["input >> then >> hello"],
	config: { hello: { component: "template", text: 'hello {{input.who | default("you")}}' } },
	...fields,
});

const namedTrigger = (name: string) => `/webhooks/named/${NAMESPACE}/${encodeURIComponent(name)}/trigger`;

async function createWebhook(deployment: Deployment): Promise<string> {
	const { status, body } = await deployment.executor("POST", "/webhooks", { body: buildWorkflow("hook") });
	assert.equal(status, 201, JSON.stringify(body));
	return `/webhooks/${body.token}/trigger`;
}

async function save(deployment: Deployment, workflow: object): Promise<void> {
	const { status, body } = await deployment.executor("POST", "/webhooks/named", { body: workflow });
	assert.equal(status, 201, JSON.stringify(body));
}

async function deploy(context: TestContext, executor: Record<string, string | undefined> = {}) {
	const deployment = await startDeployment({ executor });
	context.after(deployment.close);
	await deployment.migrate();
	return deployment;
}

describe("executor, store and registry as three workers", () => {
	let deployment: Deployment;
	let records = 0;

	before(async () => {
		deployment = await startDeployment();
		assert.equal((await deployment.executor("GET", "/readyz")).status, 503);
		await deployment.migrate();
	});
	after(() => deployment.close());

	test("are ready once the database is migrated", async () => {
		assert.equal((await deployment.executor("GET", "/healthz")).status, 200);
		assert.equal((await deployment.executor("GET", "/readyz")).status, 200);
	});

	test("a webhook runs, and its record is in the store's database", async () => {
		const trigger = await createWebhook(deployment);
		const { status, body } = await deployment.executor("POST", trigger, { body: { who: "Ada" } });
		assert.deepEqual([status, body.data], [200, "hello Ada"]);
		const found = (await deployment.records(++records)).find(({ id }) => id === body.execution_id);
		assert.deepEqual(
			[found?.owner, found?.workflow, found?.verdict, found?.trigger],
			[NAMESPACE, trigger.split("/")[2], "success", "webhook"],
		);
	});

	test("a named workflow runs, and its history is read from the store", async () => {
		await save(deployment, buildWorkflow("greeting"));
		const run = await deployment.executor("POST", namedTrigger("greeting"), { body: { who: "Bo" } });
		assert.deepEqual([run.status, run.body.data], [200, "hello Bo"]);
		await deployment.records(++records);
		const { body } = await deployment.executor("GET", "/workflows/greeting/executions");
		const [record] = body.executions as { id: string; trigger: string }[];
		assert.deepEqual([record?.id, record?.trigger], [run.body.execution_id, "named"]);
	});

	test("respond-async accepts at once and runs after the answer", async () => {
		const accepted = await deployment.executor("POST", namedTrigger("greeting"), {
			body: {},
			headers: { prefer: "respond-async" },
		});
		assert.equal(accepted.status, 202);
		const location = accepted.headers.get("location") ?? "";
		assert.equal(location, `/executions/${accepted.body.execution_id}`);
		await eventually(async () =>
			assert.equal((await deployment.executor("GET", location)).body.status, "success"),
		);
		await deployment.records(++records);
	});

	test("a call is checked against the signing secret in the vault", async () => {
		const secret = "s3cr3t-of-the-sender";
		const put = await deployment.executor("PUT", "/credentials/signer", {
			body: { auth_recipe: "signing_secret", fields: { secret } },
		});
		assert.equal(put.status, 201, JSON.stringify(put.body));
		const options = { signature: { scheme: "github", credential: "signer" } };
		await save(deployment, buildWorkflow("signed", { options }));
		const raw = '{ "who": "Cy" }';
		const signature = `sha256=${createHmac("sha256", secret).update(raw).digest("hex")}`;
		const send = (given: string) =>
			deployment.executor("POST", namedTrigger("signed"), { raw, headers: { "x-hub-signature-256": given } });
		assert.equal((await send(signature)).body.data, "hello Cy");
		assert.equal((await send(signature.replace(/.$/, (last) => (last === "0" ? "1" : "0")))).status, 401);
		await deployment.records(++records);
		deployment.assertTold(secret);
	});

	test("a write to the store starts the workflows that listen for it", async () => {
		await save(
			deployment,
			buildWorkflow("on write", { trigger: { type: "event", event: "entry.upserted" } }),
		);
		const note = { owner_id: NAMESPACE, entry_type: "note", page_name: "p", content: "c" };
		assert.equal((await deployment.store("PUT", "/entries", { body: note })).status, 201);
		const found = await deployment.records(++records);
		const started = found.filter(({ trigger }) => trigger === "event");
		assert.deepEqual(
			started.map(({ owner, workflow, verdict }) => [owner, workflow, verdict]),
			[[NAMESPACE, "on write", "success"]],
		);
	});

	test("events of a workflow that queues run one at a time, each in its own invocation", async () => {
		const host = "one-at-a-time.example";
		const order: string[] = [];
		let inProgress = 0;
		let most = 0;
		deployment.outside.serve(host, async (request) => {
			most = Math.max(most, ++inProgress);
			order.push(new URL(request.url).pathname);
			await wait(20);
			inProgress--;
			return {};
		});
		const config = { hello: { component: "http_request", url: `https://${host}/{{input.data}}` } };
		const trigger = { type: "event", event: "order.paid", overlap: "queue" };
		await save(deployment, buildWorkflow("queued", { config, trigger }));
		const count = 40;
		for (let data = 0; data < count; data++) {
			const sent = await deployment.executor("POST", "/events", { body: { type: "order.paid", data } });
			assert.equal(sent.status, 202);
		}
		records += count;
		const found = await deployment.records(records);
		assert.equal(found.filter(({ workflow }) => workflow === "queued").length, count);
		assert.equal(most, 1);
		assert.deepEqual(
			order,
			Array.from({ length: count }, (_, nth) => `/${nth}`),
		);
	});

	test("every triplet of a batch starts its own run, split over several invocations", async () => {
		await save(
			deployment,
			buildWorkflow("on triplet", { trigger: { type: "event", event: "triplet.ingested" } }),
		);
		const count = 150;
		const candidates = Array.from({ length: count }, (_, nth) => ({
			subject: "a",
			predicate: "b",
			object: `${nth}`,
		}));
		const body = { owner_id: NAMESPACE, source: { uri: "u", hash: "h" }, candidates };
		assert.equal((await deployment.store("POST", "/triplets/ingest/batch", { body })).status, 200);
		records += count;
		const found = await deployment.records(records);
		assert.equal(found.filter(({ workflow }) => workflow === "on triplet").length, count);
	});

	test("a due workflow runs once even if the cron fires twice at once", async () => {
		const names = Array.from({ length: 20 }, (_, nth) => `scheduled ${nth}`);
		const trigger = { type: "schedule", cron: "@yearly" };
		await Promise.all(names.map((name) => save(deployment, buildWorkflow(name, { trigger }))));
		const newYear = Date.UTC(new Date().getUTCFullYear(), 0) / 1000;
		const due = `update entries set next_run_at = ${newYear} where schedule is not null`;
		await deployment.sql(due);
		await Promise.all([deployment.cron("executor"), deployment.cron("executor")]);
		records += names.length;
		const found = await deployment.records(records);
		const ran = found.filter(({ trigger }) => trigger === "schedule").map(({ workflow }) => workflow);
		assert.deepEqual(ran.sort(), names.sort());
		assert.match(deployment.logged(), /cron: scanned=20 triggered=[1-9]/);
		// An occurrence that has run does not run again, even if it is due again after a restored backup.
		await deployment.sql(due);
		await deployment.cron("executor");
		assert.match(deployment.logged(), /cron: scanned=20 triggered=0/);
		const left = await deployment.sql(`select 1 from entries where next_run_at = ${newYear}`);
		assert.equal(left.length, 0);
		await deployment.records(records);
	});

	test("one cron starts far more runs than one invocation can", async () => {
		const count = 100;
		const names = Array.from({ length: count }, (_, nth) => `yearly ${nth}`);
		const trigger = { type: "schedule", cron: "@yearly" };
		for (const name of names) await save(deployment, buildWorkflow(name, { trigger }));
		await deployment.sql("update entries set next_run_at = 1000 where page_name like 'yearly %'");
		await deployment.cron("executor");
		records += count;
		const found = await deployment.records(records);
		assert.equal(found.filter(({ workflow }) => workflow.startsWith("yearly")).length, count);
		assert.match(deployment.logged(), /cron: scanned=120 triggered=100/);
	});

	test("the store has its own cron, which deletes expired records", async () => {
		const expired = { owner_id: NAMESPACE, workflow: "w", verdict: "success", duration_ms: 1 };
		const body = { records: [{ ...expired, time: "2026-01-01T00:00:00Z" }] };
		assert.equal((await deployment.store("POST", "/execution-log", { body })).status, 200);
		await deployment.records(records + 1);
		await deployment.sql("update entries set updated_at = created_at where page_name = 'w'");
		await deployment.cron("store");
		await deployment.records(records);
	});

	test("a caller that disconnects does not cancel the run, which is recorded", async () => {
		const host = "slow.example";
		const began = Promise.withResolvers<void>();
		const answered = Promise.withResolvers<object>();
		deployment.outside.serve(host, () => {
			began.resolve();
			return answered.promise;
		});
		const config = { hello: { component: "http_request", url: `https://${host}/` } };
		await save(deployment, buildWorkflow("abandoned", { config }));
		const hangUp = deployment.abandoning("executor", namedTrigger("abandoned"), {}, "");
		await began.promise;
		hangUp();
		await wait(200);
		answered.resolve({});
		const found = await deployment.records(++records);
		const run = found.find(({ workflow }) => workflow === "abandoned");
		assert.equal(run?.verdict, "success");
	});

	test("the internal entry points are not reachable over HTTP", async () => {
		for (const path of [
			"/Runs",
			"/runDue",
			"/runDuePart",
			"/raise",
			"/followMasterKeys",
			"/sweepFiles",
			"/Runs/raise",
		]) {
			for (const method of ["GET", "POST"]) {
				const { status, body } = await deployment.executor(
					method,
					path,
					method === "POST" ? { body: {} } : {},
				);
				assert.deepEqual([status, body], [404, { error: "not found" }], `${method} ${path}`);
			}
		}
	});

	test("no secret appears in an answer or log line", () => {
		assert.match(deployment.logged(), /"message":"request"/);
		assert.doesNotMatch(deployment.logged(), /"level":"error"/);
		deployment.assertTold();
	});
});

describe("a misconfigured deployment", () => {
	test("without MASTER_KEY is not ready and says why; workflows without credentials run", async (context) => {
		const deployment = await deploy(context, { MASTER_KEY: undefined });
		assert.equal((await deployment.executor("GET", "/readyz")).status, 503);
		const put = await deployment.executor("PUT", "/credentials/c", {
			body: { auth_recipe: "signing_secret", fields: { secret: "the-secret" } },
		});
		assert.deepEqual(
			[put.status, put.body.error],
			[503, "credentials cannot be used: MASTER_KEY is not set: set it to 32 random bytes in base64"],
		);
		const run = await deployment.executor("POST", await createWebhook(deployment), { body: {} });
		assert.equal(run.status, 200);
		await deployment.cron("executor");
		assert.match(deployment.logged(), /"master keys cannot be used".*MASTER_KEY is not set/);
		deployment.assertTold("the-secret");
	});

	test("with a STORE_INTERNAL_TOKEN that differs from the store's is not ready and says why", async (context) => {
		const wrong = "not-the-token-of-the-store";
		const deployment = await deploy(context, { STORE_INTERNAL_TOKEN: wrong });
		assert.equal((await deployment.executor("GET", "/readyz")).status, 503);
		const { status, body } = await deployment.executor("POST", namedTrigger("any"), { body: {} });
		assert.equal(status, 503);
		assert.match(String(body.error), /set the same STORE_INTERNAL_TOKEN for both/);
		const run = await deployment.executor("POST", await createWebhook(deployment), { body: {} });
		assert.equal(run.status, 200);
		deployment.assertTold(wrong);
	});

	test("without a bucket saves no workflow that uses files, and says how to get one; others run", async (context) => {
		const deployment = await startDeployment({ hasFiles: false });
		context.after(deployment.close);
		await deployment.migrate();
		const trigger = { type: "webhook", accept: ["json", "files"] };
		const refused = await deployment.executor("POST", "/webhooks/named", {
			body: buildWorkflow("upload", { trigger }),
		});
		assert.equal(refused.status, 400);
		const [diagnostic] = refused.body.diagnostics as { code: string; path: string; hint: string }[];
		assert.deepEqual([diagnostic?.code, diagnostic?.path], ["unavailable", "trigger.accept"]);
		assert.match(diagnostic?.hint ?? "", /Enable R2 in the Cloudflare dashboard and run tripline update/);
		const folder = { config: { hello: { component: "folder", action: "list", path: "/srv" } } };
		const validated = await deployment.executor("POST", "/workflows/validate", {
			body: buildWorkflow("folder", { version: "1", ...folder }),
		});
		const [problem] = validated.body.diagnostics as { path: string; hint: string }[];
		assert.deepEqual([validated.body.valid, problem?.path], [false, "config.hello.component"]);
		assert.match(problem?.hint ?? "", /only a self-hosted service on Node has folders/);
		const query = { config: { hello: { component: "sql_query", credential: "shop", sql: "select 1" } } };
		const checked = await deployment.executor("POST", "/workflows/validate", {
			body: buildWorkflow("query", { version: "1", ...query }),
		});
		const [unavailable] = checked.body.diagnostics as { code: string; message: string }[];
		assert.deepEqual(
			[checked.body.valid, unavailable?.code, unavailable?.message],
			[false, "unavailable", "sql_query is not available on Cloudflare"],
		);
		const mail = { component: "email_send", credential: "mail", from: "a@b.c", to: "a@b.c", text: "x" };
		const sending = await deployment.executor("POST", "/workflows/validate", {
			body: buildWorkflow("sending", { version: "1", config: { hello: mail } }),
		});
		assert.match(JSON.stringify(sending.body.diagnostics), /email_send is not available on Cloudflare/);
		await save(deployment, buildWorkflow("greeting"));
		assert.equal((await deployment.executor("POST", namedTrigger("greeting"), { body: {} })).status, 200);
	});

	test("in self-hosted mode without SERVICE_ACCESS_TOKEN refuses all management, because its address is public", async (context) => {
		const deployment = await deploy(context, { SERVICE_ACCESS_TOKEN: undefined });
		for (const path of ["/webhooks", "/webhooks/named"]) {
			assert.equal((await deployment.executor("POST", path, { body: buildWorkflow("w") })).status, 401);
		}
	});
});

test("limits anonymous webhooks by the address that the platform reports", async (context) => {
	const deployment = await deploy(context, { MULTI_TENANT: "true", SERVICE_ACCESS_TOKEN: undefined });
	const make = async (address: string) => {
		const headers = { "x-service-api-key": "", "cf-connecting-ip": address };
		return (await deployment.executor("POST", "/webhooks", { body: buildWorkflow("hook"), headers })).status;
	};
	for (let nth = 0; nth < 30; nth++) assert.equal(await make("192.0.2.7"), 201);
	assert.deepEqual([await make("192.0.2.7"), await make("192.0.2.8")], [429, 201]);
});

test("the cron wraps the vault under the next master key and says when it may be used", async (context) => {
	const deployment = await deploy(context, { MASTER_KEY_NEXT: createMasterKeyText() });
	const put = await deployment.executor("PUT", "/credentials/c", {
		body: { auth_recipe: "signing_secret", fields: { secret: "the-secret" } },
	});
	assert.equal(put.status, 201);
	await deployment.cron("executor");
	assert.match(deployment.logged(), /master keys: next key may be used/);
	const keys = await deployment.sql<{ page_name: string; wraps: number }>(
		`select page_name, json_array_length(metadata_json, '$.wraps') as wraps from entries
		where entry_type = 'vault_key' order by page_name`,
	);
	assert.deepEqual(keys, [
		{ page_name: "data-key:1", wraps: 2 },
		{ page_name: "key-check", wraps: 2 },
	]);
});

test("an ordinary trigger needs few requests and statements", async (context) => {
	const deployment = await startDeployment({ entries: counted });
	context.after(deployment.close);
	await deployment.migrate();
	const trigger = await createWebhook(deployment);
	await save(deployment, buildWorkflow("greeting"));
	await deployment.executor("GET", "/readyz");
	const measure = async (work: () => Promise<unknown>, records: number) => {
		await Promise.all([deployment.executor("GET", "/counted"), deployment.store("GET", "/counted")]);
		await work();
		await eventually(async () =>
			assert.equal(
				(await deployment.sql("select 1 from entries where entry_type = 'execution_log'")).length,
				records,
			),
		);
		const { body } = await deployment.executor("GET", "/counted");
		const { statements } = (await deployment.store("GET", "/counted")).body;
		return { ...body, statements };
	};
	const record = "STORE POST /execution-log";
	assert.deepEqual(await measure(() => deployment.executor("POST", trigger, { body: {} }), 1), {
		// The namespace's settings are read once a minute, after the response.
		calls: ["KV getWithMetadata", "STORE GET /entries", record],
		statements: 4,
	});
	assert.deepEqual(
		await measure(() => deployment.executor("POST", namedTrigger("greeting"), { body: {} }), 2),
		{ calls: ["STORE GET /entries", record], statements: 4 },
	);
	assert.deepEqual(await measure(() => deployment.cron("executor"), 2), {
		calls: [
			"STORE GET /schedules/due",
			"RUNS followMasterKeys",
			"STORE GET /entries",
			"RUNS sweepFiles",
			"STORE POST /files/sweep",
			"RUNS sweepKept",
			"D1 all",
			"D1 all",
		],
		statements: 4,
	});
});

for (const service of ["executor", "store", "registry"] as const) {
	test(`the ${service}'s modules stay under the size limit of the free plan`, async () => {
		const modules = await bundleModules(getEntryPath(service), { minify: true });
		const bytes = modules.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0);
		assert.ok(bytes < 3_000_000, `${bytes} bytes`);
	});
}
