import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Clock } from "@tripline/platform/clock";
import type { Log } from "@tripline/platform/log";

/** After a failure, unless backups are more frequent anyway. */
const RETRY_MS = 900_000;
const MAX_OUTPUT_CHARACTERS = 1_048_576;

const PROGRAM = new URL("../backup.ts", import.meta.url);

interface Answer {
	readonly created: { readonly name: string; readonly bytes: number; readonly rows: number } | null;
	readonly newest_at: string;
}

/**
 * Makes backups in a process of its own: it has a low priority, and neither its memory nor its work is in the way of
 * requests. The first check is at the full minute after the start.
 */
export function scheduleBackups(deps: {
	everyMs: number;
	clock: Clock;
	log: Log;
	/** Another environment than that of this process, in a test. */
	env?: NodeJS.ProcessEnv;
}) {
	const { everyMs, clock, log, env = process.env } = deps;
	let dueAt: number | null = null;
	let child: ChildProcess | null = null;
	let isStopped = false;
	return {
		/** To be called every minute. */
		tick(): void {
			dueAt ??= clock.now() + 1;
			if (child !== null || clock.now() < dueAt) return;
			const startedAt = performance.now();
			child = start(env, (problem, output) => {
				child = null;
				if (isStopped) return;
				const answer = problem === null ? parse(output) : null;
				if (answer === null) {
					dueAt = clock.now() + Math.min(everyMs, RETRY_MS);
					log("error", "a backup failed", { error: problem ?? "no answer" });
					return;
				}
				dueAt = Date.parse(answer.newest_at) + everyMs;
				if (answer.created === null) return;
				const { name, bytes, rows } = answer.created;
				log("info", "backup made", {
					name,
					bytes,
					rows,
					duration_ms: Math.round(performance.now() - startedAt),
				});
			});
		},
		/** The next backup removes what this one leaves. */
		stop(): void {
			isStopped = true;
			child?.kill();
		},
	};
}

/** The settings are passed on as they are: in the environment, and in the file `.env`. */
function start(
	env: NodeJS.ProcessEnv,
	onEnd: (problem: string | null, output: string) => void,
): ChildProcess {
	const args = ["--disable-warning=ExperimentalWarning", fileURLToPath(PROGRAM), "scheduled", "--json"];
	const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
	let output = "";
	let errors = "";
	child.stdout.on("data", (text: Buffer) => {
		if (output.length < MAX_OUTPUT_CHARACTERS) output += text;
	});
	child.stderr.on("data", (text: Buffer) => {
		if (errors.length < MAX_OUTPUT_CHARACTERS) errors += text;
	});
	child.on("error", (error) => onEnd(error.message, ""));
	child.on("close", (code, signal) => {
		const problem = errors.trim().replace(/^tripline: /, "") || `it ended with ${signal ?? code}`;
		onEnd(code === 0 ? null : problem, output);
	});
	return child;
}

function parse(output: string): Answer | null {
	try {
		return JSON.parse(output) as Answer;
	} catch {
		return null;
	}
}
