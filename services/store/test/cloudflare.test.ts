import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { applyMigrationFile, fireCron, startWorker } from "../../../test/workerd.ts";

const TOKEN = "internal-token-of-the-tests";
const entry = fileURLToPath(new URL("../src/cloudflare.ts", import.meta.url));
const migration = readFileSync(new URL("../migrations/0001_core.sql", import.meta.url), "utf8");

async function worker(context: TestContext, bindings: Record<string, string> = {}) {
	const started = await startWorker({ entry, bindings, d1: ["STORE_DB"] });
	context.after(() => started.miniflare.dispose());
	return started;
}

const list = (url: string, token?: string) =>
	fetch(
		`${url}/entries?owner_id=o`,
		token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
	);

describe("the store's worker", () => {
	test("is ready once its database is migrated, and serves who has the token", async (context) => {
		const { miniflare, url } = await worker(context, { STORE_INTERNAL_TOKEN: TOKEN });
		assert.equal((await fetch(`${url}/healthz`)).status, 200);
		assert.equal((await fetch(`${url}/readyz`)).status, 503);
		await applyMigrationFile(miniflare, "STORE_DB", migration);
		assert.equal((await fetch(`${url}/readyz`)).status, 200);
		assert.equal((await list(url, TOKEN)).status, 200);
		assert.equal((await list(url)).status, 401);
	});

	test("serves nobody when no token is set, because its address may be public", async (context) => {
		const { miniflare, url } = await worker(context);
		await applyMigrationFile(miniflare, "STORE_DB", migration);
		for (const token of [undefined, "", "undefined", "null"]) {
			assert.equal((await list(url, token)).status, 401);
		}
	});

	test("its cron trigger deletes what is past its retention", async (context) => {
		const { miniflare, url } = await worker(context, {
			STORE_INTERNAL_TOKEN: TOKEN,
			EXECUTION_RETENTION_DAYS: "1",
		});
		await applyMigrationFile(miniflare, "STORE_DB", migration);
		const headers = { authorization: `Bearer ${TOKEN}` };
		const record = { owner_id: "o", workflow: "w", verdict: "success", duration_ms: 1 };
		const body = JSON.stringify({ records: [{ ...record, time: "2026-01-01T00:00:00Z" }, record] });
		assert.equal((await fetch(`${url}/execution-log`, { method: "POST", body, headers })).status, 200);
		await fireCron(miniflare);
		const page = (await (await list(url, TOKEN)).json()) as { entries: { entry_type: string }[] };
		assert.deepEqual(
			page.entries.map((each) => each.entry_type),
			["execution_log"],
		);
	});
});
