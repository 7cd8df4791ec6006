import { fromBase64, toBase64Url } from "@tripline/contract/bytes";
import type { AuthRecipe } from "@tripline/contract/recipes";
import { TerminalError } from "@tripline/engine/terminal-error";
import { isWithin, resolveHosts } from "../outbound/hosts.ts";
import { redactor } from "../outbound/redact.ts";
import { authenticateClient } from "./client-auth.ts";
import { type Credential, fillFields, fillRequired } from "./credential.ts";
import {
	buildEndpointUrl,
	buildTokenUrl,
	isToken,
	readSeconds,
	type TokenRequest,
	type TokenResponse,
} from "./token-endpoint.ts";

export type SignInRecipe = Extract<AuthRecipe, { type: "oauth2_authorization_code" }>;
type SignInCredential = Credential & { readonly recipe: SignInRecipe };

export const isSignInRecipe = (recipe: AuthRecipe): recipe is SignInRecipe =>
	recipe.type === "oauth2_authorization_code";

export const hasSignInRecipe = (credential: Credential): credential is SignInCredential =>
	isSignInRecipe(credential.recipe);

/** What the service issued. Times are in seconds. */
export interface SignedIn {
	readonly accessToken: string;
	readonly refreshToken: string | null;
	/** Null if the service does not say it. */
	readonly lifetime: number | null;
	readonly account: string | null;
	/** Fields of the credential that the response sets. */
	readonly fields: Readonly<Record<string, string>>;
}

/** RFC 7636, S256. */
export async function computeChallenge(verifier: string): Promise<string> {
	const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
	return toBase64Url(new Uint8Array(digest));
}

/** The address at the service where the owner signs in (RFC 6749, section 4.1.1). */
export function buildAuthorizeUrl(
	credential: SignInCredential,
	flow: { readonly redirectUri: string; readonly state: string; readonly challenge: string },
): URL {
	const { inject } = credential.recipe;
	const url = buildEndpointUrl(credential, inject.authorize_url, "authorization endpoint");
	const scope = fillFields(inject.scope ?? "", credential).trim();
	const params: Readonly<Record<string, string>> = {
		...inject.authorize_params,
		response_type: "code",
		client_id: fillRequired("client id", inject.client_id, credential),
		redirect_uri: flow.redirectUri,
		...(scope !== "" && { scope }),
		...(inject.resource !== undefined && { resource: inject.resource }),
		state: flow.state,
		code_challenge: flow.challenge,
		code_challenge_method: "S256",
	};
	for (const [name, value] of Object.entries(params)) {
		url.searchParams.set(
			name,
			Object.hasOwn(inject.authorize_params ?? {}, name) ? fillFields(value, credential) : value,
		);
	}
	return url;
}

export const buildCodeRequest = (
	credential: SignInCredential,
	flow: { readonly code: string; readonly verifier: string; readonly redirectUri: string },
): TokenRequest =>
	buildRequest(
		credential,
		{
			grant_type: "authorization_code",
			code: flow.code,
			redirect_uri: flow.redirectUri,
			code_verifier: flow.verifier,
		},
		[flow.code, flow.verifier],
	);

/** RFC 6749, section 6. */
export const buildRefreshRequest = (
	credential: SignInCredential,
	{ refresh, access }: { readonly refresh: string; readonly access: string },
): TokenRequest =>
	buildRequest(credential, { grant_type: "refresh_token", refresh_token: refresh }, [refresh, access]);

function buildRequest(
	credential: SignInCredential,
	grant: Readonly<Record<string, string>>,
	secrets: readonly string[],
): TokenRequest {
	const { inject } = credential.recipe;
	const client = authenticateClient({
		id: fillRequired("client id", inject.client_id, credential),
		// An optional secret that is not set makes it a public client.
		secret: fillFields(inject.client_secret ?? "", credential),
		by: inject.client_auth,
	});
	return {
		url: buildTokenUrl(credential, inject.token_url),
		form: {
			...grant,
			...(inject.resource !== undefined && { resource: inject.resource }),
			...client.form,
		},
		...(client.headers && { headers: client.headers }),
		secrets: [...secrets, ...client.secrets],
	};
}

export function readSignedIn(
	credential: SignInCredential,
	{ value, answer, secrets }: TokenResponse,
): SignedIn {
	const { account, fields = {} } = credential.recipe.inject;
	const { refresh_token: refreshToken, id_token: idToken } = answer;
	const clean = redactor([...secrets, ...[value, refreshToken, idToken].filter(isToken)]);
	const isOpen = (text: string) => clean.text(text) === text;
	return {
		accessToken: value,
		refreshToken: isToken(refreshToken) ? refreshToken : null,
		lifetime: readLifetime(answer.expires_in),
		account: account === undefined ? null : readAccount(readPath(answer, account), isOpen),
		fields: Object.fromEntries(
			Object.entries(fields).flatMap(([name, path]) => {
				const given = readPath(answer, path);
				return given === undefined ? [] : [[name, readHost(credential, name, given, isOpen)]];
			}),
		),
	};
}

/** Far below the last time that a date can have. */
const MAX_LIFETIME_S = 10 * 365 * 24 * 3600;

function readLifetime(given: unknown): number | null {
	const seconds = readSeconds(given);
	return seconds === null ? null : Math.min(seconds, MAX_LIFETIME_S);
}

const MAX_ACCOUNT_LENGTH = 200;

/** Shown to the owner only, but stored as it is, so a token that a service names there is no account. */
function readAccount(value: unknown, isOpen: (text: string) => boolean): string | null {
	if (typeof value !== "string" && typeof value !== "number") return null;
	const text = String(value)
		.replace(/[\p{Cc}\p{Cf}]/gu, "")
		.toWellFormed()
		.slice(0, MAX_ACCOUNT_LENGTH)
		.trim();
	return text !== "" && isOpen(text) ? text : null;
}

/** The host of a URL, or a host. The recipe's hosts limit it, because the token will be sent there. */
function readHost(
	credential: SignInCredential,
	name: string,
	value: unknown,
	isOpen: (text: string) => boolean,
): string {
	const text = typeof value === "string" ? value : "";
	const url = URL.parse(/^https:\/\//i.test(text) ? text : `https://${text}`);
	const isPlain = url !== null && url.username === "" && url.password === "";
	const isAllowed = isPlain && isWithin(url, resolveHosts(credential.recipe.hosts, credential));
	if (isAllowed && isOpen(url.host)) return url.host;
	throw new TerminalError(
		`the token endpoint of credential ${JSON.stringify(credential.name)} named no allowed host for the field ${name}`,
	);
}

/** `id_token` stands for the claims in it. They are not verified: they come directly from the token endpoint. */
function readPath(answer: Readonly<Record<string, unknown>>, path: string): unknown {
	let value: unknown = answer;
	for (const [index, key] of path.split(".").entries()) {
		if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
		value = (value as Record<string, unknown>)[key];
		if (index === 0 && key === "id_token") value = readClaims(value);
	}
	return value;
}

function readClaims(token: unknown): unknown {
	if (!isToken(token)) return undefined;
	try {
		const claims = fromBase64(token.split(".")[1] ?? "");
		return claims === null ? undefined : JSON.parse(new TextDecoder().decode(claims));
	} catch {
		return undefined;
	}
}
