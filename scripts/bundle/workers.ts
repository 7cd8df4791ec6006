import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { buildMeteredQuickJs, getOriginalQuickJsUrl } from "@tripline/sandbox/artifact";
import { build, type Plugin } from "esbuild";
import { buildConsole } from "../../apps/console/build.ts";
import { limitPdfArrays } from "./pdf-module.ts";

const ROLES = ["store", "registry", "executor", "mcp"] as const;
const SCRIPT = "worker.mjs";
const SANDBOX = "sandbox.wasm";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Writes the four workers, the database migrations and the console in the layout that a deployment expects, and returns
 * the names of the written files. The console may go to another folder, which the packaged service serves too.
 */
export async function bundleWorkers(
	folder: string,
	version: string,
	consoleFolder = join(folder, "console"),
): Promise<readonly string[]> {
	mkdirSync(folder, { recursive: true });
	await buildConsole(consoleFolder);
	const scripts = await Promise.all(ROLES.map(async (role) => ({ role, script: await bundleScript(role) })));
	const written = scripts.map(({ role, script }) => write(`${role}.mjs`, script));
	written.push(write(SANDBOX, await buildMeteredQuickJs(readFileSync(new URL(getOriginalQuickJsUrl())))));
	const migrations = {
		store: readMigrations("store").map(({ file, sql }) => write(file, sql)),
		executor: readMigrations("executor").map(({ file, sql }) => write(`executor-${file}`, sql)),
	};
	const bundles = {
		version,
		workers: Object.fromEntries(scripts.map(({ role, script }) => [role, listModules(role, script)])),
		migrations,
		console: listConsoleFiles(relative(folder, consoleFolder), consoleFolder),
	};
	write("bundles.json", `${JSON.stringify(bundles, null, "\t")}\n`);
	return written;

	function write(file: string, content: string | Uint8Array): string {
		writeFileSync(join(folder, file), content);
		return file;
	}
}

async function bundleScript(role: string): Promise<string> {
	const { outputFiles } = await build({
		entryPoints: [join(root, "services", role, "src", "cloudflare.ts")],
		// Bundles contain no absolute paths, so the same code gives the same bundle on every machine.
		absWorkingDir: root,
		bundle: true,
		write: false,
		minify: true,
		format: "esm",
		target: "esnext",
		conditions: ["workerd", "worker"],
		external: ["cloudflare:*", "node:*"],
		plugins: [sandboxModule, limitPdfArrays],
	});
	return outputFiles[0]?.text ?? "";
}

/** The WebAssembly module that runs users' code is uploaded as a separate module next to the bundle. */
const sandboxModule: Plugin = {
	name: "sandbox module",
	setup({ onResolve }) {
		onResolve({ filter: /^@tripline\/sandbox\/quickjs\.wasm$/ }, () => ({
			path: `./${SANDBOX}`,
			external: true,
		}));
	},
};

const listModules = (role: string, script: string) => [
	{ name: SCRIPT, type: "application/javascript+module", file: `${role}.mjs` },
	...(script.includes(`"./${SANDBOX}"`) ? [{ name: SANDBOX, type: "application/wasm", file: SANDBOX }] : []),
];

/** Maps URL paths to files relative to bundles.json. */
const listConsoleFiles = (place: string, folder: string) =>
	Object.fromEntries(
		readdirSync(folder)
			.sort()
			.map((file) => [`/console/${file}`, `${place.replaceAll("\\", "/")}/${file}`]),
	);

function readMigrations(
	role: "store" | "executor",
): readonly { readonly file: string; readonly sql: string }[] {
	const folder = join(root, "services", role, "migrations");
	return readdirSync(folder)
		.sort()
		.map((file) => ({ file, sql: readFileSync(join(folder, file), "utf8") }));
}
