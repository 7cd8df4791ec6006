import { TerminalError } from "@tripline/engine/terminal-error";
import { type HttpAnswer, type HttpHead, OutboundRefused, type ResponseSink } from "@tripline/platform/http";
import { type AuthDeps, applyCredential } from "../auth/apply.ts";
import type { Credential } from "../auth/credential.ts";
import type { OutboundAnswer, OutboundCall, OutboundHead, OutboundSink } from "./call.ts";
import { buildDraft, type Draft, findPlaceholders } from "./draft.ts";
import { fill, toWrittenCall } from "./fill.ts";
import { assertHeaderValue } from "./headers.ts";
import { findBindingProblem, isWithin, resolveHosts } from "./hosts.ts";
import type { Placeholder, Placeholders } from "./placeholders.ts";
import { redactContent } from "./redact-content.ts";
import { buildNextHop, type Hop, isRedirect } from "./redirects.ts";
import { type LoadCredential, UsedCredentials } from "./used-credentials.ts";

export interface OutboundDeps extends AuthDeps {
	readonly placeholders: Placeholders;
	/** The tenant's credential of that name. */
	readonly credential: LoadCredential;
	/** Called with secrets that were derived from a credential, such as an access token. */
	recordSecrets?(credential: string, values: readonly string[]): void;
}

const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 30_000;
/** For calls that send or receive files. */
const FILE_TIMEOUT_MS = 300_000;
const DEFAULT_MAX_BYTES = 2 * 1024 * 1024;

/** Creates `Effects.http` for one run. */
export function createOutbound(
	deps: OutboundDeps,
): (call: OutboundCall, signal: AbortSignal) => Promise<OutboundAnswer> {
	return async (call, signal) => {
		const used = new UsedCredentials(deps.credential, call.authRecipes);
		try {
			const first = buildFirstHop(call, deps, used);
			const hop = first instanceof Promise ? await first : first;
			const { answer, url } = await follow(hop, call, deps, used, signal);
			return redactAnswer(answer, url, used);
		} catch (error) {
			throw signal.aborted ? signal.reason : sanitizeError(error, deps.placeholders, used);
		}
	};
}

/** Synchronous if the call has no credential. */
function buildFirstHop(call: OutboundCall, deps: OutboundDeps, used: UsedCredentials): Hop | Promise<Hop> {
	const draft = buildDraft(call, deps.placeholders);
	const found = findPlaceholders(draft, deps.placeholders);
	if (found.length === 0 && call.credential === undefined)
		return { ...toWrittenCall(draft), credential: null };
	return authorizeHop(draft, found, call.credential, deps.placeholders, used);
}

/** Checks that every credential in the call may be sent to the host, before anything is sent. */
async function authorizeHop(
	draft: Draft,
	found: readonly Placeholder[],
	name: string | undefined,
	placeholders: Placeholders,
	used: UsedCredentials,
): Promise<Hop> {
	for (const placeholder of found) await used.load(placeholder.name);
	const credential = name === undefined ? null : await used.load(name);
	const written =
		found.length === 0 ? toWrittenCall(draft) : fill(draft, placeholders, (one) => used.value(one));
	for (const one of used.all()) {
		const problem = findBindingProblem(one, written.url);
		if (problem !== null) throw new TerminalError(problem);
	}
	return { ...written, credential };
}

async function follow(
	first: Hop,
	call: OutboundCall,
	deps: OutboundDeps,
	used: UsedCredentials,
	signal: AbortSignal,
): Promise<{ answer: HttpAnswer; url: URL }> {
	const timeoutMs = call.timeoutMs ?? (hasFile(first, call) ? FILE_TIMEOUT_MS : TIMEOUT_MS);
	const limits = {
		timeoutMs,
		deadline: deps.clock.now() + timeoutMs,
		maxBytes: call.maxBytes ?? DEFAULT_MAX_BYTES,
		sink: call.sink,
	};
	const hosts = call.hosts === undefined ? null : resolveHosts(call.hosts, first.credential);
	let hop = first;
	for (let redirects = 0; ; redirects++) {
		if (hosts !== null && !isWithin(hop.url, hosts)) {
			throw new TerminalError(`this call may reach only ${hosts.join(", ")}, not ${hop.url.host}`);
		}
		const { credential } = hop;
		const answer = await (credential === null
			? send(hop, limits, deps, used, signal)
			: sendAuthorized(hop, credential, limits, deps, used, signal));
		const next = buildNextHop(hop, answer);
		if (next === null) return { answer, url: hop.url };
		if (redirects === MAX_REDIRECTS) {
			throw new TerminalError(`${hop.url.host} redirects once more after ${MAX_REDIRECTS} redirects`);
		}
		assertNoCarriedSecrets(hop, next, used);
		hop = next;
	}
}

