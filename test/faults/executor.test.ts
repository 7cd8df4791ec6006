import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { EntryPage } from "@tripline/contract/entries";
import { ExecutionPage } from "@tripline/contract/execution-log";
import { AcceptedRun, CreatedWebhook, SavedWorkflow, WorkflowList } from "@tripline/contract/executor";
import { RunResult } from "@tripline/contract/workflows";
import { type Started, start, temporaryFolder } from "../../apps/node/test/process.ts";
import { type Platform, platforms, type Target } from "../conformance/platforms.ts";
import { createClient, forEachItem, tenant } from "../security/client.ts";

const OWNER = "faults";
const TENANT = { "x-service-api-key": OWNER };
const ASYNC = { prefer: "respond-async" };
const QUIET = { LOG_LEVEL: "silent" };

const node = (settings: object, fields: object = {}) => ({
	triplets: ["input >> ON_SUCCESS >> only"],
	config: { only: settings },
	...fields,
});
const createNamed = (name: string, settings: object) => ({
	name,
	description: "",
	version: "1",
	...node(settings),
});
const ECHO = { component: "set", values: "{{input}}" };

/** Waits a moment, so that a kill interrupts it, then writes its own page. */
const SLOW_WRITE = {
	triplets: ["input >> ON_SUCCESS >> pause", "pause >> ON_SUCCESS >> write"],
	config: {
		pause: { component: "wait", ms: 40 },
		write: { component: "kb_upsert", page_name: "{{input.page}}", content: "{{execution.id}}" },
	},
};

const post = (url: string, path: string, body: object = {}, headers: Readonly<Record<string, string>> = {}) =>
	fetch(url + path, { method: "POST", headers: { ...TENANT, ...headers }, body: JSON.stringify(body) });

async function createWebhook(url: string, body: object): Promise<string> {
	const made = await post(url, "/webhooks", body);
	const { token } = CreatedWebhook.parse(await made.json());
	return `/webhooks/${token}/trigger`;
}

async function listEntries(storeUrl: string, entry_type: string) {
	const entries: EntryPage["entries"] = [];
	let cursor: string | null = null;
	do {
		const query = new URLSearchParams({
			owner_id: OWNER,
			entry_type,
			limit: "1000",
			...(cursor && { cursor }),
		});
		const listed = await fetch(`${storeUrl}/entries?${query}`);
		const page = EntryPage.parse(await listed.json());
		entries.push(...page.entries);
		cursor = page.next_cursor;
	} while (cursor !== null);
	return entries;
}

async function eventually(what: string, check: () => Promise<boolean>, maxWaitMs = 20_000): Promise<void> {
	const until = Date.now() + maxWaitMs;
	while (!(await check())) {
		assert.ok(Date.now() < until, `not in time: ${what}`);
		await wait(50);
	}
}

/** Runs clients until the service is killed. Returns what was acknowledged. */
async function callUntilKilled(clients: number, call: (nth: string) => Promise<boolean>): Promise<string[]> {
	const acknowledged: string[] = [];
	const work = async (client: number) => {
		for (let count = 0; ; count++) {
			const nth = `${client}-${count}`;
			try {
				if (!(await call(nth))) return;
				acknowledged.push(nth);
			} catch {
				return;
			}
		}
	};
	await Promise.all(Array.from({ length: clients }, (_, client) => work(client)));
	return acknowledged;
}

/** Kills the service after a number of acknowledged calls, independent of the machine's speed. */
function killer(service: Started, minCalls: number): () => void {
	let left = minCalls + Math.floor(Math.random() * minCalls);
	return () => {
		if (--left === 0) setTimeout(() => service.child.kill("SIGKILL"), Math.random() * 15);
	};
}

function assertIntact(cwd: string): void {
	for (const file of ["store.db", "kv.db", "executor.db"]) {
		const database = new DatabaseSync(join(cwd, "data", file));
		try {
			assert.equal(database.prepare("pragma integrity_check").get()?.integrity_check, "ok", file);
		} finally {
			database.close();
		}
	}
}

