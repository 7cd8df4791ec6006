import type { Entry, UpsertEntry, UpsertedEntry } from "@tripline/contract/entries";
import type { Neighbors } from "@tripline/contract/graph";
import type { Json } from "@tripline/contract/json";
import type { Suggestions } from "@tripline/contract/search";
import type { Ingested, TripletCandidate } from "@tripline/contract/triplets";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Sandbox } from "@tripline/platform/sandbox";
import type * as z from "zod";
import type { OutboundAnswer, OutboundCall } from "./outbound/call.ts";

/** All that a component may do beside computing. Made by the executor, for one run. */
export interface Effects {
	readonly clock: { now(): number };
	/** Rejects as soon as the signal is aborted. */
	sleep(ms: number, signal: AbortSignal): Promise<void>;
	/**
	 * Calls an outside address: guarded, with redirects followed and credentials added only for the hosts they are bound
	 * to. Any status is an answer. A `TerminalError` where trying again cannot help.
	 */
	http(call: OutboundCall, signal: AbortSignal): Promise<OutboundAnswer>;
	/**
	 * Stands for a credential's field in what is handed to `http`, which puts the value there; means nothing elsewhere.
	 * Without a field: of a credential that has only one.
	 */
	credentialText(name: string, field?: string): string;
	readonly sandbox: Pick<Sandbox, "run">;
	/** The run's own namespace's knowledge. Throws if the run has no namespace. */
	readonly knowledge: Knowledge;
	/** Runs another workflow of the run's namespace; its data, or a rejection if that run failed. */
	runWorkflow(name: string, input: JsonObject, signal: AbortSignal): Promise<Json>;
	/** How many workflows the event started. */
	emitEvent(type: string, data: Json, signal: AbortSignal): Promise<number>;
	/** What a query endpoint answers with; the last call of a run counts. Without effect elsewhere. */
	respond(answer: { status: number; headers: Record<string, string>; body: Json }): void;
}

/** The store's endpoints with the owner implied: their fields, their answers. */
export interface Knowledge {
	search(
		query: { q: string; limit: number; entry_types?: string[] },
		signal: AbortSignal,
	): Promise<z.output<typeof Suggestions>>;
	/** The newest entry of that type and page. */
	get(page: { entry_type: string; page_name: string }, signal: AbortSignal): Promise<Entry | null>;
	/** Metadata that is left out stays as it is. */
	upsert(
		entry: Omit<UpsertEntry, "owner_id" | "if_absent">,
		signal: AbortSignal,
	): Promise<z.output<typeof UpsertedEntry>>;
	ingest(
		candidate: Omit<TripletCandidate, "owner_id">,
		signal: AbortSignal,
	): Promise<z.output<typeof Ingested>>;
	neighbors(query: NeighborsOf, signal: AbortSignal): Promise<z.output<typeof Neighbors>>;
}

interface NeighborsOf {
	name: string;
	depth: number;
	direction: "out" | "in" | "both";
	predicate?: string | undefined;
	limit: number;
	includeDeprecated: boolean;
}
