import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createMasterKeyText } from "@tripline/platform/master-key";
import { REQUIRED_KV_NAMESPACES } from "@tripline/registry/settings";
import { Outside } from "../../../test/conformance/outside.ts";
import { fireCron, runStatements, splitMigrationFile, startWorkers } from "../../../test/workerd.ts";

const STORE_TOKEN = "internal-token-of-the-tests";
const ACCESS_TOKEN = "access-token-of-the-tests";
const ADMIN_TOKEN = "admin-token-of-the-tests";
const MASTER_KEY = createMasterKeyText();
export const NAMESPACE = "acme";
export const OWNER_SECRET = "owner-secret-of-the-tests";
export const STATIC_TOKEN = "static-token-of-the-tests";
export const MCP_URL = "https://mcp.example.com";

/** Without it a worker is not notified when its caller disconnects. */
const HANG_UP = "enable_request_signal";

export type ServiceName = "executor" | "store" | "registry" | "mcp";

export const getEntryPath = (service: ServiceName): string =>
	fileURLToPath(new URL(`../../${service}/src/cloudflare.ts`, import.meta.url));

/** Workers that also report the calls they made. */
export const counted = {
	executor: fileURLToPath(new URL("counted-executor.worker.ts", import.meta.url)),
	store: fileURLToPath(new URL("counted-store.worker.ts", import.meta.url)),
	mcp: fileURLToPath(new URL("../../mcp/test/counted-mcp.worker.ts", import.meta.url)),
};

export type Deployment = Awaited<ReturnType<typeof startDeployment>>;

interface Row {
	readonly id: string;
	readonly owner_id: string;
	readonly metadata_json: string;
}

/**
 * Executor, store and registry as three workers and the MCP server as a fourth, bound to each other, on D1 and KV;
 * nothing leaves the machine.
 */
