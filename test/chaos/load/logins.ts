import { createHash, randomBytes } from "node:crypto";
import { TENANTS } from "../tenants.ts";
import type { Load } from "./load.ts";

export const OWNER_SECRET = "the owner's long secret of this test";
/** The owner's namespace, for which tokens are issued. */
export const [OWNER] = TENANTS;
/** Nothing listens there. */
const CALLBACK = "http://127.0.0.1:1/callback";
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const CLIENT = { client_id: "chaos", redirect_uri: CALLBACK };

/** The owner logs in; then any process must know the token. */
export const logins: Load = {
	name: "login",
	maxPauseMs: 4_000,
	async round({ client, history }) {
		if (client.tenant !== OWNER) return;
		const verifier = randomBytes(32).toString("base64url");
		const consent = await client.call("login", "POST", "/authorize", {
			headers: FORM,
			body: new URLSearchParams({
				response_type: "code",
				...CLIENT,
				code_challenge: createHash("sha256").update(verifier).digest("base64url"),
				code_challenge_method: "S256",
				owner_secret: OWNER_SECRET,
			}).toString(),
		});
		const code = URL.parse(consent?.headers.location ?? "")?.searchParams.get("code");
		if (!code) return;
		// A code is valid once, also if there is no answer: then the owner logs in again.
		const issued = await client.call("login", "POST", "/token", {
			headers: FORM,
			body: new URLSearchParams({
				grant_type: "authorization_code",
				code,
				code_verifier: verifier,
				...CLIENT,
			}).toString(),
		});
		if (issued?.status !== 200) return;
		const { access_token: token } = JSON.parse(issued.text) as { access_token: string };
		history.kept.push({ kind: "token", tenant: client.tenant.name, name: token, expected: OWNER.name });
		await client.call("token", "GET", "/gui/workflows", { headers: { authorization: `Bearer ${token}` } });
	},
};
