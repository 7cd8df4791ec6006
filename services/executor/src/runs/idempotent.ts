import { Failed } from "@tripline/contract/failures";
import { sha256Hex } from "@tripline/contract/ids";
import { ANONYMOUS } from "@tripline/contract/partner-keys";
import type { SignatureScheme } from "@tripline/contract/webhook-trigger";
import type { Clock } from "@tripline/platform/clock";
import type { Log } from "@tripline/platform/log";
import type { StoreClient } from "@tripline/store/client";
import type { IncomingHeaders } from "@tripline/web/http-message";
import type { Reply } from "@tripline/web/route";
import type { Address } from "../domain/address.ts";
import type { AcceptedRuns } from "./accepted.ts";
import {
	computeFingerprint,
	type IdempotencyStorage,
	type Replay,
	readIdempotencyKey,
	runIdempotently,
} from "./idempotency.ts";

export interface IdempotentTrigger {
	readonly key: string;
	readonly namespace: string | null;
	readonly address: Address;
	readonly body: Uint8Array<ArrayBuffer>;
	readonly executionId: string;
	/** Whether the answer is that the run was accepted. */
	readonly isAccepting: boolean;
	answer(): Promise<Answered>;
}

interface Answered {
	readonly reply: Reply;
	/** Whether repeats get this reply; otherwise they run again. */
	readonly isFinal: boolean;
	/** The run continues by itself: until it ends, repeats are refused. */
	readonly isUnfinished?: true;
}

const TYPE = "idempotency";
const REPLAYED = { "idempotent-replayed": "true" } as const;

export type Idempotency = ReturnType<typeof idempotency>;

/** Runs triggers with a key once; a repeat gets the first successful answer. */
export function idempotency(deps: {
	readonly store: StoreClient;
	readonly clock: Clock;
	readonly log: Log;
	readonly runTimeoutMs: number;
	/** How an accepted run stands; null if there is none. */
	readonly getStatus: AcceptedRuns["status"];
}) {
	return {
		readKey: (headers: IncomingHeaders, scheme: SignatureScheme | undefined): string | null =>
			readIdempotencyKey(headers, scheme),

		async runOnce(trigger: IdempotentTrigger): Promise<Reply> {
			let ran: Reply | null = null;
			const outcome = await runIdempotently({
				storage: entryStorage(deps.store, trigger.namespace ?? ANONYMOUS),
				clock: deps.clock,
				log: deps.log,
				key: await sha256Hex(JSON.stringify([trigger.address, trigger.key])),
				fingerprint: await computeFingerprint(trigger.body),
				executionId: trigger.executionId,
				deadlineMs: deps.runTimeoutMs,
				isAccepting: trigger.isAccepting,
				async getStatus(executionId) {
					const stored = await deps.getStatus(trigger.namespace ?? ANONYMOUS, executionId);
					if (stored === null) return null;
					return "since" in stored ? "accepted" : stored.status;
				},
				async run() {
					const { reply, isFinal, isUnfinished = false } = await trigger.answer();
					ran = reply;
					const { status, body, text, stream, headers } = reply;
					if (isUnfinished) return { status, isFinal, isUnfinished, body: "" };
					// A file is not stored a second time: a repeat learns that the run succeeded.
					if (stream !== undefined) {
						const { executionId: execution_id } = trigger;
						return { status, isFinal, body: JSON.stringify({ success: true, execution_id }) };
					}
					if (body !== undefined) return { status, isFinal, body: JSON.stringify(body) };
					return { status, isFinal, body: text ?? "", headers: headers ?? {} };
				},
			});
			switch (outcome.kind) {
				case "ran":
					return ran as unknown as Reply;
				case "replayed":
					return buildReplay(outcome.answer);
				case "conflict":
					throw new Failed({
						kind: "conflict",
						message: `a call with the same idempotency key is still running: ${outcome.execution_id}`,
						retryAfterSeconds: outcome.retryAfterSeconds,
					});
				case "mismatch":
					throw new Failed({
						kind: "invalid",
						message: "the idempotency key was used with another body",
						issues: [],
					});
			}
		},
	};
}

function buildReplay({ status, body, execution_id, headers: sent }: Replay): Reply {
	if (sent !== undefined && body !== null)
		return { status, headers: { ...sent, ...REPLAYED }, ...(body !== "" && { text: body }) };
	const headers = {
		...REPLAYED,
		...(status === 202 && { location: `/executions/${execution_id}` }),
	};
	// The answer was too large to store, so only the fact that the run succeeded is known.
	const kept = body === null ? { success: true, execution_id } : (JSON.parse(body) as unknown);
	return { status, body: kept, headers };
}

/** A handle is the entry's id: each claim of a key is a new entry. */
function entryStorage(store: StoreClient, owner_id: string): IdempotencyStorage<string> {
	const buildEntry = (page_name: string, state: string) => ({
		owner_id,
		entry_type: TYPE,
		page_name,
		content: state,
	});
	const claim: IdempotencyStorage<string>["claim"] = async (key, state) => {
		const { entry, created } = await store.entries.createOnce(buildEntry(key, state));
		return created ? { mine: entry.id } : { theirs: entry.id, state: entry.content };
	};
	return {
		claim,
		async takeOver(key, theirs, state) {
			if (!(await store.entries.delete(owner_id, theirs))) return null;
			const claimed = await claim(key, state);
			return "mine" in claimed ? claimed.mine : null;
		},
		async keep(key, mine, state) {
			if ((await store.entries.getById(owner_id, mine)) !== null)
				await store.entries.upsert(buildEntry(key, state));
		},
		async release(_key, mine) {
			await store.entries.delete(owner_id, mine);
		},
	};
}
