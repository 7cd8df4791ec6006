import cluster, { type Worker } from "node:cluster";
import { closeSync, openSync } from "node:fs";
import { systemClock } from "@tripline/platform/clock";
import { jsonLog, logEmptySettings } from "@tripline/platform/log";
import { forwardLines, type LogWriter } from "./log-writer.ts";
import { closeLostConnections } from "./lost-connections.ts";
import { relayMetrics, type ToProcess, type ToSupervisor } from "./relay-metrics.ts";
import { restartPauses } from "./restart-pauses.ts";
import { type Settings, StartProblem } from "./settings.ts";
import { PROCESS_NUMBER, RELAYS_METRICS, type Report, STOP } from "./supervised.ts";
import { type Facts, renderWelcome } from "./welcome.ts";

/** How long the supervisor waits for the last log lines of its processes. */
const LINGER_MS = 1000;

/** A number and the process that has it. While a process is being replaced, two have it. */
interface Member {
	readonly number: number;
	readonly pauses: ReturnType<typeof restartPauses>;
	current: Process | null;
	/** Goes on serving if `current` does not become ready. */
	replaced: Process | null;
	timer?: NodeJS.Timeout;
}

interface Process {
	readonly worker: Worker;
	readyAt: number | null;
	/** Why it could not start. */
	problem: string | null;
	/** Whether it became ready. */
	readonly started: PromiseWithResolvers<boolean>;
	readonly ended: PromiseWithResolvers<void>;
}

/**
 * Starts the processes that serve the deployment together, hands them the connections, writes their log lines, and starts
 * a process again that ends. Resolves when all have ended after a signal.
 */
