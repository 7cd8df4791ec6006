import type { ExecutionFilter } from "../../api/api.ts";

export const RANGES = { hour: 3_600_000, day: 86_400_000, week: 604_800_000, month: 2_592_000_000 } as const;
type RangeId = keyof typeof RANGES;

/** What is looked for, as the address says it. */
export interface Filter {
	readonly workflow: string;
	readonly verdict: "" | "success" | "failed";
	/** Up to now; `exact`: between two times. */
	readonly range: "" | RangeId | "exact";
	readonly since: string;
	readonly until: string;
	readonly q: string;
}

const isRange = (text: string): text is RangeId => Object.hasOwn(RANGES, text);

export function filterOf(search: URLSearchParams): Filter {
	const given = (name: string) => search.get(name) ?? "";
	const [verdict, range] = [given("verdict"), given("range")];
	const [since, until] = [instantOf(given("since")), instantOf(given("until"))];
	return {
		workflow: given("workflow"),
		verdict: verdict === "success" || verdict === "failed" ? verdict : "",
		range: isRange(range) ? range : since !== "" || until !== "" || range === "exact" ? "exact" : "",
		since: isRange(range) ? "" : since,
		until: isRange(range) ? "" : until,
		q: given("q"),
	};
}

const instantOf = (text: string): string => (Number.isNaN(Date.parse(text)) ? "" : text);

export const isFiltered = (filter: Filter): boolean => Object.values(filter).some((value) => value !== "");

/** As changes of the address. */
export const NO_FILTER = { workflow: null, verdict: null, range: null, since: null, until: null, q: null };

/** What the service is asked; a time that moves with the clock is that of the moment of asking. */
export function askedOf({ workflow, verdict, range, since, until, q }: Filter, now: number): ExecutionFilter {
	const from = range === "" || range === "exact" ? since : new Date(now - RANGES[range]).toISOString();
	return {
		workflow: workflow || undefined,
		verdict: verdict || undefined,
		since: from || undefined,
		until: until || undefined,
		q: q.trim() || undefined,
	};
}

/** Whether a run that ends now can be among what is looked for. */
export const isOpenEnded = ({ until }: Filter, now: number): boolean =>
	until === "" || Date.parse(until) > now;

/** For a field of the reader's own time: "2026-06-01T14:05". */
export function localOf(iso: string): string {
	if (iso === "") return "";
	const time = new Date(iso);
	return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export const isoOfLocal = (local: string): string =>
	Number.isNaN(Date.parse(local)) ? "" : new Date(local).toISOString();
