import { build } from "esbuild";
import { Miniflare } from "miniflare";

/** A module worker bundled from TypeScript and started in real workerd, with fresh state. */
export async function startWorker(options: {
	readonly entry: string;
	readonly bindings?: Readonly<Record<string, string>>;
	readonly d1?: readonly string[];
	readonly kv?: readonly string[];
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
	const miniflare = new Miniflare({
		modules: true,
		script: bundled.outputFiles[0]?.text ?? "",
		compatibilityDate: "2026-07-01",
		compatibilityFlags: ["nodejs_compat"],
		bindings: { ...options.bindings },
		d1Databases: [...(options.d1 ?? [])],
		kvNamespaces: [...(options.kv ?? [])],
	});
	const url = await miniflare.ready;
	return { miniflare, url: url.origin };
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
