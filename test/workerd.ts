import { build } from "esbuild";
import { Miniflare } from "miniflare";

/** A module worker and what is bound to it. */
export interface WorkerDescription {
	readonly name: string;
	/** A TypeScript file. */
	readonly entry: string;
	readonly bindings?: Readonly<Record<string, string>>;
	readonly d1?: readonly string[];
	readonly kv?: readonly string[];
	/** Other workers, or this one, by the binding: the worker's name, and which of its entrypoints. */
	readonly services?: Readonly<Record<string, ServiceBinding>>;
}

interface ServiceBinding {
	readonly name: string;
	readonly entrypoint?: string;
}

/** What is uploaded to Workers. */
export async function bundled(entry: string, options: { minify?: boolean } = {}): Promise<string> {
	const { outputFiles } = await build({
		entryPoints: [entry],
		bundle: true,
		write: false,
		format: "esm",
		target: "esnext",
		conditions: ["workerd", "worker"],
		external: ["cloudflare:*", "node:*"],
		...options,
	});
	return outputFiles[0]?.text ?? "";
}

/** A worker bundled from TypeScript and started in real workerd, with fresh state. */
export async function startWorker(
	options: Omit<WorkerDescription, "name" | "services"> & {
		/** A second worker whose entrypoints stand in for bindings of the platform: binding to entrypoint. */
		readonly standIns?: { readonly script: string; readonly entrypoints: Readonly<Record<string, string>> };
	},
): Promise<{ readonly miniflare: Miniflare; readonly url: string }> {
	const { script, entrypoints = {} } = options.standIns ?? {};
	const services = Object.fromEntries(
		Object.entries(entrypoints).map(([binding, entrypoint]) => [binding, { name: STAND_INS, entrypoint }]),
	);
	const miniflare = new Miniflare({
		workers: [
			await workerOptions({ ...options, name: "worker", services }),
			...(script === undefined ? [] : [{ ...COMMON, name: STAND_INS, script }]),
		],
	});
	return { miniflare, url: (await miniflare.ready).origin };
}

/** Several workers in one workerd, bound to each other, each with an address of its own. */
export async function startWorkers(workers: readonly WorkerDescription[]): Promise<{
	readonly miniflare: Miniflare;
	urlOf(name: string): Promise<string>;
	/** What they have logged since the last time. */
	lines(): readonly string[];
}> {
	const logged: string[] = [];
	const miniflare = new Miniflare({
		workers: await Promise.all(
			workers.map(async (worker) => ({
				...(await workerOptions(worker)),
				unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
			})),
		),
		handleStructuredLogs({ message }: { readonly message: string }) {
			logged.push(...message.split("\n"));
		},
	});
	await miniflare.ready;
	return {
		miniflare,
		urlOf: async (name) => (await miniflare.unsafeGetDirectURL(name)).origin,
		lines: () => logged.splice(0),
	};
}

const COMMON = {
	modules: true,
	compatibilityDate: "2026-07-01",
	compatibilityFlags: ["nodejs_compat"],
};

const workerOptions = async (worker: WorkerDescription) => ({
	...COMMON,
	name: worker.name,
	script: await bundled(worker.entry),
	bindings: { ...worker.bindings },
	d1Databases: [...(worker.d1 ?? [])],
	kvNamespaces: [...(worker.kv ?? [])],
	serviceBindings: { ...worker.services },
});

const STAND_INS = "stand-ins";

/** Asks the worker of the stand-ins. */
export async function askStandIns(miniflare: Miniflare): Promise<unknown> {
	const worker = (await miniflare.getWorker(STAND_INS)) as unknown as {
		fetch(url: string): Promise<Response>;
	};
	return (await worker.fetch("http://stand-ins/")).json();
}

/** Runs an emitted migration file on a D1 database of a worker, by default the first one. */
export async function applyMigrationFile(
	miniflare: Miniflare,
	binding: string,
	file: string,
	worker?: string,
): Promise<void> {
	const database = await miniflare.getD1Database(binding, worker);
	const statements = file.split(";\n").filter((text) => text.trim() !== "");
	await database.batch(statements.map((text) => database.prepare(text)));
}

/** Fires a worker's cron trigger, by default the first one's: Miniflare does not do it by itself. */
export async function fireCron(miniflare: Miniflare, name?: string): Promise<void> {
	// Miniflare's own type for this refers to a package of ambient types that would clash with Node's.
	const worker = (await miniflare.getWorker(name)) as unknown as {
		scheduled(options: object): Promise<{ outcome: string }>;
	};
	const { outcome } = await worker.scheduled({ cron: "* * * * *" });
	if (outcome !== "ok") throw new Error(`the cron trigger ended with ${outcome}`);
}
