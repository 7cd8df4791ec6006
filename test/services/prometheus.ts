import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "../postgres.ts";
import { installPackage, stopServer, waitForPort } from "./debian.ts";

const SERVER = "/usr/bin/prometheus";
const TOOL = "/usr/bin/promtool";

/** Runs Debian's promtool and returns what it says, with its exit code. */
export function runPromtool(
	args: readonly string[],
	input = "",
): { readonly code: number; readonly text: string } {
	installPackage(TOOL, "prometheus");
	const { status, stdout, stderr } = spawnSync(TOOL, args, { input, encoding: "utf8" });
	return { code: status ?? -1, text: stdout + stderr };
}

export interface Prometheus {
	/** Calls its API. */
	ask(path: string, query?: Readonly<Record<string, string>>): Promise<unknown>;
	stop(): Promise<void>;
}

/** Debian's Prometheus as a child process, which scrapes the address every half second. */
export async function startPrometheus(target: string, token: string): Promise<Prometheus> {
	installPackage(SERVER, "prometheus");
	const folder = mkdtempSync(join(tmpdir(), "tripline-prometheus-"));
	const config = {
		global: { scrape_interval: "500ms", scrape_timeout: "500ms" },
		scrape_configs: [
			{
				job_name: "tripline",
				authorization: { credentials: token },
				static_configs: [{ targets: [target] }],
			},
		],
	};
	// JSON is YAML too.
	writeFileSync(join(folder, "prometheus.yaml"), JSON.stringify(config));
	const port = await findFreePort();
	const server = spawn(
		SERVER,
		[
			`--config.file=${folder}/prometheus.yaml`,
			`--storage.tsdb.path=${folder}/data`,
			`--web.listen-address=127.0.0.1:${port}`,
		],
		{ stdio: "ignore" },
	);
	await waitForPort(server, port);
	return {
		async ask(path, query = {}) {
			const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}?${new URLSearchParams(query)}`);
			return response.json();
		},
		async stop() {
			await stopServer(server);
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
