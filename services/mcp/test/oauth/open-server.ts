import type { TestContext } from "node:test";
import type { HttpAnswer, HttpRequest } from "@tripline/platform/http";
import type { Kv } from "@tripline/platform/kv";
import { kvMigrations, sqliteKv } from "@tripline/platform/kv.sqlite";
import { createStore } from "@tripline/store/app";
import { type StoreClient, storeClient } from "@tripline/store/client";
import { storeEnvironment, storeSettings } from "@tripline/store/settings";
import { storeMigrations } from "@tripline/store/storage/migrations";
import { createApp } from "@tripline/web/app";
import { toIncoming, toResponse } from "@tripline/web/http-message";
import { openMigrated } from "../../../../packages/platform/test/open-migrated.ts";
import { oauthRoutes } from "../../src/oauth/routes.ts";
import { createTokens } from "../../src/oauth/tokens.ts";
import { type McpSettings, mcpEnvironment, mcpSettings } from "../../src/settings.ts";

export const ORIGIN = "https://tripline.example";
export const SECRET = "the owner's secret of the tests";
export const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
export const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
export const CALLBACK = "https://claude.ai/api/mcp/auth_callback";

type Fields = Readonly<Record<string, string | undefined>>;

/** A valid authorization request with the given changes. */
export const buildAuthorizeQuery = (changes: Fields = {}): URLSearchParams =>
	form({
		response_type: "code",
		client_id: "a-client",
		redirect_uri: CALLBACK,
		code_challenge: CHALLENGE,
		code_challenge_method: "S256",
		state: "s-1",
		...changes,
	});

/** A valid token request for a code with the given changes. */
export const buildTokenForm = (code: string, changes: Fields = {}): URLSearchParams =>
	form({
		grant_type: "authorization_code",
		code,
		code_verifier: VERIFIER,
		client_id: "a-client",
		redirect_uri: CALLBACK,
		...changes,
	});

const form = (fields: Fields): URLSearchParams =>
	new URLSearchParams(
		Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== undefined),
	);

const parseSettings = (environment: Readonly<Record<string, string>>): McpSettings =>
	mcpSettings(mcpEnvironment.parse({ MCP_OWNER_SECRET: SECRET, NAMESPACE: "acme", ...environment }));

interface Sent {
	readonly method?: string;
	readonly body?: string | URLSearchParams | Uint8Array<ArrayBuffer>;
	readonly headers?: Record<string, string>;
	readonly address?: string;
	readonly origin?: string;
}

/** An authorization server with its own databases, and helpers for its callers. */
export async function openServer(
	context: TestContext,
	options: {
		environment?: Record<string, string>;
		kv?: (kv: Kv) => Kv | null;
		store?: (store: StoreClient) => StoreClient;
		send?: (request: HttpRequest) => Promise<HttpAnswer>;
	} = {},
) {
	const sql = await openMigrated(storeMigrations);
	const kvSql = await openMigrated(kvMigrations);
	context.after(() => [sql, kvSql].map((each) => each.close()));
	const clock = { time: Date.UTC(2026, 10, 15, 12), now: () => clock.time };
	const lines: string[] = [];
	const log = (level: string, message: string, fields?: object) => {
		lines.push(JSON.stringify({ level, message, ...fields }));
	};
	const storeApp = createStore({
		sql,
		clock,
		log,
		version: "test",
		settings: storeSettings(storeEnvironment.parse({ MULTI_TENANT: "false" })),
	});
	const client = storeClient({ answer: storeApp.answer, baseUrl: "http://store" });
	const store = options.store?.(client) ?? client;
	const plainKv = sqliteKv({ sql: kvSql, clock, namespace: "oauth" });
	const oauthKv = options.kv === undefined ? plainKv : options.kv(plainKv);
	const tokens = oauthKv === null ? null : createTokens({ kv: oauthKv, clock });
	const settings = parseSettings(options.environment ?? {});
	const send = options.send ?? (() => Promise.reject(new Error("nothing is fetched in this test")));
	const app = createApp<unknown>({
		title: "test",
		version: "test",
		routes: oauthRoutes({ oauthKv, store, http: { send }, clock, log, settings, tokens }),
		authenticate: () => null,
		ready: async () => true,
		clock,
		log,
		maxBodyBytes: 1_048_576,
	});

	return {
		call,
		post,
		codeFor: requestCode,
		tokenFor: requestToken,
		clock,
		kv: plainKv,
		store: client,
		storeApp,
		tokens,
		lines,
		app,
	};

	async function call(path: string, { address, origin = ORIGIN, ...sent }: Sent = {}): Promise<Response> {
		const request = new Request(origin + path, { redirect: "manual", ...sent });
		return toResponse(await app.answer(toIncoming(request, { address })));
	}

	function post(path: string, body: NonNullable<Sent["body"]>, sent: Sent = {}): Promise<Response> {
		return call(path, { method: "POST", body, ...sent });
	}

	/** The code of a request that the owner approves. */
	async function requestCode(changes: Fields = {}, sent: Sent = {}): Promise<string> {
		const response = await post(
			"/authorize",
			buildAuthorizeQuery({ owner_secret: SECRET, ...changes }),
			sent,
		);
		const code = readRedirect(response).get("code");
		if (response.status !== 302 || code === null) throw new Error(`${response.status}: no code`);
		return code;
	}

	async function requestToken(changes: Fields = {}): Promise<string> {
		const response = await post("/token", buildTokenForm(await requestCode(changes)));
		const { access_token } = (await response.json()) as { access_token?: string };
		if (access_token === undefined) throw new Error(`${response.status}: no token`);
		return access_token;
	}
}

/** The parameters of a redirect. */
export const readRedirect = (response: Response): URLSearchParams =>
	new URL(response.headers.get("location") ?? "none:").searchParams;

/** The error of a response, which must have the form of RFC 6749. */
export async function readError(response: Response): Promise<string> {
	const body = (await response.json()) as { error: string; error_description: string };
	if (Object.keys(body).sort().join() !== "error,error_description") throw new Error(JSON.stringify(body));
	if (!/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/.test(body.error_description))
		throw new Error(body.error_description);
	return body.error;
}

export const json = { "content-type": "application/json" };
