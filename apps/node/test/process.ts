import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { bundleServiceOnce } from "../../../test/service-bundle.ts";

export interface Started {
	readonly child: ChildProcess;
	readonly publicUrl: string;
	readonly storeUrl: string;
	/** The output so far. */
	stdout(): string;
	stderr(): string;
	exited(): Promise<{ code: number | null; signal: string | null }>;
}

export function temporaryFolder(context: TestContext): string {
	const folder = mkdtempSync(join(tmpdir(), "tripline-"));
	context.after(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** Starts the real process, by default the bundled one. The URLs are empty if it ended before it was ready. */
export async function start(
	context: TestContext,
	variables: Record<string, string>,
	cwd = temporaryFolder(context),
	program?: string,
): Promise<Started> {
	const main = program ?? join(await bundleServiceOnce(), "main.js");
	const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main], {
		cwd,
		env: {
			PATH: process.env.PATH,
			NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
			PORT: "0",
			STORE_PORT: "0",
			DATA_DIR: join(cwd, "data"),
			...variables,
		},
		stdio: ["ignore", "pipe", "pipe"],
	});
	const exit = once(child, "exit");
	context.after(async () => {
		if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
		await exit;
	});
	let stdout = "";
	let stderr = "";
	child.stderr.on("data", (chunk) => {
		stderr += chunk;
	});
	const ready = new Promise<void>((resolve) => {
		child.stdout.on("data", (chunk) => {
			stdout += chunk;
			if (stdout.includes("Try it:")) resolve();
		});
	});
	await Promise.race([ready, once(child, "close")]);
	const url = (name: string) => new RegExp(`${name} +(http://\\S+)`).exec(stdout)?.[1] ?? "";
	return {
		child,
		publicUrl: url("service"),
		storeUrl: url("store"),
		stdout: () => stdout,
		stderr: () => stderr,
		async exited() {
			const [code, signal] = await exit;
			return { code, signal };
		},
	};
}
