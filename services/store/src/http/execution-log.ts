import {
	ExecutionPage,
	ExecutionQuery,
	ExecutionRecord,
	type ExecutionReport,
	LatestExecutions,
	LatestQuery,
	WriteExecutions,
	WroteExecutions,
} from "@tripline/contract/execution-log";
import { notFound } from "@tripline/contract/failures";
import { uuidv7 } from "@tripline/contract/ids";
import { Id, Namespace } from "@tripline/contract/names";
import { encodeCursor } from "@tripline/contract/paging";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import { assertOwned, type Caller, ownerFor } from "../domain/callers.ts";
import { loggingMode, recordOf } from "../domain/execution-log.ts";
import { toExecutionRecord } from "../storage/execution-log.ts";
import type { StoreParts } from "./deps.ts";

const tag = "Execution log";

export function executionLogRoutes(parts: StoreParts): Route<Caller>[] {
	const { entries, executionLog, clock } = parts;
	const { dailyLogLimit } = parts.settings;
	return [
		route({
			method: "POST",
			path: "/execution-log",
			tag,
			summary: "Write execution records",
			description:
				"One record, or up to 500 as `records`. Above 80% of the day's limit successes are dropped, above 100% nothing is recorded; the answer is 200 all the same. The day is the UTC day. A record may bring its id: the same call again then writes nothing twice, and what was there already counts neither as recorded nor as dropped.",
			body: WriteExecutions,
			responses: { 200: { description: "What became of them", body: WroteExecutions } },
			async handle({ caller, body }) {
				const reports: readonly ExecutionReport[] = "records" in body ? body.records : [body];
				const now = clock.now();
				const records = reports.map((report) => ({
					id: report.id ?? uuidv7(now),
					owner_id: ownerFor(caller, report.owner_id),
					record: recordOf(report, now),
				}));
				const { recorded, count } = await executionLog.append({
					records,
					now,
					counterId: uuidv7(now),
					dailyLimit: dailyLogLimit,
				});
				const mayRepeat = recorded < reports.length && reports.some((report) => report.id !== undefined);
				const kept = mayRepeat ? await executionLog.keptCount(records) : recorded;
				return reply(200, {
					recorded,
					dropped: reports.length - kept,
					mode: loggingMode(count, dailyLogLimit),
				});
			},
		}),
		route({
			method: "GET",
			path: "/execution-log",
			tag,
			summary: "List execution records, newest first",
			query: ExecutionQuery,
			responses: { 200: { description: "A page", body: ExecutionPage } },
			async handle({ caller, query }) {
				const page = await entries.list({
					owner_id: ownerFor(caller, query.owner_id),
					entry_type: "execution_log",
					page_name: query.workflow,
					verdict: query.verdict,
					since: query.since,
					until: query.until,
					after: query.cursor,
					limit: query.limit,
				});
				return reply(200, {
					executions: page.items.map(toExecutionRecord),
					next_cursor: page.next && encodeCursor(page.next),
				});
			},
		}),
		route({
			method: "GET",
			path: "/execution-log/latest",
			tag,
			summary: "The latest record of each workflow",
			query: LatestQuery,
			responses: { 200: { description: "By workflow", body: LatestExecutions } },
			async handle({ caller, query }) {
				const records = await executionLog.latest(ownerFor(caller, query.owner_id), query.workflow);
				return reply(200, { latest: Object.fromEntries(records.map((each) => [each.workflow, each])) });
			},
		}),
		route({
			method: "GET",
			path: "/execution-log/{id}",
			tag,
			summary: "One execution record",
			params: z.object({ id: Id }),
			query: z.strictObject({ owner_id: Namespace.optional() }),
			responses: { 200: { description: "The record", body: ExecutionRecord } },
			async handle({ caller, params, query }) {
				const owner = ownerFor(caller, query.owner_id);
				const entry = await entries.get(params.id);
				if (entry?.entry_type !== "execution_log") throw notFound();
				assertOwned(entry.owner_id, owner);
				return reply(200, toExecutionRecord(entry));
			},
		}),
	];
}
