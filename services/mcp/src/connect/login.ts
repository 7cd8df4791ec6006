import { describeAllowHosts } from "./clients.ts";
import { KNOWN_CLIENTS, type KnownClient } from "./known-clients.ts";
import { type Answer, CheckFailed, type Probe, parseObject, REACH_FIX } from "./probe.ts";

export interface ClientVerdict {
	readonly id: string;
	readonly title: string;
	/** Its registration is accepted, so the login can start. */
	readonly accepted: boolean;
	readonly fix: string | null;
}

const LOOPBACK = "http://localhost:8787/callback";
const STORAGE_FIX = "Turn OAUTH_KV on (on Cloudflare: bind the key-value namespace OAUTH_KV) and restart.";
const SECRET_FIX =
	"Set MCP_OWNER_SECRET to at least 16 characters (on Cloudflare: as a secret) and restart. If it is unset, the first start generates one.";

/** RFC 7591. */
export async function checkRegistration(probe: Probe): Promise<string> {
	const answer = await register(probe, [LOOPBACK]);
	if (answer.status === 503)
		throw new CheckFailed("Clients cannot register: there is no storage for codes and tokens.", STORAGE_FIX);
	const { client_id } = parseObject(answer, 201, REACH_FIX);
	if (typeof client_id !== "string") throw new CheckFailed("/register returns no client_id.", REACH_FIX);
	return "Clients can register.";
}

export async function checkLoginPage(probe: Probe): Promise<string> {
	const query = new URLSearchParams({
		response_type: "code",
		client_id: "tripline-verify",
		redirect_uri: LOOPBACK,
		code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
		code_challenge_method: "S256",
		state: "verify",
	});
	const { status, text } = await probe.ask(`/authorize?${query}`, { headers: { accept: "text/html" } });
	if (status === 503 && text.includes("OAUTH_KV"))
		throw new CheckFailed("Login is disabled: there is no storage for codes and tokens.", STORAGE_FIX);
	if (status === 503) throw new CheckFailed("Login is disabled: no owner secret is set.", SECRET_FIX);
	if (status !== 200 || !text.includes('name="owner_secret"'))
		throw new CheckFailed(`/authorize answers ${status} and does not show the login page.`, REACH_FIX);
	return "The login page is shown and asks for the owner secret.";
}

/** Which of the known clients could start the login. */
export const checkClients = (probe: Probe): Promise<ClientVerdict[]> =>
	Promise.all(Object.values<KnownClient>(KNOWN_CLIENTS).map((client) => checkClient(probe, client)));

async function checkClient(
	probe: Probe,
	{ id, title, redirectUris, redirectHosts }: KnownClient,
): Promise<ClientVerdict> {
	const status = await register(probe, redirectUris).then(
		(answer) => answer.status,
		() => null,
	);
	const accepted = status === 201;
	const isHostProblem = status === 400 && redirectHosts.length > 0;
	const fix = isHostProblem ? describeAllowHosts(redirectHosts) : REACH_FIX;
	return { id, title, accepted, fix: accepted ? null : fix };
}

const register = (probe: Probe, redirectUris: readonly string[]): Promise<Answer> =>
	probe.ask("/register", {
		method: "POST",
		json: { client_name: "Tripline verify", redirect_uris: redirectUris, token_endpoint_auth_method: "none" },
	});
