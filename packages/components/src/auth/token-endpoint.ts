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
export const buildTokenUrl = (credential: Credential, text: string): URL =>
	buildEndpointUrl(credential, text, "token endpoint");

export function buildEndpointUrl(credential: Credential, text: string, what: string): URL {
	const isWhole = /^\{[^{}]*\}$/.test(text);
	const url = URL.parse(fillFields(text, credential, isWhole ? undefined : encodePathSegment));
	const name = JSON.stringify(credential.name);
	if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
		throw new TerminalError(`credential ${name} has no valid ${what}: it must be an https:// URL`);
	}
	if (isInsecure(url)) {
		throw new TerminalError(
			`credential ${name} may not be sent to its ${what} ${url.host} over plain http, where others on the network can read it: use https`,
		);
	}
	url.hash = "";
	return url;
}

/** The token endpoint refused the request for good. */
export class TokenRefused extends TerminalError {
	/** The OAuth error code, if the endpoint gave one. */
	readonly code: string | null;

	constructor(message: string, code: string | null) {
		super(message);
		this.code = code;
	}

	/** Whether the client was refused, which says nothing about the grant that it presented. */
	get isOfClient(): boolean {
		return this.code !== null && CLIENT_CODES.has(this.code);
	}
}

export async function requestToken(
	send: OutboundHttp["send"],
	credential: Credential,
	request: TokenRequest,
	signal: AbortSignal,
): Promise<IssuedToken> {
	const { value, answer } = await requestTokens(send, credential, request, signal);
	const seconds = readSeconds(answer.expires_in) ?? DEFAULT_LIFETIME_S;
	return { value, lifetimeMs: Math.min(seconds, MAX_LIFETIME_S) * 1000 };
}

export interface TokenResponse {
	/** The access token. */
	readonly value: string;
	/** The whole response. */
	readonly answer: Readonly<Record<string, unknown>>;
	/** What the endpoint was sent: it may echo it. */
	readonly secrets: readonly string[];
}

/** Does not follow redirects: they would forward the credential. */
export async function requestTokens(
	send: OutboundHttp["send"],
	credential: Credential,
	{ url, form, headers, secrets: sent }: TokenRequest,
	signal: AbortSignal,
): Promise<TokenResponse> {
	const secrets = [...sent, ...listSecrets(credential)];
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
		const clean = redactor(secrets);
		const message = `${endpoint} could not be reached: ${clean.text(error instanceof Error ? error.message : String(error))}`;
		throw error instanceof OutboundRefused ? new TerminalError(message) : new Error(message);
	});
	return { ...readTokens(answer, endpoint, secrets), secrets };
}

/** Slack names its bearer tokens "bot". */
const BEARER_TYPES = new Set(["bearer", "bot"]);
const MAX_TOKEN_LENGTH = 16 * 1024;

/** Refusals of the client itself: those of RFC 6749, and those of Google, Slack, Salesforce and GitHub. */
const CLIENT_CODES = new Set([
	"invalid_client",
	"unauthorized_client",
	"deleted_client",
	"disabled_client",
	"invalid_client_id",
	"bad_client_secret",
	"incorrect_client_credentials",
]);

/** An answer that may be right later. */
const TEMPORARY_CODES = new Set(["temporarily_unavailable", "server_error", "slow_down", "ratelimited"]);

function readTokens(
	{ status, body }: HttpAnswer,
	endpoint: string,
	secrets: readonly string[],
): Omit<TokenResponse, "secrets"> {
	const answer = parseJsonObject(body);
	const { access_token: value, token_type: type, error } = answer;
	const isSuccess = status === 200 || status === 201;
	// Some services answer 200 to a refusal.
	if (!isSuccess || (value === undefined && typeof error === "string")) {
		const code = readErrorCode(error, secrets);
		const message = `${endpoint} answered ${status}${code === null ? "" : ` (${code})`}`;
		const isTemporary = status === 429 || status >= 500 || (code !== null && TEMPORARY_CODES.has(code));
		throw isTemporary ? new Error(message) : new TokenRefused(message, code);
	}
	if (!isToken(value)) throw new TerminalError(`${endpoint} returned no access token`);
	if (typeof type === "string" && !BEARER_TYPES.has(type.toLowerCase())) {
		throw new TerminalError(`${endpoint} returned a token that is not a bearer token`);
	}
	return { value, answer };
}

/** Null unless it can be shown. */
const readErrorCode = (error: unknown, secrets: readonly string[]): string | null =>
	typeof error === "string" && /^[\w.-]{1,64}$/.test(error) && redactor(secrets).text(error) === error
		? error
		: null;

export const isToken = (value: unknown): value is string =>
	typeof value === "string" && value.length <= MAX_TOKEN_LENGTH && /^[\x21-\x7e]+$/.test(value);

function parseJsonObject(body: Uint8Array): Readonly<Record<string, unknown>> {
	try {
		const value: unknown = JSON.parse(new TextDecoder().decode(body));
		return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
	} catch {
		return {};
	}
}

/** Some servers send the number as text. Null if there is none. */
export function readSeconds(given: unknown): number | null {
	const seconds = typeof given === "string" && given !== "" ? Number(given) : given;
	return typeof seconds === "number" && Number.isFinite(seconds) ? Math.max(seconds, 0) : null;
}
