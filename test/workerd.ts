import { readFile } from "node:fs/promises";
import { registerHooks } from "node:module";
import { buildMeteredQuickJs, getOriginalQuickJsUrl } from "@tripline/sandbox/artifact";
import type { Miniflare, MiniflareOptions } from "miniflare";
import { Agent, setGlobalDispatcher } from "undici";
import { bundleOnce, SANDBOX_WASM } from "./worker-bundles.ts";

/** A module worker and its bindings. */
export interface WorkerDescription {
	readonly name: string;
	/** A TypeScript file. */
	readonly entry: string;
	readonly bindings?: Readonly<Record<string, string>>;
	readonly d1?: readonly string[];
	readonly kv?: readonly string[];
	readonly r2?: readonly string[];
	/** Handles its outbound requests; by default they go to the network. */
	readonly outside?: (request: OutsideRequest) => Promise<Response>;
	/** Functions of the test, by the name of their binding. */
	readonly answers?: Readonly<Record<string, (request: OutsideRequest) => Promise<Response>>>;
	/** Service bindings by name: the worker, which may be this one, and its entrypoint. */
	readonly services?: Readonly<Record<string, ServiceBinding>>;
	/** Compatibility flags, by default nodejs_compat. */
	readonly flags?: readonly string[];
}

interface OutsideRequest {
	readonly method: string;
	readonly url: string;
	readonly headers: Iterable<[string, string]>;
	arrayBuffer(): Promise<ArrayBuffer>;
}

interface ServiceBinding {
	readonly name: string;
	readonly entrypoint?: string;
}

/** The modules of a worker as they are uploaded, the entry first. */
export async function bundleModules(entry: string, options: { minify?: boolean } = {}) {
	const script = {
		type: "ESModule" as const,
		path: "worker.mjs",
		contents: await bundleOnce(entry, options),
	};
	if (!script.contents.includes(`"${SANDBOX_WASM}"`)) return [script];
	sandbox ??= buildMeteredQuickJs(await readFile(new URL(getOriginalQuickJsUrl())));
	return [script, { type: "CompiledWasm" as const, path: SANDBOX_WASM.slice(2), contents: await sandbox }];
}

let sandbox: Promise<Uint8Array<ArrayBuffer>> | undefined;

/** A worker bundled from TypeScript and started in real workerd, with fresh state. */
export async function startWorker(
	options: Omit<WorkerDescription, "name" | "services"> & {
		/** A second worker whose entrypoints replace bindings of the platform: binding to entrypoint. */
		readonly standIns?: { readonly script: string; readonly entrypoints: Readonly<Record<string, string>> };
	},
): Promise<{ readonly miniflare: Miniflare; readonly url: string }> {
	const { script, entrypoints = {} } = options.standIns ?? {};
	const services = Object.fromEntries(
		Object.entries(entrypoints).map(([binding, entrypoint]) => [binding, { name: STAND_INS, entrypoint }]),
	);
	const miniflare = await startMiniflare({
		workers: [
			{ ...(await workerOptions({ ...options, name: "worker", services })), ...DIRECT },
			...describeDatabases([options]),
			...(script === undefined ? [] : [{ ...COMMON, name: STAND_INS, modules: true, script }]),
		],
	});
	await miniflare.ready;
	return { miniflare, url: (await miniflare.unsafeGetDirectURL("worker")).origin };
}

/** Several workers in one workerd, bound to each other, each with its own address. */
export async function startWorkers(workers: readonly WorkerDescription[]): Promise<{
	readonly miniflare: Miniflare;
	getUrl(name: string): Promise<string>;
	/** The log lines since the last call. */
	lines(): readonly string[];
	/** Fresh isolates at other addresses, on the same data. */
	restart(): Promise<void>;
}> {
	const logged: string[] = [];
	const options = {
		workers: [
			...(await Promise.all(
				workers.map(async (worker) => ({
					...(await workerOptions(worker)),
					...DIRECT,
				})),
			)),
			...describeDatabases(workers),
		],
		handleStructuredLogs({ message }: { readonly message: string }) {
			logged.push(...message.split("\n"));
		},
	};
	const miniflare = await startMiniflare(options);
	await miniflare.ready;
	return {
		miniflare,
		restart: () => miniflare.setOptions(options),
		getUrl: async (name) => (await miniflare.unsafeGetDirectURL(name)).origin,
		lines: () => logged.splice(0),
	};
}

/** Imported here, because tests that run only on Node do not need it and it takes long to load. */
async function startMiniflare(options: MiniflareOptions): Promise<Miniflare> {
	const miniflare = await importMiniflare();
	// After a long turn workerd takes its connections for idle and closes them, which would fail the next request.
	setGlobalDispatcher(new Agent({ pipelining: 0 }));
	return new miniflare.Miniflare(options);
}

