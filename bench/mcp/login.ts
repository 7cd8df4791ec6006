import { createHash, randomBytes } from "node:crypto";

const REDIRECT = "http://127.0.0.1:1/callback";

/** Gets an access token as a client would. */
export async function logIn(url: string, ownerSecret: string): Promise<string> {
	const verifier = randomBytes(32).toString("base64url");
	const request = {
		response_type: "code",
		client_id: "bench",
		redirect_uri: REDIRECT,
		code_challenge: createHash("sha256").update(verifier).digest("base64url"),
		code_challenge_method: "S256",
		resource: `${url}/mcp`,
	};
	const consent = await fetch(`${url}/authorize`, {
		method: "POST",
		redirect: "manual",
		body: new URLSearchParams({ ...request, owner_secret: ownerSecret }),
	});
	const code = new URL(consent.headers.get("location") ?? "about:blank").searchParams.get("code");
	if (code === null) throw new Error(`no code: ${consent.status}`);
	const response = await fetch(`${url}/token`, {
		method: "POST",
		body: new URLSearchParams({
			grant_type: "authorization_code",
			code,
			code_verifier: verifier,
			client_id: request.client_id,
			redirect_uri: REDIRECT,
		}),
	});
	return ((await response.json()) as { access_token: string }).access_token;
}
