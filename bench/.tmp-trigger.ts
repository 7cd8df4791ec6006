import { mkdtempSync } from "node:fs";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { migrate } from "@tripline/platform/migrations";
import { kvMigrations, sqliteKv } from "@tripline/platform/kv.sqlite";
import { createStore } from "@tripline/store/app";
import { storeClient } from "@tripline/store/client";
import { createExecutor } from "@tripline/executor/app";
import { storeMigrations } from "@tripline/store/storage/migrations";
import { jsonLog } from "@tripline/platform/log";
const dir = mkdtempSync("/tmp/append-");
const sql = openSqlite(dir + "/a.db"); await migrate(sql, storeMigrations);
const kvs = openSqlite(dir + "/k.db"); await migrate(kvs, kvMigrations);
const clock = { now: () => Date.now() };
let bytes = 0;
const log = jsonLog({ level: "info", clock, write: (l) => { bytes += l.length; } });
const store = createStore({ sql, clock, log, version: "x", settings: { internalToken: undefined, defaultOwner: "default", ingestUrl: undefined, dailyLogLimit: 1e9, retentionDays: 30, maxBodyBytes: 1e6 } as never });
const NOREC = process.argv[2] === "norec";
const client = storeClient({ answer: NOREC ? async () => ({ status: 200, headers: {}, body: '{"recorded":1,"dropped":0,"mode":"normal"}' }) : store.answer, baseUrl: "http://store" });
const executor = createExecutor({ store: client, kv: sqliteKv({ sql: kvs, clock, namespace: "w" }), vault: {} as never, clock, log, version: "x", background: { run() {} }, ready: async () => true, settings: { multiTenant: false, baseUrl: undefined, accessToken: undefined, maxBodyBytes: 1e6, runTimeoutMs: 30000, maxConcurrentRuns: 256, maxQueuedRuns: 1024, rateLimitPerMinute: 0 } });
const def = {"triplets":["input >> then >> greet","greet >> then >> big","big >> if true >> yes","big >> if false >> no"],"config":{"greet":{"component":"set","values":{"name":"{{input.name | default(\"world\")}}"}},"big":{"component":"if","condition":"input.n > 3"},"yes":{"component":"template","text":"big {{greet.name}}"},"no":{"component":"template","text":"small"}}};
const enc = (v: unknown) => new TextEncoder().encode(JSON.stringify(v));
const hdr = { get: (n: string) => (n === "content-type" ? "application/json" : null), has: () => false, [Symbol.iterator]: () => [][Symbol.iterator]() };
const created = JSON.parse((await executor.answer({ method: "POST", url: "http://x/webhooks", headers: hdr as never, bytes: async () => enc(def) })).body as string);
const body = enc({ name: "Ada", n: 5, items: [1, 2, 3], note: "hello world" });
const call = { method: "POST", url: `http://x/webhooks/${created.token}/trigger`, headers: hdr as never, bytes: async () => body };
for (let round = 0; round < 12; round++) {
	const N = 20000; const c = process.cpuUsage();
	for (let i = 0; i < N / 32; i++) { await Promise.all(Array.from({ length: 32 }, () => executor.answer(call))); if (i % 8 === 0) await new Promise((r) => setImmediate(r)); }
	await new Promise((r) => setTimeout(r, 100));
	const d = process.cpuUsage(c); console.log("trigger", ((d.user + d.system) / N).toFixed(1), "us");
}
await executor.close();
