import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Sql } from "@tripline/platform/sql";
import { acceptedRunStorage } from "../src/storage/accepted-runs.ts";
import { entryStorage } from "../src/storage/entries.ts";
import { fileStorage } from "../src/storage/files.ts";
import { runLeaseStorage } from "../src/storage/run-leases.ts";
import { totalStorage } from "../src/storage/totals.ts";

const NOW = 1_790_000_000;
const NONE = { waiting_runs: 0, parked_runs: 0, leases: 0, overdue_schedules: 0, files: 0, file_bytes: 0 };

export function testTotals(open: (context: TestContext) => Promise<Sql>): void {
	test("the totals of all owners are counted", async (context) => {
		const sql = await open(context);
		const totals = totalStorage(sql);
		assert.deepEqual(await totals.read(NOW), NONE);

		const runs = acceptedRunStorage(sql);
		const metadata_json = JSON.stringify({ attempts: 1 });
		for (const owner_id of ["one", "two"]) {
			const accepted = ["line", "park", "run"].map((kind) => ({
				entryId: `${owner_id}-${kind}`,
				id: `${owner_id}-${kind}`,
				metadata_json,
				...(kind === "line" && { waits_for: "busy" }),
			}));
			await runs.accept({ owner_id, due_at: NOW + 60, metadata_json: "{}", runs: accepted, now: NOW });
			const parked = { owner_id, id: `${owner_id}-park`, attempts: 1, due_at: NOW + 600, now: NOW };
			assert.equal(await runs.park({ ...parked, workflow: "patient" }), NOW + 600);
		}

		const leases = runLeaseStorage(sql);
		for (const [id, seconds] of [
			["held", 60],
			["ended", 0],
		] as const)
			await leases.take({
				...{ entryId: id, owner_id: "one", workflow: id, id, max: 1, seconds, holder: "process", now: NOW },
			});

		const files = fileStorage(sql);
		for (const id of ["a", "b"]) {
			const key = { owner_id: id, id, now: NOW * 1000 };
			const about = { name: "a", type: "text/plain", execution_id: null, bytes: 8192, max_total: 1e9 };
			await files.reserve({ ...key, ...about });
			if (id === "a") await files.commit({ ...key, size: 5000, retention_ms: 60_000 });
		}

		const entries = entryStorage(sql);
		for (const [page_name, next_run_at] of [
			["late", NOW - 151],
			["due", NOW],
		] as const)
			await entries.upsert({
				...{ id: page_name, entry_type: "workflow", owner_id: "one", page_name, content: "", now: NOW },
				...{ metadata_json: "{}", schedule: "* * * * *", next_run_at },
			});

		assert.deepEqual(await totals.read(NOW), {
			waiting_runs: 2,
			parked_runs: 2,
			leases: 1,
			overdue_schedules: 1,
			files: 1,
			file_bytes: 5000 + 8192,
		});
	});
}