export async function startDeployment(
	options: {
		/** Further variables and secrets of each worker. */
		readonly executor?: Variables;
		readonly store?: Variables;
		readonly registry?: Variables;
		/** The same for the MCP server. Omitted: no MCP server. */
		readonly mcp?: Variables;
		/** False: the account has no bucket for files. */
		readonly hasFiles?: boolean;
		readonly entries?: Readonly<Partial<Record<ServiceName, string>>>;
	} = {},
) {
	const pickEntry = (service: ServiceName) => options.entries?.[service] ?? getEntryPath(service);
	const outside = new Outside();
	const { miniflare, getUrl, lines, restart } = await startWorkers([
		{
			name: "executor",
			entry: pickEntry("executor"),
			flags: ["nodejs_compat", HANG_UP],
			bindings: dropUndefined({
				MULTI_TENANT: "false",
				SERVICE_ACCESS_TOKEN: ACCESS_TOKEN,
				STORE_INTERNAL_TOKEN: STORE_TOKEN,
				MASTER_KEY,
				...options.executor,
			}),
			kv: ["WORKFLOWS_KV"],
			d1: ["EXECUTOR_DB"],
			r2: options.hasFiles === false ? [] : ["FILES"],
			services: {
				STORE: { name: "store" },
				REGISTRY: { name: "registry" },
				RUNS: { name: "executor", entrypoint: "Runs" },
			},
			outside: outside.fetch,
		},
		{
			name: "store",
			entry: pickEntry("store"),
			bindings: dropUndefined({ STORE_INTERNAL_TOKEN: STORE_TOKEN, ...options.store }),
			d1: ["STORE_DB"],
			services: { EXECUTOR: { name: "executor", entrypoint: "Runs" } },
			outside: outside.fetch,
		},
		{
			name: "registry",
			entry: pickEntry("registry"),
			bindings: dropUndefined({
				SERVICE_ACCESS_TOKEN: ACCESS_TOKEN,
				REGISTRY_ADMIN_TOKEN: ADMIN_TOKEN,
				...options.registry,
			}),
			kv: REQUIRED_KV_NAMESPACES,
			outside: outside.fetch,
		},
		...(options.mcp === undefined ? [] : [mcpWorker(options.mcp)]),
	]);
	let urls = await allUrls();
	const seen: string[] = [];

	return {
		executor: (method: string, path: string, request: Sent = {}) =>
			call(method, urls.executor + path, request, {
				authorization: `Bearer ${ACCESS_TOKEN}`,
				"x-service-api-key": NAMESPACE,
			}),
		store,
		registry: (method: string, path: string, request: Sent = {}) =>
			call(method, urls.registry + path, request, { authorization: `Bearer ${ADMIN_TOKEN}` }),
		/** Calls the public address without credentials. */
		mcp: (method: string, path: string, request: Sent = {}) =>
			call(method, urls.mcp + path, request, { "x-forwarded-proto": "https" }),
		/** Returns the answer as soon as its headers arrive. */
		open: (service: ServiceName, path: string, headers: Headers, body: string): Promise<Response> =>
			fetch(urls[service] + path, { method: "POST", headers, body }),
		/** Sends a request and returns a function that disconnects. */
		abandoning: (service: ServiceName, path: string, headers: Headers, body: string): (() => void) =>
			sendAndDisconnect(new URL(path, urls[service]), headers, body),
		/** The external hosts that the executor can reach. */
		outside,
		cron: (worker: "executor" | "store") => fireCron(miniflare, worker),
		sql,
		/** Waits for this many execution records and returns them. */
		records: (count: number): Promise<ExecutionRow[]> =>
			eventually(async () => {
				const { body } = await store("GET", "/entries?entry_type=execution_log&limit=1000");
				const rows = body.entries as Row[];
				assert.equal(rows.length, count);
				return rows.map((row) => ({ id: row.id, owner: row.owner_id, ...JSON.parse(row.metadata_json) }));
			}),
		logged: readLog,
		/** Asserts that no answer or log line contains one of them or the deployment's own secrets. */
		assertTold(...secrets: string[]): void {
			const everything = readLog();
			for (const secret of [...SECRETS, ...secrets]) {
				assert.ok(!everything.includes(secret), `a secret was told: ${secret}`);
			}
		},
		/** Starts fresh isolates on the same data. */
		async restart(): Promise<void> {
			await restart();
			urls = await allUrls();
		},
		close: () => miniflare.dispose(),

		async migrate(): Promise<void> {
			for (const [service, binding] of [
				["store", "STORE_DB"],
				["executor", "EXECUTOR_DB"],
			] as const) {
				const folder = new URL(`../../${service}/migrations/`, import.meta.url);
				for (const file of readdirSync(folder).sort()) {
					const statements = splitMigrationFile(readFileSync(new URL(file, folder), "utf8"));
					await runStatements(miniflare, binding, statements);
				}
			}
		},
	};

	function store(method: string, path: string, request: Sent = {}) {
		return call(method, urls.store + path, request, { authorization: `Bearer ${STORE_TOKEN}` });
	}

	async function call(method: string, url: string, request: Sent, credentials: Headers) {
		const { body, raw, form, headers, tellsSecret } = request;
		const response = await fetch(url, {
			method,
			headers: { ...credentials, ...headers },
			body:
				form === undefined
					? (raw ?? (body === undefined ? null : JSON.stringify(body)))
					: new URLSearchParams(form),
			redirect: "manual",
		});
		const text = await response.text();
		if (tellsSecret !== true) seen.push(text);
		const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
		const answer = (isJson && text !== "" ? JSON.parse(text) : {}) as Readonly<Record<string, unknown>>;
		return { status: response.status, headers: response.headers, body: answer, text };
	}

	function mcpWorker(variables: Variables) {
		return {
			name: "mcp",
			entry: pickEntry("mcp"),
			// Without Node compatibility.
			flags: ["nodejs_als", HANG_UP],
			bindings: dropUndefined({
				MULTI_TENANT: "false",
				MCP_URL,
				MCP_OWNER_NAMESPACE: NAMESPACE,
				MCP_OWNER_SECRET: OWNER_SECRET,
				MCP_STATIC_TOKEN: STATIC_TOKEN,
				STORE_INTERNAL_TOKEN: STORE_TOKEN,
				...variables,
			}),
			kv: ["OAUTH_KV"],
			services: {
				STORE: { name: "store" },
				EXECUTOR: { name: "executor", entrypoint: "Internal" },
				REGISTRY: { name: "registry" },
			},
			outside: outside.fetch,
		};
	}

	async function allUrls(): Promise<Readonly<Record<ServiceName, string>>> {
		return {
			executor: await getUrl("executor"),
			store: await getUrl("store"),
			registry: await getUrl("registry"),
			mcp: options.mcp === undefined ? "" : await getUrl("mcp"),
		};
	}

	async function sql<Found>(text: string): Promise<Found[]> {
		const [rows = []] = await runStatements(miniflare, "STORE_DB", [text]);
		return rows as Found[];
	}

	/** All answers and log lines so far. */
	function readLog(): string {
		seen.push(...lines());
		return seen.join("\n");
	}
}

/** By name; undefined removes a variable. */
type Variables = Readonly<Record<string, string | undefined>>;

const dropUndefined = (variables: Variables): Record<string, string> => JSON.parse(JSON.stringify(variables));

const SECRETS = [STORE_TOKEN, MASTER_KEY, ACCESS_TOKEN, ADMIN_TOKEN, OWNER_SECRET, STATIC_TOKEN];

type Headers = Readonly<Record<string, string>>;

interface Sent {
	readonly body?: object;
	/** Sent unchanged. */
	readonly raw?: string;
	readonly form?: Readonly<Record<string, string>>;
	readonly headers?: Headers;
	/** The answer is expected to contain a secret. */
	readonly tellsSecret?: boolean;
}

/** Resets the connection: a mere close is not noticed by the runtime until it writes. */
function sendAndDisconnect({ hostname, port, pathname }: URL, headers: Headers, body: string): () => void {
	const all = { host: hostname, "content-length": Buffer.byteLength(body), ...headers };
	const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
	const socket = connect(Number(port), hostname);
	socket.write(`POST ${pathname} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
	return () => socket.resetAndDestroy();
}

interface ExecutionRow {
	readonly id: string;
	readonly owner: string;
	readonly workflow: string;
	readonly verdict: string;
	readonly trigger: string;
	readonly error: string;
}

export async function eventually<T>(check: () => Promise<T>): Promise<T> {
	const until = Date.now() + 60_000;
	for (;;) {
		try {
			return await check();
		} catch (error) {
			if (Date.now() > until) throw error;
		}
		await wait(50);
	}
}
