import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleCli } from "../scripts/bundle/programs.ts";
import type { Row, Section } from "./report.ts";
import { scratchFolder } from "./scratch.ts";

const TRIES = 15;
/** Allowed on top of bare Node. */
const MAX_EXTRA_MS = 150;

/** The bundled command line against an empty Node, in elapsed time, because a person waits for it. */
export async function cliSuite(onProgress: (what: string) => void): Promise<Section[]> {
	using folder = scratchFolder();
	onProgress("bundle");
	await bundleCli(join(folder.path, "cli"));
	writeFileSync(join(folder.path, "package.json"), JSON.stringify({ version: "0.0.0", type: "module" }));
	const bin = join(folder.path, "cli", "tripline.js");
	onProgress("starts");
	const floor = measureFastest(["-e", "0"], folder.path);
	const rows: Row[] = [
		{
			what: "--help",
			unit: "ms",
			floor,
			ours: measureFastest([bin, "--help"], folder.path),
			bar: { on: "ours", most: floor + MAX_EXTRA_MS },
		},
		{
			what: "config get mcp_url",
			unit: "ms",
			floor,
			ours: measureFastest([bin, "config", "get", "mcp_url"], folder.path),
		},
	];
	return [{ title: "Command line, elapsed: the bundle / bare Node", rows }];
}

/** The fastest of several, because other load only makes one slower. */
function measureFastest(args: readonly string[], cwd: string): number {
	const times = Array.from({ length: TRIES }, () => {
		const started = performance.now();
		const { status } = spawnSync(process.execPath, args, { stdio: "ignore", cwd });
		if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}`);
		return performance.now() - started;
	});
	return Math.min(...times);
}
