import type { Entry, UpsertEntry, UpsertedEntry } from "@tripline/contract/entries";
import type { Neighbors } from "@tripline/contract/graph";
import type { Json } from "@tripline/contract/json";
import type { Suggestions } from "@tripline/contract/search";
import type { Ingested, TripletCandidate } from "@tripline/contract/triplets";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Sandbox } from "@tripline/platform/sandbox";
import type * as z from "zod";
import type { OutboundAnswer, OutboundCall } from "./outbound/call.ts";

/** All that a component may do besides computing. The executor creates it for one run. */
export interface Effects {
	readonly clock: { now(): number };
	/** Rejects as soon as the signal is aborted. */
	sleep(ms: number, signal: AbortSignal): Promise<void>;
	/**
	 * Makes a guarded outbound call: redirects are followed, and credentials are added only for the hosts they are bound
	 * to. Resolves with any status. Rejects with a `TerminalError` if a retry cannot help.
	 */
	http(call: OutboundCall, signal: AbortSignal): Promise<OutboundAnswer>;
	/**
	 * A placeholder for a credential's field, which only `http` replaces with the value. `field` may be left out if the
	 * credential has only one.
	 */
	credentialText(name: string, field?: string): string;
	readonly sandbox: Pick<Sandbox, "run">;
	/** The knowledge of the run's namespace. Throws if the run has none. */
	readonly knowledge: Knowledge;
	/** Runs another workflow of the run's namespace. Resolves with its data; rejects if that run failed. */
	runWorkflow(name: string, input: JsonObject, signal: AbortSignal): Promise<Json>;
	/** Returns how many workflows the event started. */
	emitEvent(type: string, data: Json, signal: AbortSignal): Promise<number>;
	/** Sets the response of a query endpoint; the last call of a run wins. No effect in other runs. */
	respond(answer: { status: number; headers: Record<string, string>; body: Json }): void;
}

/** The store's endpoints, with the same fields and responses; the owner is implied. */
export interface Knowledge {
	search(
		query: { q: string; limit: number; entry_types?: string[] },
		signal: AbortSignal,
	): Promise<z.output<typeof Suggestions>>;
	/** The newest entry of that type and page. */
	get(page: { entry_type: string; page_name: string }, signal: AbortSignal): Promise<Entry | null>;
	/** Metadata that is left out is not changed. */
	upsert(
		entry: Omit<UpsertEntry, "owner_id" | "if_absent">,
		signal: AbortSignal,
	): Promise<z.output<typeof UpsertedEntry>>;
	ingest(
		candidate: Omit<TripletCandidate, "owner_id">,
		signal: AbortSignal,
	): Promise<z.output<typeof Ingested>>;
	neighbors(query: NeighborsQuery, signal: AbortSignal): Promise<z.output<typeof Neighbors>>;
}

interface NeighborsQuery {
	name: string;
	depth: number;
	direction: "out" | "in" | "both";
	predicate?: string | undefined;
	limit: number;
	includeDeprecated: boolean;
}