describe("kill -9", () => {
	test("every accepted run runs at least once, and its input is deleted afterwards", async (context) => {
		const cwd = temporaryFolder(context);
		const accepted: string[] = [];
		const setUp = await start(context, QUIET, cwd);
		const path = await createWebhook(setUp.publicUrl, SLOW_WRITE);
		await post(setUp.publicUrl, "/workflows", {
			name: "slow",
			description: "",
			version: "1",
			...SLOW_WRITE,
		});
		setUp.child.kill("SIGKILL");
		await setUp.exited();
		for (let round = 0; round < 3; round++) {
			const service = await start(context, QUIET, cwd);
			const acknowledge = killer(service, 12);
			const pages = await callUntilKilled(8, async (nth) => {
				const page = `${round}-${nth}`;
				const isNamed = nth.endsWith("1");
				const to = isNamed ? "/webhooks/named/slow/trigger" : path;
				const answer = await post(service.publicUrl, to, { page, marker: `input-of-${page}` }, ASYNC);
				if (answer.status !== 202) return false;
				AcceptedRun.parse(await answer.json());
				acknowledge();
				return true;
			});
			accepted.push(...pages.map((nth) => `${round}-${nth}`));
			await service.exited();
		}
		assert.ok(accepted.length >= 36, `only ${accepted.length} runs were accepted`);
		const last = await start(context, QUIET, cwd);
		await eventually("every accepted run has run", async () => {
			const pages = new Set((await listEntries(last.storeUrl, "note")).map(({ page_name }) => page_name));
			return accepted.every((page) => pages.has(page));
		});
		await eventually("every accepted run has ended", async () => {
			const runs = await listEntries(last.storeUrl, "accepted_run");
			return runs.every(({ metadata_json }) => JSON.parse(metadata_json).status === "success");
		});
		const runs = JSON.stringify(await listEntries(last.storeUrl, "accepted_run"));
		assert.ok(!runs.includes("input-of-"), "an ended run still has its input");
		last.child.kill("SIGTERM");
		assert.equal((await last.exited()).code, 0);
		assertIntact(cwd);
		context.diagnostic(`${accepted.length} accepted runs over 3 kills, none lost`);
	});

	test("a workflow that runs one at a time goes on at once, in order", async (context) => {
		const cwd = temporaryFolder(context);
		const service = await start(context, QUIET, cwd);
		const pause = { component: "wait", ms: "{{input.ms | default(40)}}" };
		await post(service.publicUrl, "/workflows", {
			name: "queued",
			description: "",
			version: "1",
			...SLOW_WRITE,
			config: { ...SLOW_WRITE.config, pause },
			options: { concurrency: 1 },
		});
		const path = "/webhooks/named/queued/trigger";
		const called = post(service.publicUrl, path, { page: "lost", ms: 20_000 }).catch(() => "killed");
		await eventually(
			"the call runs",
			async () => (await listEntries(service.storeUrl, "run_lease")).length > 0,
		);
		const pages = Array.from({ length: 12 }, (_, nth) => `page ${nth}`);
		for (const page of pages)
			assert.equal((await post(service.publicUrl, path, { page }, ASYNC)).status, 202);
		service.child.kill("SIGKILL");
		assert.equal(await called, "killed");
		await service.exited();
		const last = await start(context, QUIET, cwd);
		const listPages = async () =>
			(await listEntries(last.storeUrl, "note")).map(({ page_name }) => page_name).toReversed();
		// Sooner than the lease of the killed run ends.
		await eventually("every run has ended", async () => (await listPages()).length === pages.length);
		assert.deepEqual(await listPages(), pages);
	});

	test("a run accepted while the clock was a year ahead runs at the next start", async (context) => {
		const cwd = temporaryFolder(context);
		const service = await start(context, QUIET, cwd);
		const path = await createWebhook(service.publicUrl, SLOW_WRITE);
		const answer = await post(service.publicUrl, path, { page: "late" }, ASYNC);
		assert.equal(answer.status, 202);
		service.child.kill("SIGKILL");
		await service.exited();
		const database = new DatabaseSync(join(cwd, "data", "store.db"));
		const { changes } = database
			.prepare("update entries set next_run_at = next_run_at + 31536000 where entry_type = 'accepted_run'")
			.run();
		database.close();
		assert.equal(changes, 1);
		const next = await start(context, QUIET, cwd);
		await eventually("the run has ended", async () => {
			const runs = await listEntries(next.storeUrl, "accepted_run");
			return runs.every(({ metadata_json }) => JSON.parse(metadata_json).status === "success");
		});
		assert.deepEqual(
			(await listEntries(next.storeUrl, "note")).map(({ page_name }) => page_name),
			["late"],
		);
	});

	test("under load no acknowledged webhook or workflow is lost, and the service starts again", async (context) => {
		const cwd = temporaryFolder(context);
		const tokens: string[] = [];
		const names: string[] = [];
		let triggered = 0;
		let slowestStart = 0;
		for (let round = 0; round < 3; round++) {
			const began = performance.now();
			const service = await start(context, QUIET, cwd);
			slowestStart = Math.max(slowestStart, performance.now() - began);
			const known = await createWebhook(service.publicUrl, node(ECHO));
			const acknowledge = killer(service, 10);
			const url = service.publicUrl;
			await Promise.all([
				callUntilKilled(4, async (nth) => {
					const made = await post(url, "/webhooks", node(ECHO, { description: nth }));
					tokens.push(CreatedWebhook.parse(await made.json()).token);
					return true;
				}),
				callUntilKilled(4, async (nth) => {
					const made = await post(url, "/webhooks/named", createNamed(`${round}-${nth}`, ECHO));
					names.push(SavedWorkflow.parse(await made.json()).name);
					acknowledge();
					return true;
				}),
				callUntilKilled(16, async () => {
					const ran = await post(url, known, { a: 1 });
					assert.deepEqual(RunResult.parse(await ran.json()).data, { a: 1 });
					triggered++;
					return true;
				}),
			]);
			await service.exited();
		}
		assert.ok(tokens.length > 5 && names.length >= 30 && triggered > 20);
		const last = await start(context, QUIET, cwd);
		const listed = await fetch(`${last.publicUrl}/webhooks/named`, { headers: TENANT });
		const kept = new Set(WorkflowList.parse(await listed.json()).workflows.map(({ name }) => name));
		assert.deepEqual(
			names.filter((name) => !kept.has(name)),
			[],
		);
		for (const token of tokens) {
			const ran = await post(last.publicUrl, `/webhooks/${token}/trigger`, { token });
			assert.equal(ran.status, 200, await ran.clone().text());
			assert.deepEqual(RunResult.parse(await ran.json()).data, { token });
		}
		last.child.kill("SIGTERM");
		assert.equal((await last.exited()).code, 0);
		assertIntact(cwd);
		context.diagnostic(
			`${tokens.length} webhooks, ${names.length} workflows and ${triggered} runs over 3 kills, none lost; slowest start ${Math.round(slowestStart)} ms`,
		);
	});
});

