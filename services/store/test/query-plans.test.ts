import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { migrate } from "@tripline/platform/migrations";
import { type Sql, type Statement, statement } from "@tripline/platform/sql";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { buildDailyLimits } from "../src/domain/execution-log.ts";
import { acceptedRunStorage } from "../src/storage/accepted-runs.ts";
import { conversationStorage } from "../src/storage/conversations.ts";
import { entryStorage } from "../src/storage/entries.ts";
import { executionLogStorage } from "../src/storage/execution-log.ts";
import { executionReportStorage } from "../src/storage/execution-reports.ts";
import { fileStorage } from "../src/storage/files.ts";
import type { EntryFilter } from "../src/storage/listing.ts";
import { storeMigrations } from "../src/storage/migrations.ts";
import { retentionStorage } from "../src/storage/retention.ts";
import { scheduleStorage } from "../src/storage/schedules.ts";
import { stateStorage } from "../src/storage/state.ts";
import { totalStorage } from "../src/storage/totals.ts";
import { usageStorage } from "../src/storage/usage.ts";
import { waitStorage } from "../src/storage/waits.ts";

const database = openSqlite(":memory:");
await migrate(database, storeMigrations);
const asked: Statement[] = [];
const sql: Sql = {
	...database,
	read(statement) {
		asked.push(statement);
		return database.read(statement);
	},
	write(unit) {
		asked.push(...unit);
		return database.write(unit);
	},
};

/** How SQLite accesses the entries table for the queries of `work`: one line per access. */
async function listVisits(work: () => Promise<unknown>): Promise<string[]> {
	const [only, ...more] = await listPlans(work);
	assert.deepEqual(more, []);
	return (only ?? []).filter((detail) => / entries( |$)/.test(detail));
}

/** The query plan of each statement that `work` runs. */
async function listPlans(work: () => Promise<unknown>): Promise<string[][]> {
	asked.length = 0;
	await work();
	const details: string[][] = [];
	for (const { text, values } of [...asked]) {
		const plan = await database.read<{ detail: string }>(statement(`explain query plan ${text}`, ...values));
		details.push(plan.map((row) => row.detail));
	}
	return details;
}

const list = (filter: Omit<EntryFilter, "limit">) =>
	listVisits(() => entryStorage(sql).list({ ...filter, limit: 10 }));

const search = (index: string, columns: string) => `SEARCH entries USING INDEX ${index} (${columns})`;
const ofOwner = { owner_id: "o" };
const log = { ...ofOwner, entry_type: "execution_log" };
const PAGE = "owner_id=? AND entry_type=? AND page_name=? AND webhook=?";
const byPage = search("entries_page", PAGE);

describe("a listing reads only what its page needs", () => {
	const cases: [string, Omit<EntryFilter, "limit">, string[]][] = [
		[
			"owner and type",
			{ ...ofOwner, entry_type: "t" },
			[search("entries_owner_type", "owner_id=? AND entry_type=?")],
		],
		["owner, type and page", { ...ofOwner, entry_type: "t", page_name: "p" }, [search("entries_page", PAGE)]],
		[
			"a page, after a cursor",
			{ ...ofOwner, entry_type: "t", page_name: "p", after: { created_at: 5, seq: 5 } },
			[search("entries_page", `${PAGE} AND created_at<?`)],
		],
		[
			"oldest first, after a cursor",
			{ ...ofOwner, entry_type: "t", order: "oldest", after: { created_at: 5, seq: 5 } },
			[search("entries_owner_type", "owner_id=? AND entry_type=? AND created_at>?")],
		],
		["runs of a workflow or webhook", { ...log, page_name: "p" }, [byPage, byPage]],
		["runs of a workflow", { ...log, page_name: "p", runsOf: "named" }, [byPage]],
		["runs of a webhook", { ...log, page_name: "p", runsOf: "webhook" }, [byPage]],
		["failures of a workflow", { ...log, page_name: "p", runsOf: "named", verdict: "failed" }, [byPage]],
		["successes of a workflow", { ...log, page_name: "p", runsOf: "named", verdict: "success" }, [byPage]],
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
			"after a cursor",
			{ ...ofOwner, entry_type: "t", after: { created_at: 5, seq: 5 } },
			[search("entries_owner_type", "owner_id=? AND entry_type=? AND created_at<?")],
		],
		["due entries", { dueAt: 5 }, [search("entries_due", "next_run_at<?")]],
		["due entries of an owner", { ...ofOwner, dueAt: 5 }, [search("entries_due", "next_run_at<?")]],
		[
			"due entries of a type",
			{ entry_type: "accepted_run", dueAt: 5 },
			[search("entries_due", "next_run_at<?")],
		],
		[
			"listening workflows",
			{ ...ofOwner, entry_type: "workflow", listens: "any" },
			[search("entries_listens", "owner_id=?")],
		],
		[
			"workflows of all owners that mails start",
			{ entry_type: "workflow", listens: "mail" },
			["SCAN entries USING INDEX entries_listens"],
		],
		[
			"entries with a short lifetime",
			{ ...ofOwner, entry_type: "idempotency", page_name: "p" },
			[search("entries_page", PAGE)],
		],
		["failures", { ...log, verdict: "failed" }, [search("entries_failures", "owner_id=?")]],
		["knowledge", { ...ofOwner, knowledge: true }, [search("entries_owner", "owner_id=?")]],
	];
	for (const [name, filter, expected] of cases) {
		test(name, async () => assert.deepEqual(await list(filter), expected));
	}

	test("owner and page, of any type", async () => {
		const seen = await list({ ...ofOwner, page_name: "p" });
		assert.equal(seen.filter((visit) => visit === byPage).length, 3);
		assert.ok(seen.includes(search("entries_page", "owner_id=? AND entry_type=? AND page_name=?")));
		assert.ok(seen.every((visit) => visit.startsWith("SEARCH")));
	});
});

