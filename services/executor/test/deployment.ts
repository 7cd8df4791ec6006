import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { newMasterKeyText } from "@tripline/platform/master-key";
import { REQUIRED_KV_NAMESPACES } from "@tripline/registry/settings";
import { Outside } from "../../../test/conformance/outside.ts";
import { applyMigrationFile, fireCron, startWorkers } from "../../../test/workerd.ts";

const STORE_TOKEN = "internal-token-of-the-tests";
const ACCESS_TOKEN = "access-token-of-the-tests";
const ADMIN_TOKEN = "admin-token-of-the-tests";
const MASTER_KEY = newMasterKeyText();
export const NAMESPACE = "acme";

export type ServiceName = "executor" | "store" | "registry";

export const entryOf = (service: ServiceName): string =>
	fileURLToPath(new URL(`../../${service}/src/cloudflare.ts`, import.meta.url));

/** Workers that also tell what they have called. */
export const counted = {
	executor: fileURLToPath(new URL("counted-executor.worker.ts", import.meta.url)),
	store: fileURLToPath(new URL("counted-store.worker.ts", import.meta.url)),
};

export type Deployment = Awaited<ReturnType<typeof deployed>>;

interface Row {
	readonly id: string;
	readonly owner_id: string;
	readonly metadata_json: string;
}

/** Executor, store and registry as three workers, bound to each other, on D1 and KV; nothing leaves the machine. */
export async function deployed(
	options: {
		/** Other variables and secrets of the executor; undefined takes one away. */
		readonly executor?: Readonly<Record<string, string | undefined>>;
		readonly entries?: Readonly<Partial<Record<ServiceName, string>>>;
	} = {},
) {
	const entryFor = (service: ServiceName) => options.entries?.[service] ?? entryOf(service);
	const outside = new Outside();
	const variables = {
		MULTI_TENANT: "false",
		SERVICE_ACCESS_TOKEN: ACCESS_TOKEN,
		STORE_INTERNAL_TOKEN: STORE_TOKEN,
		MASTER_KEY,
		...options.executor,
	};
	const { miniflare, urlOf, lines, restart } = await startWorkers([
		{
			name: "executor",
			entry: entryFor("executor"),
			bindings: JSON.parse(JSON.stringify(variables)) as Record<string, string>,
			kv: ["WORKFLOWS_KV"],
			services: {
				STORE: { name: "store" },
				REGISTRY: { name: "registry" },
				RUNS: { name: "executor", entrypoint: "Runs" },
			},
			outside: outside.fetch,
		},
		{
			name: "store",
			entry: entryFor("store"),
			bindings: { STORE_INTERNAL_TOKEN: STORE_TOKEN },
			d1: ["STORE_DB"],
			services: { EXECUTOR: { name: "executor", entrypoint: "Runs" } },
			outside: outside.fetch,
		},
		{
			name: "registry",
			entry: entryFor("registry"),
			bindings: { SERVICE_ACCESS_TOKEN: ACCESS_TOKEN, REGISTRY_ADMIN_TOKEN: ADMIN_TOKEN },
			kv: REQUIRED_KV_NAMESPACES,
			outside: outside.fetch,
		},
	]);
	let executorUrl = await urlOf("executor");
	let storeUrl = await urlOf("store");
	let registryUrl = await urlOf("registry");
	let database = await miniflare.getD1Database("STORE_DB", "store");
	const seen: string[] = [];

	return {
		executor: (method: string, path: string, request: Sent = {}) =>
			call(method, executorUrl + path, request, {
				authorization: `Bearer ${ACCESS_TOKEN}`,
				"x-service-api-key": NAMESPACE,
			}),
		store,
		registry: (method: string, path: string, request: Sent = {}) =>
			call(method, registryUrl + path, request, { authorization: `Bearer ${ADMIN_TOKEN}` }),
		/** What the executor reaches beyond its bindings. */
		outside,
		cron: (worker: "executor" | "store") => fireCron(miniflare, worker),
		/** Only while little is logged: the call blocks this process, and a worker that then fills the pipe blocks too. */
		sql,
		/** The execution records, once there are as many. */
		records: (count: number): Promise<ExecutionRow[]> =>
			eventually(async () => {
				const { body } = await store("GET", "/entries?entry_type=execution_log&limit=1000");
				const rows = body.entries as Row[];
				assert.equal(rows.length, count);
				return rows.map((row) => ({ id: row.id, owner: row.owner_id, ...JSON.parse(row.metadata_json) }));
			}),
		logged,
		/** Nothing that was answered or logged has any of them, or the deployment's own secrets. */
		assertTold(...secrets: string[]): void {
			const everything = logged();
			for (const secret of [STORE_TOKEN, MASTER_KEY, ACCESS_TOKEN, ADMIN_TOKEN, ...secrets]) {
				assert.ok(!everything.includes(secret), `a secret was told: ${secret}`);
			}
		},
		/** Isolates that know nothing yet, on the same data. */
		async restart(): Promise<void> {
			await restart();
			executorUrl = await urlOf("executor");
			storeUrl = await urlOf("store");
			registryUrl = await urlOf("registry");
			database = await miniflare.getD1Database("STORE_DB", "store");
		},
		close: () => miniflare.dispose(),

		async migrate(): Promise<void> {
			const folder = new URL("../../store/migrations/", import.meta.url);
			for (const file of readdirSync(folder).sort()) {
				await applyMigrationFile(miniflare, "STORE_DB", readFileSync(new URL(file, folder), "utf8"), "store");
			}
		},
	};

	function store(method: string, path: string, request: Sent = {}) {
		return call(method, storeUrl + path, request, { authorization: `Bearer ${STORE_TOKEN}` });
	}

	async function call(method: string, url: string, { body, raw, headers }: Sent, credentials: Headers) {
		const sent = raw ?? (body === undefined ? null : JSON.stringify(body));
		const response = await fetch(url, { method, headers: { ...credentials, ...headers }, body: sent });
		const text = await response.text();
		seen.push(text);
		const answer = JSON.parse(text) as Readonly<Record<string, unknown>>;
		return { status: response.status, headers: response.headers, body: answer };
	}

	async function sql<Found>(text: string): Promise<Found[]> {
		return (await database.prepare(text).all()).results as Found[];
	}

	/** All answers and log lines so far. */
	function logged(): string {
		seen.push(...lines());
		return seen.join("\n");
	}
}

type Headers = Readonly<Record<string, string>>;

interface Sent {
	readonly body?: object;
	/** Sent as it is. */
	readonly raw?: string;
	readonly headers?: Headers;
}

interface ExecutionRow {
	readonly id: string;
	readonly owner: string;
	readonly workflow: string;
	readonly verdict: string;
	readonly trigger: string;
	readonly error: string;
}

export async function eventually<T>(look: () => Promise<T>): Promise<T> {
	const until = Date.now() + 15_000;
	for (;;) {
		try {
			return await look();
		} catch (error) {
			if (Date.now() > until) throw error;
		}
		await wait(50);
	}
}
