import { toHex } from "@tripline/contract/bytes";
import { Failed } from "@tripline/contract/failures";
import type { SignatureScheme } from "@tripline/contract/webhook-trigger";
import type { Clock } from "@tripline/platform/clock";
import { type Log, toErrorFields } from "@tripline/platform/log";
import type { IncomingHeaders } from "@tripline/web/http-message";
import * as z from "zod";

/** How long the first successful answer is replayed. */
const RETENTION_MS = 24 * 60 * 60_000;
/** Of the stored state. The body of a larger answer is omitted; the fact that the run happened is kept. */
const MAX_STATE_BYTES = 256 * 1024;
/** Added to the run's deadline for the work before and after the run. */
const LEASE_MARGIN_MS = 10_000;
const MAX_ATTEMPTS = 3;

const common = { fingerprint: z.string(), execution_id: z.string(), until: z.number() };
const Kept = z.discriminatedUnion("state", [
	z.strictObject({ state: z.literal("running"), ...common }),
	z.strictObject({
		state: z.literal("done"),
		...common,
		status: z.int(),
		/** Null if it was too large to store. */
		body: z.string().nullable(),
		/** Of an answer that is not JSON of ours. */
		headers: z.record(z.string(), z.string()).optional(),
	}),
]);
/** The stored state of a key. It expires at `until` (Unix milliseconds). */
type Kept = z.infer<typeof Kept>;

interface Answer {
	readonly status: number;
	readonly body: string;
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** Whether repeats get this answer; otherwise they run again. */
	readonly isFinal: boolean;
	/** The run continues by itself: the key stays claimed. */
	readonly isUnfinished?: boolean;
}

export type Replay = Omit<Answer, "body" | "isFinal" | "isUnfinished"> & {
	readonly body: string | null;
	readonly execution_id: string;
};

/**
 * Storage for states, as text. A handle identifies one written state, not its key, so that a call cannot update or
 * release a state that another call has taken over.
 */
export interface IdempotencyStorage<Handle> {
	/** Insert-once: writes the state, or returns the existing one. */
	claim(key: string, state: string): Promise<{ mine: Handle } | { theirs: Handle; state: string }>;
	/** Replaces `theirs` with `state`. Null if `theirs` no longer exists. */
	takeOver(key: string, theirs: Handle, state: string): Promise<Handle | null>;
	/** Replaces the state at `mine` if it still exists. */
	keep(key: string, mine: Handle, state: string): Promise<void>;
	release(key: string, mine: Handle): Promise<void>;
}

interface IdempotentCall<Handle> {
	readonly storage: IdempotencyStorage<Handle>;
	readonly clock: Clock;
	readonly log: Log;
	readonly key: string;
	readonly fingerprint: string;
	readonly executionId: string;
	/** After a crash the claim expires a little after the run's deadline; then the next call takes over. */
	readonly deadlineMs: number;
	/** The call is answered as soon as its run is stored, and its answer does not depend on how the run ends. */
	readonly isAccepting?: boolean;
	/** How the run of an earlier call stands, if it was stored before it started; otherwise null. */
	getStatus(executionId: string): Promise<"accepted" | "success" | "failed" | "cancelled" | null>;
	run(): Promise<Answer>;
}

type Outcome =
	| { readonly kind: "ran"; readonly answer: Answer }
	| { readonly kind: "replayed"; readonly answer: Replay }
	| { readonly kind: "conflict"; readonly execution_id: string; readonly retryAfterSeconds: number }
	| { readonly kind: "mismatch" };

/** Runs once per key: a repeat gets the first successful answer, a concurrent call a conflict. A failure frees the key. */
export async function runIdempotently<Handle>(call: IdempotentCall<Handle>): Promise<Outcome> {
	const { storage, key, fingerprint, executionId, clock } = call;
	for (let attempt = 1; ; attempt++) {
		const now = clock.now();
		const until = now + call.deadlineMs + LEASE_MARGIN_MS;
		const state = JSON.stringify({ state: "running", fingerprint, execution_id: executionId, until });
		const claimed = await storage.claim(key, state);
		if ("mine" in claimed) return runClaimed(call, claimed.mine);
		const existing = parseKept(claimed.state);
		const decision = existing === null ? "take over" : await decideNow(call, existing, now);
		if (decision === "mismatch") return { kind: "mismatch" };
		if (typeof decision === "object") return { kind: "replayed", answer: decision.replay };
		if (decision === "take over") {
			const mine = await storage.takeOver(key, claimed.theirs, state);
			if (mine !== null) return runClaimed(call, mine);
			if (attempt < MAX_ATTEMPTS) continue;
		}
		return toConflict(existing, executionId, now);
	}
}

