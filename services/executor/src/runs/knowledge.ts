import type { Knowledge } from "@tripline/components/effects";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { Turns } from "@tripline/platform/turns";
import { type CallOptions, type StoreClient, StoreRefused } from "@tripline/store/client";

/** Access to one namespace's knowledge on behalf of a run. */
export function createKnowledge(
	store: StoreClient,
	turns: Turns,
	owner_id: string,
	run: CallOptions["run"],
): Knowledge {
	const ask = <T>(signal: AbortSignal, call: (on: CallOptions) => Promise<T>): Promise<T> =>
		turns.call(owner_id, signal, () => toTerminal(call({ run, signal })));
	return {
		search: (query, signal) =>
			ask(signal, async (on) => ({ suggestions: await store.search({ ...query, owner_id }, on) })),
		get: ({ entry_type, page_name }, signal) =>
			ask(signal, (on) => store.entries.get(owner_id, entry_type, page_name, on)),
		upsert: (entry, signal) =>
			ask(signal, async (on) => {
				const written = await store.entries.upsert({ ...entry, owner_id }, on);
				return { success: true, ...written };
			}),
		ingest: (candidate, signal) => ask(signal, (on) => store.triplets.ingest({ ...candidate, owner_id }, on)),
		neighbors: ({ name, depth, limit, includeDeprecated, direction, predicate }, signal) => {
			const query: Parameters<StoreClient["graph"]["listNeighbors"]>[1] = {
				owner_id,
				depth: String(depth),
				limit: String(limit),
				includeDeprecated: includeDeprecated ? "true" : "false",
				direction,
				...(predicate !== undefined && { predicate }),
			};
			return ask(signal, (on) => store.graph.listNeighbors(name, query, on));
		},
	};
}

/** The store would refuse the same call again, so a refusal must not be retried. */
async function toTerminal<T>(answer: Promise<T>): Promise<T> {
	try {
		return await answer;
	} catch (error) {
		if (!(error instanceof StoreRefused)) throw error;
		const issues = error.issues.map(({ path, message }) => `${path} ${message}`);
		throw new TerminalError([error.message, ...issues].join("; "));
	}
}
