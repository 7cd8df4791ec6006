import { Failed, type Issue, invalid } from "@tripline/contract/failures";
import { type Json, MAX_JSON_DEPTH, nestsTooDeep } from "@tripline/contract/json";
import { ANONYMOUS } from "@tripline/contract/partner-keys";
import type { JsonObject } from "@tripline/contract/workflows";
import type { CheckInput } from "@tripline/engine/input-schema";
import type { Clock } from "@tripline/platform/clock";
import type { Turns } from "@tripline/platform/turns";
import { readBody } from "@tripline/web/body";
import type { Incoming } from "@tripline/web/http-message";
import { isOwnCall } from "../runs/execute.ts";
import type { ExecutorSettings } from "../settings.ts";
import type { Vault } from "../vault/vault.ts";
import type { RateLimit } from "./rate-limit.ts";
import { buildRequestRoot } from "./request-root.ts";
import type { Target } from "./target.ts";
import type { Upload } from "./upload.ts";
import { getCalledUrl } from "./urls.ts";
import { verifySignature } from "./verification/signatures.ts";

export interface ContextDeps {
	readonly clock: Clock;
	readonly settings: Pick<ExecutorSettings, "maxBodyBytes" | "baseUrl">;
	readonly rate: RateLimit;
	readonly vault: Vault;
	readonly turns: Turns;
}

/** Parsing JSON of this length may take milliseconds. */
const LONG_BYTES = 64 * 1024;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** A request that has passed its checks. */
export interface Received {
	readonly input: JsonObject;
	readonly body: Uint8Array<ArrayBuffer>;
	/** The template root `request`; undefined if the workflow does not read it. */
	readonly root?: JsonObject | undefined;
	/** The files that came with it. */
	readonly upload?: Upload | undefined;
}

/** Reads the trigger context of a request. Order of checks: rate, size, signature. */
export async function readContext(deps: ContextDeps, request: Incoming, target: Target): Promise<Received> {
	checkRate(deps.rate, target.rateKey);
	const body = await readBody(request, deps.settings.maxBodyBytes);
	if (needsSignature(target)) await checkSignature(deps, request, body, target);
	const parsed = parseInTurn(deps, target, body, parseContext);
	// Awaiting only promises saves a microtask, which is measurable on short requests.
	const input = parsed instanceof Promise ? await parsed : parsed;
	return { input, body, root: readRoot(request, target) };
}

/** Parses at once if that is quick, else in the tenant's turn. */
export function parseInTurn<Input extends JsonObject | null>(
	{ turns }: Pick<ContextDeps, "turns">,
	target: Target,
	body: Uint8Array<ArrayBuffer>,
	parse: (body: Uint8Array<ArrayBuffer>) => Input,
): Input | Promise<Awaited<Input>> {
	return body.length < LONG_BYTES ? parse(body) : turns.run(getTurnKey(target), () => parse(body));
}

export const needsSignature = ({ runnable, trigger }: Target): boolean =>
	runnable.signature !== null && !isOwnCall(trigger);

/** Undefined if nothing reads it, as in nearly all workflows. */
export const readRoot = (request: Incoming, { runnable }: Target): JsonObject | undefined =>
	"readsRequest" in runnable.plan && runnable.plan.readsRequest
		? buildRequestRoot(request, runnable)
		: undefined;

export function checkRate(rate: RateLimit, key: string): void {
	const wait = rate.take(key);
	if (wait === null) return;
	throw new Failed({ kind: "too_many", message: "too many calls, try again later", retryAfterSeconds: wait });
}

/** Call it only if the workflow has a schema, so that other calls need not wait for a turn. */
export async function checkInput(
	deps: Pick<ContextDeps, "turns">,
	target: Target,
	check: CheckInput,
	input: JsonObject,
): Promise<void> {
	const issues = await listIssues(deps, target, check, input);
	if (issues.length > 0) throw invalid(issues);
}

/** What is wrong with an input. */
export const listIssues = (
	{ turns }: Pick<ContextDeps, "turns">,
	target: Target,
	check: CheckInput,
	input: JsonObject,
): Promise<readonly Issue[]> | readonly Issue[] => turns.run(getTurnKey(target), () => check(input));

const getTurnKey = ({ namespace }: Target): string => namespace ?? ANONYMOUS;

export async function checkSignature(
	deps: ContextDeps,
	request: Incoming,
	body: Uint8Array<ArrayBuffer>,
	{ namespace, runnable }: Target,
): Promise<void> {
	const { signature } = runnable;
	if (signature === null) return;
	const credential = namespace === null ? null : await deps.vault.reveal(namespace, signature.credential);
	const secret = credential?.fields.secret;
	const verdict =
		secret === undefined
			? "the workflow's signing credential does not exist or has no field 'secret'"
			: await verifySignature({
					signature,
					secret,
					url: getCalledUrl(deps.settings, request),
					headers: request.headers,
					body,
					now: deps.clock.now(),
				});
	if (verdict !== true) throw new Failed({ kind: "unauthorized", message: `not signed: ${verdict}` });
}

/** A body that is absent, not JSON or not an object is an empty context. */
export function parseContext(body: Uint8Array): JsonObject {
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
