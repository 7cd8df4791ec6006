import { spawn } from "node:child_process";
import { constants } from "node:os";
import { basename } from "node:path";
import { isatty } from "node:tty";

const FORWARDED_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
const PARENT = process.ppid;
const PARENT_POLL_MS = 250;

/** Ends the launcher with a one-line message and, if a child caused it, with that child's outcome. */
export class Failure extends Error {
	constructor(message, outcome = { code: 1 }) {
		super(message);
		this.outcome = outcome;
	}
}

export function say(message) {
	process.stderr.write(`tripline: ${message}\n`);
}

/** Runs a child to its end; `interrupted` is the last signal that the launcher itself received meanwhile. */
export function run(command, args, options) {
	return new Promise((resolve, reject) => {
		let interrupted;
		const onSignal = (signal) => {
			interrupted = signal;
			// Ctrl-C reaches the whole process group, so the child already got it from the terminal.
			if (signal === "SIGINT" && isatty(0)) return;
			child.kill(signal);
		};
		const stopWatching = watchParent(() => onSignal("SIGTERM"));
		const stopListening = () => {
			stopWatching();
			for (const signal of FORWARDED_SIGNALS) process.off(signal, onSignal);
		};
		for (const signal of FORWARDED_SIGNALS) process.on(signal, onSignal);
		const child = spawn(command, args, { stdio: "inherit", ...options });
		child.once("error", (error) => {
			stopListening();
			reject(error);
		});
		child.once("exit", (code, signal) => {
			stopListening();
			resolve({ code, signal, interrupted });
		});
	});
}

/**
 * npm runs the launcher in a shell, and a shell that gets SIGTERM from npm dies without forwarding it: its death is
 * then the only sign that `npm start` was stopped.
 */
function watchParent(action) {
	if (process.env.npm_lifecycle_event === undefined) return () => {};
	const timer = setInterval(() => {
		if (process.ppid === PARENT) return;
		clearInterval(timer);
		action();
	}, PARENT_POLL_MS);
	return () => clearInterval(timer);
}

/** Ends this process as the child does that `work` runs, or with the message of its failure. */
export async function endWith(work) {
	try {
		exitWith(await work());
	} catch (error) {
		say(error instanceof Failure ? error.message : error.stack);
		exitWith(error instanceof Failure ? error.outcome : { code: 1 });
	}
}

function exitWith({ code, signal }) {
	process.exitCode = signal ? 128 + constants.signals[signal] : code;
	// The exit code above applies to process 1 of a container, which signals do not end by default.
	if (signal) process.kill(process.pid, signal);
}

/** Runs npm quietly; a failure ends the launcher with a message that includes `fix`. */
export async function runNpm(args, { cwd, whatFailed, fix }) {
	const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
	// The launcher's stdout belongs to the task, so npm's output goes to stderr, and only on a terminal.
	const stdio = isatty(2) ? ["inherit", 2, 2] : ["ignore", "ignore", 2];
	const { command, first, shell } = findNpm();
	// npm does not need the token, and must install even if the launcher was started by `npm pack --dry-run`.
	const { CLOUDFLARE_API_TOKEN: _, npm_config_dry_run: __, ...env } = process.env;
	const options = { cwd, stdio, shell, env };
	const outcome = await run(command, [...first, ...args, ...quiet], options).catch((error) => {
		throw new Failure(`cannot run npm (${error.message}): install npm and run this again`);
	});
	if (outcome.interrupted) {
		throw new Failure(`${whatFailed} was interrupted`, { signal: outcome.interrupted });
	}
	if (outcome.code !== 0) {
		throw new Failure(
			`${whatFailed} failed (npm: ${outcome.signal ?? `exit code ${outcome.code}`}): ${fix}`,
			outcome,
		);
	}
}

function findNpm() {
	// Other package managers set npm_execpath to their own path, and npx of npm 8 to its own.
	const script = (process.env.npm_execpath ?? "").replace(/\bnpx-cli\.js$/, "npm-cli.js");
	if (basename(script) === "npm-cli.js") return { command: process.execPath, first: [script], shell: false };
	const isWindows = process.platform === "win32";
	return { command: isWindows ? "npm.cmd" : "npm", first: [], shell: isWindows };
}
