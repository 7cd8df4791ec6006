import * as z from "zod";
import { findUnstorableParsed } from "./json.ts";
import { Namespace, nameUpTo } from "./names.ts";

export const MAX_STATE_NAMES = 10_000;
export const MAX_STATE_VALUE_BYTES = 64 * 1024;
/** Ten years. */
const MAX_STATE_TTL_SECONDS = 10 * 365 * 24 * 60 * 60;

export const StateName = nameUpTo(128).meta({ description: "The value's name" });

export const StateTtl = z
	.int()
	.min(1)
	.max(MAX_STATE_TTL_SECONDS)
	.meta({ description: "Seconds until the value is gone" });

/** A counter is a whole or decimal number in the range in which whole numbers are exact. */
export const StateNumber = z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);

/** Why JSON text is too large for a value; null if it is not. */
export const findStateSizeProblem = (json: string): string | null =>
	// A character takes at most three bytes, so most texts need not be encoded.
	json.length * 3 <= MAX_STATE_VALUE_BYTES || new TextEncoder().encode(json).length <= MAX_STATE_VALUE_BYTES
		? null
		: `must be at most ${MAX_STATE_VALUE_BYTES / 1024} KiB of JSON`;

const ValueJson = z
	.string()
	.superRefine((text, context) => {
		const problem = findStateSizeProblem(text) ?? findJsonProblem(text);
		if (problem !== null) context.addIssue({ code: "custom", message: problem });
	})
	.meta({ description: "A JSON value, as text" });

const StoredJson = z.string().nullable().meta({ description: "JSON text; null if the name has no value" });

export const StateQuery = z.strictObject({ owner_id: Namespace, name: StateName });

export const StateAnswer = z.object({ value_json: StoredJson });

export const SetState = z
	.strictObject({
		owner_id: Namespace,
		name: StateName,
		value_json: ValueJson.meta({ description: "A JSON value, as text; null deletes the name" }),
		ttl_seconds: StateTtl.optional().meta({ description: "Seconds until the value is gone; absent: never" }),
		if_absent: z.boolean().default(false).meta({ description: "An existing value is left unchanged" }),
	})
	.refine(({ value_json, if_absent }) => !if_absent || JSON.parse(value_json) !== null, {
		path: ["value_json"],
		message: "must not be null with if_absent",
	})
	.meta({ id: "SetState" });
export type SetState = z.input<typeof SetState>;

export const SetStateAnswer = z.object({
	stored: z.boolean().meta({ description: "False if if_absent left an existing value unchanged" }),
	previous_json: StoredJson.meta({ description: "The value before; null if there was none" }),
});
export type SetStateAnswer = z.output<typeof SetStateAnswer>;

export const IncrementState = z
	.strictObject({
		owner_id: Namespace,
		name: StateName,
		by: StateNumber.default(1).meta({ description: "What is added; default 1" }),
		ttl_seconds: StateTtl.optional().meta({ description: "For a new counter: seconds until it is gone" }),
	})
	.meta({ id: "IncrementState" });
export type IncrementState = z.input<typeof IncrementState>;

export const IncrementStateAnswer = z.object({
	value: z.number().meta({ description: "The counter after this call" }),
});
export type IncrementStateAnswer = z.output<typeof IncrementStateAnswer>;

function findJsonProblem(text: string): string | null {
	try {
		return findUnstorableParsed(JSON.parse(text), text);
	} catch {
		return "must be JSON";
	}
}
