import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { visitConsentPage } from "./owner.ts";

/** A client that does not exit in time is killed, and its output shows why. */
const MAX_RUN_MS = 60_000;

export interface Ended {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

const { NODE_COMPILE_CACHE: COMPILE_CACHE } = process.env;

/** An environment without a browser, and with all files below a temporary home. */
export const confineTo = (home: string): Record<string, string> => ({
	HOME: home,
	USERPROFILE: home,
	PATH: home,
	BROWSER: "/bin/true",
	MCP_REMOTE_CONFIG_DIR: home,
	MCP_INSPECTOR_SECRET_STORE: "memory",
	NO_COLOR: "1",
	...(COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE: COMPILE_CACHE }),
});

/** Runs a Node program, by its URL, until it exits. If it asks to open a consent page of `issuer`, the owner approves. */
export async function runProgram(
	[script, ...args]: readonly [string, ...string[]],
	{
		home,
		env = {},
		issuer,
		timeoutMs = MAX_RUN_MS,
	}: { home: string; env?: Readonly<Record<string, string>>; issuer?: string; timeoutMs?: number },
): Promise<Ended> {
	const child = spawn(process.execPath, [fileURLToPath(script), ...args], {
		cwd: home,
		env: { ...confineTo(home), ...env },
		timeout: timeoutMs,
		// Some clients exit when their standard input ends.
		stdio: ["pipe", "pipe", "pipe"],
	});
	const said = { stdout: "", stderr: "" };
	let visit: Promise<void> | undefined;
	let problem: unknown;
	for (const name of ["stdout", "stderr"] as const) {
		child[name].setEncoding("utf8").on("data", (text: string) => {
			said[name] += text;
			const asked = issuer === undefined ? undefined : findAuthorizeUrl(said[name], issuer);
			if (asked !== undefined) visit ??= visitConsentPage(asked).catch(giveUp);
		});
	}
	const code = await new Promise<number | null>((resolve, reject) =>
		child.once("close", resolve).once("error", reject),
	);
	await visit;
	if (problem !== undefined) throw problem;
	return { code, ...said };

	function giveUp(error: unknown): void {
		problem = error;
		child.kill();
	}
}

/** Only once its line is complete, because a chunk can end within it. */
function findAuthorizeUrl(text: string, issuer: string): string | undefined {
	const start = text.indexOf(`${issuer}/authorize?`);
	return start === -1 ? undefined : /^\S+(?=\s)/.exec(text.slice(start))?.[0];
}

/** A temporary folder that is deleted after use. */
export async function withHome<T>(use: (home: string) => Promise<T>): Promise<T> {
	const home = await mkdtemp(join(tmpdir(), "mcp-client-"));
	try {
		return await use(home);
	} finally {
		await rm(home, { recursive: true, force: true });
	}
}

/**
 * A port for a client that must be told where to listen. It is below the ephemeral range, from which a port could be
 * taken again before the client listens.
 */
export async function findFreePort(): Promise<number> {
	const port = randomInt(10_000, 15_000);
	const server = createServer().listen(port, "127.0.0.1");
	const isFree = await new Promise<boolean>((resolve) =>
		server.once("listening", () => resolve(true)).once("error", () => resolve(false)),
	);
	if (!isFree) return findFreePort();
	await new Promise((resolve) => server.close(resolve));
	return port;
}
