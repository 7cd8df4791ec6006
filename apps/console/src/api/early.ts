import { buildOverviewUrl, DEFAULT_RANGE, OVERVIEW_HOURS, SESSION_URL } from "./first-requests.ts";

interface Early {
	readonly answer: Promise<unknown>;
	/** Set once the response has arrived. */
	data?: unknown;
}

declare global {
	/** Passed from the first script to the app: requests by URL. */
	var tripline: { readonly token: string; readonly early: Partial<Record<string, Early>> } | undefined;
}

export function askEarly(token: string, { pathname, search }: Location): void {
	const isOverview = /^\/console\/?$/.test(pathname) && search === "";
	const urls = isOverview ? [SESSION_URL, buildOverviewUrl(OVERVIEW_HOURS[DEFAULT_RANGE])] : [SESSION_URL];
	globalThis.tripline = { token, early: Object.fromEntries(urls.map((url) => [url, ask(url)])) };

	function ask(url: string): Early {
		const answer = fetch(url, { headers: { authorization: `Bearer ${token}` } }).then(async (response) => {
			if (!response.ok) throw new Error(`${url} returned ${response.status}`);
			early.data = await response.json();
			return early.data;
		});
		const early: Early = { answer };
		// Ignored here: the query that needs it asks again and reports the error.
		answer.catch(() => {});
		return early;
	}
}

/** Resolves when all early requests are answered or the time is up. Waiting avoids rendering the first page twice. */
export async function waitForEarlyAnswers(maxMs: number): Promise<void> {
	const asked = Object.values(globalThis.tripline?.early ?? {}).map((each) => each?.answer);
	const moment = Promise.withResolvers<void>();
	const timer = setTimeout(moment.resolve, maxMs);
	await Promise.race([Promise.allSettled(asked), moment.promise]);
	clearTimeout(timer);
}

/** The early response for this token, if it has arrived. */
export const getEarlyAnswer = (key: string, token: string | undefined): unknown =>
	globalThis.tripline?.token === token ? globalThis.tripline?.early[key]?.data : undefined;

/** Returns an early request once only, so that a reload asks the service again. */
export function takeEarly(key: string, token: string | undefined): Promise<unknown> | undefined {
	const asked = globalThis.tripline;
	const answer = asked?.token === token ? asked?.early[key]?.answer : undefined;
	delete asked?.early[key];
	return answer;
}
