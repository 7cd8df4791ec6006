export const TIMEOUT_MS = 10_000;

export interface Reached {
	readonly response: Response;
	readonly text: string;
	/** By how much the other clock is ahead of this one; null if it does not say. */
	readonly clockSkewMs: number | null;
}

/** Calls an address without credentials. Rejects if there is no response in time. */
export async function reach(url: string, now: () => number, method = "GET"): Promise<Reached> {
	const before = now();
	const response = await fetch(url, { method, redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
	const text = await response.text();
	const date = Date.parse(response.headers.get("date") ?? "");
	return { response, text, clockSkewMs: Number.isNaN(date) ? null : date - before };
}
