import assert from "node:assert/strict";
import { once } from "node:events";
import { cpSync, existsSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { AcceptedRun } from "@tripline/contract/executor";
import { type Started, start, temporaryFolder } from "../../apps/node/test/process.ts";
import { runCommand } from "../../apps/node/test/vault-process.ts";

const OWNER = "faults";
const TENANT = { "x-service-api-key": OWNER };
const MIN_ACKNOWLEDGED = 60;
const MAX_WAIT_MS = 60_000;
const PASSPHRASE = "a passphrase for this test";

/** Needs its file after a pause, calls another service, writes a page, and deletes the file. */
const READ_LATER = {
	name: "read later",
	description: "",
	version: "1",
	trigger: { type: "webhook", accept: ["files"] },
	triplets: [
		"input >> then >> keep",
		"keep >> then >> pause",
		"pause >> then >> rows",
		"rows >> then >> call",
		"call >> then >> write",
		"write >> then >> drop",
	],
	config: {
		keep: { component: "file_keep", file: "{{input.list}}", name: "{{input.page}}" },
		pause: { component: "wait", ms: 1000 },
		rows: { component: "parse", file: "{{input.list}}" },
		call: {
			component: "http_request",
			method: "POST",
			url: "{{input.outside}}/{{input.page}}",
			headers: { "Idempotency-Key": "{{execution.step_key}}" },
		},
		write: { component: "kb_upsert", page_name: "{{input.page}}", content: "{{rows[0].page}}" },
		drop: { component: "file_delete", name: "{{input.page}}" },
	},
};

/** Counts the calls of each path, and by their idempotency keys. */
async function startOutside(context: TestContext) {
	const calls = new Map<string, string[]>();
	const server = createServer((request, response) => {
		const page = (request.url ?? "").slice(1);
		calls.set(page, [...(calls.get(page) ?? []), String(request.headers["idempotency-key"])]);
		response.setHeader("content-type", "application/json");
		response.end("{}");
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	context.after(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, calls };
}

/** What the callers know: when it was acknowledged. */
interface Acknowledged {
	readonly entries: Map<string, number>;
	/** By page: the run. */
	readonly runs: Map<string, { readonly at: number; readonly id: string }>;
	/** By id, with the time at which deleting it was begun. */
	readonly files: Map<string, { readonly at: number; readonly name: string; deleteAt: number }>;
}

/** Calls until the service is killed. */
async function callUntilKilled(
	service: Started,
	known: Acknowledged,
	round: string,
	outside: string,
): Promise<void> {
	const request = async (url: string, init: RequestInit): Promise<unknown> => {
		const response = await fetch(url, init);
		if (!response.ok) throw new Error(`${init.method} ${url}: ${response.status} ${await response.text()}`);
		return response.json();
	};
	const clients: Record<string, (nth: string) => Promise<void>> = {
		async entry(nth) {
			const body = { owner_id: OWNER, entry_type: "note", page_name: nth, content: nth.repeat(50) };
			await request(`${service.storeUrl}/entries`, { method: "PUT", body: JSON.stringify(body) });
			known.entries.set(nth, Date.now());
		},
		async run(nth) {
			const form = new FormData();
			form.append("page", nth);
			form.append("outside", outside);
			form.append("list", new File([`page\n${nth}\n`], "list.csv", { type: "text/csv" }));
			const headers = { ...TENANT, prefer: "respond-async", "idempotency-key": `key-${nth}` };
			const path = `/webhooks/named/${OWNER}/${encodeURIComponent(READ_LATER.name)}/trigger`;
			const answer = await request(service.publicUrl + path, { method: "POST", headers, body: form });
			known.runs.set(nth, { at: Date.now(), id: AcceptedRun.parse(answer).execution_id });
			await wait(20);
		},
		async file(nth) {
			const headers = { ...TENANT, "content-type": "text/plain" };
			const init = { method: "POST", headers, body: nth.repeat(500) };
			const { id } = (await request(`${service.publicUrl}/files?name=${nth}`, init)) as { id: string };
			known.files.set(id, { at: Date.now(), name: nth, deleteAt: Number.POSITIVE_INFINITY });
			await wait(20);
			if (known.files.size % 3 !== 0) return;
			const file = known.files.get(id);
			if (file !== undefined) file.deleteAt = Date.now();
			await request(`${service.publicUrl}/files/${id}`, { method: "DELETE", headers: TENANT });
		},
	};
	await Promise.all(
		Object.entries(clients).flatMap(([kind, call]) =>
			[1, 2, 3].map(async (client) => {
				for (let count = 0; service.child.signalCode === null; count++) {
					try {
						await call(`${round}-${kind}-${client}-${count}`);
					} catch (error) {
						// Only a service that was killed does not answer.
						await Promise.race([service.exited(), wait(2000)]);
						if (service.child.signalCode === null) throw error;
					}
				}
			}),
		),
	);
}

async function runBackup(cwd: string, args: readonly string[], env: Record<string, string>) {
	const { code, stdout, stderr } = await runCommand([...args, "--json"], cwd, env, "backup");
	assert.equal(code, 0, stderr);
	return JSON.parse(stdout) as { name: string; at: string; rows: number; files: { count: number } };
}

function readRows(cwd: string, file: string, text: string) {
	const database = new DatabaseSync(join(cwd, "data", file));
	try {
		return database.prepare(text).all();
	} finally {
		database.close();
	}
}

const listBlobs = (cwd: string): number =>
	readdirSync(join(cwd, "data/files"), { recursive: true, withFileTypes: true }).filter((each) =>
		each.isFile(),
	).length;

test("a backup under load, restored after kill -9, has all that was acknowledged before it, and nothing in part", async (context) => {
	const cwd = temporaryFolder(context);
	const outside = await startOutside(context);
	const settings = { LOG_LEVEL: "silent", ALLOW_PRIVATE_HOSTS: outside.host };
	for (const [round, isKilledMeanwhile] of [
		["first", false],
		["second", true],
	] as const) {
		const service = await start(context, settings, cwd);
		const saved = await fetch(`${service.publicUrl}/workflows`, {
			method: "POST",
			headers: TENANT,
			body: JSON.stringify(READ_LATER),
		});
		assert.ok(saved.ok, await saved.text());
		const known: Acknowledged = { entries: new Map(), runs: new Map(), files: new Map() };
		const calling = callUntilKilled(service, known, round, outside.url);
		// Counted rather than timed, because a busy machine makes few calls per second.
		const hasEnough = () => Object.values(known).every(({ size }) => size >= MIN_ACKNOWLEDGED);
		while (!hasEnough()) await Promise.race([calling, wait(20)]);
		const env = {
			DATA_DIR: join(cwd, "data"),
			BACKUP_TO: join(cwd, "backups"),
			...(isKilledMeanwhile && { BACKUP_PASSPHRASE: PASSPHRASE }),
		};
		const making = runBackup(cwd, ["create"], env);
		// The copies of the databases are there once the moment is chosen.
		if (isKilledMeanwhile) while (!existsSync(join(cwd, "data/backup-work/store.db"))) await wait(5);
		else await making;
		service.child.kill("SIGKILL");
		const killedAt = Date.now();
		await calling;
		const made = await making;
		const at = Date.parse(made.at);
		assert.ok(at <= killedAt);

		const verified = await runBackup(cwd, ["verify", made.name], env);
		assert.equal(verified.rows, made.rows);
		const restored = temporaryFolder(context);
		await runBackup(cwd, ["restore", made.name, "--to", join(restored, "data")], env);
		cpSync(join(cwd, "data/keys"), join(restored, "data/keys"), { recursive: true });
		const callsBefore = new Map([...outside.calls].map(([page, keys]) => [page, keys.length]));
		const again = await start(context, settings, restored);
		assert.notEqual(again.publicUrl, "", again.stderr());

		const isBefore = (time: number): boolean => time < at;
		const entries = [...known.entries].filter(([, time]) => isBefore(time)).map(([page]) => page);
		const runs = [...known.runs].filter(([, run]) => isBefore(run.at));
		const files = [...known.files].filter(([, file]) => isBefore(file.at) && !isBefore(file.deleteAt));
		assert.ok(entries.length > 0 && runs.length > 0 && files.length > 0);

		const pages = new Set(
			readRows(restored, "store.db", "select page_name from entries").map((row) => String(row.page_name)),
		);
		assert.deepEqual(
			entries.filter((page) => !pages.has(page)),
			[],
		);
		for (const [id, { name }] of files) {
			const content = await fetch(`${again.publicUrl}/files/${id}/content`, { headers: TENANT });
			assert.equal(await content.text(), name.repeat(500));
		}

		await waitForPages(
			restored,
			runs.map(([page]) => page),
		);
		again.child.kill("SIGTERM");
		await again.exited();
		const records = readRecords(restored);
		let [continued, repeated, unrecorded] = [0, 0, 0];
		for (const [page, { id }] of runs) {
			// As after any crash, the record of a run that had just ended may be lost.
			const verdicts = records.get(id) ?? [];
			if (verdicts.length === 0) unrecorded++;
			else assert.deepEqual(verdicts, ["success"], page);
			const keys = outside.calls.get(page) ?? [];
			// A call that the backup does not know of was made again, with the key by which the other side can tell.
			assert.equal(new Set(keys).size, 1, page);
			const more = keys.length - (callsBefore.get(page) ?? 0);
			assert.ok(more <= 1, `${page} was called ${more} times by the restored service`);
			if (more === 1) continued++;
			if (keys.length > 1) repeated++;
		}
		assert.ok(unrecorded < runs.length / 4, `${unrecorded} of ${runs.length} runs have no record`);
		for (const file of ["store.db", "kv.db", "executor.db"])
			assert.deepEqual(
				readRows(restored, file, "pragma integrity_check").map((row) => row.integrity_check),
				["ok"],
			);
		const rows = readRows(restored, "store.db", "select id from files where state = 'stored'");
		assert.ok(rows.length > 0 && listBlobs(restored) >= rows.length);
		context.diagnostic(
			`${round} backup${isKilledMeanwhile ? ", encrypted, killed meanwhile" : ""}: ${entries.length} entries, ${files.length} files and ${runs.length} accepted runs acknowledged before it, 0 missing; ${continued} of these runs were continued after the restore, ${repeated} repeated a call, with its key, ${unrecorded} have no record; ${made.rows} rows, ${made.files.count} files in all`,
		);
	}
});

/** Waits until each run has written its page, with the content of its file. */
async function waitForPages(cwd: string, pages: readonly string[]): Promise<void> {
	for (const until = Date.now() + MAX_WAIT_MS; ; await wait(100)) {
		const rows = readRows(cwd, "store.db", "select page_name from entries where content = page_name");
		const written = new Set(rows.map((row) => String(row.page_name)));
		const missing = pages.filter((page) => !written.has(page));
		if (missing.length === 0) return;
		assert.ok(Date.now() < until, `${missing.length} of ${pages.length} runs have not ended: ${missing[0]}`);
	}
}

/** The verdicts of all records of each run. */
function readRecords(cwd: string): Map<string, string[]> {
	const rows = readRows(
		cwd,
		"store.db",
		"select id, metadata_json ->> 'verdict' as verdict from entries where entry_type = 'execution_log'",
	);
	const found = new Map<string, string[]>();
	for (const { id, verdict } of rows)
		found.set(String(id), [...(found.get(String(id)) ?? []), String(verdict)]);
	return found;
}
