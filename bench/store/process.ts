import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { median } from "../measure.ts";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { databaseOf, OWNERS, placeOf, RUNNER, randomNumbers, TYPES, WORDS, WORKFLOWS } from "./data.ts";
import { MANY } from "./growth.ts";
import { type Call, get, post, put } from "./requests.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const LAUNCHER = [join(ROOT, "scripts", "run.mjs"), "start"];
const SERVICE = ["--disable-warning=ExperimentalWarning", join(ROOT, "apps", "node", "src", "main.ts")];
const BARE = ["-e", "setInterval(() => {}, 1e6)"];
const SETTLE_MS = 2000;
const REQUESTS = 2000;
const CLIENTS = 8;
const STARTS = 3;

interface Child extends AsyncDisposable {
	readonly pid: number;
}
interface Service extends Child {
	/** From the spawn until it said that it is ready. */
	readonly seconds: number;
	readonly storeUrl: string;
}

/** Resident memory of the real process: idle, and after work on a million entries. */
export async function memory(onProgress: (what: string) => void): Promise<Row[]> {
	if (process.platform !== "linux") {
		onProgress("resident memory is read from /proc: left out on this platform");
		return [];
	}
	onProgress("resident memory");
	using folder = scratchFolder();
	const bare = await residentOf(bareNode());
	const idle = await residentOf(startService(SERVICE, join(folder.path, "idle")));
	const dataFolder = join(folder.path, "million");
	mkdirSync(dataFolder);
	renameSync(await databaseOf(MANY, dataFolder), join(dataFolder, "store.db"));
	const million = await residentOf(startService(SERVICE, dataFolder), serveMixed);
	const served = `after ${REQUESTS} requests on ${MANY} entries`;
	return [
		{ what: "resident, idle", unit: "MB", floor: bare, ours: idle, bar: { on: "ours", most: 140 } },
		{ what: `resident, ${served}`, unit: "MB", floor: bare, ours: million, bar: { on: "ours", most: 220 } },
	];
}

/** `npm start` once it has started before: what it compiles then is kept. */
export async function start(onProgress: (what: string) => void): Promise<Row[]> {
	const isLaunchable = await launcherHasNothingToInstall();
	const what = isLaunchable ? "second start, by the launcher" : "second start, without the launcher";
	onProgress(isLaunchable ? what : `${what}: it would first install dependencies`);
	using folder = scratchFolder();
	const seconds: number[] = [];
	for (let nth = 0; nth <= STARTS; nth++) {
		await using service = await startService(isLaunchable ? LAUNCHER : SERVICE, folder.path);
		if (nth > 0) seconds.push(service.seconds);
	}
	return [{ what, unit: "s", ours: median(seconds), bar: { on: "ours", most: 1.5 } }];
}

/** The launcher replaces node_modules when they are not as it left them, which no benchmark may cause. */
async function launcherHasNothingToInstall(): Promise<boolean> {
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

async function residentOf<C extends Child>(
	started: Promise<C> | C,
	use?: (child: C) => Promise<void>,
): Promise<number> {
	await using child = await started;
	await use?.(child);
	await wait(SETTLE_MS);
	const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1];
	return Number(kilobytes) / 1024;
}

function bareNode(): Child {
	const child = spawn(process.execPath, BARE, { stdio: "ignore" });
	return { pid: child.pid as number, [Symbol.asyncDispose]: () => stop(child) };
}

async function startService(args: readonly string[], dataFolder: string): Promise<Service> {
	const began = performance.now();
	mkdirSync(dataFolder, { recursive: true });
	const child = spawn(process.execPath, args, {
		// A folder without .env, so that no setting of this checkout is used.
		cwd: dataFolder,
		// No PATH either: whatever goes wrong, npm is not found.
		env: {
			NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(ROOT, "node_modules", ".cache", "node"),
			PORT: "0",
			STORE_PORT: "0",
			DATA_DIR: dataFolder,
			// The records of the benchmark are old; the minute's tick must leave them.
			EXECUTION_RETENTION_DAYS: "36500",
		},
		stdio: ["ignore", "pipe", "pipe"],
	});
	const killWithUs = () => child.kill("SIGKILL");
	process.on("exit", killWithUs);
	let errors = "";
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		errors = (errors + text).slice(-2000);
	});
	let said = "";
	for await (const text of child.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
		said += text;
		if (said.includes("is ready")) break;
	}
	const seconds = (performance.now() - began) / 1000;
	const storeUrl = /^\s*store\s+(http\S+)$/m.exec(said)?.[1];
	if (storeUrl === undefined) throw new Error(`the service did not start: ${errors}`);
	return {
		pid: child.pid as number,
		seconds,
		storeUrl,
		async [Symbol.asyncDispose]() {
			await stop(child);
			process.off("exit", killWithUs);
		},
	};
}

async function stop(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const ended = once(child, "exit");
	child.kill("SIGTERM");
	await ended;
}

async function serveMixed({ storeUrl }: Service): Promise<void> {
	const random = randomNumbers(5);
	const calls = Array.from({ length: REQUESTS }, (_, nth) => mixedCall(nth, random));
	await Promise.all(
		Array.from({ length: CLIENTS }, async () => {
			for (let call = calls.pop(); call !== undefined; call = calls.pop()) {
				const response = await fetch(`${storeUrl}${call.target}`, {
					method: call.method,
					headers: { "content-type": "application/json" },
					...(call.body !== undefined && { body: JSON.stringify(call.body) }),
				});
				const text = await response.text();
				if (!response.ok)
					throw new Error(`${call.method} ${call.target} answered ${response.status}: ${text}`);
			}
		}),
	);
}

function mixedCall(nth: number, random: () => number): Call {
	const existing = placeOf(Math.floor((random() * MANY) / 2));
	const owner_id = OWNERS[nth % OWNERS.length] as string;
	const workflow = WORKFLOWS[nth % WORKFLOWS.length] as string;
	const kinds: readonly (() => Call)[] = [
		() => put("/entries", { ...existing, content: WORDS }),
		() => put("/entries", { ...placeOf(MANY + nth), content: WORDS }),
		() => get("/entries", existing),
		() => get("/entries", { owner_id, entry_type: TYPES[nth % TYPES.length] as string }),
		() => get("/entries", { owner_id, limit: "1000" }),
		() => post("/execution-log", { owner_id: RUNNER, workflow, verdict: "success", duration_ms: nth }),
		() => get("/execution-log", { owner_id: RUNNER, verdict: "failed" }),
		() => get("/execution-log/latest", { owner_id: RUNNER }),
	];
	return (kinds[nth % kinds.length] as () => Call)();
}