test("a metadata filter scans a bounded number of entries in index order", async () => {
	for (const order of ["newest", "oldest"] as const) {
		const [scan = []] = await listPlans(() =>
			entryStorage(sql).list({ ...ofOwner, entry_type: "t", order, limit: 10 }, () => true),
		);
		assert.deepEqual(scan, [search("entries_owner_type", "owner_id=? AND entry_type=?")]);
	}
});

test("the latest records, named or all, are found by index lookups", async () => {
	const storage = executionLogStorage(sql);
	const step = byPage.replace("INDEX", "COVERING INDEX");
	for (const names of [["a", "b"], undefined]) {
		for (const [runsOf, steps] of [
			[undefined, 2],
			["named", 1],
			["webhook", 1],
		] as const) {
			const [seen = []] = await listPlans(() => storage.listLatest("o", names, runsOf));
			assert.equal(seen.filter((visit) => visit === step).length, steps, seen.join("\n"));
			assert.ok(
				seen.every((visit) => !visit.startsWith("SCAN entries")),
				seen.join("\n"),
			);
		}
	}
});

test("a summary counts index entries and reads the day's counter by its key", async () => {
	const storage = executionReportStorage(sql);
	const range = "created_at>? AND created_at<?";
	assert.deepEqual(await listVisits(() => storage.hours("o", 1, 2)), [
		`SEARCH entries USING COVERING INDEX entries_owner_type (owner_id=? AND entry_type=? AND ${range})`,
		search("entries_failures", `owner_id=? AND ${range}`),
	]);
	const log = executionLogStorage(sql);
	const today = (isShared: boolean) =>
		listVisits(() => log.readToday("o", 1, buildDailyLimits(20_000, isShared)));
	const counter = search("entries_upsert", "upsert_key=?");
	assert.deepEqual(await today(false), [counter]);
	const counters = "SEARCH entries USING COVERING INDEX entries_upsert (upsert_key>? AND upsert_key<?)";
	assert.deepEqual(await today(true), [counter, counter, counters]);
});

test("a search by text or kind of run scans a bounded number of records in index order", async () => {
	const storage = executionReportStorage(sql);
	const ofLog = search("entries_owner_type", "owner_id=? AND entry_type=?");
	for (const [filter, index] of [
		[{}, ofLog],
		[{ verdict: "failed" }, search("entries_failures", "owner_id=?")],
		[{ page_name: "p", runsOf: "named", verdict: "failed" }, byPage],
		[{ runsOf: "named" }, ofLog],
		[{ runsOf: "webhook", verdict: "failed" }, search("entries_failures", "owner_id=?")],
	] as const) {
		const [found = [], end = []] = await listPlans(() =>
			storage.searchRecords({ owner_id: "o", limit: 10, ...filter }, "x"),
		);
		assert.ok(found.includes(index), found.join("\n"));
		assert.ok(found.includes("SEARCH entries USING INTEGER PRIMARY KEY (rowid=?)"), found.join("\n"));
		assert.ok(end.includes(index), end.join("\n"));
		for (const detail of [...found, ...end]) assert.doesNotMatch(detail, /TEMP B-TREE/);
	}
});

