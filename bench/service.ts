import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { type Child, hasProc, idleNode, readResidentMb, startNode } from "./child.ts";
import { median } from "./measure.ts";
import type { Row } from "./report.ts";
import { scratchFolder } from "./scratch.ts";

export const ROOT = join(import.meta.dirname, "..");
const LAUNCHER = [join(ROOT, "scripts", "run.mjs"), "start"];

/** The arguments that start the service of a checkout. */
export const buildServiceArgs = (root: string) => [
	"--disable-warning=ExperimentalWarning",
	join(root, "apps", "node", "src", "main.ts"),
];
const SETTLE_MS = 2000;
const STARTS = 3;

export interface Service extends Child {
	readonly seconds: number;
	readonly publicUrl: string;
	readonly storeUrl: string;
	readonly dataFolder: string;
}

/** Starts the real process on free ports. */
export async function startService(
	dataFolder: string,
	given: { readonly env?: NodeJS.ProcessEnv; readonly args?: readonly string[] } = {},
): Promise<Service> {
	const child = await startNode(given.args ?? buildServiceArgs(ROOT), {
		// A folder without .env, so that no setting of this checkout is used.
		folder: dataFolder,
		env: {
			NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(ROOT, "node_modules", ".cache", "node"),
			PORT: "0",
			STORE_PORT: "0",
			DATA_DIR: dataFolder,
			// The benchmark's records are old; the tick must not delete them.
			EXECUTION_RETENTION_DAYS: "36500",
			// No benchmark may reach the limit, because a dropped record would cost nothing.
			EXECUTION_LOG_DAILY_WRITE_LIMIT: "1000000000",
			...given.env,
		},
		ready: "is ready",
	});
	const url = (name: string) => new RegExp(`^\\s*${name}\\s+(http\\S+)$`, "m").exec(child.said)?.[1] ?? "";
	return { ...child, publicUrl: url("service"), storeUrl: url("store"), dataFolder };
}

/** Resident memory of the real process before its first request. */
export async function measureIdleMemory(onProgress: (what: string) => void): Promise<Row[]> {
	if (!hasProc) {
		onProgress("resident memory is read from /proc: left out on this platform");
		return [];
	}
	onProgress("resident memory");
	using folder = scratchFolder();
	const floor = await measureSettledMemory(idleNode());
	const ours = await measureSettledMemory(await startService(folder.path));
	return [{ what: "resident, idle", unit: "MB", floor, ours, bar: { on: "ours", most: 140 } }];
}

/** Resident megabytes after `use` and some idle seconds; stops the child. */
export async function measureSettledMemory<C extends Child>(
	started: C,
	use?: (child: C) => Promise<void>,
): Promise<number> {
	await using child = started;
	await use?.(child);
	await wait(SETTLE_MS);
	return readResidentMb(child);
}

/** The time of a second `npm start`, which uses the compile cache. */
export async function start(onProgress: (what: string) => void): Promise<Row[]> {
	const isLaunchable = await isInstalled();
	const what = isLaunchable ? "second start, by the launcher" : "second start, without the launcher";
	onProgress(isLaunchable ? what : `${what}: it would first install dependencies`);
	using folder = scratchFolder();
	const seconds: number[] = [];
	for (let nth = 0; nth <= STARTS; nth++) {
		await using service = await startService(folder.path, isLaunchable ? { args: LAUNCHER } : {});
		if (nth > 0) seconds.push(service.seconds);
	}
	return [{ what, unit: "s", ours: median(seconds), bar: { on: "ours", most: 1.5 } }];
}

/** The launcher reinstalls node_modules if they have changed; a benchmark must not cause that. */
async function isInstalled(): Promise<boolean> {
	try {
		const prepare = (await import(pathToFileURL(join(ROOT, "scripts", "launch", "prepare.mjs")).href)) as {
			describeInstall(root: string): Record<string, unknown>;
		};
		const left = readFileSync(join(ROOT, "node_modules", ".tripline-install.json"), "utf8");
		const stamp = JSON.parse(left) as Record<string, unknown>;
		return Object.entries(prepare.describeInstall(ROOT)).every(([name, value]) => stamp[name] === value);
	} catch {
		return false;
	}
}
