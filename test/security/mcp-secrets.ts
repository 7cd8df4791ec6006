import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Target } from "../conformance/platforms.ts";
import { ERAS } from "../mcp/wire.ts";
import { type Answer, type Client, JSON_TYPE } from "./client.ts";
import { ask, bearer } from "./mcp-client.ts";
import { buildRequest, createLogin, OWNER_SECRET, pkce, sha256, toParameters } from "./mcp-login.ts";
import type { Shared } from "./mcp-shared.ts";
import { createPartnerKey, INTERNAL } from "./mcp-tenants.ts";
import { readFiles } from "./read-files.ts";
import { buildPath, readRoutes } from "./routes.ts";
import { findSecret } from "./secret-spellings.ts";

const STATIC = "static-token-canary-90b1f3d2";
const ENVIRONMENT = {
	MULTI_TENANT: "true",
	MCP_OWNER_SECRET: OWNER_SECRET,
	MCP_STATIC_TOKEN: STATIC,
	STORE_INTERNAL_TOKEN: INTERNAL,
};

interface World extends Shared {
	/** Every answer except those that issue a code or a token. */
	readonly answers: string[];
}

/** Uses the secrets in every place and then searches for them everywhere. */
export function secrets(shared: Shared): void {
	describe("the secrets of the login", () => {
		test("are in no log line, page, error, answer or database, during the run and afterwards", async (t) => {
			const folder = mkdtempSync(join(tmpdir(), "tripline-secrets-"));
			t.after(() => rmSync(folder, { recursive: true, force: true }));
			await shared.target.restart({ ...ENVIRONMENT, ...(shared.isNode && { DATA_DIR: folder }) });
			await shared.target.lines();
			const world = createWorld(shared);
			const known = await useSecrets(world);
			const lines = JSON.stringify(await shared.target.lines());
			assert.ok(lines.length > 10_000);
			const stored = await readEverything(shared.target);
			const during = readFiles(folder);
			const names = during.map(([name]) => name);
			if (shared.isNode)
				for (const file of ["store.db", "store.db-wal", "kv.db", "kv.db-wal"])
					assert.ok(names.includes(file), file);
			await shared.target.restart(ENVIRONMENT);
			const places: (readonly [string, Buffer])[] = [
				["the log", Buffer.from(lines)],
				["an answer", Buffer.from(world.answers.join("\n"))],
				["the store", Buffer.from(stored)],
				...during,
				...readFiles(folder),
			];
			const found = places.flatMap(([where, bytes]) =>
				Object.entries(known).flatMap(([name, secret]) => {
					const how = findSecret(bytes, secret);
					return how === null ? [] : [`${name} in ${where}, ${how}`];
				}),
			);
			const searched = places.reduce((sum, [, bytes]) => sum + bytes.length, 0);
			t.diagnostic(
				`${Object.keys(known).length} secrets in ${places.length} places, ${searched} bytes: found ${found.length}`,
			);
			assert.deepEqual(found, []);
			// Only a token's hash is stored; finding it proves that the search works.
			const hash = sha256(known["an access token"] as string);
			assert.ok(places.some(([where, bytes]) => where !== "an answer" && bytes.includes(hash)));
		});
	});
}

function createWorld({ client, target, isNode }: Shared): World {
	const answers: string[] = [];
	const call: Client["call"] = async (method, path, options) => {
		const answer = await client.call(method, path, options);
		if (!isHandingOver(path, answer))
			answers.push(JSON.stringify([answer.status, answer.headers, answer.text]));
		return answer;
	};
	return { target, isNode, client: { ...client, call }, answers };
}

const isHandingOver = (path: string, { status }: Answer): boolean =>
	(path === "/token" && status === 200) || (path === "/authorize" && status === 302);

