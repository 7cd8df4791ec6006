import {
	EndedPage,
	EndedQuery,
	ExecutionPage,
	ExecutionQuery,
	ExecutionRecord,
	type ExecutionReport,
	ExecutionSummary,
	LatestExecutions,
	LatestQuery,
	MAX_SUMMARY_HOURS,
	SummaryQuery,
	WriteExecutions,
	WroteExecutions,
} from "@tripline/contract/execution-log";
import { invalid, notFound } from "@tripline/contract/failures";
import { uuidv7 } from "@tripline/contract/ids";
import { Id, Namespace } from "@tripline/contract/names";
import { encodeCursor } from "@tripline/contract/paging";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import { assertOwned, type Caller, resolveOwner } from "../domain/callers.ts";
import { clampTime, toStoredRecord } from "../domain/execution-log.ts";
import { toExecutionRecord } from "../storage/execution-log.ts";
import type { EntryFilter } from "../storage/listing.ts";
import type { StoreParts } from "./deps.ts";

const tag = "Execution log";

export function executionLogRoutes(parts: StoreParts): Route<Caller>[] {
	const { entries, executionLog, executionReports, clock } = parts;
	const { dailyLogLimits } = parts.settings;
	return [
		route({
			method: "POST",
			path: "/execution-log",
			tag,
			summary: "Write execution records",
			description:
				"One record, or up to 500 as `records`. Above 80% of the daily limit successes are dropped, above 100% nothing is recorded; with several tenants, records of a namespace over its share are dropped earlier. The status is 200 in every case. Days are UTC days. Records with an id are safe to resend: a record that already exists counts neither as recorded nor as dropped.",
			body: WriteExecutions,
			responses: {
				200: {
					description: "How many were recorded and dropped, and the logging mode",
					body: WroteExecutions,
				},
			},
			async handle({ caller, body }) {
				const reports: readonly ExecutionReport[] = "records" in body ? body.records : [body];
				const now = clock.now();
				const records = reports.map((report) => {
					const time = clampTime(report, now);
					return {
						id: report.id ?? uuidv7(now),
						owner_id: resolveOwner(caller, report.owner_id),
						time,
						record: toStoredRecord(report, time),
					};
				});
				const { recorded, mode } = await executionLog.append({ records, now, limits: dailyLogLimits });
				const mayRepeat = recorded < reports.length && reports.some((report) => report.id !== undefined);
				const kept = mayRepeat ? await executionLog.countStored(records) : recorded;
				return reply(200, { recorded, dropped: reports.length - kept, mode });
			},
		}),
		route({
			method: "GET",
			path: "/execution-log",
			tag,
			summary: "List execution records, newest first",
			description:
				"With q, and with runs_of but no workflow, a page scans at most 2,000 records: it may hold few or no results and still not be the last. Continue with next_cursor.",
			query: ExecutionQuery,
			responses: { 200: { description: "A page", body: ExecutionPage } },
			async handle({ caller, query }) {
				const filter = {
					owner_id: resolveOwner(caller, query.owner_id),
					page_name: query.workflow,
					verdict: query.verdict,
					runsOf: query.runs_of,
					since: query.since,
					until: query.until,
					order: query.order,
					after: query.cursor,
					limit: query.limit,
				};
				const isIndexed =
					query.q === undefined && (query.runs_of === undefined || query.workflow !== undefined);
				if (!isIndexed && query.order === "oldest")
					throw invalid([{ path: "order", message: "oldest is not possible with q, or with runs_of alone" }]);
				const page = await (isIndexed
					? listRecords(filter)
					: executionReports.searchRecords(filter, query.q ?? ""));
				return reply(200, { executions: page.items, next_cursor: page.next && encodeCursor(page.next) });
			},
		}),
		route({
			method: "GET",
			path: "/execution-log/ended",
			tag,
			summary: "Follow execution records as they are stored",
			description:
				"In the order in which they are stored, which is that in which runs end. Without `after` no record is returned, only the present position. Pass `next` as `after` to continue. A call reads at most 2,000 rows, so it may return few or no records although has_more is true.",
			query: EndedQuery,
			responses: { 200: { description: "Records, and the next position", body: EndedPage } },
			async handle({ caller, query }) {
				const filter = {
					owner_id: resolveOwner(caller, query.owner_id),
					page_name: query.workflow,
					verdict: query.verdict,
					limit: query.limit,
				};
				const { items, next, hasMore } = await executionReports.listStored(filter, query.after?.seq);
				return reply(200, {
					executions: [...items],
					next: encodeCursor({ created_at: 0, seq: next }),
					has_more: hasMore,
				});
			},
		}),
		route({
			method: "GET",
			path: "/execution-log/summary",
			tag,
			summary: "Count runs per hour",
			description: `since and until are inclusive and at most ${MAX_SUMMARY_HOURS} hours apart. At most 20,000 records are counted per hour.`,
			query: SummaryQuery,
			responses: {
				200: { description: "The hours, and how much of the daily limit is used", body: ExecutionSummary },
			},
			async handle({ caller, query }) {
				const owner = resolveOwner(caller, query.owner_id);
				const now = clock.now();
				const { since, until } = readSummaryRange(query, Math.floor(now / 1000));
				const day = new Date(now).toISOString().slice(0, 10);
				const [{ hours, truncated }, { written, mode }] = await Promise.all([
					executionReports.hours(owner, since, until),
					executionLog.readToday(owner, now, dailyLogLimits),
				]);
				return reply(200, {
					hours: hours.map(({ start, ...counts }) => ({
						hour: new Date(start * 1000).toISOString(),
						...counts,
					})),
					truncated,
					mode,
					day,
					limit: dailyLogLimits.total,
					written: caller.kind === "internal" ? written : null,
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
				const owner = resolveOwner(caller, query.owner_id);
				const records = await executionLog.listLatest(owner, query.workflow, query.runs_of);
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
				const owner = resolveOwner(caller, query.owner_id);
				const entry = await entries.get(params.id);
				if (entry?.entry_type !== "execution_log") throw notFound();
				assertOwned(entry.owner_id, owner);
				return reply(200, toExecutionRecord(entry));
			},
		}),
	];

	async function listRecords(filter: Omit<EntryFilter, "entry_type">) {
		const { items, next } = await entries.list({ ...filter, entry_type: "execution_log" });
		return { items: items.map(toExecutionRecord), next };
	}
}

/** Unix seconds. */
function readSummaryRange(query: z.output<typeof SummaryQuery>, now: number) {
	const { until = now } = query;
	const { since = until - 24 * HOUR } = query;
	if (until - since <= MAX_SUMMARY_HOURS * HOUR) return { since, until };
	throw invalid([{ path: "since", message: `must be at most ${MAX_SUMMARY_HOURS} hours before until` }]);
}

const HOUR = 3600;
