import { TerminalError } from "@tripline/engine/terminal-error";
import { type HttpAnswer, type OutboundHttp, OutboundRefused } from "@tripline/platform/http";
import { isInsecure } from "../outbound/hosts.ts";
import { encodePathSegment } from "../outbound/query.ts";
import { redactor } from "../outbound/redact.ts";
import { type Credential, fillFields, listSecrets } from "./credential.ts";
import type { IssuedToken } from "./tokens.ts";

export interface TokenRequest {
	readonly url: URL;
	readonly form: Readonly<Record<string, string>>;
	readonly headers?: Readonly<Record<string, string>>;
	/** Values derived from the credential that must be redacted. */
	readonly secrets: readonly string[];
}

const TIMEOUT_MS = 30_000;
const MAX_RESPONSE_BYTES = 64 * 1024;
/** Used if the endpoint does not state a lifetime. */
const DEFAULT_LIFETIME_S = 300;
const MAX_LIFETIME_S = 24 * 3600;

/** The recipe names the token endpoint, so the credential may be sent there as well as to the recipe's hosts. */
export function buildTokenUrl(credential: Credential, text: string): URL {
	const isWhole = /^\{[^{}]*\}$/.test(text);
	const url = URL.parse(fillFields(text, credential, isWhole ? undefined : encodePathSegment));
	const name = JSON.stringify(credential.name);
	if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
		throw new TerminalError(`credential ${name} has no valid token endpoint: it must be an https:// URL`);
	}
	if (isInsecure(url)) {
		throw new TerminalError(
			`credential ${name} may not be sent to its token endpoint ${url.host} over plain http, where others on the network can read it: use https`,
		);
	}
	url.hash = "";
	return url;
}

/** Does not follow redirects: they would forward the credential. */
export async function requestToken(
	send: OutboundHttp["send"],
	credential: Credential,
	{ url, form, headers, secrets }: TokenRequest,
	signal: AbortSignal,
): Promise<IssuedToken> {
	const endpoint = `the token endpoint of credential ${JSON.stringify(credential.name)} at ${url.host}`;
	const request = {
		method: "POST",
		url,
		headers: {
			accept: "application/json",
			"content-type": "application/x-www-form-urlencoded",
			"user-agent": "Tripline",
			...headers,
		},
		body: new URLSearchParams(Object.entries(form)).toString(),
		timeoutMs: TIMEOUT_MS,
		maxBytes: MAX_RESPONSE_BYTES,
	};
	const answer = await send(request, signal).catch((error: unknown) => {
		if (signal.aborted && error === signal.reason) throw error;
		const clean = redactor([...secrets, ...listSecrets(credential)]);
		const message = `${endpoint} could not be reached: ${clean.text(error instanceof Error ? error.message : String(error))}`;
		throw error instanceof OutboundRefused ? new TerminalError(message) : new Error(message);
	});
	return readIssuedToken(answer, endpoint);
}

function readIssuedToken({ status, body }: HttpAnswer, endpoint: string): IssuedToken {
	const answer = parseJsonObject(body);
	const { access_token: value, token_type: type, error } = answer;
	if (status !== 200 && status !== 201) {
		const code = typeof error === "string" && /^[\w.-]{1,64}$/.test(error) ? ` (${error})` : "";
		const message = `${endpoint} answered ${status}${code}`;
		throw status === 429 || status >= 500 ? new Error(message) : new TerminalError(message);
	}
	if (typeof value !== "string" || !/^[\x21-\x7e]+$/.test(value)) {
		throw new TerminalError(`${endpoint} returned no access token`);
	}
	if (typeof type === "string" && type.toLowerCase() !== "bearer") {
		throw new TerminalError(`${endpoint} returned a token that is not a bearer token`);
	}
	return { value, lifetimeMs: readLifetime(answer.expires_in) * 1000 };
}

function parseJsonObject(body: Uint8Array): Readonly<Record<string, unknown>> {
	try {
		const value: unknown = JSON.parse(new TextDecoder().decode(body));
		return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
	} catch {
		return {};
	}
}

/** Some servers send the number as text. */
function readLifetime(given: unknown): number {
	const seconds = typeof given === "string" && given !== "" ? Number(given) : given;
	if (typeof seconds !== "number" || !Number.isFinite(seconds)) return DEFAULT_LIFETIME_S;
	return Math.min(Math.max(seconds, 0), MAX_LIFETIME_S);
}