export function supervise(deps: {
	readonly count: number;
	readonly settings: Settings;
	readonly emptySettings: readonly string[];
	readonly writer: LogWriter;
	readonly version: string;
}): Promise<void> {
	const { write } = deps.writer;
	const log = jsonLog({ level: deps.settings.LOG_LEVEL, clock: systemClock, write });
	const members = Array.from(
		{ length: deps.count },
		(_, index): Member => ({ number: index + 1, pauses: restartPauses(), current: null, replaced: null }),
	);
	const running = new Set<Process>();
	const relay = relayMetrics(() =>
		members.flatMap((member) => {
			const serving = [member.current, member.replaced].find(
				(each) => each?.readyAt != null && running.has(each),
			);
			return serving == null ? [] : [toAsked(member, serving)];
		}),
	);
	const stopped = Promise.withResolvers<void>();
	const hasTerminal = process.stderr.isTTY && canOpenTerminal();
	let hasServed = false;
	let isWelcomed = false;
	let isStopping = false;
	let isRestarting = false;
	let mustRestart = false;

	logEmptySettings(log, deps.emptySettings);
	// Also where it is not the default: a process that stops gives back the connections it has not accepted.
	cluster.schedulingPolicy = cluster.SCHED_RR;
	cluster.setupPrimary({ stdio: ["ignore", "inherit", "pipe", "ipc"] });
	process.on("SIGINT", stop);
	process.on("SIGTERM", stop);
	if (process.platform !== "win32") process.on("SIGHUP", onHangUp);
	// The others follow when it is ready: it migrates the databases, and finds what keeps all of them from starting.
	for (const member of members.slice(0, 1)) launch(member);
	return stopped.promise;

	function launch(member: Member): Process {
		const worker = cluster.fork({ [PROCESS_NUMBER]: String(member.number), [RELAYS_METRICS]: "1" });
		const launched: Process = {
			worker,
			readyAt: null,
			problem: null,
			started: Promise.withResolvers(),
			ended: Promise.withResolvers(),
		};
		member.current = launched;
		running.add(launched);
		closeLostConnections(worker);
		if (worker.process.stderr !== null) forwardLines(worker.process.stderr, write);
		worker.on("message", (report: Report | ToSupervisor) => {
			if ("metrics" in report) void relay(toAsked(member, launched), report);
			else if ("problem" in report) launched.problem = report.problem;
			else {
				launched.readyAt = performance.now();
				launched.started.resolve(true);
				onReady(member, launched, report.ready);
			}
		});
		worker.once("exit", (code, signal) => onEnd(member, launched, { code, signal }));
		worker.on("error", ({ message }) => {
			// Otherwise a message was lost, because the process has just ended.
			if (worker.process.pid === undefined) onEnd(member, launched, { code: null, error: message });
		});
		return launched;
	}

	function onReady(member: Member, { worker }: Process, facts: Facts): void {
		log("info", "a process is ready", { process: member.number, pid: worker.process.pid });
		if (isStopping) return;
		if (!hasServed) for (const other of members.slice(1)) launch(other);
		hasServed = true;
		if (isWelcomed || members.some(({ current }) => current === null || current.readyAt === null)) return;
		isWelcomed = true;
		process.stdout.write(renderWelcome(facts, deps.version));
	}

	function onEnd(
		member: Member,
		ended: Process,
		how: { code: number | null; signal?: string | null; error?: string },
	): void {
		running.delete(ended);
		ended.started.resolve(false);
		ended.ended.resolve();
		if (isStopping) {
			if (ended.readyAt !== null && how.code !== 0) process.exitCode = 1;
			finishStop();
			return;
		}
		if (ended !== member.current) return;
		if (ended.problem !== null && !hasServed) {
			stopped.reject(new StartProblem(ended.problem));
			return;
		}
		const fields = {
			process: member.number,
			pid: ended.worker.process.pid,
			error: ended.problem ?? undefined,
		};
		if (member.replaced !== null && running.has(member.replaced)) {
			log("error", "a new process did not become ready; the old one goes on", { ...fields, ...how });
			member.current = member.replaced;
			return;
		}
		const pauseMs = member.pauses.next(ended.readyAt === null ? 0 : performance.now() - ended.readyAt);
		log("error", "a process ended and is started again", { ...fields, ...how, pause_ms: pauseMs });
		member.timer = setTimeout(launch, pauseMs, member);
	}

	function stop(signal: NodeJS.Signals): void {
		if (isStopping) {
			for (const { worker } of running) worker.process.kill("SIGKILL");
			process.exit(1);
		}
		isStopping = true;
		log("info", "stopping", { signal });
		for (const { timer } of members) clearTimeout(timer);
		for (const each of running) stopProcess(each);
		finishStop();
	}

	function finishStop(): void {
		if (running.size > 0) return;
		log("info", "stopped");
		// Ends earlier if nobody else holds the pipes of the log.
		setTimeout(() => process.exit(), LINGER_MS).unref();
		stopped.resolve();
	}

	function onHangUp(signal: NodeJS.Signals): void {
		// The terminal was closed, which ends a program.
		if (hasTerminal && !canOpenTerminal()) {
			if (!isStopping) stop(signal);
			return;
		}
		mustRestart = hasServed;
		if (mustRestart && !isRestarting) void restart();
	}

	/** Replaces one process after another. A signal that comes meanwhile has all of them replaced again. */
	async function restart(): Promise<void> {
		isRestarting = true;
		while (mustRestart) {
			mustRestart = false;
			log("info", "restarting all processes");
			const isDone = await replaceAll();
			if (isDone) log("info", "all processes were restarted");
		}
		isRestarting = false;
	}

	async function replaceAll(): Promise<boolean> {
		for (const member of members) {
			if (isStopping) return false;
			clearTimeout(member.timer);
			const old = member.current;
			member.replaced = old;
			const isReady = await launch(member).started.promise;
			member.replaced = null;
			if (!isReady) return false;
			if (old === null || !running.has(old)) continue;
			stopProcess(old);
			await old.ended.promise;
		}
		return true;
	}
}

const toAsked = ({ number }: Member, { worker }: Process) => ({
	number,
	send(message: ToProcess) {
		// A process that ends meanwhile is left out.
		if (worker.isConnected()) worker.send(message, () => {});
	},
});

function stopProcess({ worker, readyAt }: Process): void {
	// A process that is starting has nothing to finish.
	if (readyAt === null) worker.process.kill();
	else if (worker.isConnected()) worker.send(STOP);
}

/** Whether this process still has a terminal. */
function canOpenTerminal(): boolean {
	try {
		closeSync(openSync("/dev/tty", "r"));
		return true;
	} catch {
		return false;
	}
}