test("an owner's next runs are read in index order, and counts use only indexes", async () => {
	assert.deepEqual(await listPlans(() => scheduleStorage(sql).listUpcoming("o", 5)), [
		["SEARCH entries USING INDEX entries_upcoming (owner_id=? AND next_run_at>?)"],
	]);
	const [due = []] = await listPlans(() => scheduleStorage(sql).listDue(5, 10));
	assert.ok(due.includes("SEARCH entries USING INDEX entries_due (next_run_at<?)"), due.join("\n"));
	const seen = await listVisits(() => usageStorage(sql).countTypes("o"));
	assert.ok(
		seen.length > 0 && seen.every((visit) => /^SEARCH entries USING COVERING INDEX/.test(visit)),
		seen.join("\n"),
	);
});

test("expired entries are found by skipping through owners and types in the index", async () => {
	const storage = retentionStorage(sql);
	const seen = await listVisits(() =>
		storage.deleteExpired([
			{ entry_type: "execution_log", before: 5 },
			{ entry_type: "idempotency", before: 5 },
		]),
	);
	const bounded = search("entries_owner_type", "owner_id=? AND entry_type=? AND created_at<?");
	assert.ok(seen.includes(bounded), seen.join("\n"));
	assert.ok(
		seen.every((visit) => visit.startsWith("SEARCH")),
		seen.join("\n"),
	);
});

test("an insert-once write and a claim access only the rows they name", async () => {
	const entry = {
		id: "i",
		entry_type: "idempotency",
		owner_id: "o",
		page_name: "p",
		content: "",
		metadata_json: "{}",
		now: 5,
	};
	const scheduled = { owner_id: "o", page_name: "w", schedule: "* * * * *\nUTC", next_run_at: 5 };
	const schedules = scheduleStorage(sql);
	const acceptedRuns = acceptedRunStorage(sql);
	const run = { owner_id: "o", id: "i", now: 6 };
	const waits = waitStorage(sql);
	const wait = { owner_id: "o", run: "i", id: "w" };
	const fresh = {
		owner_id: "o",
		due_at: 65,
		metadata_json: "{}",
		runs: [{ entryId: "k", id: "i", metadata_json: "{}" }],
		root: "r",
		now: 6,
	} as const;
	const claim = {
		id: "i",
		read: scheduled,
		occurrence: { id: "j", page_name: "w@5", time: "1970-01-01T00:00:05Z" },
		run: { entryId: "m", id: "n", due_at: 65, metadata_json: "{}", waits_for: "w" },
		nextRunAt: 65,
		now: 6,
	};
	for (const work of [
		() => entryStorage(sql).insertOnce(entry),
		() => entryStorage(sql).replace(entry),
		() => schedules.get("o", "i"),
		() => schedules.claim(claim),
		() => acceptedRuns.accept({ ...fresh, runs: [{ ...fresh.runs[0], waits_for: "w" }] }),
		// A resent run is looked up, because it may have been refused.
		() => acceptedRuns.accept({ ...fresh, runs: [{ ...fresh.runs[0], entryId: "l" }] }),
		() => acceptedRuns.deleteRootCounters(0),
		...[false, true].map(
			(parked) => () =>
				acceptedRuns.cancel({ owner_id: "o", waits_for: "w", parked, metadata_json: "{}", up_to: 9, now: 6 }),
		),
		() => acceptedRuns.park({ ...run, attempts: 1, due_at: 65, workflow: "w" }),
		() => waits.open({ ...wait, entryId: "q", expires_at: 9, metadata_json: "{}", now: 6 }),
		() => waits.open({ ...wait, entryId: "r", expires_at: 9, metadata_json: "{}", event_word: "w", now: 6 }),
		() => waits.answer({ owner_id: "o", waits: [wait], answer_json: "{}", by: "b", now: 6 }),
		() => waits.listEventWaits({ owner_id: "o", word: "w", after: 0, now: 6 }),
		() => waits.end({ ...wait, state: "expired", now: 6 }),
		() => waits.get(wait),
		() => waits.take(wait),
		() => acceptedRuns.claim({ ...run, attempts: 1, due_at: 65 }),
		() => acceptedRuns.end({ ...run, metadata_json: "{}" }),
	]) {
		const seen = (await listPlans(work)).flat();
		assert.ok(
			seen.length > 0 && seen.every((detail) => !/^SCAN (?:entries|counters)/.test(detail)),
			seen.join("\n"),
		);
	}
});

