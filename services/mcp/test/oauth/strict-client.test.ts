import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import { ORIGIN, openServer, SECRET } from "./open-server.ts";

const LOCAL = "http://localhost:9999/callback";

describe("a strict client", () => {
	it("discovers the server, registers, logs in, gets a token and revokes it", async (context) => {
		const { app, tokens, post } = await openServer(context);
		const http = {
			[oauth.customFetch]: (url: string, init: object) => app.fetch(new Request(url, init as RequestInit)),
		};
		const resource = new URL(`${ORIGIN}/mcp`);
		const found = await oauth.processResourceDiscoveryResponse(
			resource,
			await oauth.resourceDiscoveryRequest(resource, http),
		);
		const issuer = new URL(found.authorization_servers?.[0] ?? "");
		const server = await oauth.processDiscoveryResponse(
			issuer,
			await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...http }),
		);
		const client = await oauth.processDynamicClientRegistrationResponse(
			await oauth.dynamicClientRegistrationRequest(
				server,
				{ redirect_uris: [LOCAL], client_name: "Strict", token_endpoint_auth_method: "none" },
				http,
			),
		);
		const verifier = oauth.generateRandomCodeVerifier();
		const state = oauth.generateRandomState();
		const fields = new URLSearchParams({
			response_type: "code",
			client_id: client.client_id,
			redirect_uri: LOCAL,
			code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
			code_challenge_method: "S256",
			resource: found.resource,
			state,
			owner_secret: SECRET,
		});
		const sent = await post(new URL(server.authorization_endpoint ?? "").pathname, fields);
		const answer = oauth.validateAuthResponse(
			server,
			client,
			new URL(sent.headers.get("location") ?? ""),
			state,
		);
		const granted = await oauth.processAuthorizationCodeResponse(
			server,
			client,
			await oauth.authorizationCodeGrantRequest(server, client, oauth.None(), answer, LOCAL, verifier, {
				additionalParameters: { resource: found.resource },
				...http,
			}),
		);
		assert.equal(granted.token_type, "bearer");
		assert.equal(granted.expires_in, 2_592_000);
		assert.equal((await tokens?.find(granted.access_token))?.client_name, "Strict");
		await oauth.processRevocationResponse(
			await oauth.revocationRequest(server, client, oauth.None(), granted.access_token, http),
		);
		assert.equal(await tokens?.find(granted.access_token), null);
	});

	it("gets errors with state and iss", async (context) => {
		const { call } = await openServer(context);
		const query = `client_id=c&redirect_uri=${encodeURIComponent(LOCAL)}&response_type=token&state=s`;
		const response = await call(`/authorize?${query}`);
		const server = { issuer: ORIGIN, authorization_response_iss_parameter_supported: true };
		assert.throws(
			() =>
				oauth.validateAuthResponse(
					server,
					{ client_id: "c" },
					new URL(response.headers.get("location") ?? ""),
					"s",
				),
			{ name: "AuthorizationResponseError", error: "unsupported_response_type" },
		);
	});
});
