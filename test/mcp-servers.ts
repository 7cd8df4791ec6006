import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "./mcp/spawn.ts";

/** A public MCP server from npm that runs as a child process. */
export interface McpChild {
	readonly url: string;
	readonly pid: number;
	/** What it has written so far. */
	output(): string;
	stop(): Promise<void>;
}

const PACKAGES = join(import.meta.dirname, "../node_modules");
const START_MS = 20_000;

/** The server of the protocol's authors, which has a tool for each of its features. */
export const startEverything = (): Promise<McpChild> =>
	startChild("@modelcontextprotocol/server-everything", (port) => ({
		script: "dist/index.js",
		args: ["streamableHttp"],
		env: { PORT: String(port) },
	}));

/** Describes charts, which a service at `drawnBy` draws. */
export const startCharts = (drawnBy: string): Promise<McpChild> =>
	startChild("@antv/mcp-server-chart", (port) => ({
		script: "build/index.js",
		args: ["--transport", "streamable", "--host", "127.0.0.1", "--port", String(port)],
		env: { VIS_REQUEST_SERVER: drawnBy },
	}));

/** Drives a browser. */
export const startPlaywright = (browser: string): Promise<McpChild> =>
	startChild("@playwright/mcp", (port) => ({
		script: "cli.js",
		args: [
			...[
				"--port",
				String(port),
				"--host",
				"127.0.0.1",
				"--allowed-hosts",
				`127.0.0.1:${port}`,
				"--headless",
				"--isolated",
				"--no-sandbox",
			],
			...["--executable-path", browser],
		],
		env: {},
	}));

interface Program {
	readonly script: string;
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
}

async function startChild(name: string, describe: (port: number) => Program): Promise<McpChild> {
	const port = await findFreePort();
	const { script, args, env } = describe(port);
	// Some write files where they are started.
	const cwd = mkdtempSync(join(tmpdir(), "tripline-mcp-server-"));
	const child = spawn(process.execPath, [join(PACKAGES, name, script), ...args], {
		env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
		cwd,
		stdio: ["ignore", "pipe", "pipe"],
	});
	const exit = once(child, "exit");
	let output = "";
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (chunk) => {
			output += chunk;
		});
	const stop = async () => {
		if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
		await exit;
		rmSync(cwd, { recursive: true, force: true });
	};
	try {
		await waitUntilListening(child, port, () => output);
	} catch (error) {
		await stop();
		throw error;
	}
	return { url: `http://127.0.0.1:${port}/mcp`, pid: child.pid as number, output: () => output, stop };
}

async function waitUntilListening(child: ChildProcess, port: number, output: () => string): Promise<void> {
	for (const until = Date.now() + START_MS; ; ) {
		const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
		if (answer !== null) {
			await answer.body?.cancel();
			return;
		}
		if (child.exitCode !== null || Date.now() > until) throw new Error(`it does not listen: ${output()}`);
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}
