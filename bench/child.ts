import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Child extends AsyncDisposable {
	readonly pid: number;
}

interface ReadyChild extends Child {
	/** The time from the spawn until it reported that it is ready. */
	readonly seconds: number;
	/** Its output until then. */
	readonly said: string;
}

/** Linux reports process times in hundredths of a second, whatever the kernel's tick rate is. */
const TICKS_PER_SECOND = 100;

/** Starts Node with these arguments; `ready` is the output that says it can be used. */
export async function startNode(
	args: readonly string[],
	given: { readonly folder: string; readonly env: NodeJS.ProcessEnv; readonly ready: string },
): Promise<ReadyChild> {
	const began = performance.now();
	mkdirSync(given.folder, { recursive: true });
	// A file, because reading a pipe would compete with the server for the same cores.
	const errorFile = join(given.folder, "stderr.log");
	const child = launch(args, given, ["ignore", "pipe", openSync(errorFile, "a")]);
	let said = "";
	for await (const text of child.stdout?.setEncoding("utf8").iterator({ destroyOnReturn: false }) ?? []) {
		said += text;
		if (said.includes(given.ready)) break;
	}
	const seconds = (performance.now() - began) / 1000;
	if (!said.includes(given.ready)) {
		throw new Error(`${args.at(-1)} did not start: ${readFileSync(errorFile, "utf8").slice(-2000)}`);
	}
	return { ...toChild(child), seconds, said };
}

/** A Node that does nothing. */
export const idleNode = (): Child =>
	toChild(launch(["-e", "setInterval(() => {}, 1e6)"], { env: {} }, "ignore"));

/** In megabytes. */
export function readResidentMb({ pid }: Child): number {
	const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
	return Number(kilobytes) / 1024;
}

/** The largest so far, in megabytes. */
export function readPeakMb({ pid }: Child): number {
	const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
	return Number(kilobytes) / 1024;
}

/** In seconds, of all its threads. */
export function readCpuSeconds({ pid }: Child): number {
	const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
	// After the name, which may contain spaces; user and system time are fields 14 and 15 of the line.
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

export const hasProc = process.platform === "linux";

function launch(
	args: readonly string[],
	given: { readonly folder?: string; readonly env: NodeJS.ProcessEnv },
	stdio: StdioOptions,
): ChildProcess {
	// Only the given variables, not even PATH, so that npm can never be started.
	const child = spawn(process.execPath, args, { cwd: given.folder, env: given.env, stdio });
	const killWithUs = () => child.kill("SIGKILL");
	process.on("exit", killWithUs);
	child.on("exit", () => process.off("exit", killWithUs));
	return child;
}

function toChild(child: ChildProcess): Child {
	return {
		pid: child.pid as number,
		async [Symbol.asyncDispose]() {
			if (child.exitCode !== null || child.signalCode !== null) return;
			const ended = once(child, "exit");
			child.kill("SIGTERM");
			await ended;
		},
	};
}