/** The process of a stored run may have ended, while the run is or was resumed by another. */
async function decideNow<Handle>(
	call: IdempotentCall<Handle>,
	existing: Kept,
	now: number,
): Promise<Decision> {
	const decision = decide(existing, call.fingerprint, now);
	if (existing.state !== "running" || existing.fingerprint !== call.fingerprint) return decision;
	const { execution_id } = existing;
	const status = await call.getStatus(execution_id);
	if (status !== null && call.isAccepting) {
		const body = JSON.stringify({ execution_id, status: "accepted" });
		return { replay: { status: 202, body, headers: undefined, execution_id } };
	}
	switch (status) {
		case null:
			return decision;
		case "accepted":
			return "conflict";
		// Its answer is lost with its process, so only the fact that it succeeded is known.
		case "success":
			return { replay: { status: 200, body: null, headers: undefined, execution_id } };
		default:
			return "take over";
	}
}

async function runClaimed<Handle>(call: IdempotentCall<Handle>, mine: Handle): Promise<Outcome> {
	const { storage, key, log } = call;
	let state: string | null = null;
	let staysClaimed = false;
	try {
		const answer = await call.run();
		staysClaimed = answer.isUnfinished === true;
		if (answer.isFinal) state = buildDoneState(call, answer);
		return { kind: "ran", answer };
	} catch (error) {
		// Unless it was refused, the run may be stored, although the connection was lost before the answer came.
		staysClaimed = call.isAccepting === true && !(error instanceof Failed);
		throw error;
	} finally {
		if (!staysClaimed) await settle(state);
	}

	async function settle(state: string | null): Promise<void> {
		// The run has ended. If the key cannot be settled, repeats get a conflict until its lease expires.
		await (state === null ? storage.release(key, mine) : storage.keep(key, mine, state)).catch(
			(error: unknown) => log("error", "idempotency key not settled", toErrorFields(error)),
		);
	}
}

function buildDoneState<Handle>(call: IdempotentCall<Handle>, answer: Answer): string {
	const { fingerprint, executionId } = call;
	const { status, body, headers } = answer;
	const until = call.clock.now() + RETENTION_MS;
	const done = { state: "done", fingerprint, execution_id: executionId, until, status, body, headers };
	const text = body.length > MAX_STATE_BYTES ? null : JSON.stringify(done);
	return text !== null && new TextEncoder().encode(text).length <= MAX_STATE_BYTES
		? text
		: JSON.stringify({ ...done, body: null });
}

function toConflict(existing: Kept | null, executionId: string, now: number): Outcome {
	const seconds = Math.ceil(((existing?.until ?? now) - now) / 1000);
	return {
		kind: "conflict",
		execution_id: existing?.execution_id ?? executionId,
		retryAfterSeconds: Math.min(5, Math.max(1, seconds)),
	};
}

type Decision = "run" | "conflict" | "mismatch" | "take over" | { readonly replay: Replay };

/** Decides what a call with this fingerprint does. */
export function decide(existing: Kept | null, fingerprint: string, now: number): Decision {
	if (existing === null) return "run";
	if (existing.until <= now) return "take over";
	if (existing.fingerprint !== fingerprint) return "mismatch";
	if (existing.state === "running") return "conflict";
	const { status, body, headers, execution_id } = existing;
	return { replay: { status, body, headers, execution_id } };
}

/** Null if it is unreadable: such a state must not block its key. */
export function parseKept(text: string): Kept | null {
	try {
		return Kept.parse(JSON.parse(text));
	} catch {
		return null;
	}
}

/**
 * The caller's key: `Idempotency-Key`, else `webhook-id`. Under Standard Webhooks only `webhook-id` counts, because it
 * is signed: with another, unsigned key a captured call could be replayed as a new one.
 */
export function readIdempotencyKey(headers: IncomingHeaders, scheme?: SignatureScheme): string | null {
	const names = scheme === "standard-webhooks" ? ["webhook-id"] : ["idempotency-key", "webhook-id"];
	for (const name of names) {
		const key = headers.get(name);
		if (key === null) continue;
		if (/^[!-~]{1,255}$/.test(key)) return key;
		throw new Failed({
			kind: "bad_request",
			message: `header ${name} must be 1 to 255 visible ASCII characters, sent once`,
		});
	}
	return null;
}

/** Distinguishes requests that use the same key. */
export async function computeFingerprint(body: Uint8Array): Promise<string> {
	return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", body as Uint8Array<ArrayBuffer>)));
}