describe("SIGTERM", () => {
	test("lets calls and effects that have begun finish, and the next process goes on with accepted runs", async (context) => {
		const cwd = temporaryFolder(context);
		const held: ServerResponse[] = [];
		const outside = createServer((_, response) => void held.push(response)).listen(0, "127.0.0.1");
		context.after(() => outside.close());
		await once(outside, "listening");
		const { port } = outside.address() as AddressInfo;
		const settings = { ...QUIET, ALLOW_PRIVATE_HOSTS: `127.0.0.1:${port}` };
		const service = await start(context, settings, cwd);
		const url = service.publicUrl;
		const hold = { component: "http_request", url: `http://127.0.0.1:${port}` };
		const path = await createWebhook(url, node(hold));
		const waited = Array.from({ length: 20 }, () => post(url, path));
		const accepted = await Promise.all(Array.from({ length: 5 }, () => post(url, path, {}, ASYNC)));
		const begun = waited.length + accepted.length;
		await eventually("all runs have begun", async () => held.length === begun);
		service.child.kill("SIGTERM");
		const takesNoMoreCalls = () =>
			fetch(`${url}/healthz`).then(
				() => false,
				() => true,
			);
		await eventually("no more calls are taken", takesNoMoreCalls);
		for (const response of held) response.end("{}");
		const answered: string[] = [];
		for (const answer of await Promise.all(waited)) {
			assert.equal(answer.status, 200);
			answered.push(RunResult.parse(await answer.json()).execution_id);
		}
		const lastAnswer = performance.now();
		assert.deepEqual(await service.exited(), { code: 0, signal: null });
		context.diagnostic(`ended ${Math.round(performance.now() - lastAnswer)} ms after the last answer`);

		const next = await start(context, settings, cwd);
		const ids = await Promise.all(
			accepted.map(async (each) => AcceptedRun.parse(await each.json()).execution_id),
		);
		await eventually("a record of each run", async () => {
			const records = await listExecutions(next.storeUrl);
			assert.ok(records.every(({ verdict }) => verdict === "success"));
			const recorded = new Set(records.map(({ id }) => id));
			assert.ok(answered.every((id) => recorded.has(id)));
			return ids.every((id) => recorded.has(id));
		});
		assert.equal(held.length, begun, "no effect is repeated");
	});
});

