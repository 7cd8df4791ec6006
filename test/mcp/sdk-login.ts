import assert from "node:assert/strict";
import {
	Client,
	type OAuthClientProvider,
	type OAuthDiscoveryState,
	type StoredOAuthClientInformation,
	type StoredOAuthTokens,
	StreamableHTTPClientTransport,
	UnauthorizedError,
	type VersionNegotiationMode,
} from "@modelcontextprotocol/client";
import { grantAccess } from "./owner.ts";

const REDIRECT = "http://127.0.0.1:1/callback";

export interface Login {
	/** Another connection with the same token. */
	connected(): Promise<Client>;
	/** The client's requests during the login. */
	readonly steps: readonly string[];
}

/** The official client's whole login: 401, discovery, registration, the owner's consent, the token. */
export async function logInWithSdk(origin: string, mode: VersionNegotiationMode): Promise<Login> {
	const steps: string[] = [];
	const { provider, callback } = createProvider();
	const transport = () =>
		new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), {
			authProvider: provider,
			async fetch(url, init) {
				const response = await fetch(url, init);
				steps.push(`${init?.method ?? "GET"} ${new URL(url).pathname} ${response.status}`);
				return response;
			},
		});
	const client = () => new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
	const refused = transport();
	await assert.rejects(client().connect(refused), UnauthorizedError);
	await refused.finishAuth(callback());
	return {
		steps,
		async connected() {
			const made = client();
			await made.connect(transport());
			return made;
		},
	};
}

function createProvider(): { provider: OAuthClientProvider; callback(): URLSearchParams } {
	let information: StoredOAuthClientInformation | undefined;
	let tokens: StoredOAuthTokens | undefined;
	let discovered: OAuthDiscoveryState | undefined;
	let verifier = "";
	let back: URL | undefined;
	const state = crypto.randomUUID();
	return {
		callback() {
			assert.equal(back?.searchParams.get("state"), state);
			return back.searchParams;
		},
		provider: {
			redirectUrl: REDIRECT,
			clientMetadata: { client_name: "The official client", redirect_uris: [REDIRECT] },
			state: () => state,
			clientInformation: () => information,
			saveClientInformation: (given) => {
				information = given;
			},
			tokens: () => tokens,
			saveTokens: (given) => {
				tokens = given;
			},
			codeVerifier: () => verifier,
			saveCodeVerifier: (given) => {
				verifier = given;
			},
			discoveryState: () => discovered,
			saveDiscoveryState: (given) => {
				discovered = given;
			},
			redirectToAuthorization: async (url) => {
				back = await grantAccess(url);
			},
		},
	};
}
