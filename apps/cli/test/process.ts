import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";

const BIN = fileURLToPath(new URL("../src/bin.ts", import.meta.url));

export interface Running {
	readonly child: ChildProcess;
	/** The output so far. */
	stdout(): string;
	stderr(): string;
	/** Waits until stdout or stderr contains the text. */
	waitForText(text: string): Promise<void>;
	waitForExit(): Promise<{ code: number | null; signal: string | null }>;
}

export function createTemporaryFolder(context: TestContext): string {
	const folder = mkdtempSync(join(tmpdir(), "tripline-bin-"));
	context.after(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** The real command line in its own process. */
export function start(
	context: TestContext,
	argv: readonly string[],
	options: { cwd?: string; env?: Record<string, string>; bin?: string } = {},
): Running {
	const { cwd = createTemporaryFolder(context), env = {}, bin = BIN } = options;
	const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", bin, ...argv], {
		cwd,
		env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, HOME: cwd, ...env },
		stdio: ["ignore", "pipe", "pipe"],
	});
	const exit = once(child, "exit");
	const closed = once(child, "close");
	const texts = { stdout: "", stderr: "" };
	for (const name of ["stdout", "stderr"] as const) {
		child[name].on("data", (chunk) => {
			texts[name] += chunk;
			child.emit("said");
		});
	}
	context.after(async () => {
		if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
		await exit;
	});
	return {
		child,
		stdout: () => texts.stdout,
		stderr: () => texts.stderr,
		async waitForText(text) {
			while (!texts.stdout.includes(text) && !texts.stderr.includes(text)) {
				const isOver = await Promise.race([once(child, "said").then(() => false), closed.then(() => true)]);
				if (isOver) throw new Error(`it ended without saying ${JSON.stringify(text)}: ${texts.stderr}`);
			}
		},
		async waitForExit() {
			await closed;
			const [code, signal] = await exit;
			return { code, signal };
		},
	};
}
