import { createHash, randomUUID } from "node:crypto";
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const CACHE = join(ROOT, "node_modules", ".cache", "workers");

export const SANDBOX_WASM = "./sandbox.wasm";

/** The WebAssembly module that runs users' code is uploaded as a separate module. */
const sandboxModule: Plugin = {
	name: "sandbox module",
	setup({ onResolve }) {
		onResolve({ filter: /^@tripline\/sandbox\/quickjs\.wasm$/ }, () => ({
			path: SANDBOX_WASM,
			external: true,
		}));
	},
};

interface Bundle {
	readonly text: string;
	/** The files it depends on, relative to the root. */
	readonly files: readonly string[];
	/** Of their contents. */
	readonly hash: string;
}

const bundles = new Map<string, Promise<string>>();

/** Each worker is bundled once for all tests, and again after one of its files has changed. */
export function bundleOnce(entry: string, options: { minify?: boolean } = {}): Promise<string> {
	const key = createHash("sha256")
		.update(`${entry} ${options.minify === true}`)
		.digest("hex");
	const bundle = bundles.get(key) ?? bundleUnlessStored(join(CACHE, `${key}.json`), entry, options);
	bundles.set(key, bundle);
	return bundle;
}

async function bundleUnlessStored(file: string, entry: string, options: { minify?: boolean }) {
	const stored = readBundle(file);
	if (stored !== undefined && hashFiles(stored.files) === stored.hash) return stored.text;
	const bundle = await bundleWorker(entry, options);
	writeBundle(file, bundle);
	return bundle.text;
}

async function bundleWorker(entry: string, options: { minify?: boolean }): Promise<Bundle> {
	const { outputFiles, metafile } = await build({
		entryPoints: [entry],
		absWorkingDir: ROOT,
		bundle: true,
		write: false,
		metafile: true,
		format: "esm",
		target: "esnext",
		conditions: ["workerd", "worker"],
		external: ["cloudflare:*", "node:*"],
		plugins: [sandboxModule],
		...options,
	});
	// These decide which bundler runs, how, and what the names of packages resolve to.
	const others = [
		"test/worker-bundles.ts",
		"package-lock.json",
		...globSync(MANIFESTS, { cwd: ROOT }).sort(),
	];
	const files = [...others, ...Object.keys(metafile.inputs)];
	return { text: outputFiles[0]?.text ?? "", files, hash: hashFiles(files) ?? "" };
}

const MANIFESTS = "{packages,services,apps}/*/package.json";

/** Undefined if a file does not exist. */
function hashFiles(files: readonly string[]): string | undefined {
	const hash = createHash("sha256");
	try {
		for (const file of files) hash.update(`${file} `).update(readFileSync(join(ROOT, file)));
	} catch {
		return undefined;
	}
	return hash.digest("hex");
}

function readBundle(file: string): Bundle | undefined {
	try {
		return JSON.parse(readFileSync(file, "utf8")) as Bundle;
	} catch {
		return undefined;
	}
}

/** Renamed when complete, because several test processes read and write at the same time. */
function writeBundle(file: string, bundle: Bundle): void {
	mkdirSync(CACHE, { recursive: true });
	const draft = `${file}.${randomUUID()}`;
	writeFileSync(draft, JSON.stringify(bundle));
	renameSync(draft, file);
}
