import assert from "node:assert/strict";
import { after } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { ExecutionRecord } from "@tripline/contract/execution-log";
import { Manifest } from "@tripline/contract/registry";
import { createExecutor } from "@tripline/executor/app";
import { executorClient } from "@tripline/executor/client";
import { executorEnvironment, executorSettings } from "@tripline/executor/settings";
import { storedEntries } from "@tripline/executor/vault/stored-entries";
import { createVault } from "@tripline/executor/vault/vault";
import { parseAllowedHosts } from "@tripline/platform/addresses";
import { nodeBackground } from "@tripline/platform/background.node";
import { nodeHttp } from "@tripline/platform/http.node";
import { kvMigrations, sqliteKv } from "@tripline/platform/kv.sqlite";
import { jsonLog } from "@tripline/platform/log";
import { createMasterKeyText, importMasterKey } from "@tripline/platform/master-key";
import { migrate } from "@tripline/platform/migrations";
import { nodeSandbox } from "@tripline/platform/sandbox.node";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { createRegistry } from "@tripline/registry/app";
import { registryClient } from "@tripline/registry/client";
import { registryEnvironment, registrySettings } from "@tripline/registry/settings";
import { createStore } from "@tripline/store/app";
import { storeClient } from "@tripline/store/client";
import { storeEnvironment, storeSettings } from "@tripline/store/settings";
import { storeMigrations } from "@tripline/store/storage/migrations";
import { createApp } from "@tripline/web/app";
import type { Incoming, Outgoing } from "@tripline/web/http-message";
import * as z from "zod";
import type { McpCaller } from "../../src/callers.ts";
import { guiRoutes } from "../../src/http/gui/routes.ts";
import { createTokens } from "../../src/oauth/tokens.ts";
import { mcpEnvironment, mcpSettings } from "../../src/settings.ts";

export const ORIGIN = "http://mcp.example";
export const OWN_TOKEN_ID = "f".repeat(64);
const MAX_BODY_BYTES = 100_000;
/** 2027-03-01 at noon. */
export const NOON = Date.UTC(2027, 2, 1, 12);

type Service = "store" | "executor" | "registry";

interface Sent {
	readonly body?: unknown;
	/** Sent unchanged. */
	readonly raw?: string | Uint8Array<ArrayBuffer>;
	readonly type?: string;
	readonly accept?: string;
	/** The namespace; default acme. */
	readonly as?: string;
}

