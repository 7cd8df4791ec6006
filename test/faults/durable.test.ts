import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { AcceptedRun, ExecutionDetail } from "@tripline/contract/executor";
import { type Started, start, temporaryFolder } from "../../apps/node/test/process.ts";

const TENANT = { "x-service-api-key": "durable" };

/** Another service, which records the calls that it gets. */
async function startOutside(context: TestContext, pauseMs = 0) {
	const received: string[] = [];
	/** The idempotency keys of calls, by path. */
	const keys = new Map<string, Set<string>>();
	let onCall = (_count: number) => {};
	const server = createServer(async (request, response) => {
		const { url = "", headers } = request;
		received.push(url);
		keys.set(url, (keys.get(url) ?? new Set()).add(String(headers["idempotency-key"])));
		onCall(received.length);
		await wait(pauseMs);
		response.setHeader("content-type", "application/json");
		response.end(JSON.stringify({ got: request.url }));
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	context.after(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		settings: { LOG_LEVEL: "silent", ALLOW_PRIVATE_HOSTS: `127.0.0.1:${port}` },
		received,
		keys,
		async waitFor(calls: number) {
			while (received.length < calls) await wait(10);
		},
		/** Kills the service when it makes the call of that number, counted from now. */
		killAt(service: Started, call: number) {
			const last = received.length + call;
			onCall = (count) => {
				if (count >= last) service.child.kill("SIGKILL");
			};
		},
	};
}

async function call(service: Started, method: string, path: string, body?: object, headers = {}) {
	const response = await fetch(service.publicUrl + path, {
		method,
		headers: { ...TENANT, ...headers },
		...(body !== undefined && { body: JSON.stringify(body) }),
	});
	assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.clone().text()}`);
	return response.json();
}

const save = (service: Started, name: string, document: object) =>
	call(service, "POST", "/workflows", { name, description: "", version: "1", ...document });

async function accept(service: Started, name: string, input: object = {}): Promise<string> {
	const path = `/webhooks/named/${name}/trigger`;
	const answer = await call(service, "POST", path, input, { prefer: "respond-async" });
	return AcceptedRun.parse(answer).execution_id;
}

async function waitForEnd(service: Started, id: string) {
	for (;;) {
		const { status, record } = ExecutionDetail.parse(await call(service, "GET", `/executions/${id}`));
		if (status !== "accepted" && record !== null) return record;
		await wait(20);
	}
}

const countEach = (list: readonly string[]): Map<string, number> =>
	list.reduce((counts, each) => counts.set(each, (counts.get(each) ?? 0) + 1), new Map<string, number>());

const get = (url: string) => ({
	component: "http_request",
	method: "GET",
	url,
	headers: { "Idempotency-Key": "{{execution.step_key}}" },
});

const twoCalls = (url: string) => ({
	triplets: ["input >> then >> one", "one >> then >> two"],
	config: { one: get(`${url}/one?{{input.canary | default('')}}`), two: get(`${url}/two`) },
});

describe("a run whose process is killed", () => {
	test("goes on where it was: loops, branches, called workflows, and no completed step again", async (context) => {
		const outside = await startOutside(context);
		const cwd = temporaryFolder(context);
		const first = await start(context, outside.settings, cwd);
		await save(first, "inner", {
			triplets: ["input >> then >> one", "one >> then >> two"],
			config: {
				one: get(`${outside.url}/inner/{{input.n}}/one`),
				two: get(`${outside.url}/inner/{{input.n}}/two?after={{one.data.got}}`),
			},
			result: "{{two.data.got}}",
		});
		await save(first, "outer", {
			triplets: [
				"input >> then >> list",
				"list >> FOREACH n >> fetch",
				"fetch >> then >> nested",
				"list >> then >> sum",
				"input >> then >> side",
			],
			config: {
				list: { component: "foreach", items: [0, 1, 2, 3], concurrency: 2 },
				fetch: get(`${outside.url}/fetch/{{n}}`),
				nested: { component: "workflow", name: "inner", input: { n: "{{n}}" } },
				side: get(`${outside.url}/side`),
				sum: get(`${outside.url}/sum/{{nested | length}}`),
			},
			result: { all: "{{nested}}", sum: "{{sum.data.got}}" },
		});
		const id = await accept(first, "outer");
		let service = first;
		let kills = 0;
		for (const call of [3, 4, 3, 3]) {
			outside.killAt(service, call);
			await service.exited();
			kills += 1;
			service = await start(context, outside.settings, cwd);
		}
		const record = await waitForEnd(service, id);
		assert.equal(record.verdict, "success", record.error);
		const counts = countEach(outside.received);
		assert.equal(counts.size, 1 + 4 * 3 + 1);
		for (const [path, count] of counts) assert.ok(count <= 1 + kills, `${path} was called ${count} times`);
		for (const n of [0, 1, 2, 3]) {
			const [fetched, one, two] = [`/fetch/${n}`, `/inner/${n}/one`, `/inner/${n}/two?after=/inner/${n}/one`];
			assert.ok(outside.received.lastIndexOf(fetched) < outside.received.indexOf(one), fetched);
			assert.ok(outside.received.lastIndexOf(one) < outside.received.indexOf(two), one);
			assert.ok(outside.received.lastIndexOf(two) < outside.received.indexOf("/sum/4"), two);
		}
		const keys = [...outside.keys.values()].flatMap((each) => [...each]);
		assert.equal(keys.length, counts.size, "a step has one key, however often it is repeated");
		assert.equal(new Set(keys).size, counts.size, "no two steps have the same key");
	});

	test("leaves nothing readable on disk, and nothing at all once it has ended", async (context) => {
		const outside = await startOutside(context);
		const cwd = temporaryFolder(context);
		const first = await start(context, outside.settings, cwd);
		await save(first, "job", twoCalls(outside.url));
		outside.killAt(first, 2);
		const id = await accept(first, "job", { canary: "a-canary-value" });
		await first.exited();
		const folder = join(cwd, "data");
		const files = readdirSync(folder).filter((name) => name.startsWith("executor.db"));
		assert.ok(files.includes("executor.db-wal"), files.join());
		const bytes = Buffer.concat(files.map((file) => readFileSync(join(folder, file))));
		assert.ok(bytes.includes(id), "the run is in the database");
		for (const text of ["a-canary-value", "/one", "outcome"]) assert.ok(!bytes.includes(text), text);
		const second = await start(context, outside.settings, cwd);
		await waitForEnd(second, id);
		second.child.kill("SIGTERM");
		await second.exited();
		const database = new DatabaseSync(join(folder, "executor.db"), { readOnly: true });
		context.after(() => database.close());
		for (const table of ["held_runs", "steps"])
			assert.equal(database.prepare(`select count(*) as n from ${table}`).get()?.n, 0);
		assert.deepEqual(outside.received, ["/one?a-canary-value", "/two", "/two"]);
	});

	test("goes on with the version of its workflow with which it began", async (context) => {
		const outside = await startOutside(context, 1_000);
		const cwd = temporaryFolder(context);
		const first = await start(context, outside.settings, cwd);
		await save(first, "job", twoCalls(outside.url));
		const id = await accept(first, "job");
		await outside.waitFor(1);
		// While the first call waits for its answer.
		await save(first, "job", twoCalls(`${outside.url}/new`));
		first.child.kill("SIGKILL");
		await first.exited();
		const second = await start(context, outside.settings, cwd);
		await waitForEnd(second, id);
		assert.deepEqual(outside.received, ["/one", "/one", "/two"]);
	});

	test("goes on without its caller if its workflow is durable, and once for its idempotency key", async (context) => {
		const outside = await startOutside(context, 1_000);
		const cwd = temporaryFolder(context);
		const first = await start(context, outside.settings, cwd);
		await save(first, "job", { ...twoCalls(outside.url), options: { durable: true } });
		const trigger = (service: Started) =>
			fetch(`${service.publicUrl}/webhooks/named/job/trigger`, {
				method: "POST",
				headers: { ...TENANT, "idempotency-key": "k" },
				body: "{}",
			});
		outside.killAt(first, 2);
		await assert.rejects(trigger(first));
		await first.exited();
		const second = await start(context, outside.settings, cwd);
		const refused = await trigger(second);
		assert.equal(refused.status, 409);
		const id = /still running: (\S+)"/.exec(await refused.text())?.[1] as string;
		const record = await waitForEnd(second, id);
		assert.equal(record.verdict, "success", record.error);
		const repeat = await trigger(second);
		assert.deepEqual([repeat.status, await repeat.json()], [200, { success: true, execution_id: id }]);
		assert.deepEqual(outside.received, ["/one", "/two", "/two"]);
	});

	test("repeats nothing if only its end could not be written", async (context) => {
		const outside = await startOutside(context, 500);
		const cwd = temporaryFolder(context);
		const first = await start(context, { ...outside.settings, LOG_LEVEL: "error" }, cwd);
		await save(first, "job", twoCalls(outside.url));
		const id = await accept(first, "job");
		await outside.waitFor(2);
		const store = new DatabaseSync(join(cwd, "data", "store.db"));
		store.exec(`create trigger no_end before update on entries
			when new.entry_type = 'accepted_run' and new.next_run_at is null begin select raise(abort, 'no end'); end`);
		while (!first.stderr().includes("end of an accepted run not written")) await wait(20);
		// It deletes what is left of a run right after its end.
		await wait(200);
		first.child.kill("SIGKILL");
		await first.exited();
		store.exec("drop trigger no_end");
		store.close();
		const second = await start(context, outside.settings, cwd);
		// Its record was written before.
		const isUnfinished = async () => {
			const { executions } = (await call(second, "GET", "/executions/unfinished")) as {
				executions: object[];
			};
			return executions.length > 0;
		};
		while (await isUnfinished()) await wait(20);
		assert.equal((await waitForEnd(second, id)).verdict, "success");
		assert.deepEqual(outside.received, ["/one", "/two"]);
	});

	test("goes on with its cleanup, and with nothing else, if it was cancelled", async (context) => {
		const outside = await startOutside(context, 1_000);
		const cwd = temporaryFolder(context);
		let service = await start(context, outside.settings, cwd);
		await save(service, "job", {
			triplets: [
				"input >> then >> work",
				"work >> then >> next",
				"work >> ALWAYS >> one",
				"one >> then >> two",
			],
			config: {
				work: get(`${outside.url}/work`),
				next: get(`${outside.url}/next`),
				one: get(`${outside.url}/clean/1`),
				two: get(`${outside.url}/clean/2`),
			},
		});
		const id = await accept(service, "job");
		await outside.waitFor(1);
		for (const calls of [1, 2]) {
			outside.killAt(service, calls);
			if (calls === 1) await call(service, "POST", `/executions/${id}/cancel`);
			await service.exited();
			service = await start(context, outside.settings, cwd);
		}
		const record = await waitForEnd(service, id);
		assert.deepEqual([record.verdict, record.error], ["failed", "cancelled"]);
		assert.deepEqual(outside.received, ["/work", "/clean/1", "/clean/1", "/clean/2", "/clean/2"]);
		for (const [path, keys] of outside.keys) assert.equal(keys.size, 1, path);
		const detail = ExecutionDetail.parse(await call(service, "GET", `/executions/${id}`));
		assert.equal(detail.status, "cancelled");
	});
});

test("a clean stop ends a long run after its next step, and the next start resumes it", async (context) => {
	const outside = await startOutside(context, 100);
	const cwd = temporaryFolder(context);
	const first = await start(context, outside.settings, cwd);
	await save(first, "job", {
		triplets: ["input >> then >> list", "list >> FOREACH n >> step"],
		config: {
			list: { component: "foreach", items: Array.from({ length: 40 }, (_, n) => n), concurrency: 1 },
			step: get(`${outside.url}/{{n}}`),
		},
	});
	const id = await accept(first, "job");
	await outside.waitFor(3);
	first.child.kill("SIGTERM");
	assert.equal((await first.exited()).code, 0);
	const before = outside.received.length;
	assert.ok(before < 30, `${before} calls before the stop`);
	const second = await start(context, outside.settings, cwd);
	const record = await waitForEnd(second, id);
	assert.equal(record.verdict, "success", record.error);
	assert.deepEqual(
		outside.received,
		Array.from({ length: 40 }, (_, n) => `/${n}`),
	);
});
