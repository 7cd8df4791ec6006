import { beginSession } from "./session.ts";

const PENDING = "tripline.login";
const REDIRECT = `${location.origin}/console/callback`;

interface Pending {
	readonly state: string;
	readonly verifier: string;
	readonly clientId: string;
	/** The path to return to after login. */
	readonly back: string;
}

/** Redirects to the consent page, where the owner enters the secret (OAuth 2.1 with PKCE). */
export async function goToLogin(back: string): Promise<void> {
	const { client_id: clientId } = await fetchJson<{ client_id: string }>("/register", {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({
			client_name: "Tripline console",
			redirect_uris: [REDIRECT],
			token_endpoint_auth_method: "none",
		}),
	});
	const pending: Pending = { state: createRandomToken(), verifier: createRandomToken(), clientId, back };
	const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(pending.verifier));
	sessionStorage.setItem(PENDING, JSON.stringify(pending));
	const query = new URLSearchParams({
		response_type: "code",
		client_id: clientId,
		redirect_uri: REDIRECT,
		code_challenge: toBase64Url(new Uint8Array(digest)),
		code_challenge_method: "S256",
		resource: `${location.origin}/mcp`,
		state: pending.state,
	});
	location.assign(`/authorize?${query}`);
}

/** Exchanges the authorization code for a token; resolves to the path to return to. */
export async function finishLogin(answer: URLSearchParams): Promise<string> {
	const pending = JSON.parse(sessionStorage.getItem(PENDING) ?? "null") as Pending | null;
	sessionStorage.removeItem(PENDING);
	const [code, problem] = [answer.get("code"), answer.get("error_description") ?? answer.get("error")];
	if (problem !== null) throw new Error(problem);
	if (pending === null || code === null || answer.get("state") !== pending.state)
		throw new LoginMismatch("the callback does not match a login started in this tab");
	const { access_token: token } = await fetchJson<{ access_token: string }>("/token", {
		method: "POST",
		body: new URLSearchParams({
			grant_type: "authorization_code",
			code,
			client_id: pending.clientId,
			redirect_uri: REDIRECT,
			code_verifier: pending.verifier,
			resource: `${location.origin}/mcp`,
		}),
	});
	beginSession(token, { isTyped: false });
	return pending.back;
}

/** The callback was opened a second time or in another tab than the one that started the login. */
export class LoginMismatch extends Error {}

async function fetchJson<T>(path: string, init: RequestInit): Promise<T> {
	const response = await fetch(path, init);
	const answer = (await response.json().catch(() => ({}))) as { error?: string; error_description?: string };
	if (response.ok) return answer as T;
	throw new Error(answer.error_description ?? answer.error ?? `${path} returned ${response.status}`);
}

const createRandomToken = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(32)));

const toBase64Url = (bytes: Uint8Array): string =>
	btoa(String.fromCharCode(...bytes))
		.replaceAll("+", "-")
		.replaceAll("/", "_")
		.replaceAll("=", "");
