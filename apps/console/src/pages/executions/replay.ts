import { isConflict } from "../../api/conflict.ts";
import type { KeptData, ReplayRequest } from "../../api/types.ts";
import { formatInput, parseInput } from "../../inputs/json-text.ts";

/** What the user has chosen. */
export interface ReplayChoice {
	readonly from: "start" | "failed";
	readonly version: "same" | "current";
	/** The text of another input; null: the same input. */
	readonly input: string | null;
}

/** Null if the input is not valid. A run that begins at the failed node has the input that it had. */
export function toReplayRequest({ from, version, input }: ReplayChoice): ReplayRequest | null {
	if (from === "failed" || input === null) return { from, version };
	const { value } = parseInput(input);
	return value === null ? null : { from, version, input: value };
}

/** The text of the kept input; empty if it is not whole. */
export function formatKeptInput(input: KeptData["input"] | undefined): string {
	if (input === undefined || !("json" in input)) return "";
	const { value } = parseInput(JSON.stringify(input.json));
	return value === null ? "" : formatInput(value);
}

/** `uncertain`: the new run may have started all the same. */
type Refusal = "not_kept" | "uncertain" | "other";

/** The service names the option in its message if keeping more would have helped. Without an answer there is no status. */
export function classifyRefusal(error: Error): Refusal {
	if (isConflict(error)) return error.message.includes("options.keep") ? "not_kept" : "other";
	const { status } = error as { status?: number };
	return status === undefined || status >= 500 ? "uncertain" : "other";
}