interface Limits {
	readonly timeoutMs: number;
	/** For the whole chain of redirects. */
	readonly deadline: number;
	readonly maxBytes: number;
	readonly sink: OutboundSink | undefined;
}

const hasFile = ({ body }: Hop, { sink }: OutboundCall): boolean =>
	sink !== undefined || (typeof body === "object" && body !== null && "open" in body);

/** A cached token may have been revoked: after a 401 it is retried once with a new token. */
async function sendAuthorized(
	hop: Hop,
	credential: Credential,
	limits: Limits,
	deps: OutboundDeps,
	used: UsedCredentials,
	signal: AbortSignal,
): Promise<HttpAnswer> {
	for (let hasTried = false; ; hasTried = true) {
		const {
			url = hop.url,
			headers,
			secrets = [],
			drop,
		} = await applyCredential(credential, hop, deps, signal);
		used.addSecrets(secrets);
		deps.recordSecrets?.(credential.name, secrets);
		for (const name in headers) assertHeaderValue(name, headers[name] ?? "", credential.name);
		const mayRenew = drop !== undefined && !hasTried;
		const authorized = { ...hop, url, headers: { ...hop.headers, ...headers } };
		const answer = await send(authorized, limits, deps, used, signal, mayRenew);
		if (answer.status !== 401 || !mayRenew) return answer;
		drop?.();
	}
}

function send(
	hop: Hop,
	{ timeoutMs, deadline, maxBytes, sink }: Limits,
	{ send, clock }: OutboundDeps,
	used: UsedCredentials,
	signal: AbortSignal,
	mayRenew = false,
): Promise<HttpAnswer> {
	const { method, url, headers, body } = hop;
	const timeLeft = deadline - clock.now();
	if (timeLeft <= 0) throw new Error(`${url.host} did not respond within ${timeoutMs} ms`);
	const request = { method, url, headers, body, timeoutMs: timeLeft, maxBytes };
	if (sink === undefined) return send(request, signal);
	return send({ ...request, sink: createResponseSink(sink, url, used, mayRenew) }, signal);
}

/** Passes the final response on, redacted. */
function createResponseSink(
	sink: OutboundSink,
	url: URL,
	used: UsedCredentials,
	mayRenew: boolean,
): ResponseSink {
	return {
		// What stores the content has its own limit.
		maxBytes: Number.MAX_SAFE_INTEGER,
		open(head) {
			if (!sink.accepts(head.status) || isRedirect(head) || (head.status === 401 && mayRenew)) return null;
			const clean = used.redactor();
			const { byLine = false } = sink;
			return (content) =>
				sink.take(
					redactHead(head, url, used),
					clean === null ? content : redactContent(content, clean, { byLine }),
				);
		},
	};
}

/** A host that receives a secret could put it into the URL that it redirects to. */
function assertNoCarriedSecrets(hop: Hop, next: Hop, used: UsedCredentials): void {
	const clean = used.redactor();
	if (clean === null || next.url.origin === hop.url.origin) return;
	if (clean.text(next.url.href) === next.url.href) return;
	for (const credential of used.all()) {
		if (findBindingProblem(credential, next.url) === null) continue;
		throw new TerminalError(
			`${hop.url.host} redirects to ${next.url.host} with the value of credential ${JSON.stringify(credential.name)} in the URL`,
		);
	}
}

function redactAnswer(
	{ status, headers, body }: HttpAnswer,
	url: URL,
	used: UsedCredentials,
): OutboundAnswer {
	const clean = used.redactor();
	if (clean === null) return { status, headers, body, url: url.href };
	return {
		...redactHead({ status, headers }, url, used),
		body: clean.bytes(body),
		redact: (content) => redactContent(content, clean),
	};
}

function redactHead({ status, headers }: HttpHead, url: URL, used: UsedCredentials): OutboundHead {
	const clean = used.redactor();
	if (clean === null) return { status, headers, url: url.href };
	return {
		status,
		headers: Object.fromEntries(
			Object.entries(headers).map(([name, value]) => [clean.text(name), clean.text(value)]),
		),
		url: clean.text(url.href),
	};
}

/** The error with placeholders named and secrets redacted. */
function sanitizeError(error: unknown, placeholders: Placeholders, used: UsedCredentials): Error {
	const given = error instanceof Error ? error.message : String(error);
	const named = placeholders.replace(given, ({ name }) => `{{credential.${name}}}`);
	const message = used.redactor()?.text(named) ?? named;
	if (error instanceof OutboundRefused) return new TerminalError(message);
	if (error instanceof TerminalError) return message === given ? error : new TerminalError(message);
	// Other properties of the error may contain secrets, so only the message is kept.
	return error instanceof Error && used.redactor() === null && message === given ? error : new Error(message);
}
