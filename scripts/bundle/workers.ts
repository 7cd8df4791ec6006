import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { meteredQuickJs, originalQuickJsUrl } from "@tripline/sandbox/artifact";
import { build, type Plugin } from "esbuild";

const ROLES = ["store", "registry", "executor", "mcp"] as const;
const SCRIPT = "worker.mjs";
const SANDBOX = "sandbox.wasm";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The four workers and the database's migrations, as a deployment takes them; what comes back is what was written. */
export async function bundleWorkers(folder: string, version: string): Promise<readonly string[]> {
	mkdirSync(folder, { recursive: true });
	const scripts = await Promise.all(ROLES.map(async (role) => ({ role, script: await scriptOf(role) })));
	const written = scripts.map(({ role, script }) => write(`${role}.mjs`, script));
	written.push(write(SANDBOX, await meteredQuickJs(readFileSync(new URL(originalQuickJsUrl())))));
	const migrations = migrationFiles().map(({ file, sql }) => write(file, sql));
	const bundles = {
		version,
		workers: Object.fromEntries(scripts.map(({ role, script }) => [role, modulesOf(role, script)])),
		migrations,
	};
	write("bundles.json", `${JSON.stringify(bundles, null, "\t")}\n`);
	return written;

	function write(file: string, content: string | Uint8Array): string {
		writeFileSync(join(folder, file), content);
		return file;
	}
}

async function scriptOf(role: string): Promise<string> {
	const { outputFiles } = await build({
		entryPoints: [join(root, "services", role, "src", "cloudflare.ts")],
		// Paths are in no bundle, so that the same code is the same bundle wherever it is made.
		absWorkingDir: root,
		bundle: true,
		write: false,
		minify: true,
		format: "esm",
		target: "esnext",
		conditions: ["workerd", "worker"],
		external: ["cloudflare:*", "node:*"],
		plugins: [sandboxModule],
	});
	return outputFiles[0]?.text ?? "";
}

/** The module that runs users' code is uploaded beside the bundle. */
const sandboxModule: Plugin = {
	name: "sandbox module",
	setup({ onResolve }) {
		onResolve({ filter: /^@tripline\/sandbox\/quickjs\.wasm$/ }, () => ({
			path: `./${SANDBOX}`,
			external: true,
		}));
	},
};

const modulesOf = (role: string, script: string) => [
	{ name: SCRIPT, type: "application/javascript+module", file: `${role}.mjs` },
	...(script.includes(`"./${SANDBOX}"`) ? [{ name: SANDBOX, type: "application/wasm", file: SANDBOX }] : []),
];

function migrationFiles(): readonly { readonly file: string; readonly sql: string }[] {
	const folder = join(root, "services", "store", "migrations");
	return readdirSync(folder)
		.sort()
		.map((file) => ({ file, sql: readFileSync(join(folder, file), "utf8") }));
}