let imported: Promise<typeof import("miniflare")> | undefined;

/**
 * Miniflare writes its configuration, which contains the workers, into a buffer that it copies whenever 4 KiB are full.
 * That takes most of its start, so here the buffer doubles.
 */
function importMiniflare(): Promise<typeof import("miniflare")> {
	imported ??= (async () => {
		const hooks = registerHooks({
			load(url, context, next) {
				const loaded = next(url, context);
				if (!url.endsWith("/miniflare/dist/src/index.js")) return loaded;
				const text = String(loaded.source);
				const source = text.replace(
					"new ArrayBuffer(srcBuffer.byteLength + minSize)",
					"new ArrayBuffer(srcBuffer.byteLength + Math.max(minSize, srcBuffer.byteLength))",
				);
				if (source === text) throw new Error("Miniflare has changed: is its start still slow?");
				return { ...loaded, source };
			},
		});
		const miniflare = await import("miniflare");
		hooks.deregister();
		return miniflare;
	})();
	return imported;
}

/**
 * An address of its own, without Miniflare's worker in front, which would take part of the time of each request.
 * Without a port, not with port 0: Miniflare would take the same port again for new options, and another process
 * may have it by then.
 */
export const DIRECT = { unsafeDirectSockets: [{ host: "127.0.0.1" }] };

const COMMON = {
	compatibilityDate: "2026-07-01",
	compatibilityFlags: ["nodejs_compat"],
};

const workerOptions = async (worker: WorkerDescription) => ({
	...COMMON,
	compatibilityFlags: [...(worker.flags ?? COMMON.compatibilityFlags)],
	name: worker.name,
	modules: await bundleModules(worker.entry),
	bindings: { ...worker.bindings },
	d1Databases: [...(worker.d1 ?? [])],
	kvNamespaces: [...(worker.kv ?? [])],
	r2Buckets: [...(worker.r2 ?? [])],
	// Miniflare types these with its own fetch.
	...(worker.outside === undefined ? {} : { outboundService: worker.outside as never }),
	serviceBindings: { ...worker.services, ...(worker.answers as object) },
});

const STAND_INS = "stand-ins";

/** Sends a request to the worker of the stand-ins. */
export async function askStandIns(miniflare: Miniflare): Promise<unknown> {
	const worker = (await miniflare.getWorker(STAND_INS)) as unknown as {
		fetch(url: string): Promise<Response>;
	};
	return (await worker.fetch("http://stand-ins/")).json();
}

const DATABASES = "databases";
const RUN_STATEMENTS = `export default {
	async fetch(request, env) {
		const { binding, statements } = await request.json();
		const outcomes = await env[binding].batch(statements.map((text) => env[binding].prepare(text)));
		return Response.json(outcomes.map(({ results }) => results));
	},
};`;

/** A worker that runs statements of the tests. Miniflare's own access to a database loads a thread and blocks. */
const describeDatabases = (workers: readonly Pick<WorkerDescription, "d1">[]) => {
	const d1Databases = workers.flatMap(({ d1 = [] }) => d1);
	if (d1Databases.length === 0) return [];
	return [{ ...COMMON, ...DIRECT, name: DATABASES, modules: true, script: RUN_STATEMENTS, d1Databases }];
};

/** Runs statements on a D1 database as one unit of work. Returns the rows of each. */
export async function runStatements(
	miniflare: Miniflare,
	binding: string,
	statements: readonly string[],
): Promise<readonly unknown[][]> {
	const body = JSON.stringify({ binding, statements });
	const response = await fetch(await miniflare.unsafeGetDirectURL(DATABASES), { method: "POST", body });
	if (!response.ok) throw new Error(await response.text());
	return (await response.json()) as unknown[][];
}

/** The statements of an emitted migration file. */
export const splitMigrationFile = (file: string): readonly string[] =>
	file.split(";\n").filter((text) => text.trim() !== "");

/** Fires a worker's cron trigger, by default the first one's, because Miniflare does not do it. */
export async function fireCron(miniflare: Miniflare, name?: string): Promise<void> {
	// Miniflare's type for this refers to ambient types that conflict with Node's.
	const worker = (await miniflare.getWorker(name)) as unknown as {
		scheduled(options: object): Promise<{ outcome: string }>;
	};
	const { outcome } = await worker.scheduled({ cron: "* * * * *" });
	if (outcome !== "ok") throw new Error(`the cron trigger ended with ${outcome}`);
}
