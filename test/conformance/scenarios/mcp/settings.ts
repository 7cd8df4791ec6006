import { createHash } from "node:crypto";
import type { Environment } from "../../platforms.ts";
import type { World } from "../../scenario.ts";
import { MCP_ENVIRONMENT } from "./login.ts";

export const STATIC_TOKEN = "static-token-of-the-tests";
export const HOME = "home";

/** Accepts namespaces as bearers, so that every scenario has its own tenant. */
export const OPEN: Environment = {
	...MCP_ENVIRONMENT,
	MCP_STATIC_TOKEN: STATIC_TOKEN,
	MCP_OWNER_NAMESPACE: HOME,
	ALLOW_PLAINTEXT_NAMESPACE: "true",
};

/** A public address needs a token for the executor too, because a namespace is not a secret. */
export const publicAt = (MCP_URL: string): Environment => ({
	...MCP_ENVIRONMENT,
	MCP_URL,
	SERVICE_ACCESS_TOKEN: "access-token-of-the-tests",
});

/** Restarts a service with other settings, then with its own, which is cheaper than another service. */
export async function withRestart(
	world: World,
	own: Environment,
	settings: Environment,
	use: () => Promise<void>,
): Promise<void> {
	await world.target.restart(settings);
	try {
		await use();
	} finally {
		await world.target.restart(own);
	}
}

interface PutToken {
	readonly token: string;
	/** The key of the record. */
	readonly key: string;
	readonly record: Readonly<Record<string, unknown>>;
}

let tokens = 0;

/** An access token that another process of the same service issued: its record in OAUTH_KV. */
export async function putToken(
	world: World,
	fields: Readonly<Record<string, unknown>> = {},
	token = `tlo_${String(++tokens).padStart(43, "T")}`,
): Promise<PutToken> {
	const id = createHash("sha256").update(token).digest("hex");
	const record = {
		namespace: world.owner,
		resource: `${world.target.publicUrl}/mcp`,
		client_id: "a-client",
		client_name: null,
		issued_at: Date.now(),
		expires_at: Date.now() + 3_600_000,
		...fields,
	};
	const key = `token:${id}`;
	await world.target.oauth.put(key, JSON.stringify(record));
	return { token, key, record };
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
