import { MAX_WAITING_RUNS } from "@tripline/contract/accepted-runs";
import { AcceptedRun } from "@tripline/contract/executor";
import { AnyJson } from "@tripline/contract/json";
import { RunResult } from "@tripline/contract/workflows";
import * as z from "zod";

export const TRIGGER_PATH = /^\/webhooks\/(?:named\/)?[^/]+\/(?:[^/]+\/)?trigger$/;
/** Whoever has the token may call it. */
export const TOKEN_TRIGGER_PATH = /^\/webhooks\/[^/]+\/trigger$/;
/** What runs a workflow that is known by its name, which is no secret. */
export const NAMED_RUN_PATH = /^\/(?:webhooks\/named\/[^/]+\/(?:[^/]+\/)?(?:trigger|query)|q\/[^/]+\/[^/]+)$/;

/** What all triggers have in common, for the description. */
export const triggerDescription = {
	description:
		"The body is the trigger context: a JSON object, else it is empty. `?trace=false` leaves the node trace out.",
	accepts: {
		"application/json": z.record(z.string(), AnyJson).meta({ description: "Trigger context" }).optional(),
	},
	headers: {
		"Idempotency-Key":
			"Runs once per key: the first successful answer is kept 24 hours and given again with idempotent-replayed: true",
		Prefer: "respond-async: answers 202 at once, and the run goes on",
	},
} as const;

export const TRIGGER_RESPONSES = {
	202: { description: "Accepted (Prefer: respond-async); Location says where to look", body: AcceptedRun },
	401: { description: "The workflow asks for a signature, and this call has no valid one" },
	409: { description: "A call with the same Idempotency-Key is being run" },
	429: {
		description: `Too many calls, or ${MAX_WAITING_RUNS} accepted runs that wait to start; Retry-After says when to try again`,
	},
	500: { description: "The run failed", body: RunResult },
	503: { description: "Too many runs at once, or the store cannot be reached; see Retry-After" },
} as const;
