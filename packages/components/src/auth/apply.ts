import { TerminalError } from "@tripline/engine/terminal-error";
import type { OutboundHttp } from "@tripline/platform/http";
import { signAwsSigV4 } from "./aws-sigv4.ts";
import { applyBasic } from "./basic.ts";
import { applyBearer } from "./bearer.ts";
import type { Credential } from "./credential.ts";
import { applyHeader } from "./header.ts";
import { buildClientCredentialsRequest } from "./oauth2-client-credentials.ts";
import { applyPath } from "./path.ts";
import { query } from "./query.ts";
import type { Authorized, AuthRequest } from "./request.ts";
import { buildServiceAccountRequest } from "./service-account-jwt.ts";
import { describeMissingSignIn } from "./sign-in.ts";
import { requestToken, type TokenRequest } from "./token-endpoint.ts";
import type { Tokens } from "./tokens.ts";

export interface AuthDeps {
	readonly send: OutboundHttp["send"];
	readonly clock: { now(): number };
	readonly tokens: Tokens;
}

/** Computes how the credential changes a request. The caller has checked that it may be sent to that host. */
export async function applyCredential(
	credential: Credential,
	request: AuthRequest,
	deps: AuthDeps,
	signal: AbortSignal,
): Promise<Authorized> {
	const { recipe } = credential;
	switch (recipe.type) {
		case "bearer":
			return applyBearer(credential, recipe.inject);
		case "basic":
			return applyBasic(credential, recipe.inject);
		case "header":
			return applyHeader(credential, recipe.inject);
		case "query":
			return query(credential, recipe.inject, request.url);
		case "path":
			return applyPath(credential, recipe.inject, request.url);
		case "oauth2_client_credentials":
			return applyToken(
				credential,
				async () => buildClientCredentialsRequest(credential, recipe.inject),
				deps,
				signal,
			);
		case "oauth2_authorization_code":
			return applySession(credential, signal);
		case "service_account_jwt":
			return applyToken(
				credential,
				() => buildServiceAccountRequest(credential, recipe.inject, deps.clock.now()),
				deps,
				signal,
			);
		case "aws_sigv4":
			return signAwsSigV4(credential, recipe.inject, request, deps.clock.now());
		case "database":
			throw new TerminalError(
				`credential ${JSON.stringify(credential.name)} is for a database and cannot authorize a request`,
			);
		case "mail":
			throw new TerminalError(
				`credential ${JSON.stringify(credential.name)} is for a mail server and cannot authorize a request`,
			);
		case "signature":
			throw new TerminalError(
				`credential ${JSON.stringify(credential.name)} is for verifying webhook signatures and cannot authorize a request`,
			);
	}
}

async function applySession({ name, session }: Credential, signal: AbortSignal): Promise<Authorized> {
	if (session === undefined) throw new TerminalError(describeMissingSignIn(name));
	const { value, reject } = await session.getToken(signal);
	return {
		headers: { authorization: `Bearer ${value}` },
		secrets: [value],
		...(reject && { drop: reject }),
	};
}

async function applyToken(
	credential: Credential,
	tokenRequest: () => Promise<TokenRequest>,
	{ send, tokens }: AuthDeps,
	signal: AbortSignal,
): Promise<Authorized> {
	// The recipe is part of the key: a changed recipe needs new tokens.
	const key = JSON.stringify([credential.key, credential.recipe.type, credential.recipe.inject]);
	const issue = async (untilThen: AbortSignal) =>
		requestToken(send, credential, await tokenRequest(), untilThen);
	const { value, isKept } = await tokens.get(key, issue, signal);
	return {
		headers: { authorization: `Bearer ${value}` },
		secrets: [value],
		...(isKept && { drop: () => tokens.drop(key, value) }),
	};
}
