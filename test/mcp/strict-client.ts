import * as oauth from "oauth4webapi";
import { grantAccess } from "./owner.ts";

const REDIRECT = "http://127.0.0.1:1/callback";

/** Only https is not required, because loopback addresses use plain http. */
export const OVER_HTTP = { [oauth.allowInsecureRequests]: true };

/** A login that enforces every rule that a client can check. */
export async function logInStrictly(origin: string) {
	const endpoint = new URL(`${origin}/mcp`);
	const { resource, authorization_servers: [issuer = ""] = [] } =
		await oauth.processResourceDiscoveryResponse(
			endpoint,
			await oauth.resourceDiscoveryRequest(endpoint, OVER_HTTP),
		);
	const server = await oauth.processDiscoveryResponse(
		new URL(issuer),
		await oauth.discoveryRequest(new URL(issuer), { algorithm: "oauth2", ...OVER_HTTP }),
	);
	const metadata = { client_name: "Strict", redirect_uris: [REDIRECT], token_endpoint_auth_method: "none" };
	const client = await oauth.processDynamicClientRegistrationResponse(
		await oauth.dynamicClientRegistrationRequest(server, metadata, OVER_HTTP),
	);
	const verifier = oauth.generateRandomCodeVerifier();
	const state = oauth.generateRandomState();
	const asked = new URLSearchParams({
		response_type: "code",
		client_id: client.client_id,
		redirect_uri: REDIRECT,
		code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
		code_challenge_method: "S256",
		resource,
		state,
	});
	const back = await grantAccess(`${server.authorization_endpoint}?${asked}`);
	const answer = oauth.validateAuthResponse(server, client, back, state);
	const granted = await oauth.processAuthorizationCodeResponse(
		server,
		client,
		await oauth.authorizationCodeGrantRequest(server, client, oauth.None(), answer, REDIRECT, verifier, {
			additionalParameters: { resource },
			...OVER_HTTP,
		}),
	);
	return { endpoint, resource, server, client, iss: back.searchParams.get("iss"), granted };
}

/** An access token for a client that needs one up front. */
export const requestToken = async (origin: string): Promise<string> =>
	(await logInStrictly(origin)).granted.access_token;
