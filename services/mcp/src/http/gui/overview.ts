import type { StoreUsage } from "@tripline/contract/entries";
import { isInternal } from "@tripline/contract/entry-types";
import type { ExecutionSummary } from "@tripline/contract/execution-log";
import { GuiOverview, GuiOverviewQuery } from "@tripline/contract/gui";
import { type Route, reply, route } from "@tripline/web/route";
import type { McpCaller } from "../../callers.ts";
import { type GuiParts, TAG as tag, toIso } from "./parts.ts";

const HOUR_MS = 3_600_000;
const MAX_SHOWN = 10;

export const overviewRoutes = (parts: GuiParts): Route<McpCaller>[] => [
	route({
		method: "GET",
		path: "/gui/overview",
		tag,
		summary: "Overview of the namespace",
		description:
			"Suitable for polling: it reads only the records of the requested hours. Entries of each type are counted up to 10,000. In multi-tenant mode, values that span all tenants are null.",
		query: GuiOverviewQuery,
		responses: { 200: { description: "The overview", body: GuiOverview } },
		async handle({ caller, query }) {
			return reply(200, await buildOverview(parts, caller.namespace, query.hours));
		},
	}),
];

async function buildOverview(
	{ store, clock, settings }: GuiParts,
	owner_id: string,
	hours: number,
): Promise<GuiOverview> {
	const now = clock.now();
	const first = Math.floor(now / HOUR_MS) * HOUR_MS - (hours - 1) * HOUR_MS;
	const [summary, failed, upcoming, usage] = await Promise.all([
		store.executionLog.getSummary({ owner_id, since: first / 1000, until: Math.floor(now / 1000) }),
		store.executionLog.list({ owner_id, verdict: "failed", limit: MAX_SHOWN }),
		store.schedules.listUpcoming(owner_id, MAX_SHOWN),
		store.getUsage(owner_id),
	]);
	const { truncated, mode, day, limit, written } = summary;
	return {
		now: toIso(now),
		hours: fillHours(summary, first, hours),
		truncated,
		failures: failed.executions,
		upcoming,
		execution_log: { mode, day, limit, written: settings.multiTenant ? null : written },
		size_bytes: settings.multiTenant ? null : usage.size_bytes,
		...countEntries(usage),
	};
}

function fillHours({ hours }: ExecutionSummary, first: number, count: number): ExecutionSummary["hours"] {
	const known = new Map(hours.map((each) => [each.hour, each]));
	return Array.from({ length: count }, (_, nth) => {
		const hour = toIso(first + nth * HOUR_MS);
		return known.get(hour) ?? { hour, success: 0, failed: 0 };
	});
}

function countEntries({ types }: StoreUsage): Pick<GuiOverview, "counts" | "entry_types"> {
	const entry_types = types.filter(({ entry_type }) => !isInternal(entry_type) && entry_type !== "triplet");
	const countType = (type: string) => {
		const { count = 0, more = false } = types.find(({ entry_type }) => entry_type === type) ?? {};
		return { count, more };
	};
	const entries = {
		count: entry_types.reduce((sum, { count }) => sum + count, 0),
		more: entry_types.some(({ more }) => more),
	};
	return {
		counts: { workflows: countType("workflow"), entries, triplets: countType("triplet") },
		entry_types,
	};
}
