import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { limitPdfArrays } from "../scripts/bundle/pdf-module.ts";
import { CACHE, hashFiles, listConfiguration, ROOT } from "./bundle-inputs.ts";

const FOLDER = join(CACHE, "workers");

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
	const bundle = bundles.get(key) ?? bundleUnlessStored(join(FOLDER, `${key}.json`), entry, options);
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
		minifyWhitespace: true,
		conditions: ["workerd", "worker"],
		external: ["cloudflare:*", "node:*"],
		plugins: [sandboxModule, limitPdfArrays],
		...options,
	});
	const files = [
		"test/worker-bundles.ts",
		"scripts/bundle/pdf-module.ts",
		...listConfiguration(),
		...Object.keys(metafile.inputs),
	];
	return { text: outputFiles[0]?.text ?? "", files, hash: hashFiles(files) ?? "" };
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
	mkdirSync(FOLDER, { recursive: true });
	const draft = `${file}.${randomUUID()}`;
	writeFileSync(draft, JSON.stringify(bundle));
	renameSync(draft, file);
}
