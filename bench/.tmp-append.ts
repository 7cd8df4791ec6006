import { mkdtempSync } from "node:fs";
import { WriteExecutions } from "@tripline/contract/execution-log";
import { uuidv7 } from "@tripline/contract/ids";
import { unstorable } from "@tripline/contract/json";
import { migrate } from "@tripline/platform/migrations";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { createStore } from "@tripline/store/app";
import { storeClient } from "@tripline/store/client";
import { recordOf } from "@tripline/store/domain/execution-log";
import { executionLogStorage } from "@tripline/store/storage/execution-log";
import { storeMigrations } from "@tripline/store/storage/migrations";

const dir = mkdtempSync("/tmp/append-");
const sql = openSqlite(dir + "/a.db");
await migrate(sql, storeMigrations);
const clock = { now: () => Date.now() };
const store = createStore({
	sql,
	clock,
	log: () => {},
	version: "x",
	settings: {
		internalToken: undefined,
		defaultOwner: "default",
		ingestUrl: undefined,
		dailyLogLimit: 1e9,
		retentionDays: 30,
		maxBodyBytes: 1e6,
	} as never,
});
const client = storeClient({ answer: store.answer, baseUrl: "http://store" });
const N = 256;
const make = () =>
	Array.from({ length: N }, () => ({
		id: uuidv7(Date.now()),
		owner_id: "anonymous",
		workflow: "ahxqF9l8Gd8eYvRyCv-V54IOymmpxriX",
		verdict: "success" as const,
		duration_ms: 0,
		error: "",
		time: new Date().toISOString(),
		trigger: "webhook",
		context: {},
	}));
const log = executionLogStorage(sql);
async function time(name: string, f: () => unknown, rounds = 60) {
	for (let i = 0; i < 15; i++) await f();
	const c = process.cpuUsage();
	for (let i = 0; i < rounds; i++) await f();
	const d = process.cpuUsage(c);
	console.log(name.padEnd(30), ((d.user + d.system) / rounds / N).toFixed(2), "us/record");
}
const fixed = make();
const text = JSON.stringify({ records: fixed });
const enc = new TextEncoder().encode(text);
const dec = new TextDecoder("utf-8", { fatal: true });
await time("make", make);
await time("whole append", () => client.executionLog.append(make()));
await time("stringify", () => JSON.stringify({ records: fixed }));
await time("encode+decode", () => dec.decode(new TextEncoder().encode(text)));
await time("parse", () => JSON.parse(text));
const parsed = JSON.parse(text);
await time("unstorable", () => unstorable(parsed));
await time("zod", () => WriteExecutions.safeParse(parsed));
await time("recordOf", () => fixed.map((r) => recordOf(r as never, Date.now())));
await time("storage.append", () =>
	log.append({
		records: make().map((r) => ({
			id: r.id,
			owner_id: r.owner_id,
			record: recordOf(r as never, Date.now()),
		})),
		now: Date.now(),
		counterId: uuidv7(Date.now()),
		dailyLimit: 1e9,
	}),
);
