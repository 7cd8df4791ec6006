import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { RunResult } from "@tripline/contract/workflows";
import { postgresStatement } from "@tripline/platform/sql";
import { openPostgres } from "@tripline/platform/sql.postgres";
import { temporaryFolder } from "../../apps/node/test/process.ts";
import { startOidc } from "../oidc.ts";
import { type PostgresServer, startPostgres } from "../postgres.ts";
import { createBrowser } from "../security/browser.ts";
import { bundleServiceOnce } from "../service-bundle.ts";
import {
	accept,
	call,
	callJson,
	eventually,
	listQuestions,
	readDetail,
	save,
	startOutside,
	startProcesses,
	startTwo,
	trigger,
	waitForEnd,
} from "./deployment.ts";

const ECHO = {
	triplets: ["input >> then >> echo"],
	config: { echo: { component: "set", values: "{{input}}" } },
};

const get = (url: string) => ({ component: "http_request", method: "GET", url });

/** How long it may take until another process continues what one that was killed has left. */
const MAX_TAKEOVER_MS = 20_000;

describe("several processes on one PostgreSQL", () => {
	let server: PostgresServer;
	before(async () => {
		server = await startPostgres();
	});
	after(() => server.stop());

	test("what one has saved, changed or deleted holds in the other at once", async (context) => {
		const [one, other] = await startTwo(context, server);
		await save(one, "echo", ECHO);
		const first = RunResult.parse(await (await trigger(other, "echo", { n: 1 })).json());
		assert.deepEqual(first.data, { n: 1 });
		await save(other, "echo", { ...ECHO, config: { echo: { component: "set", values: { changed: true } } } });
		const second = RunResult.parse(await (await trigger(one, "echo")).json());
		assert.deepEqual(second.data, { changed: true });
		assert.equal((await call(other, "DELETE", "/webhooks/named/echo")).status, 200);
		assert.equal((await trigger(one, "echo")).status, 404);
	});

	test("the trace and the data of a run are found by whichever process is asked", async (context) => {
		const [one, other] = await startTwo(context, server);
		await save(one, "echo", ECHO);
		const { execution_id: id } = RunResult.parse(await (await trigger(one, "echo", { secret: 7 })).json());
		const detail = await readDetail(other, id);
		assert.deepEqual(
			detail.nodes?.map(({ id: node }) => node),
			(await readDetail(one, id)).nodes?.map(({ id: node }) => node),
		);
		const mine = await callJson(one, "GET", `/executions/${id}/data`);
		assert.deepEqual(await callJson(other, "GET", `/executions/${id}/data`), mine);
		assert.equal((await call(other, "DELETE", `/executions/${id}/data`)).status, 204);
		assert.equal((await call(one, "GET", `/executions/${id}/data`)).status, 404);
	});

	test("a limit on calls counts those of all processes", async (context) => {
		const [one, other] = await startTwo(context, server, { RATE_LIMIT_PER_MINUTE: "20" });
		await save(one, "echo", ECHO);
		for (let n = 0; n < 20; n++) assert.equal((await trigger(one, "echo")).status, 200);
		await eventually(async () => assert.equal((await trigger(other, "echo")).status, 429));
	});

	test("the runs of a process that is killed continue in another, without a completed step again", async (context) => {
		const outside = await startOutside(context);
		const [one, other] = await startTwo(context, server, outside.settings);
		await save(one, "steps", {
			triplets: ["input >> then >> first", "first >> then >> second", "second >> then >> third"],
			config: {
				first: get(`${outside.url}/first`),
				second: get(`${outside.url}/second?ms=1500`),
				third: get(`${outside.url}/third`),
			},
		});
		const id = await accept(one, "steps");
		await eventually(async () => assert.equal(outside.count("/second"), 1));
		one.child.kill("SIGKILL");
		const killed = performance.now();
		await eventually(async () => assert.equal(outside.count("/second"), 2), MAX_TAKEOVER_MS + 5_000);
		const ms = performance.now() - killed;
		assert.ok(ms < MAX_TAKEOVER_MS, `continued after ${Math.round(ms)} ms`);
		const { verdict } = await waitForEnd(other, id);
		assert.equal(verdict, "success");
		assert.equal(outside.count("/first"), 1);
		assert.equal(outside.count("/third"), 1);
		context.diagnostic(`continued after ${Math.round(ms)} ms`);
	});

	test("a run that loses the database goes on in its process when that is back", async (context) => {
		const outside = await startOutside(context);
		const [one] = await startTwo(context, server, outside.settings);
		await save(one, "steps", {
			triplets: ["input >> then >> first", "first >> then >> second", "second >> then >> third"],
			config: {
				first: get(`${outside.url}/first`),
				second: get(`${outside.url}/second?ms=1000`),
				third: get(`${outside.url}/third`),
			},
		});
		const id = await accept(one, "steps");
		await eventually(async () => assert.equal(outside.count("/second"), 1));
		await server.crash();
		// It gets its answer, and cannot record it.
		await wait(2_000);
		await server.restart();
		assert.equal((await waitForEnd(one, id)).verdict, "success");
		assert.deepEqual(
			["/first", "/second", "/third"].map((path) => outside.count(path)),
			[1, 2, 1],
		);
	});

	test("the runs of a process that is stopped continue in another at once", async (context) => {
		const outside = await startOutside(context);
		const [one, other] = await startTwo(context, server, outside.settings);
		await save(one, "steps", {
			triplets: ["input >> then >> list", "list >> FOREACH n >> step"],
			config: {
				list: { component: "foreach", items: Array.from({ length: 20 }, (_, n) => n), concurrency: 1 },
				step: get(`${outside.url}/step/{{n}}?ms=100`),
			},
		});
		const id = await accept(one, "steps");
		await eventually(async () => assert.equal(outside.count("/step/2"), 1));
		one.child.kill("SIGTERM");
		assert.equal((await one.exited()).code, 0);
		assert.equal((await waitForEnd(other, id)).verdict, "success");
		for (let n = 0; n < 20; n++) assert.equal(outside.count(`/step/${n}`), 1, `step ${n}`);
	});

	test("an answer that another process gets reaches the run at once, whether it is in a process or not", async (context) => {
		const outside = await startOutside(context);
		const [one, other] = await startTwo(context, server, outside.settings);
		const ask = { component: "ask", question: "Go on?", expires: "1 day" };
		await save(one, "alone", {
			triplets: ["input >> then >> ask", "ask >> then >> after"],
			config: { ask, after: get(`${outside.url}/alone`) },
		});
		await save(one, "beside", {
			triplets: ["input >> then >> ask", "input >> then >> slow", "ask >> then >> after"],
			config: { ask, slow: get(`${outside.url}/slow?ms=8000`), after: get(`${outside.url}/beside`) },
		});
		for (const [name, path] of [
			["alone", "/alone"],
			["beside", "/beside"],
		] as const) {
			const id = await accept(one, name);
			const question = await eventually(async () => {
				const found = (await listQuestions(other)).find(({ execution_id }) => execution_id === id);
				assert.ok(found !== undefined);
				return found;
			});
			const answered = performance.now();
			const where = `/questions/${id}/${question.id}/answer`;
			await callJson(other, "POST", where, { body: { answer: { approved: true } } });
			await eventually(async () => assert.equal(outside.count(path), 1), 6_000);
			assert.ok(performance.now() - answered < 5_000, name);
		}
	});

	test("of a workflow that runs once at a time, callers at several processes take turns", async (context) => {
		const outside = await startOutside(context);
		const [one, other] = await startTwo(context, server, outside.settings);
		await save(one, "single", {
			triplets: ["input >> then >> step"],
			config: { step: get(`${outside.url}/single?ms=100`) },
			options: { concurrency: 1 },
		});
		const started = performance.now();
		const answers = await Promise.all(
			Array.from({ length: 10 }, (_, n) => trigger(n % 2 === 0 ? one : other, "single")),
		);
		assert.deepEqual(
			answers.map(({ status }) => status),
			Array(10).fill(200),
		);
		const ms = performance.now() - started;
		assert.ok(ms >= 1_000, `they ran beside each other: ${Math.round(ms)} ms`);
		assert.ok(ms < 8_000, `they waited for a poll: ${Math.round(ms)} ms`);
	});

	test("an occurrence of a schedule runs once, however many processes there are", async (context) => {
		const outside = await startOutside(context);
		const [first] = await startProcesses(context, server, { count: 3, settings: outside.settings });
		await save(first, "clockwork", {
			triplets: ["input >> then >> step"],
			config: { step: get(`${outside.url}/occurrence`) },
			trigger: { type: "schedule", cron: "* * * * *" },
		});
		const untilNext = 60_000 - (Date.now() % 60_000);
		await wait(untilNext + 3_000);
		assert.equal(outside.count("/occurrence"), 1);
	});

	test("a process goes on beside one of a newer version, whose tables have more columns", async (context) => {
		const schema = "newer_version";
		const settings = { DATABASE_SCHEMA: schema };
		const [old] = await startProcesses(context, server, { count: 1, settings });
		await save(old, "echo", ECHO);
		const id = await accept(old, "echo");
		await waitForEnd(old, id);
		const database = await openPostgres(server.url, { schema });
		context.after(() => database.close());
		const tables = ["store.entries", "store.templates", "store.counters", "kv.kv"];
		const changes = [
			...tables.map((table) => `alter table ${schema}_${table} add column newer text`),
			`insert into ${schema}_store.migrations (version, name) values (10000, 'newer')`,
		];
		await database.write(changes.map((text) => postgresStatement(text)));
		for (let n = 0; n < 3; n++) assert.equal((await trigger(old, "echo", { n })).status, 200);
		await save(old, "echo", { ...ECHO, config: { echo: { component: "set", values: { changed: true } } } });
		await waitForEnd(old, await accept(old, "echo"));
		assert.equal((await call(old, "GET", "/readyz")).status, 200);
		assert.equal((await call(old, "GET", "/executions")).status, 200);
	});

	test("the token of a sign-in is renewed by one of them, for the runs of all", async (context) => {
		const oidc = await startOidc();
		context.after(() => oidc.close());
		const [one, other] = await startTwo(context, server, { ALLOW_PRIVATE_HOSTS: oidc.host });
		oidc.register(`${one.publicUrl}/oauth/callback/oidc`);
		await callJson(one, "PUT", "/auth-recipes/oidc", { body: oidc.recipe });
		await callJson(other, "PUT", "/credentials/me", { body: oidc.credential });
		const config = { ask: { ...get(`${oidc.issuer}/me`), credential: "me" } };
		await save(other, "me", { triplets: ["input >> then >> ask"], config });
		const { url } = (await callJson(one, "POST", "/credentials/me/sign-in")) as { url: string };
		const browser = createBrowser();
		await browser.open(url);
		await browser.submit({});
		await browser.submit({ prompt: "login", login: "ada", password: "any" });
		assert.match(await browser.submit({ prompt: "consent" }), /<h1>Signed in<\/h1>/);
		for (const process of [one, other]) assert.equal((await trigger(process, "me")).status, 200);
		for (let nth = 1; nth <= 3; nth++) {
			await oidc.accessTokens.at(-1)?.destroy();
			const runs = Array.from({ length: 40 }, (_, index) => trigger(index % 2 === 0 ? one : other, "me"));
			assert.deepEqual(new Set((await Promise.all(runs)).map(({ status }) => status)), new Set([200]));
			assert.equal(oidc.countRefreshes(), nth);
		}
	});

	test("the vault's commands work while several processes use it", async (context) => {
		const settings = {
			DATABASE_URL: server.url,
			DATABASE_SCHEMA: "vault_commands",
			MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
			MCP_OWNER_SECRET: "the owner's long secret",
			DATA_DIR: temporaryFolder(context),
		};
		const [one, other] = await startTwo(context, server, settings);
		const credential = { auth_recipe: "signing_secret", fields: { secret: "s".repeat(40) } };
		await callJson(one, "PUT", "/credentials/hook", { body: credential });
		const vault = async (command: string) => {
			const program = join(await bundleServiceOnce(), "vault.js");
			const options = { env: settings, cwd: settings.DATA_DIR };
			return (await promisify(execFile)(process.execPath, [program, command], options)).stdout;
		};
		assert.match(await vault("status"), /master key: the setting MASTER_KEY\n1 credentials, 1 tenants/);
		assert.match(await vault("rotate"), /1 credentials of 1 tenants are under new data keys/);
		await assert.rejects(vault("rekey"), /set MASTER_KEY_NEXT/);
		assert.equal((await call(other, "GET", "/credentials")).status, 200);
	});

	test("while the database is away calls get 503 with Retry-After, and afterwards all is well", async (context) => {
		const [one, other] = await startTwo(context, server);
		await save(one, "echo", ECHO);
		await server.crash();
		const refused = await trigger(other, "echo");
		assert.equal(refused.status, 503, await refused.clone().text());
		assert.ok(Number(refused.headers.get("retry-after")) > 0);
		await server.restart();
		for (const each of [one, other])
			await eventually(async () => assert.equal((await trigger(each, "echo")).status, 200));
	});
});
