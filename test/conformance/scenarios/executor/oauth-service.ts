import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { CredentialList, SignInLink } from "@tripline/contract/credentials";
import type { OutsideAnswer } from "../../outside.ts";
import type { World } from "../../scenario.ts";
import { putCredential } from "./credential.ts";
import { type OutsideHost, openHost } from "./outside-host.ts";

/** Where browsers reach the service in these scenarios. */
export const BASE = "http://127.0.0.1:8484";

export interface OAuthService {
	readonly auth: OutsideHost;
	readonly api: OutsideHost;
	/** The token that the API accepts. */
	token(): string;
	refreshToken(): string;
	/** How often the token endpoint was asked, by grant. */
	count(grant: string): number;
	/** Makes the API reject the current token. */
	revokeToken(): void;
	/** Replaces the answers of the token endpoint; null restores them. */
	answerWith(answer: OutsideAnswer | null): void;
	/** Remembers the challenge of an authorization request, and returns the code that answers it. */
	authorize(url: string): string;
}

/** A service that a person signs in to: its refresh tokens rotate, and an API that accepts only the latest token. */
export function openOAuthService(world: World, more: object = {}, delayMs = 0): OAuthService {
	let issued = 0;
	let isRevoked = false;
	let instead: OutsideAnswer | null = null;
	const grants: string[] = [];
	const codes = new Map<string, { challenge: string; redirectUri: string }>();
	const token = () => `access-canary-${world.owner}-${issued}`;
	const refreshToken = () => `refresh-canary-${world.owner}-${issued}`;
	const issue = (): OutsideAnswer => {
		issued++;
		isRevoked = false;
		const tokens = { access_token: token(), refresh_token: refreshToken() };
		return {
			json: { ...tokens, token_type: "Bearer", expires_in: 600, team: { name: "Tea & Co" }, ...more },
		};
	};
	const refuse = (error: string): OutsideAnswer => ({ status: 400, json: { error } });

	const auth = openHost(
		world,
		async ({ body, headers }) => {
			const form = new URLSearchParams(body);
			grants.push(form.get("grant_type") ?? "");
			if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
			if (instead !== null) return instead;
			if (headers.authorization !== `Basic ${btoa("client-7:client-canary-secret")}`)
				return { status: 401, json: { error: "invalid_client" } };
			if (form.get("grant_type") === "refresh_token")
				return form.get("refresh_token") === refreshToken() ? issue() : refuse("invalid_grant");
			const code = form.get("code") ?? "";
			const known = codes.get(code);
			codes.delete(code);
			const challenge = createHash("sha256")
				.update(form.get("code_verifier") ?? "")
				.digest("base64url");
			const isRight = known?.challenge === challenge && known.redirectUri === form.get("redirect_uri");
			return isRight ? issue() : refuse("invalid_grant");
		},
		`auth.${world.owner}.example.com`,
	);
	const api = openHost(world, ({ headers }) =>
		headers.authorization === `Bearer ${token()}` && !isRevoked
			? { json: { name: "Ada", echo: headers.authorization } }
			: { status: 401, json: { error: "invalid_token" } },
	);
	return {
		auth,
		api,
		token,
		refreshToken,
		count: (grant) => grants.filter((each) => each === grant).length,
		revokeToken() {
			isRevoked = true;
		},
		answerWith(answer) {
			instead = answer;
		},
		authorize(url) {
			const { searchParams } = new URL(url);
			assert.equal(searchParams.get("code_challenge_method"), "S256");
			const code = `code-canary-${codes.size}-${world.owner}`;
			codes.set(code, {
				challenge: searchParams.get("code_challenge") ?? "",
				redirectUri: searchParams.get("redirect_uri") ?? "",
			});
			return code;
		},
	};
}

/** The service's auth recipe and a credential `mail` of it. */
export async function putSignIn(
	world: World,
	{ auth, api }: OAuthService,
	inject: object = {},
): Promise<void> {
	await putSignInRecipe(world, "own_mail", [api.host], {
		authorize_url: `${auth.url}/authorize?tenant=1`,
		token_url: `${auth.url}/token`,
		...inject,
	});
	await putCredential(world, "mail", "own_mail", CLIENT);
}

export const CLIENT = { client_id: "client-7", client_secret: "client-canary-secret" };

export async function putSignInRecipe(
	world: World,
	id: string,
	hosts: readonly string[],
	inject: object,
): Promise<void> {
	const field = (name: string, more: object = {}) => ({ name, secret: false, help: name, ...more });
	const body = {
		title: "Own <mail>",
		type: "oauth2_authorization_code",
		fields: [
			field("client_id"),
			field("client_secret", { secret: true }),
			field("instance", { optional: true }),
		],
		hosts,
		inject: {
			client_secret: "{client_secret}",
			scope: "mail.read mail.send",
			authorize_params: { access_type: "offline" },
			account: "team.name",
			...inject,
		},
	};
	const answer = await world.executor.call("PUT", `/auth-recipes/${id}`, { body });
	assert.ok(answer.status === 200 || answer.status === 201, JSON.stringify(answer.body));
}

/** Gets a link and presses its button. */
export async function startSignIn(world: World, name = "mail") {
	const { url } = await world.executor.expect(201, SignInLink, "POST", `/credentials/${name}/sign-in`);
	return followLink(world, url);
}

/** Presses the button of a link. */
export async function followLink(world: World, url: string) {
	const path = new URL(url).pathname;
	const started = await world.anyone.call("POST", path, { headers: { origin: new URL(url).origin } });
	assert.equal(started.status, 303, JSON.stringify(started.body));
	const location = started.headers.get("location") ?? "";
	return {
		url,
		path,
		location,
		state: new URL(location).searchParams.get("state") ?? "",
		setCookie: started.headers.get("set-cookie") ?? "",
		cookie: (started.headers.get("set-cookie") ?? "").split(";")[0] ?? "",
	};
}

export const callBack = (
	world: World,
	query: Readonly<Record<string, string>>,
	{ cookie = "", recipe = "own_mail", language = "en" } = {},
) =>
	world.anyone.call("GET", `/oauth/callback/${recipe}`, {
		query,
		headers: { cookie, "accept-language": language },
	});

/** Signs in as the owner does. */
export async function signIn(world: World, service: OAuthService): Promise<void> {
	const { location, state, cookie } = await startSignIn(world);
	const done = await callBack(world, { code: service.authorize(location), state }, { cookie });
	assert.equal(done.status, 200, JSON.stringify(done.body));
}

export async function readSignIn(world: World, name = "mail") {
	const { credentials } = await world.executor.expect(200, CredentialList, "GET", "/credentials");
	return credentials.find((each) => each.name === name)?.sign_in;
}
