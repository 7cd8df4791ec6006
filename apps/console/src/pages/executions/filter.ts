import type { ExecutionFilter } from "../../api/api.ts";

export const RANGES = { hour: 3_600_000, day: 86_400_000, week: 604_800_000, month: 2_592_000_000 } as const;
type RangeId = keyof typeof RANGES;

/** The filter as stored in the address. */
export interface Filter {
	readonly workflow: string;
	readonly verdict: "" | "success" | "failed";
	/** A range that ends now; `exact` means between `since` and `until`. */
	readonly range: "" | RangeId | "exact";
	readonly since: string;
	readonly until: string;
	readonly q: string;
}

const isRange = (text: string): text is RangeId => Object.hasOwn(RANGES, text);

export function parseFilter(search: URLSearchParams): Filter {
	const readParam = (name: string) => search.get(name) ?? "";
	const [verdict, range] = [readParam("verdict"), readParam("range")];
	const [since, until] = [parseInstant(readParam("since")), parseInstant(readParam("until"))];
	return {
		workflow: readParam("workflow"),
		verdict: verdict === "success" || verdict === "failed" ? verdict : "",
		range: isRange(range) ? range : since !== "" || until !== "" || range === "exact" ? "exact" : "",
		since: isRange(range) ? "" : since,
		until: isRange(range) ? "" : until,
		q: readParam("q"),
	};
}

const parseInstant = (text: string): string => (Number.isNaN(Date.parse(text)) ? "" : text);

export const isFiltered = (filter: Filter): boolean => Object.values(filter).some((value) => value !== "");

/** Changes of the address that clear the filter. */
export const NO_FILTER = { workflow: null, verdict: null, range: null, since: null, until: null, q: null };

/** Converts the filter into a request. Relative ranges are resolved at the time of the request. */
export function toExecutionFilter(
	{ workflow, verdict, range, since, until, q }: Filter,
	now: number,
): ExecutionFilter {
	const from = range === "" || range === "exact" ? since : new Date(now - RANGES[range]).toISOString();
	return {
		workflow: workflow || undefined,
		verdict: verdict || undefined,
		since: from || undefined,
		until: until || undefined,
		q: q.trim() || undefined,
	};
}

/** Whether a run that ends now can match the filter. */
export const isOpenEnded = ({ until }: Filter, now: number): boolean =>
	until === "" || Date.parse(until) > now;

/** Converts a time to the format of a datetime-local field in the user's time zone: "2026-06-01T14:05". */
export function toLocalTime(iso: string): string {
	if (iso === "") return "";
	const time = new Date(iso);
	return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export const fromLocalTime = (local: string): string =>
	Number.isNaN(Date.parse(local)) ? "" : new Date(local).toISOString();