/** Uses the secrets in every route, correctly and incorrectly. */
async function useSecrets({ target, client, isNode }: World): Promise<Record<string, string>> {
	const login = createLogin(client, target);
	const token = await login.token();
	const kept = await login.granted();
	const failed = await login.granted();
	const stolen = pkce().verifier;
	await login.redeem({ ...failed.exchange, code_verifier: stolen });
	const used = await login.granted();
	const revoked = await login.token(used.exchange);
	await login.redeem(used.exchange);
	const key = await createPartnerKey(target, "alice");
	const secrets = {
		"the owner secret": OWNER_SECRET,
		"a wrong owner secret": "wrong-secret-canary-77aa01",
		"an access token": token,
		"a revoked access token": revoked,
		"the static token": STATIC,
		"a partner key": key,
		"a code": kept.code,
		"a code that failed": failed.code,
		"a code that was used": used.code,
		"a verifier": kept.verifier,
		"a verifier that failed": failed.verifier,
		"a verifier that was used": used.verifier,
		"a stolen verifier": stolen,
		"the internal token": INTERNAL,
	};
	await login.post("/authorize", buildRequest({ owner_secret: secrets["a wrong owner secret"] }));
	const routes = (await readRoutes(client)).filter(({ path }) => path.startsWith("/gui/"));
	for (const [nth, secret] of Object.values(secrets).entries()) {
		for (const era of ERAS) {
			await ask(client, secret, "tools/list", {}, { era });
			await ask(client, secret, "tools/call", { name: "list_workflows", arguments: {} }, { era });
			await ask(client, secret, "unknown/method", {}, { era });
		}
		for (const route of routes.filter((_, index) => isNode || (index + nth) % 4 === 0)) {
			const body = route.takesBody ? { body: "{}" } : {};
			await client.call(route.method, buildPath(route, {}), {
				headers: [...bearer(secret), ...JSON_TYPE],
				...body,
			});
		}
		await sendMisplaced(client, secret);
	}
	await login.post("/revoke", toParameters({ token: revoked }));
	return secrets;
}

/** Places where a careless client may put it and where the server must not repeat it. */
async function sendMisplaced(client: Client, secret: string): Promise<void> {
	const inQuery = `owner_secret=${secret}&code=${secret}&access_token=${secret}`;
	const form = String(
		toParameters({ code: secret, code_verifier: secret, owner_secret: secret, token: secret }),
	);
	for (const [method, path] of [
		["GET", `/authorize?${buildRequest()}&${inQuery}`],
		["GET", `/authorize?${inQuery}`],
		["GET", `/gui/session?${inQuery}`],
		["GET", `/.well-known/oauth-protected-resource?${inQuery}`],
		["POST", `/token?${inQuery}`],
		["POST", `/mcp?${inQuery}`],
		["DELETE", "/gui/tokens/x"],
	] as const) {
		const headers = ["cookie", secret, "authorization", `Basic ${secret}`, "x-request-id", "a"];
		await client.call(method, path, { headers });
		await client.call(method, path, {
			headers: ["content-type", "application/x-www-form-urlencoded"],
			body: form,
		});
		await client.call(method, path, {
			headers: JSON_TYPE,
			body: `{"code":"${secret}","token":["${secret}"]`,
		});
		await client.call(method, path, {
			headers: JSON_TYPE,
			body: JSON.stringify({ code: [secret], code_verifier: { a: secret } }),
		});
	}
	await client.call("POST", "/token", { headers: ["content-type", "text/plain"], body: form });
	await client.call("POST", "/token", {
		headers: JSON_TYPE,
		body: JSON.stringify({
			grant_type: "authorization_code",
			code: secret,
			code_verifier: secret,
			client_id: "a",
		}),
	});
}

/** Everything that an operator could read in storage. */
async function readEverything(target: Target): Promise<string> {
	const texts: string[] = [];
	for (const storage of [target.oauth, target.kv]) {
		const keys = await storage.keys().catch(() => []);
		for (const key of keys) texts.push(key, (await storage.get(key)) ?? "");
	}
	for (let cursor = ""; ; ) {
		const response = await fetch(`${target.storeUrl}/entries?limit=1000${cursor}`, {
			headers: { authorization: `Bearer ${INTERNAL}` },
		});
		const page = (await response.json()) as { entries: unknown[]; next_cursor: string | null };
		texts.push(JSON.stringify(page.entries));
		if (page.next_cursor === null) return texts.join("\n");
		cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
	}
}
