import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type IssuedToken } from "oidc-provider";

const CLIENT = { client_id: "tripline", client_secret: "client-secret-with-at-least-32-characters" };

/** A real authorization server on this machine, with PKCE, rotating refresh tokens and an API at `/me`. */
export async function startOidc() {
	let answer: RequestListener = (_, response) => response.end();
	const server = createServer((request, response) => answer(request, response));
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
	const issuer = `http://${host}`;
	const accessTokens: IssuedToken[] = [];
	const refreshTokens: IssuedToken[] = [];
	let refreshes = 0;
	return {
		host,
		issuer,
		/** Latest last. */
		accessTokens,
		refreshTokens,
		countRefreshes: () => refreshes,
		/** The service can be registered once its address is known. */
		register(redirectUri: string): void {
			const provider = new Provider(issuer, {
				clients: [
					{
						...CLIENT,
						redirect_uris: [redirectUri],
						grant_types: ["authorization_code", "refresh_token"],
						response_types: ["code"],
					},
				],
				pkce: { required: () => true },
				rotateRefreshToken: true,
				cookies: { keys: ["a-key-of-the-tests"] },
				features: { devInteractions: { enabled: true } },
				ttl: {
					AccessToken: 600,
					Grant: 3600,
					IdToken: 600,
					Interaction: 600,
					RefreshToken: 3600,
					Session: 3600,
				},
			});
			provider.on("access_token.saved", (token) => accessTokens.push(token));
			provider.on("refresh_token.saved", (token) => refreshTokens.push(token));
			provider.on("refresh_token.consumed", () => refreshes++);
			answer = provider.callback();
		},
		/** The body that stores its auth recipe. */
		recipe: {
			title: "OpenID provider",
			type: "oauth2_authorization_code",
			fields: [
				{ name: "client_id", secret: false, help: "The client's id" },
				{ name: "client_secret", secret: true, help: "Its secret" },
			],
			hosts: [host],
			inject: {
				authorize_url: `${issuer}/auth`,
				token_url: `${issuer}/token`,
				client_secret: "{client_secret}",
				scope: "openid offline_access",
				authorize_params: { prompt: "consent" },
				issuer,
				issuer_required: true,
				account: "id_token.sub",
			},
		},
		/** The body that stores the client, with the recipe as `oidc`. */
		credential: { auth_recipe: "oidc", fields: CLIENT },
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}