describe("overload", () => {
	test("at ten times the capacity accepted calls finish, the rest get Retry-After, and the service recovers", async (context) => {
		const [atOnce, queued] = [4, 4];
		const service = await start(context, {
			...QUIET,
			MAX_CONCURRENT_RUNS: String(atOnce),
			MAX_QUEUED_RUNS: String(queued),
		});
		const path = await createWebhook(service.publicUrl, node({ component: "wait", ms: 300 }));
		const quick = await createWebhook(service.publicUrl, node(ECHO));
		const answers = await Promise.all(
			Array.from({ length: 10 * (atOnce + queued) }, () => post(service.publicUrl, path)),
		);
		const accepted = answers.filter(({ status }) => status === 200);
		const refused = answers.filter(({ status }) => status === 503);
		assert.equal(accepted.length + refused.length, answers.length);
		assert.ok(accepted.length >= atOnce + queued, `${accepted.length} were accepted`);
		assert.ok(refused.length >= answers.length / 2, `${refused.length} were refused`);
		for (const answer of accepted) assert.equal(RunResult.parse(await answer.json()).success, true);
		for (const answer of refused) {
			assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
			assert.match(((await answer.json()) as { error: string }).error, /too many runs/);
		}
		const after = await Promise.all(
			Array.from({ length: atOnce }, () => post(service.publicUrl, quick, { a: 1 })),
		);
		assert.deepEqual(
			after.map(({ status }) => status),
			[200, 200, 200, 200],
		);
		const executions = async () => (await listExecutions(service.storeUrl)).length;
		await eventually("a record of each run", async () => (await executions()) === accepted.length + atOnce);
	});
});

