import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import type { Target } from "../conformance/platforms.ts";
import type { Answer, Client } from "./client.ts";

export const OWNER_SECRET = "owner-secret-canary-4c1d88e07b";
/** The redirect URI of a local client; nothing listens there. */
export const CALLBACK = "http://127.0.0.1:1/callback";
export const FORM_TYPE: readonly string[] = ["content-type", "application/x-www-form-urlencoded"];

export type Changed = Readonly<Record<string, string | undefined>>;

/** A code with everything that its client needs to exchange it. */
export interface Granted {
	readonly code: string;
	readonly verifier: string;
	readonly challenge: string;
	readonly exchange: Readonly<Record<string, string>>;
}

export type Login = ReturnType<typeof createLogin>;

/** The login flow of a client, step by step. */
export function createLogin(client: Client, target: Target) {
	/** Hashes of the tokens issued through the complete flow. */
	const known = new Set<string>();

	return {
		client,
		target,
		post,
		granted: grantCode,
		redeem: exchangeCode,
		token: issueToken,
		strangers: listUnknownTokens,
	};

	function post(path: string, fields: URLSearchParams | string, headers: readonly string[] = []) {
		return client.call("POST", path, { headers: [...FORM_TYPE, ...headers], body: String(fields) });
	}

	/** The owner approves a client. */
	async function grantCode(changed: Changed = {}): Promise<Granted> {
		const { verifier, challenge } = pkce();
		const asked = buildRequest({ code_challenge: challenge, ...changed });
		const answer = await post("/authorize", new URLSearchParams([...asked, ["owner_secret", OWNER_SECRET]]));
		const code = parseLocation(answer)?.searchParams.get("code") ?? "";
		assert.ok(code !== "", `no code: ${answer.status} ${answer.text.slice(0, 300)}`);
		const exchange = {
			grant_type: "authorization_code",
			code,
			code_verifier: verifier,
			client_id: asked.get("client_id") ?? "",
			redirect_uri: asked.get("redirect_uri") ?? "",
		};
		return { code, verifier, challenge, exchange };
	}

	function exchangeCode(exchange: Changed): Promise<Answer> {
		return post("/token", toParameters(exchange));
	}

	async function issueToken(exchange?: Changed): Promise<string> {
		const answer = await exchangeCode(exchange ?? (await grantCode()).exchange);
		assert.equal(answer.status, 200, answer.text);
		const { access_token } = answer.body as { access_token: string };
		known.add(sha256(access_token));
		return access_token;
	}

	/** Stored tokens that were not issued through the complete flow. */
	async function listUnknownTokens(): Promise<string[]> {
		const keys = await target.oauth.keys();
		return keys.filter((key) => key.startsWith("token:") && !known.has(key.slice("token:".length)));
	}
}

/** A valid request for a code; undefined omits a parameter. */
export const buildRequest = (changed: Changed = {}): URLSearchParams =>
	toParameters({
		response_type: "code",
		client_id: "a-client",
		redirect_uri: CALLBACK,
		code_challenge: pkce().challenge,
		code_challenge_method: "S256",
		...changed,
	});

export const toParameters = (fields: Changed): URLSearchParams =>
	new URLSearchParams(
		Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== undefined),
	);

/** A verifier and its S256 challenge (RFC 7636). */
export function pkce(verifier = randomBytes(32).toString("base64url")) {
	return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The redirect target of an answer. Null if there is none. */
export function parseLocation({ headers }: Answer): URL | null {
	return typeof headers.location === "string" ? new URL(headers.location) : null;
}
