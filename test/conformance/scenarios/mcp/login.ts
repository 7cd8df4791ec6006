import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import type { Environment } from "../../platforms.ts";
import type { Surface, World } from "../../scenario.ts";

export const OWNER_SECRET = "the owner secret of the tests";
/** Shared by as many scenarios as possible, because each environment starts another service. */
export const MCP_ENVIRONMENT: Environment = { MCP_OWNER_SECRET: OWNER_SECRET };
/** The redirect URI of a local client; nothing listens there. */
export const CALLBACK = "http://127.0.0.1:1/callback";

type Fields = Readonly<Record<string, string | undefined>>;
type Headers = Readonly<Record<string, string>>;
type Answered = Awaited<ReturnType<Surface["call"]>>;

interface LoginOptions {
	/** Overrides parameters of `authorizeQuery`; undefined omits one. */
	readonly query?: Fields;
	readonly headers?: Headers;
}

/** A code with everything needed to exchange it. */
interface Granted {
	readonly code: string;
	/** The parameters for `/token`. */
	readonly exchange: Readonly<Record<string, string>>;
}

/** Logs in as a client does and returns an access token for the namespace MCP_OWNER_NAMESPACE. */
export async function login(world: World, options: LoginOptions = {}): Promise<string> {
	const { exchange } = await requestCode(world, options);
	return readToken(await postForm(world, "/token", exchange, options.headers));
}

/** Submits the consent form and returns the code of the redirect. */
export async function requestCode(world: World, { query, headers }: LoginOptions = {}): Promise<Granted> {
	const { verifier, challenge } = createPkce();
	const asked = buildAuthorizeQuery(challenge, query);
	const answer = await postConsent(world, { ...asked, owner_secret: OWNER_SECRET }, headers);
	assert.equal(answer.status, 302, JSON.stringify(answer.body));
	const code = readLocation(answer).searchParams.get("code");
	assert.ok(code !== null, "the redirect has no code");
	const { client_id = "", redirect_uri = "" } = asked;
	return {
		code,
		exchange: { grant_type: "authorization_code", code, code_verifier: verifier, client_id, redirect_uri },
	};
}

/** A verifier and its S256 challenge (RFC 7636). */
export function createPkce(verifier = randomBytes(32).toString("base64url")): {
	readonly verifier: string;
	readonly challenge: string;
} {
	return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** A valid authorization request; undefined omits a parameter. */
export function buildAuthorizeQuery(
	challenge: string,
	changed: Fields = {},
): Readonly<Record<string, string>> {
	const all: Fields = {
		response_type: "code",
		client_id: "a-client",
		redirect_uri: CALLBACK,
		code_challenge: challenge,
		code_challenge_method: "S256",
		...changed,
	};
	return Object.fromEntries(
		Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined),
	);
}

/** Submits the consent form. */
export const postConsent = (
	world: World,
	fields: Readonly<Record<string, string>>,
	headers?: Headers,
): Promise<Answered> => postForm(world, "/authorize", fields, headers);

export const postForm = (
	world: World,
	path: string,
	fields: Readonly<Record<string, string>>,
	headers: Headers = {},
): Promise<Answered> =>
	world.anyone.call("POST", path, {
		raw: new URLSearchParams(fields).toString(),
		headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
	});

/** The redirect target of a response. */
export function readLocation({ headers }: Answered): URL {
	const location = headers.get("location");
	assert.ok(location !== null, "the response has no location header");
	return new URL(location);
}

export function readToken({ status, body }: Answered): string {
	assert.equal(status, 200, JSON.stringify(body));
	return (body as { access_token: string }).access_token;
}