/** The console's endpoints over the real store, executor and registry in this process. */
export async function startWorld(
	environment: { readonly mode?: "true" | "false"; readonly keepsTokens?: boolean } = {},
) {
	const { mode = "false", keepsTokens = true } = environment;
	const sql = openSqlite(":memory:");
	const kvSql = openSqlite(":memory:");
	await migrate(sql, storeMigrations);
	await migrate(kvSql, kvMigrations);
	const clock = { time: NOON, now: () => clock.time };
	const lines: string[] = [];
	const log = jsonLog({ level: "debug", clock, write: (line) => lines.push(line) });
	const background = nodeBackground((work, error) => lines.push(`${work}: ${String(error)}`));
	const away = new Set<Service>();
	const reachService =
		(name: Service, answer: (request: Incoming) => Promise<Outgoing>) => async (request: Incoming) => {
			if (away.has(name)) throw new Error(`${name} is away`);
			return answer(request);
		};
	const version = "1.2.3";
	const ready = async () => true;
	const settings = { MULTI_TENANT: "false" };
	const store = createStore({
		sql,
		clock,
		log,
		version,
		background,
		settings: storeSettings(storeEnvironment.parse(settings)),
	});
	const transport = { answer: reachService("store", store.answer), baseUrl: "http://store" };
	const masterKey = await importMasterKey(createMasterKeyText());
	const sandbox = nodeSandbox({ threads: 1 });
	const http = nodeHttp({ allow: parseAllowedHosts("") });
	const namespace = (name: string) => sqliteKv({ sql: kvSql, clock, namespace: name });
	const registry = createRegistry({
		components: namespace("components"),
		submissions: namespace("submissions"),
		stats: namespace("stats"),
		sandbox,
		market: async () => [DOUBLER],
		clock,
		log,
		version,
		background,
		settings: registrySettings(registryEnvironment.parse(settings)),
		ready,
	});
	const market = registryClient({
		answer: reachService("registry", registry.answer),
		baseUrl: "http://registry",
	});
	const executor = createExecutor({
		store: storeClient(transport),
		kv: namespace("workflows"),
		vault: createVault({
			masterKeys: { load: async () => (masterKey === null ? [] : [masterKey]) },
			storage: storedEntries(transport),
			background,
			clock,
		}),
		http,
		sandbox,
		registry: market,
		clock,
		log,
		version,
		background,
		settings: executorSettings(executorEnvironment.parse(settings)),
		ready,
	});
	await executor.seed();
	const tokens = createTokens({ kv: namespace("oauth"), clock });
	const verified: Incoming[] = [];
	const app = createApp<McpCaller>({
		title: "Console",
		version,
		routes: guiRoutes({
			executor: executorClient({
				answer: reachService("executor", executor.answer),
				baseUrl: "http://executor",
			}),
			store: storeClient(transport),
			registry: market,
			clock,
			settings: mcpSettings(
				mcpEnvironment.parse({
					MULTI_TENANT: mode,
					MCP_OWNER_SECRET: "the-owner's-secret-of-the-tests",
					MAX_BODY_BYTES: String(MAX_BODY_BYTES),
				}),
			),
			version,
			sharesAddress: true,
			tokens: keepsTokens ? tokens : null,
			async verify(request) {
				verified.push(request);
				return { ok: true, origin: ORIGIN, checks: [], clients: [] };
			},
		}),
		authenticate: (request) => ({
			namespace: request.headers.get("x-test-namespace") ?? "nobody",
			by: "oauth",
			tokenId: OWN_TOKEN_ID,
		}),
		ready,
		clock,
		log,
		maxBodyBytes: MAX_BODY_BYTES,
	});

	after(async () => {
		away.clear();
		await executor.close();
		await registry.close();
		await Promise.all([sandbox.close(), http.close()]);
		store.stop();
		await background.flush();
		sql.close();
		kvSql.close();
	});

	return {
		store: storeClient(transport),
		tokens,
		clock,
		lines,
		verified,
		answer,
		call,
		expect,
		refuse,
		recorded: waitForRecord,
		async runWithout(name: Service, work: () => Promise<void>): Promise<void> {
			away.add(name);
			try {
				await work();
			} finally {
				away.delete(name);
			}
		},
	};

	function answer(method: string, path: string, { body, raw, type, accept, as = "acme" }: Sent = {}) {
		const headers = { "x-test-namespace": as, "content-type": type ?? "application/json" };
		return app.fetch(
			new Request(ORIGIN + path, {
				method,
				headers: accept === undefined ? headers : { ...headers, accept },
				body: raw ?? (body === undefined ? null : JSON.stringify(body)),
			}),
		);
	}

	async function call(method: string, path: string, sent?: Sent) {
		const response = await answer(method, path, sent);
		return { status: response.status, headers: response.headers, body: (await response.json()) as unknown };
	}

	/** Returns the answer, which must match its documented schema. */
	async function expect<Schema extends z.ZodType>(
		status: number,
		schema: Schema,
		method: string,
		path: string,
		sent?: Sent,
	): Promise<z.output<Schema>> {
		const answer = await call(method, path, sent);
		assert.equal(answer.status, status, JSON.stringify(answer.body));
		return schema.parse(answer.body);
	}

	/** Waits, because a run's record is written a moment after the answer. */
	async function waitForRecord(id: string): Promise<ExecutionRecord> {
		for (let tries = 0; tries < 200; tries++) {
			const record = await storeClient(transport).executionLog.get("acme", id);
			if (record !== null) return record;
			await wait(20);
		}
		throw new Error("the run was not recorded");
	}

	async function refuse(status: number, method: string, path: string, sent?: Sent) {
		const answer = await call(method, path, sent);
		assert.equal(answer.status, status, JSON.stringify(answer.body));
		return { ...Refusal.parse(answer.body), headers: answer.headers };
	}
}

const Refusal = z.looseObject({
	error: z.string().min(1),
	issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
	diagnostics: z.array(z.looseObject({ path: z.string(), code: z.string() })).optional(),
	missing: z.array(z.string()).optional(),
});

/** A component of the market that doubles a number. */
const DOUBLER = Manifest.parse({
	kind: "code",
	id: "number-doubler",
	version: "1.0.0",
	title: "Number doubler",
	description: "Doubles a number.",
	publisher: "acme",
	license: "MIT",
	tags: ["numbers"],
	hosts: [],
	credentials: [],
	params: {
		type: "object",
		properties: { n: { type: "number" } },
		required: ["n"],
		additionalProperties: false,
	},
	output: { type: "number" },
	code: "return input.n * 2;",
	examples: [{ title: "Two", params: { n: 2 }, output: 4 }],
});

/** A workflow that greets. */
export const greeting = (name: string, more: object = {}) => ({
	name,
	description: `what ${name} does`,
	version: "1",
	triplets: ["input >> ON_SUCCESS >> say"],
	config: { say: { component: "template", text: "Hello {{input.who}}" } },
	...more,
});

/** A workflow that fails. */
export const failing = (name: string) =>
	greeting(name, { config: { say: { component: "fail", message: "it went wrong" } } });
