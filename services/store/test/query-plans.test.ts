import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { migrate } from "@tripline/platform/migrations";
import { type Sql, type Statement, statement } from "@tripline/platform/sql";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { type EntryFilter, entryStorage } from "../src/storage/entries.ts";
import { executionLogStorage } from "../src/storage/execution-log.ts";
import { storeMigrations } from "../src/storage/migrations.ts";

const database = openSqlite(":memory:");
await migrate(database, storeMigrations);
const asked: Statement[] = [];
const sql: Sql = {
	...database,
	read(statement) {
		asked.push(statement);
		return database.read(statement);
	},
};

/** How SQLite reads the entries table for what `work` asks: one line per visit. */
async function visits(work: () => Promise<unknown>): Promise<string[]> {
	asked.length = 0;
	await work();
	assert.equal(asked.length, 1);
	const plan = await database.read<{ detail: string }>(
		statement(`explain query plan ${asked[0]?.text}`, ...(asked[0]?.values ?? [])),
	);
	return plan.map((row) => row.detail).filter((detail) => detail.includes(" entries "));
}

const list = (filter: Omit<EntryFilter, "limit">) =>
	visits(() => entryStorage(sql).list({ ...filter, limit: 10 }));

const search = (index: string, columns: string) => `SEARCH entries USING INDEX ${index} (${columns})`;
const ofOwner = { owner_id: "o" };
const log = { ...ofOwner, entry_type: "execution_log" };

describe("a listing reads only what its page needs", () => {
	const cases: [string, Omit<EntryFilter, "limit">, string[]][] = [
		[
			"owner and type",
			{ ...ofOwner, entry_type: "t" },
			[search("entries_owner_type", "owner_id=? AND entry_type=?")],
		],
		[
			"owner, type and page",
			{ ...ofOwner, entry_type: "t", page_name: "p" },
			[search("entries_page", "owner_id=? AND entry_type=? AND page_name=?")],
		],
		[
			"owner",
			ofOwner,
			[
				search("entries_owner", "owner_id=?"),
				search("entries_owner_type", "owner_id=? AND entry_type=?"),
				search("entries_owner_type", "owner_id=? AND entry_type=?"),
			],
		],
		["type", { entry_type: "t" }, [search("entries_type", "entry_type=?")]],
		[
			"from a cursor on",
			{ ...ofOwner, entry_type: "t", after: { created_at: 5, seq: 5 } },
			[search("entries_owner_type", "owner_id=? AND entry_type=? AND created_at<?")],
		],
		["what is due", { dueAt: 5 }, [search("entries_due", "next_run_at<?")]],
		["what is due of an owner", { ...ofOwner, dueAt: 5 }, [search("entries_due", "next_run_at<?")]],
		["failures", { ...log, verdict: "failed" }, [search("entries_failures", "owner_id=?")]],
	];
	for (const [name, filter, expected] of cases) {
		test(name, async () => assert.deepEqual(await list(filter), expected));
	}

	test("owner and page, of any type", async () => {
		const seen = await list({ ...ofOwner, page_name: "p" });
		const byPage = search("entries_page", "owner_id=? AND entry_type=? AND page_name=?");
		assert.equal(seen.filter((visit) => visit === byPage).length, 3);
		assert.ok(seen.every((visit) => visit.startsWith("SEARCH")));
	});
});

test("the latest records, named or all, are steps into the index", async () => {
	const storage = executionLogStorage(sql);
	for (const names of [["a", "b"], undefined]) {
		const seen = await visits(() => storage.latest("o", names));
		assert.ok(seen.length > 0 && seen.every((visit) => visit.startsWith("SEARCH")), seen.join("\n"));
	}
});
