import assert from "node:assert/strict";
import { after } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { ExecutionRecord } from "@tripline/contract/execution-log";
import { jsonLog } from "@tripline/platform/log";
import { createApp } from "@tripline/web/app";
import type { Incoming } from "@tripline/web/http-message";
import * as z from "zod";
import { doublingManifest, toManifest } from "../../../registry/test/manifests.ts";
import type { McpCaller } from "../../src/callers.ts";
import { guiRoutes } from "../../src/http/gui/routes.ts";
import { createTokens } from "../../src/oauth/tokens.ts";
import { mcpEnvironment, mcpSettings } from "../../src/settings.ts";
import { openServices, type Service } from "../open-services.ts";

export const ORIGIN = "http://mcp.example";
export const OWN_TOKEN_ID = "f".repeat(64);
const MAX_BODY_BYTES = 100_000;
/** 2027-03-01 at noon. */
export const NOON = Date.UTC(2027, 2, 1, 12);

interface Sent {
	readonly body?: unknown;
	/** Sent unchanged. */
	readonly raw?: string | Uint8Array<ArrayBuffer>;
	readonly type?: string;
	readonly accept?: string;
	/** The version that a change is based on; `none`: that there is none. */
	readonly ifVersion?: number | "none" | undefined;
	readonly headers?: Readonly<Record<string, string>>;
	/** The namespace; default acme. */
	readonly as?: string;
}

/** The console's endpoints over the real store, executor and registry in this process. */
export async function startWorld(
	environment: { readonly mode?: "true" | "false"; readonly keepsTokens?: boolean } = {},
) {
	const { mode = "false", keepsTokens = true } = environment;
	const clock = { time: NOON, now: () => clock.time };
	const lines: string[] = [];
	const log = jsonLog({ level: "debug", clock, write: (line) => lines.push(line) });
	const services = await openServices({
		clock,
		log,
		report: (work, error) => lines.push(`${work}: ${String(error)}`),
		market: [toManifest(doublingManifest())],
	});
	const { store, executor, registry, version, away } = services;
	await services.seed();
	const tokens = createTokens({ kv: services.kv("oauth"), clock });
	const verified: Incoming[] = [];
	const app = createApp<McpCaller>({
		title: "Console",
		version,
		routes: guiRoutes({
			executor,
			store,
			registry,
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
			clientName: null,
		}),
		ready: async () => true,
		clock,
		log,
		maxBodyBytes: MAX_BODY_BYTES,
	});

	after(services.close);

	return {
		store,
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

	function answer(
		method: string,
		path: string,
		{ body, raw, type, accept, ifVersion, headers, as = "acme" }: Sent = {},
	) {
		return app.fetch(
			new Request(ORIGIN + path, {
				method,
				headers: {
					"x-test-namespace": as,
					"content-type": type ?? "application/json",
					...(accept !== undefined && { accept }),
					...(ifVersion === "none" && { "if-none-match": "*" }),
					...(typeof ifVersion === "number" && { "if-match": `"${ifVersion}"` }),
					...headers,
				},
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
			const record = await store.executionLog.get("acme", id);
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
	current_version: z.int().optional(),
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
