import type { JsonObject } from "@tripline/contract/workflows";
import type { CheckInput } from "@tripline/engine/input-schema";
import type { StoredTrace } from "@tripline/platform/tracing";
import type { Address } from "../domain/address.ts";
import type { Trigger } from "./execute.ts";

/** The stored form of an accepted run. The input is deleted when the run ends. */
export type Accepted = Unfinished | Ended;

export interface Unfinished {
	readonly status: "accepted";
	/** Unix seconds. If the run has not ended by then, its process is considered gone and another takes over. */
	readonly due_at: number;
	/** It has left its process, and goes on when it is due. */
	readonly is_parked?: true;
	/** What it then waits for, at most until it is due. Absent: a time. */
	readonly parked_on?: "time" | "answer" | "event";
	/** The process that has it, if several serve the deployment. */
	readonly holder?: string;
	/** How many times it was started. */
	readonly attempts: number;
	readonly workflow: string;
	readonly address: Address;
	readonly trigger: Trigger;
	readonly input: JsonObject;
	readonly request?: JsonObject;
	/** The files that it may open. */
	readonly files?: readonly string[];
	readonly event_depth: number;
	readonly root?: string;
	/** The version that it must run. Absent: the current one. */
	readonly version?: number;
	/** The run that it repeats, from the start or from where that failed. */
	readonly repeats?: string;
	/** The run that it repeats from where that failed. */
	readonly replay_of?: string;
	readonly step_prefix?: string;
	/** The trace that it goes on with, if what started it belonged to one. */
	readonly trace?: StoredTrace;
	/** The turn of a chat that its reply completes. */
	readonly chat_turn?: string;
}

export interface Ended {
	readonly status: "success" | "failed" | "cancelled";
	readonly workflow: string;
	readonly duration_ms: number;
	readonly error: string;
}

/** An accepted run that has to be started. */
export interface Waiting {
	readonly owner_id: string;
	readonly id: string;
	readonly attempts: number;
	readonly address: Address;
	readonly trigger: Trigger;
	/** Null if no caller waited for the check, or another process made it. */
	readonly passedCheck: CheckInput | null;
	/** The version that it must run. Absent: the current one. */
	readonly version?: number | undefined;
	/** How many invocations have started each other for it. */
	readonly hops?: number | undefined;
	/** In milliseconds, if it waits for a time. */
	readonly parkedUntil?: number | undefined;
	/** The process that has it, if several serve the deployment. */
	readonly holder?: string | undefined;
}

/** Null if it has ended. */
export function readUnfinished(entry: {
	readonly owner_id: string;
	readonly page_name: string;
	readonly metadata_json: string;
}): Waiting | null {
	const accepted = JSON.parse(entry.metadata_json) as Accepted;
	if (accepted.status !== "accepted") return null;
	const { owner_id, page_name: id } = entry;
	const { attempts, address, trigger, version, is_parked, due_at, holder } = accepted;
	const parkedUntil = is_parked ? due_at * 1000 : undefined;
	return { owner_id, id, attempts, address, trigger, passedCheck: null, version, parkedUntil, holder };
}