describe("an event storm", () => {
	/** Emits 40 events for each event: 40, then 1,600, then 64,000 runs. */
	const STORM = {
		name: "storm",
		description: "",
		version: "1",
		trigger: { type: "event", event: "ping" },
		triplets: ["input >> then >> each", "each >> for each item >> tell"],
		config: {
			each: { component: "foreach", items: Array.from({ length: 40 }, (_, nth) => nth), concurrency: 8 },
			tell: { component: "emit_event", type: "ping" },
		},
	};

	test("ends by itself, leaves places for other tenants, and leaves nothing behind after a restart", async (context) => {
		const cwd = temporaryFolder(context);
		const settings = { ...QUIET, MAX_CONCURRENT_RUNS: "8", EXECUTION_LOG_DAILY_WRITE_LIMIT: "1000000" };
		const first = await start(context, settings, cwd);
		await post(first.publicUrl, "/workflows", STORM);
		const other = { "x-service-api-key": "another" };
		await post(first.publicUrl, "/workflows", createNamed("echo", ECHO), other);
		assert.equal((await post(first.publicUrl, "/events", { type: "ping" })).status, 202);
		let slowest = 0;
		for (let nth = 0; nth < 40; nth++) {
			const began = performance.now();
			const ran = await post(first.publicUrl, "/webhooks/named/echo/trigger", { nth }, other);
			slowest = Math.max(slowest, performance.now() - began);
			assert.equal(ran.status, 200);
			await wait(25);
		}
		first.child.kill("SIGKILL");
		await first.exited();
		const service = await start(context, settings, cwd);
		const countUnfinished = async () => {
			const runs = await listEntries(service.storeUrl, "accepted_run");
			assert.ok(runs.length <= 1_000, `${runs.length} runs were accepted`);
			return runs.filter(({ metadata_json }) => JSON.parse(metadata_json).status === "accepted").length;
		};
		await eventually("every run has ended", async () => (await countUnfinished()) === 0, 60_000);
		const runs = await listEntries(service.storeUrl, "accepted_run");
		assert.equal(runs.length, 1_000);
		assert.ok(slowest < 3_000, `another tenant's run took ${slowest} ms`);
		context.diagnostic(`another tenant's slowest run took ${Math.round(slowest)} ms`);
	});
});

