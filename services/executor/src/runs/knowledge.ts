import type { Knowledge } from "@tripline/components/effects";
import { TerminalError } from "@tripline/engine/component";
import { type CallOptions, type StoreClient, StoreRefused } from "@tripline/store/client";

/** One namespace's knowledge, on behalf of a run. */
export function knowledgeOf(store: StoreClient, owner_id: string, run: CallOptions["run"]): Knowledge {
	const on = (signal: AbortSignal): CallOptions => ({ run, signal });
	return {
		search: (query, signal) =>
			answered(store.search({ ...query, owner_id }, on(signal)).then((suggestions) => ({ suggestions }))),
		get: ({ entry_type, page_name }, signal) =>
			answered(store.entries.get(owner_id, entry_type, page_name, on(signal))),
		upsert: (entry, signal) =>
			answered(
				store.entries
					.upsert({ ...entry, owner_id }, on(signal))
					.then((written) => ({ success: true, ...written })),
			),
		ingest: (candidate, signal) => answered(store.triplets.ingest({ ...candidate, owner_id }, on(signal))),
		neighbors: ({ name, depth, limit, includeDeprecated, direction, predicate }, signal) =>
			answered(
				store.graph.neighbors(
					name,
					{
						owner_id,
						depth: String(depth),
						limit: String(limit),
						includeDeprecated: includeDeprecated ? "true" : "false",
						direction,
						...(predicate !== undefined && { predicate }),
					},
					on(signal),
				),
			),
	};
}

/** What the store refuses it would refuse again, so trying again is no use. */
async function answered<T>(answer: Promise<T>): Promise<T> {
	try {
		return await answer;
	} catch (error) {
		if (!(error instanceof StoreRefused)) throw error;
		const issues = error.issues.map(({ path, message }) => `${path} ${message}`);
		throw new TerminalError([error.message, ...issues].join("; "));
	}
}
