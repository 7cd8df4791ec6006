import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { storedEntries } from "@tripline/executor/vault/stored-entries";
import { nodeBackground } from "@tripline/platform/background.node";
import { systemClock } from "@tripline/platform/clock";
import { createStore } from "@tripline/store/app";
import { storeEnvironment, storeSettings } from "@tripline/store/settings";
import { storeMigrations } from "@tripline/store/storage/migrations";
import { bundleServiceOnce } from "../../../test/service-bundle.ts";
import { openFile } from "../src/databases.ts";
import { masterKeyPath } from "../src/master-key.ts";
import { openVault } from "../src/open-vault.ts";

/** Opens vaults on a data folder, each with its own connection, like running services. */
export async function openVaults(context: TestContext, cwd: string) {
	const dataFolder = join(cwd, "data");
	mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
	const sql = await openFile(dataFolder, "store.db", storeMigrations);
	const background = nodeBackground((work, error) => {
		throw new Error(work, { cause: error });
	});
	context.after(async () => {
		await background.flush();
		sql.close();
	});
	const store = createStore({
		sql,
		clock: systemClock,
		log: () => {},
		version: "test",
		settings: storeSettings(storeEnvironment.parse({})),
	});
	const storage = storedEntries({ fetch: store.fetch, baseUrl: "http://store" });
	const file = masterKeyPath({}, dataFolder);
	return { file, storage, open: () => openVault({ file, storage, background, clock: systemClock }) };
}

/** Starts an operator's command as a separate process. */
export async function startCommand(
	args: readonly string[],
	cwd: string,
	variables: Record<string, string> = {},
	program = "vault",
) {
	const command = join(await bundleServiceOnce(), `${program}.js`);
	const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", command, ...args], {
		cwd,
		env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...variables },
		stdio: ["ignore", "pipe", "pipe"],
	});
	let stdout = "";
	let stderr = "";
	child.stdout.on("data", (chunk) => {
		stdout += chunk;
	});
	child.stderr.on("data", (chunk) => {
		stderr += chunk;
	});
	const closed = once(child, "close");
	return {
		child,
		/** Resolves after this many lines of output, or at its end. */
		async said(lines: number): Promise<void> {
			const enough = () => stdout.split("\n").length > lines;
			while (!enough() && child.exitCode === null) {
				await Promise.race([once(child.stdout, "data"), closed]);
			}
		},
		async ended(): Promise<{ code: number | null; stdout: string; stderr: string }> {
			const [code] = await closed;
			return { code, stdout, stderr };
		},
	};
}

export const runCommand = async (
	args: readonly string[],
	cwd: string,
	variables: Record<string, string> = {},
	program?: string,
) => (await startCommand(args, cwd, variables, program)).ended();