describe("an unreachable store", () => {
	test("token triggers run, named ones fall back to the legacy store, the rest get 503, and records are sent later", async (context) => {
		const target = await startWithStore(context);
		const path = await createWebhook(target.publicUrl, node(ECHO));
		const failing = await createWebhook(target.publicUrl, node({ component: "fail", message: "no" }));
		const writing = await createWebhook(target.publicUrl, node({ component: "kb_get", page_name: "p" }));
		await post(target.publicUrl, "/workflows", createNamed("stored", ECHO));
		const { graph } = SavedWorkflow.parse(
			await (await post(target.publicUrl, "/workflows", createNamed("graph", ECHO))).json(),
		);
		await target.kv.put(`${OWNER}:wf:legacy`, JSON.stringify({ name: "legacy", description: "", graph }));
		await target.setStoreAway(true);
		for (let nth = 0; nth < 5; nth++) {
			const ran = await post(target.publicUrl, path, { nth });
			assert.equal(ran.status, 200);
			assert.deepEqual(RunResult.parse(await ran.json()).data, { nth });
		}
		assert.equal((await post(target.publicUrl, failing)).status, 500);
		const reading = await post(target.publicUrl, writing);
		assert.equal(reading.status, 500);
		assert.equal(RunResult.parse(await reading.json()).success, false);
		for (const to of ["/webhooks/named/legacy/trigger", `/webhooks/named/${OWNER}/legacy/trigger`]) {
			const ran = await post(target.publicUrl, to, { a: 1 });
			assert.equal(ran.status, 200, await ran.clone().text());
			assert.deepEqual(RunResult.parse(await ran.json()).data, { a: 1 });
		}
		for (const [method, to] of [
			["POST", "/webhooks/named/stored/trigger"],
			["POST", `/webhooks/named/${OWNER}/stored/trigger`],
			["POST", "/webhooks/named/unknown/trigger"],
			["POST", "/webhooks/named/stored/query"],
			["GET", `/q/${OWNER}/stored`],
			["GET", "/webhooks/named"],
			["GET", "/webhooks/named/stored"],
			["DELETE", "/webhooks/named/stored"],
			["GET", "/workflows/stored/executions"],
			["GET", "/executions/01890000-0000-7000-8000-000000000000"],
			["GET", "/portal/data/workflows"],
			["GET", "/credentials"],
			["DELETE", "/credentials/c"],
			["POST", "/workflows/backfill-search-entries"],
		] as const) {
			const answer = await fetch(target.publicUrl + to, { method, headers: TENANT });
			await assertUnavailable(answer, `${method} ${to}`);
		}
		await assertUnavailable(await post(target.publicUrl, path, {}, ASYNC), "respond-async");
		await assertUnavailable(
			await post(target.publicUrl, path, {}, { "idempotency-key": "k" }),
			"idempotency",
		);
		await assertUnavailable(await post(target.publicUrl, "/workflows", createNamed("new", ECHO)), "save");
		await assertUnavailable(await post(target.publicUrl, "/events", { type: "a.b" }), "events");
		await target.setStoreAway(false);
		await eventually(
			"the records of 9 runs",
			async () => (await listExecutions(target.storeUrl)).length === 9,
		);
		const verdicts = (await listExecutions(target.storeUrl)).map(({ verdict }) => verdict).sort();
		assert.deepEqual(verdicts, ["failed", "failed", ...Array(7).fill("success")]);
		assert.equal((await post(target.publicUrl, "/webhooks/named/stored/trigger")).status, 200);
	});

	test("for longer than the buffer holds: it stays bounded, failures are kept first, and the service survives", async (context) => {
		const target = await startWithStore(context);
		const path = `${await createWebhook(target.publicUrl, node(ECHO))}?trace=false`;
		const failing = await createWebhook(target.publicUrl, node({ component: "fail", message: "no" }));
		const [successes, failures] = [10_500, 30];
		await target.setStoreAway(true);
		for (let nth = 0; nth < failures; nth++)
			assert.equal((await post(target.publicUrl, failing)).status, 500);
		const client = createClient(() => target.publicUrl);
		context.after(() => client.close());
		await forEachItem(Array(successes), async () => {
			assert.equal((await client.call("POST", path, { headers: tenant(OWNER) })).status, 200);
		});
		await target.setStoreAway(false);
		const count = async (verdict: string) => {
			const records = await listEntries(target.storeUrl, "execution_log");
			return records.filter(({ metadata_json }) => JSON.parse(metadata_json).verdict === verdict).length;
		};
		let before = -1;
		await eventually("no more records come", async () => {
			const now = await count("success");
			const isOver = now === before && now > 0;
			before = now;
			if (!isOver) await wait(500);
			return isOver;
		});
		assert.equal(await count("failed"), failures);
		const kept = await count("success");
		assert.ok(kept >= 9_000 && kept <= 10_400, `${kept} successes were kept`);
		const lines = await target.lines();
		assert.ok(
			lines.some(({ level, message }) => level === "warn" && message === "execution records dropped"),
		);
		assert.equal((await post(target.publicUrl, path)).status, 200);
	});
});