test("a named value is reached by its key, and expired ones by their time", async () => {
	const storage = stateStorage(sql);
	const named = { owner_id: "o", name: "n", now: 6 };
	const written = { ...named, id: "n1", expires_at: 5, if_absent: false, value_json: "1" };
	for (const work of [
		() => storage.set(written),
		() => storage.increment({ ...written, by: 1 }),
		() => storage.get(named),
		() => storage.delete(named),
		() => storage.deleteExpired(6),
		() => storage.deleteExpired(6, "o"),
	]) {
		const seen = (await listPlans(work)).flat();
		assert.ok(
			seen.length > 0 && seen.every((detail) => !/^SCAN (?:entries|counters)/.test(detail)),
			seen.join("\n"),
		);
	}
});

test("a conversation is reached by its page, and the list of conversations by its owner and type", async () => {
	const storage = conversationStorage(sql);
	const name = { owner_id: "o", workflow: "w", key: "k" };
	const turn = { ...name, id: "t1", execution_id: "r", messages_json: "[]", entryId: "c1", now: 5 };
	for (const work of [
		() => storage.append(turn),
		() => storage.list("o", { limit: 10 }),
		() => storage.delete(name),
	]) {
		const seen = (await listPlans(work)).flat();
		assert.ok(
			seen.length > 0 && seen.every((detail) => !/^SCAN (?:entries|triplets)/.test(detail)),
			seen.join("\n"),
		);
	}
});

test("checking for listeners and counting scheduled workflows take one lookup each", async () => {
	const storage = entryStorage(sql);
	assert.deepEqual(await listVisits(() => storage.isListening("o")), [
		search("entries_listens", "owner_id=?"),
		"SEARCH entries USING COVERING INDEX entries_event_waits (owner_id=?)",
	]);
	assert.deepEqual(await listPlans(() => storage.countScheduled()), [
		["SEARCH counters USING PRIMARY KEY (name=?)"],
	]);
});

test("files are found by their indexes, and the sweep looks only at what is due", async () => {
	const files = fileStorage(sql);
	const [owner_id, id, now] = ["o", "file-00000000000000001", 5];
	const held = { owner_id, ids: [id], execution_ids: ["r"], now };
	const calls: [string, () => Promise<unknown>][] = [
		[
			"reserve",
			() =>
				files.reserve({
					...{ owner_id, id, now, name: "n", type: "t/t", execution_id: null },
					...{ bytes: 4096, max_total: 8192 },
				}),
		],
		["extend", () => files.extend({ owner_id, id, now, bytes: 1, max_total: 8192 })],
		["commit", () => files.commit({ owner_id, id, now, size: 1, retention_ms: 1 })],
		["get", () => files.get({ owner_id, id, now })],
		["newest", () => files.listNewest({ owner_id, isUnkept: true, limit: 10, before: undefined, now })],
		["kept", () => files.listKept({ owner_id, prefix: "a", limit: 10, after: "ab" })],
		["kept name", () => files.getKept(owner_id, "n")],
		["unkept", () => files.findUnkept(owner_id, [id], now)],
		["keep", () => files.keep({ owner_id, id, now, name: "n", retention_ms: 1 })],
		["hold", () => files.hold(held)],
		["mark", () => files.mark(owner_id, { ids: [id] }, now)],
		["mark by name", () => files.mark(owner_id, { kept_as: "n" }, now)],
		["sweep", () => files.sweep(10, 1e12)],
		["expire pending", () => files.expirePending(now)],
		["remove", () => files.remove([{ owner_id, id }])],
		["holds", () => files.deleteEndedHolds(now)],
	];
	for (const [name, call] of calls) {
		const plans = await listPlans(call);
		if (name === "sweep") assert.equal(plans.length, 4);
		for (const plan of plans) {
			const scans = plan.filter((detail) => /^SCAN (?:files|file_holds|entries|counters)/.test(detail));
			assert.deepEqual(scans, [], name);
			assert.deepEqual(
				plan.filter((detail) => detail.includes("TEMP B-TREE")),
				name === "unkept" ? ["USE TEMP B-TREE FOR ORDER BY"] : [],
				name,
			);
		}
	}
});

test("the totals are counted by indexes", async () => {
	const [plan = []] = await listPlans(() => totalStorage(sql).read(1));
	const visits = plan.filter((detail) => / (?:entries|files|counters)\b/.test(detail));
	assert.equal(visits.length, 6);
	for (const visit of visits) assert.match(visit, / USING (?:(?:COVERING )?INDEX|PRIMARY KEY) /);
});
