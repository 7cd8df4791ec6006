import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { uuidv7 } from "@tripline/contract/ids";
import { buildMetadata } from "@tripline/executor/domain/saved-workflow";
import { webhookStorage } from "@tripline/executor/storage/webhooks";
import { systemClock } from "@tripline/platform/clock";
import { kvMigrations, sqliteKv } from "@tripline/platform/kv.sqlite";
import { buildDailyLimits, toStoredRecord } from "@tripline/store/domain/execution-log";
import { entryStorage } from "@tripline/store/storage/entries";
import { executionLogStorage } from "@tripline/store/storage/execution-log";
import { copyCachedDatabase } from "../cached-database.ts";
import { directSql } from "../direct-sql.ts";
import { NAMESPACE } from "./instance.ts";
import { threeNodes } from "./workflow.ts";

export const WORKFLOWS = 100_000;
export const RECORDS = 1_000_000;

const NAMESPACES = 100;
const RECORDS_PER_STEP = 500;
const YEAR_START = Date.UTC(2025, 0, 1);
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** A data folder with that many named workflows, as many token webhooks, and the records of their runs. */
export async function createGrownFolder(folder: string): Promise<string> {
	mkdirSync(folder);
	const store = await copyCachedDatabase(
		{ name: `executor-store-${RECORDS}`, filledBy: import.meta.filename, fill: fillStore },
		folder,
	);
	renameSync(store, join(folder, "store.db"));
	const kv = await copyCachedDatabase(
		{
			name: `executor-kv-${WORKFLOWS}`,
			filledBy: import.meta.filename,
			fill: fillKv,
			migrations: kvMigrations,
		},
		folder,
	);
	renameSync(kv, join(folder, "kv.db"));
	return folder;
}

/** The measured namespace has a share of them. */
const getNamespace = (nth: number): string =>
	nth % NAMESPACES === 0 ? NAMESPACE : `tenant-${nth % NAMESPACES}`;
const getName = (nth: number): string => `workflow-${nth}`;

async function fillStore(database: DatabaseSync): Promise<void> {
	const sql = directSql(database);
	const entries = entryStorage(sql);
	for (let nth = 0; nth < WORKFLOWS; nth++) {
		const definition = { graph: threeNodes(getName(nth)), context: {}, options: {} };
		await entries.upsert({
			id: uuidv7(YEAR_START),
			entry_type: "workflow",
			owner_id: getNamespace(nth),
			page_name: getName(nth),
			content: "An order",
			metadata_json: buildMetadata(definition, null),
			now: YEAR_START / 1000,
		});
	}
	const executionLog = executionLogStorage(sql);
	for (let start = 0; start < RECORDS; start += RECORDS_PER_STEP) {
		const now = YEAR_START + Math.floor((start / RECORDS) * YEAR_MS);
		const records = Array.from({ length: RECORDS_PER_STEP }, (_, index) => createRecord(start + index, now));
		await executionLog.append({ records, now, limits: buildDailyLimits(RECORDS, false) });
	}
}

function createRecord(index: number, now: number) {
	// Every workflow in pseudo-random order, like real calls.
	const nth = (index * 7919) % WORKFLOWS;
	const report = {
		workflow: getName(nth),
		verdict: "success" as const,
		duration_ms: index % 100,
		trigger: "named",
	};
	return { id: uuidv7(now), owner_id: getNamespace(nth), time: now, record: toStoredRecord(report, now) };
}

async function fillKv(database: DatabaseSync): Promise<void> {
	const kv = sqliteKv({ sql: directSql(database), clock: systemClock, namespace: "workflows" });
	const webhooks = webhookStorage(kv);
	for (let nth = 0; nth < WORKFLOWS; nth++) {
		await webhooks.put(uuidv7(YEAR_START).replaceAll("-", ""), {
			graph: threeNodes(getName(nth)),
			description: "An order",
			created_at: new Date(YEAR_START).toISOString(),
			namespace: getNamespace(nth),
		});
	}
}
