import { MAX_WAITING_RUNS } from "@tripline/contract/accepted-runs";
import { AcceptedRun } from "@tripline/contract/executor";
import { AnyJson } from "@tripline/contract/json";
import { RunResult } from "@tripline/contract/workflows";
import * as z from "zod";

export const TRIGGER_PATH = /^\/webhooks\/(?:named\/)?[^/]+\/(?:[^/]+\/)?trigger$/;
/** The token in the path is the credential. */
export const TOKEN_TRIGGER_PATH = /^\/webhooks\/[^/]+\/trigger$/;
/** Routes that run a workflow by its name, which is not a secret. */
export const NAMED_RUN_PATH = /^\/(?:webhooks\/named\/[^/]+\/(?:[^/]+\/)?(?:trigger|query)|q\/[^/]+\/[^/]+)$/;

/** The part of the OpenAPI description that all triggers share. */
export const triggerDescription = {
	description:
		"The body is the trigger context: a JSON object; anything else counts as empty. The keys of a webhook trigger change that for the public addresses: other methods (`methods`), forms, files and text (`accept`), what must be sent (`auth`, `signature`), how it answers (`answer`). `?trace=false` omits the node trace.",
	accepts: {
		"application/json": z.record(z.string(), AnyJson).meta({ description: "Trigger context" }).optional(),
	},
	headers: {
		"Idempotency-Key":
			"Runs once per key: the first successful answer is kept for 24 hours and replayed with idempotent-replayed: true",
		Prefer: "respond-async: answers 202 at once and runs in the background",
	},
} as const;

export const TRIGGER_RESPONSES = {
	202: {
		description:
			"Accepted (Prefer: respond-async), or a durable run that continues without the caller, such as one that waits for a time; see Location for its status",
		body: AcceptedRun,
	},
	401: { description: "The workflow requires a signature or a credential, and the call has no valid one" },
	405: { description: "The trigger's methods do not include this one" },
	409: {
		description:
			"The workflow is disabled, a call with the same Idempotency-Key is still running, or a run is in progress and the trigger's overlap is skip",
	},
	413: { description: "The body, or the files in it, are too large" },
	415: { description: "The trigger's accept does not include bodies of this type" },
	429: {
		description: `Too many calls, or ${MAX_WAITING_RUNS} accepted runs are waiting to start; see Retry-After`,
	},
	500: { description: "The run failed", body: RunResult },
	503: { description: "Too many runs at once, or the store cannot be reached; see Retry-After" },
} as const;

const {
	202: _accepted,
	401: _unsigned,
	405: _method,
	409: _disabled,
	415: _type,
	...testResponses
} = TRIGGER_RESPONSES;
export const TEST_RESPONSES = testResponses;
