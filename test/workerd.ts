import { build } from "esbuild";
import { Miniflare } from "miniflare";

/** A module worker bundled from TypeScript and started in real workerd, with fresh state. */
export async function startWorker(options: {
	readonly entry: string;
	readonly bindings?: Readonly<Record<string, string>>;
	readonly d1?: readonly string[];
	readonly kv?: readonly string[];
	/** A second worker whose entrypoints stand in for bindings of the platform: binding to entrypoint. */
	readonly standIns?: { readonly script: string; readonly entrypoints: Readonly<Record<string, string>> };
}): Promise<{ readonly miniflare: Miniflare; readonly url: string }> {
	const bundled = await build({
		entryPoints: [options.entry],
		bundle: true,
		write: false,
		format: "esm",
		target: "esnext",
		conditions: ["workerd", "worker"],
		external: ["cloudflare:*", "node:*"],
	});
	const { script = "", entrypoints = {} } = options.standIns ?? {};
	const common = {
		modules: true,
		compatibilityDate: "2026-07-01",
		compatibilityFlags: ["nodejs_compat"],
	};
	const worker = {
		...common,
		name: "worker",
		script: bundled.outputFiles[0]?.text ?? "",
		bindings: { ...options.bindings },
		d1Databases: [...(options.d1 ?? [])],
		kvNamespaces: [...(options.kv ?? [])],
		serviceBindings: Object.fromEntries(
			Object.entries(entrypoints).map(([binding, entrypoint]) => [binding, { name: STAND_INS, entrypoint }]),
		),
	};
	const miniflare = new Miniflare({
		workers: script === "" ? [worker] : [worker, { ...common, name: STAND_INS, script }],
	});
	const url = await miniflare.ready;
	return { miniflare, url: url.origin };
}

const STAND_INS = "stand-ins";

/** Asks the worker of the stand-ins. */
export async function askStandIns(miniflare: Miniflare): Promise<unknown> {
	const worker = (await miniflare.getWorker(STAND_INS)) as unknown as {
		fetch(url: string): Promise<Response>;
	};
	return (await worker.fetch("http://stand-ins/")).json();
}

/** Runs an emitted migration file on a worker's D1 database. */
export async function applyMigrationFile(miniflare: Miniflare, binding: string, file: string): Promise<void> {
	const database = await miniflare.getD1Database(binding);
	const statements = file.split(";\n").filter((text) => text.trim() !== "");
	await database.batch(statements.map((text) => database.prepare(text)));
}

/** Fires a worker's cron trigger: Miniflare does not do it by itself. */
export async function fireCron(miniflare: Miniflare): Promise<void> {
	// Miniflare's own type for this refers to a package of ambient types that would clash with Node's.
	const worker = (await miniflare.getWorker()) as unknown as { scheduled(options: object): Promise<unknown> };
	await worker.scheduled({ cron: "* * * * *" });
}
