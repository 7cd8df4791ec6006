import { after, type TestContext } from "node:test";
import type { Manifest } from "@tripline/contract/registry";
import { nodeBackground } from "@tripline/platform/background.node";
import type { Kv } from "@tripline/platform/kv";
import { kvMigrations, sqliteKv } from "@tripline/platform/kv.sqlite";
import { nodeSandbox } from "@tripline/platform/sandbox.node";
import { openMigrated } from "../../../packages/platform/test/open-migrated.ts";
import { createRegistry, type RegistryDeps } from "../src/app.ts";

export const ADMIN = "admin-token-of-the-tests";
const NOW = Date.UTC(2026, 10, 15, 12);

const sandbox = nodeSandbox();
after(() => sandbox.close());

export interface Answer {
	readonly status: number;
	readonly headers: Headers;
	// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
	readonly body: any;
}

/** A registry with its own databases, and helpers to call it. */
export async function openRegistry(
	context: TestContext,
	options: Partial<Omit<RegistryDeps, "market">> & {
		market?: readonly Manifest[];
		kv?: (kv: Kv, name: string) => Kv;
	} = {},
) {
	const { kv = (each: Kv) => each, market = [], ...deps } = options;
	const sql = await openMigrated(kvMigrations);
	const clock = { time: NOW, now: () => clock.time };
	const background = nodeBackground(() => {});
	const namespace = (name: string) => kv(sqliteKv({ sql, clock, namespace: name }), name);
	const kvs = {
		components: namespace("components"),
		submissions: namespace("submissions"),
		stats: namespace("stats"),
	};
	const lines: string[] = [];
	const create = () =>
		createRegistry({
			...kvs,
			sandbox,
			market: async () => market,
			clock,
			log: (level, message, fields) => lines.push(JSON.stringify({ level, message, ...fields })),
			version: "test",
			background,
			settings: { accessToken: undefined, adminToken: ADMIN, statisticsMs: 60_000 },
			ready: async () => true,
			...deps,
		});
	const registry = create();
	context.after(async () => {
		await registry.close().catch(() => {});
		await background.flush();
		sql.close();
	});

	return {
		registry,
		restart: create,
		clock,
		background,
		lines,
		...kvs,
		call,
		submit,
		review,
		published: publish,
	};

	async function call(
		method: string,
		path: string,
		{ body, raw, headers = {} }: { body?: unknown; raw?: string; headers?: Record<string, string> } = {},
		on = registry,
	): Promise<Answer> {
		const sent = raw ?? (body === undefined ? null : JSON.stringify(body));
		const response = await on.fetch(new Request(`http://registry${path}`, { method, headers, body: sent }));
		const text = await response.text();
		return {
			status: response.status,
			headers: response.headers,
			body: text === "" ? null : JSON.parse(text),
		};
	}

	function submit(manifest: unknown, token?: string, more: object = {}): Promise<Answer> {
		const headers = token === undefined ? {} : { "x-publisher-token": token };
		return call("POST", "/submissions", { body: { manifest, ...more }, headers });
	}

	function review(
		id: string,
		body: unknown = { decision: "approve" },
		token: string | null = ADMIN,
	): Promise<Answer> {
		const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
		return call("POST", `/submissions/${id}/review`, { body, headers });
	}

	/** Submits and approves the manifest. */
	async function publish(manifest: unknown, token = TOKEN): Promise<string> {
		const submitted = await submit(manifest, token);
		if (submitted.status !== 201) throw new Error(JSON.stringify(submitted.body));
		const reviewed = await review(submitted.body.id);
		if (reviewed.status !== 200) throw new Error(JSON.stringify(reviewed.body));
		return submitted.body.id;
	}
}

/** The token of every test publisher that sends one. */
export const TOKEN = "publisher-token-of-the-tests-0123456789";
