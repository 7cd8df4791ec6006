import { Failed, invalid } from "@tripline/contract/failures";
import { type Json, MAX_JSON_DEPTH, nestsTooDeep } from "@tripline/contract/json";
import { ANONYMOUS } from "@tripline/contract/partner-keys";
import type { JsonObject } from "@tripline/contract/workflows";
import type { CheckInput } from "@tripline/engine/input-schema";
import type { Clock } from "@tripline/platform/clock";
import type { Turns } from "@tripline/platform/turns";
import { readBody } from "@tripline/web/body";
import type { Incoming } from "@tripline/web/http-message";
import type { Vault } from "../vault/vault.ts";
import type { RateLimit } from "./rate-limit.ts";
import { verifySignature } from "./signatures.ts";
import type { Target } from "./target.ts";

export interface ContextDeps {
	readonly clock: Clock;
	readonly maxBodyBytes: number;
	readonly rate: RateLimit;
	readonly vault: Vault;
	readonly turns: Turns;
}

/** Parsing JSON of this length may take milliseconds. */
const LONG_BYTES = 64 * 1024;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads the trigger context of a request. Order of checks: rate, size, signature. */
export async function readContext(
	deps: ContextDeps,
	request: Incoming,
	target: Target,
): Promise<{ readonly input: JsonObject; readonly body: Uint8Array<ArrayBuffer> }> {
	checkRate(deps.rate, target.rateKey);
	const body = await readBody(request, deps.maxBodyBytes);
	if (needsSignature(target)) await checkSignature(deps, request, body, target);
	if (body.length < LONG_BYTES) return { input: parseContext(body), body };
	return { input: await deps.turns.run(getTurnKey(target), () => parseContext(body)), body };
}

/** Calls from an assistant or the console are authenticated as the tenant's own. */
const needsSignature = ({ runnable, trigger }: Target): boolean =>
	runnable.options.signature !== undefined && trigger !== "mcp" && trigger !== "console";

export function checkRate(rate: RateLimit, key: string): void {
	const wait = rate.take(key);
	if (wait === null) return;
	throw new Failed({ kind: "too_many", message: "too many calls, try again later", retryAfterSeconds: wait });
}

/** Call it only if the workflow has a schema, so that other calls need not wait for a turn. */
export async function checkInput(
	{ turns }: Pick<ContextDeps, "turns">,
	target: Target,
	check: CheckInput,
	input: JsonObject,
): Promise<void> {
	const issues = await turns.run(getTurnKey(target), () => check(input));
	if (issues.length > 0) throw invalid(issues);
}

const getTurnKey = ({ namespace }: Target): string => namespace ?? ANONYMOUS;

async function checkSignature(
	deps: ContextDeps,
	request: Incoming,
	body: Uint8Array<ArrayBuffer>,
	{ namespace, runnable }: Target,
): Promise<void> {
	const { signature } = runnable.options;
	if (signature === undefined) return;
	const credential = namespace === null ? null : await deps.vault.reveal(namespace, signature.credential);
	const secret = credential?.fields.secret;
	const verdict =
		secret === undefined
			? "the workflow's signing credential does not exist or has no field 'secret'"
			: await verifySignature({
					scheme: signature.scheme,
					secret,
					headers: request.headers,
					body,
					now: deps.clock.now(),
				});
	if (verdict !== true) throw new Failed({ kind: "unauthorized", message: `not signed: ${verdict}` });
}

/** A body that is absent, not JSON or not an object is an empty context. */
function parseContext(body: Uint8Array): JsonObject {
	if (body.length === 0) return {};
	let text: string;
	let value: Json;
	try {
		text = decoder.decode(body);
		value = JSON.parse(text) as Json;
	} catch {
		return {};
	}
	if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
	if (nestsTooDeep(text))
		throw new Failed({ kind: "bad_request", message: `json nests deeper than ${MAX_JSON_DEPTH} levels` });
	return value;
}
