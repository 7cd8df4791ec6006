import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Miniflare } from "miniflare";
import {
	askStandIns,
	fireCron,
	runStatements,
	splitMigrationFile,
	startWorker,
} from "../../../test/workerd.ts";

const TOKEN = "internal-token-of-the-tests";
const entry = fileURLToPath(new URL("../src/cloudflare.ts", import.meta.url));
const migrations = new URL("../migrations/", import.meta.url);

async function startStoreWorker(context: TestContext, bindings: Record<string, string> = {}) {
	const started = await startWorker({ entry, bindings, d1: ["STORE_DB"] });
	context.after(() => started.miniflare.dispose());
	return started;
}

async function migrate(miniflare: Miniflare): Promise<void> {
	for (const file of readdirSync(migrations).sort()) {
		const statements = splitMigrationFile(readFileSync(new URL(file, migrations), "utf8"));
		await runStatements(miniflare, "STORE_DB", statements);
	}
}

const list = (url: string, token?: string) =>
	fetch(
		`${url}/entries?owner_id=o`,
		token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
	);

describe("the store's worker", () => {
	test("is ready once its database is migrated, and serves callers with the token", async (context) => {
		const { miniflare, url } = await startStoreWorker(context, { STORE_INTERNAL_TOKEN: TOKEN });
		assert.equal((await fetch(`${url}/healthz`)).status, 200);
		assert.equal((await fetch(`${url}/readyz`)).status, 503);
		await migrate(miniflare);
		assert.equal((await fetch(`${url}/readyz`)).status, 200);
		assert.equal((await list(url, TOKEN)).status, 200);
		assert.equal((await list(url)).status, 401);
	});

	test("refuses every caller if no token is set, because its address may be public", async (context) => {
		const { miniflare, url } = await startStoreWorker(context);
		await migrate(miniflare);
		for (const token of [undefined, "", "undefined", "null"]) {
			assert.equal((await list(url, token)).status, 401);
		}
	});

	test("deletes expired entries by its cron trigger", async (context) => {
		const { miniflare, url } = await startStoreWorker(context, {
			STORE_INTERNAL_TOKEN: TOKEN,
			EXECUTION_RETENTION_DAYS: "1",
		});
		await migrate(miniflare);
		const headers = { authorization: `Bearer ${TOKEN}` };
		const record = { owner_id: "o", workflow: "w", verdict: "success", duration_ms: 1 };
		const body = JSON.stringify({ records: [{ ...record, time: "2026-01-01T00:00:00Z" }, record] });
		assert.equal((await fetch(`${url}/execution-log`, { method: "POST", body, headers })).status, 200);
		const database = await miniflare.getD1Database("STORE_DB");
		await database.prepare("update entries set updated_at = created_at").run();
		await fireCron(miniflare);
		const page = (await (await list(url, TOKEN)).json()) as { entries: { entry_type: string }[] };
		assert.deepEqual(
			page.entries.map((each) => each.entry_type),
			["execution_log"],
		);
	});

	test("embeds with Workers AI and updates Vectorize", async (context) => {
		const { miniflare, url } = await startWorker({
			entry,
			bindings: { STORE_INTERNAL_TOKEN: TOKEN },
			d1: ["STORE_DB"],
			standIns: { script: STAND_INS, entrypoints: { AI: "Ai", VECTORIZE: "Vectorize" } },
		});
		context.after(() => miniflare.dispose());
		await migrate(miniflare);
		const headers = { authorization: `Bearer ${TOKEN}` };
		const note = { owner_id: "o", entry_type: "note", page_name: "Tea", content: "Green tea" };
		const body = JSON.stringify({ ...note, metadata_json: '{"embed":true}' });
		const put = await fetch(`${url}/entries`, { method: "PUT", body, headers });
		assert.equal(put.status, 201);
		const { entry: stored } = (await put.json()) as { entry: { id: string } };
		const status = async () =>
			(await (await fetch(`${url}/embed/status`, { headers })).json()) as Record<string, unknown>;
		const calls = async () => (await askStandIns(miniflare)) as unknown[];
		const deadline = Date.now() + 10_000;
		while ((await calls()).length < 2 && Date.now() < deadline);
		assert.deepEqual(await status(), {
			provider: "workers-ai",
			model: "@cf/baai/bge-m3",
			dimensions: 1024,
			pending: 0,
			done: 1,
			failed: 0,
			last_error: null,
		});
		await fetch(`${url}/entries/${stored.id}?owner_id=o`, { method: "DELETE", headers });
		await fireCron(miniflare);
		assert.deepEqual(await calls(), [
			["run", "@cf/baai/bge-m3", { text: ["Tea\nGreen tea"] }],
			["upsert", [{ id: stored.id, namespaceLength: 32, dimensions: 1024 }]],
			["deleteByIds", [stored.id]],
		]);
	});
});

/** Records the calls to the platform's services and returns responses of the same shape. */
const STAND_INS = `
	import { WorkerEntrypoint } from "cloudflare:workers";
	const calls = [];
	export default { fetch: () => Response.json(calls) };
	export class Ai extends WorkerEntrypoint {
		async run(model, input) {
			calls.push(["run", model, input]);
			const data = input.text.map(() => Array.from({ length: 1024 }, (_, at) => Math.sin(at)));
			return { shape: [data.length, 1024], data, pooling: "cls" };
		}
	}
	export class Vectorize extends WorkerEntrypoint {
		async upsert(vectors) {
			calls.push(["upsert", vectors.map(({ id, namespace, values }) => ({
				id, namespaceLength: namespace.length, dimensions: values.length,
			}))]);
			return { mutationId: "m" };
		}
		async deleteByIds(ids) {
			calls.push(["deleteByIds", ids]);
			return { mutationId: "m" };
		}
	}
`;
