import { CliProblem } from "../command.ts";
import type { Io } from "../io.ts";

const DEFAULT_BASE_URL = "https://api.cloudflare.com/client/v4";
const MAX_TRIES = 4;
/** If Cloudflare asks for a longer wait, the command fails and says when to retry. */
const MAX_WAIT_SECONDS = 60;
const CALL_TIMEOUT_MS = 120_000;
const PAGE_SIZE = 100;

/** Cloudflare answered with a refusal. */
export class ProviderRefused extends CliProblem {
	readonly status: number;
	/** Cloudflare's error code; 0 if the answer had none. */
	readonly providerCode: number;

	constructor(what: string, status: number, failures: readonly Failure[], hint?: string) {
		const said = failures.map(({ code, message }) => `${toOneLine(message)} (code ${code})`).join("; ");
		super(`Cloudflare refused to ${what}: ${said || `status ${status}`}`, hint === undefined ? {} : { hint });
		this.status = status;
		this.providerCode = failures[0]?.code ?? 0;
	}

	/** The token is invalid or lacks the permission. */
	get isForbidden(): boolean {
		return this.status === 401 || this.status === 403;
	}
}

/** Cloudflare could not be reached or failed temporarily; a retry may succeed. */
class ProviderUnavailable extends CliProblem {}

interface Failure {
	readonly code: number;
	readonly message: string;
}

interface Envelope {
	readonly success: boolean;
	readonly result: unknown;
	readonly errors: readonly Failure[];
	readonly total: number | null;
}

export interface Call {
	/** As in "Cloudflare refused to list the KV namespaces". */
	readonly what: string;
	readonly method?: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
	readonly path: string;
	/** JSON, or a form. */
	readonly body?: object;
	/** Safe to repeat, although its method is not idempotent. */
	readonly isRepeatable?: true;
	/** Sent instead of the account's token. */
	readonly bearer?: string;
}

export interface Provider {
	call(call: Call): Promise<unknown>;
	/** All pages of a list. */
	list(call: Call): Promise<readonly unknown[]>;
}

/** Calls Cloudflare's API: parses its envelope, maps its errors and retries. No message contains the token. */
export function provider(deps: {
	readonly io: Pick<Io, "env" | "fetch" | "wait">;
	readonly token: string;
}): Provider {
	const { io, token } = deps;
	const baseUrl = (io.env.CLOUDFLARE_API_BASE_URL || DEFAULT_BASE_URL).replace(/\/+$/, "");
	return {
		call: async (call) => (await callWithRetries(call)).result,
		async list(call) {
			const found: unknown[] = [];
			for (let page = 1; ; page++) {
				const mark = call.path.includes("?") ? "&" : "?";
				const path = `${call.path}${mark}page=${page}&per_page=${PAGE_SIZE}`;
				const { result, total } = await callWithRetries({ ...call, path });
				if (!Array.isArray(result)) throw notTheApiProblem(call);
				found.push(...result);
				if (result.length === 0 || found.length >= (total ?? 0)) return found;
			}
		},
	};

	async function callWithRetries(call: Call): Promise<Envelope> {
		const isRepeatable =
			call.isRepeatable === true || ["GET", "PUT", "DELETE"].includes(call.method ?? "GET");
		for (let tried = 1; ; tried++) {
			const isLast = tried === MAX_TRIES;
			const response = await send(call).catch((error: unknown) => {
				if (isLast || !isRepeatable) throw unreachableProblem(call, error);
				return null;
			});
			if (response === null) await io.wait(pauseMs(tried));
			else if (response.status === 429 && !isLast) await io.wait(readRetryAfterMs(call, response));
			else if (response.status >= 500 && isRepeatable && !isLast) await io.wait(pauseMs(tried));
			else return parseReply(call, response);
		}
	}

	async function send({ method = "GET", path, body, bearer = token }: Call): Promise<Reply> {
		const headers: Record<string, string> = { authorization: `Bearer ${bearer}` };
		const isForm = body instanceof FormData;
		if (body !== undefined && !isForm) headers["content-type"] = "application/json";
		const request = new Request(baseUrl + path, {
			method,
			headers,
			body: body === undefined ? null : isForm ? body : JSON.stringify(body),
		});
		const response = await io.fetch(request, { signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
		return { status: response.status, headers: response.headers, text: await response.text() };
	}
}

interface Reply {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
}

const pauseMs = (tried: number): number => 250 * 2 ** tried;

function readRetryAfterMs({ what }: Call, { headers }: Reply): number {
	const said = headers.get("retry-after") ?? "";
	const seconds = /^\d+$/.test(said) ? Number(said) : Math.ceil((Date.parse(said) - Date.now()) / 1000) || 5;
	if (seconds <= MAX_WAIT_SECONDS) return Math.max(0, seconds * 1000);
	throw new ProviderUnavailable(`Cloudflare's rate limit was reached (status 429) when asked to ${what}`, {
		hint: `run this again in ${seconds} seconds; finished steps are kept`,
	});
}

function parseReply(call: Call, { status, text }: Reply): Envelope {
	const envelope = parseEnvelope(text);
	if (envelope?.success === true && status < 400) return envelope;
	if (status >= 500 || status === 429)
		throw new ProviderUnavailable(
			`Cloudflare could not ${call.what} (status ${status})${describeFailures(envelope?.errors ?? [])}`,
			{ hint: "run this again later; finished steps are kept" },
		);
	if (envelope === null) throw notTheApiProblem(call, status);
	throw new ProviderRefused(call.what, status, envelope.errors);
}

const describeFailures = (failures: readonly Failure[]): string =>
	failures.map(({ code, message }) => `: ${toOneLine(message)} (code ${code})`).join("");

const unreachableProblem = ({ what }: Call, error: unknown): ProviderUnavailable =>
	new ProviderUnavailable(`Cloudflare could not be reached to ${what} (${describeReason(error)})`, {
		hint: "check the network, then run this again; finished steps are kept",
	});

function describeReason(error: unknown): string {
	const { cause, message, name } = error as Error & { readonly cause?: { readonly code?: string } };
	return name === "TimeoutError" ? "no answer in time" : (cause?.code ?? toOneLine(message));
}

const notTheApiProblem = ({ what }: Call, status?: number): ProviderUnavailable =>
	new ProviderUnavailable(
		`the answer when asked to ${what} is not from Cloudflare's API${status === undefined ? "" : ` (status ${status})`}`,
		{ hint: "check CLOUDFLARE_API_BASE_URL, and whether a proxy answers instead of Cloudflare" },
	);

/** Parses the envelope of an answer; null if it is not one. */
function parseEnvelope(text: string): Envelope | null {
	try {
		const { success, result, errors, result_info } = JSON.parse(text);
		if (typeof success !== "boolean") return null;
		const total = result_info?.total_count;
		return {
			success,
			result,
			errors: Array.isArray(errors) ? errors : [],
			total: typeof total === "number" ? total : null,
		};
	} catch {
		return null;
	}
}

/** Removes control characters, so that text from elsewhere cannot move the cursor. */
const toOneLine = (text: string): string =>
	String(text)
		.replaceAll(/\p{Cc}+/gu, " ")
		.slice(0, 500);