describe("a stored record that cannot be parsed", () => {
	const corrupt: readonly string[] = [
		"",
		"not json",
		"null",
		"5",
		'"text"',
		"[]",
		"{}",
		'{"graph":null}',
		'{"graph":5}',
		'{"graph":[]}',
		'{"graph":{}}',
		'{"graph":{"nodes":5,"edges":[]}}',
		'{"graph":{"nodes":[null],"edges":[]}}',
		'{"graph":{"nodes":[{"id":"a","component":"set","params":{}}],"edges":[{"from":"a","to":"b"}]}}',
		'{"__proto__":{"graph":{"nodes":[],"edges":[]}}}',
		`{"graph":${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
		'{"graph":{"nodes":[{"id":"a","component":"set","params":{"values":{"x":"{{"}}}],"edges":[]}}',
	];

	test("gives 500 with the definition-corrupt message wherever it is read, and affects nothing else", async (context) => {
		const target = await startWithStore(context);
		await post(target.publicUrl, "/workflows", createNamed("sound", ECHO));
		for (const [index, text] of corrupt.entries()) {
			const token = `corrupt-webhook-token-${String(index).padStart(3, "0")}`;
			await target.kv.put(token, text);
			await target.kv.put(`${OWNER}:wh:${token}`, "");
			const name = `legacy-${index}`;
			await target.kv.put(`${OWNER}:wf:${name}`, text);
			for (const to of [
				`/webhooks/${token}/trigger`,
				`/webhooks/named/${name}/trigger`,
				`/webhooks/named/${OWNER}/${name}/trigger`,
				`/webhooks/named/${name}/query`,
			]) {
				const answer = await post(target.publicUrl, to);
				const body = (await answer.json()) as { error: string };
				assert.equal(answer.status, 500, `${to} ${text.slice(0, 80)}: ${JSON.stringify(body)}`);
				assert.match(body.error, /^definition corrupt/, text.slice(0, 80));
			}
			for (const to of ["/webhooks/named", "/webhooks?limit=100", "/portal/data/workflows"]) {
				const answer = await fetch(target.publicUrl + to, { headers: TENANT });
				assert.equal(answer.status, 200, `${to} beside ${text.slice(0, 80)}: ${await answer.text()}`);
			}
			const shown = await fetch(`${target.publicUrl}/webhooks/named/${name}`, { headers: TENANT });
			const { error } = (await shown.json()) as { error?: string };
			if (shown.status !== 200) assert.match(error ?? "", /^definition corrupt/, text.slice(0, 80));
			const gone = await fetch(`${target.publicUrl}/webhooks/named/${name}`, {
				method: "DELETE",
				headers: TENANT,
			});
			assert.equal(gone.status, 200);
		}
		assert.equal((await post(target.publicUrl, "/webhooks/named/sound/trigger")).status, 200);
	});

	test("with invalid options is corrupt too: it never runs without its signature or schema", async (context) => {
		const target = await startWithStore(context);
		const { graph } = SavedWorkflow.parse(
			await (await post(target.publicUrl, "/workflows", createNamed("graph", ECHO))).json(),
		);
		const settings: readonly object[] = [
			{ options: 5 },
			{ options: [] },
			{ options: { unknown: true } },
			{ options: { signature: "github" } },
			{ options: { signature: { scheme: "of-a-later-version", credential: "c" } } },
			{ options: { signature: { scheme: "github" } } },
			{ options: { signature: { scheme: "github", credential: "c", algorithm: "none" } } },
			{ options: { input_schema: "x" } },
			{ options: { input_schema: { type: "object", properties: { a: { type: 5 } } } } },
			{ options: { timeout_ms: "soon" } },
			{ context: [] },
		];
		const ran: string[] = [];
		for (const [index, each] of settings.entries()) {
			const token = `corrupt-webhook-token-${String(index).padStart(3, "0")}`;
			await target.kv.put(token, JSON.stringify({ graph, description: "", created_at: "", ...each }));
			const stored = { name: "legacy", description: "", graph, config: each };
			await target.kv.put(`${OWNER}:wf:legacy-${index}`, JSON.stringify(stored));
			for (const to of [`/webhooks/${token}/trigger`, `/webhooks/named/legacy-${index}/trigger`]) {
				const answer = await post(target.publicUrl, to);
				const { error = "" } = (await answer.json()) as { error?: string };
				if (answer.status !== 500 || !error.startsWith("definition corrupt"))
					ran.push(`${to.replace(/[^/]*-\d+/, "...")} ${JSON.stringify(each)}: ${answer.status}`);
			}
		}
		assert.deepEqual(ran, []);
	});
});

/** Starts the service on SQLite in this process, so that its store can be made unreachable. */
async function startWithStore(context: TestContext): Promise<Target> {
	const target = await (platforms[0] as Platform).start({});
	context.after(() => target.close());
	return target;
}

async function listExecutions(storeUrl: string) {
	const listed = await fetch(`${storeUrl}/execution-log?owner_id=${OWNER}&limit=100`);
	return ExecutionPage.parse(await listed.json()).executions;
}

async function assertUnavailable(answer: Response, about: string): Promise<void> {
	const body = (await answer.json()) as { error: string };
	assert.equal(answer.status, 503, `${about}: ${JSON.stringify(body)}`);
	assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/, about);
	assert.match(body.error, /store/, about);
}
