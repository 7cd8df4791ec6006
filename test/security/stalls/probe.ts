import { readFileSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";
import { type CpuProfile, findHottest, type Span } from "./hottest.ts";

/**
 * Loaded into the service before anything else. The CPU time of the main thread between two callbacks of a short interval
 * is an upper bound for one turn of the event loop. CPU time instead of wall time, because other processes use the
 * machine too.
 */

export interface Reading {
	/** CPU time of the main thread in milliseconds. */
	readonly longestTurn: number;
	/** Maximum megabytes since the reset. */
	readonly resident: number;
	readonly heap: number;
	/** Where the longest turn spent its time, if profiling is on. */
	readonly hot: readonly string[];
	/** The number of turns long enough to delay others, and where they spent their time. */
	readonly longTurns: number;
	readonly hotInLong: readonly string[];
}

export type Question = "reset" | "read" | "cpu" | "resident" | "shrink";
export type Answer = { readonly nth: number; readonly value: Reading | number };

const EVERY_MS = 2;
/** The heap is read less often, because that costs more than reading the time. */
const HEAP_EVERY = 16;
/** Milliseconds. */
const LONG_TURN_MS = 10;
const MEGABYTE = 1024 * 1024;
const SAMPLE_MICROSECONDS = 500;

if (isMainThread && process.send !== undefined) watch(process.send.bind(process));

function watch(send: (message: Answer) => void): void {
	setFlagsFromString("--expose-gc");
	const collect = runInNewContext("gc") as (options?: object) => void;
	const profiler = process.env.STALLS_PROFILE === undefined ? null : openProfiler();
	let longest = 0;
	let longestAt: Span = [0, 0];
	let long: Span[] = [];
	let mostHeap = 0;
	let firings = 0;
	let before = readCpuMs();
	let firedAt = readMicroseconds();

	const check = () => {
		const now = readCpuMs();
		const at = readMicroseconds();
		if (now - before > longest) {
			longest = now - before;
			longestAt = [firedAt, at];
		}
		if (now - before > LONG_TURN_MS) long.push([firedAt, at]);
		before = now;
		firedAt = at;
		if (firings++ % HEAP_EVERY === 0) mostHeap = Math.max(mostHeap, process.memoryUsage().heapUsed);
	};
	setInterval(check, EVERY_MS).unref();

	const answers: Record<Question, () => Reading | number> = {
		cpu: readCpuMs,
		resident() {
			collect();
			return process.memoryUsage.rss() / MEGABYTE;
		},
		shrink() {
			// A full collection as on low memory also drops caches such as compiled code, which makes code slower.
			collect({ type: "major", execution: "sync", flavor: "last-resort" });
			return process.memoryUsage.rss() / MEGABYTE;
		},
		reset() {
			collect();
			resetPeak();
			profiler?.start();
			longest = 0;
			long = [];
			mostHeap = process.memoryUsage().heapUsed;
			before = readCpuMs();
			firedAt = readMicroseconds();
			return 0;
		},
		read() {
			check();
			const profile = profiler?.stop();
			return {
				longestTurn: longest,
				resident: readPeak(),
				heap: mostHeap / MEGABYTE,
				hot: profile === undefined ? [] : findHottest(profile, [longestAt]),
				longTurns: long.length,
				hotInLong: profile === undefined ? [] : findHottest(profile, long),
			};
		},
	};
	process.on("message", ({ nth, question }: { nth: number; question: Question }) =>
		send({ nth, value: answers[question]() }),
	);
	// Listening for questions must not keep the process alive.
	process.channel?.unref();
}

function readCpuMs(): number {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1000;
}

/** The clock that profiles use. */
function readMicroseconds(): number {
	return Number(process.hrtime.bigint() / 1000n);
}

function resetPeak(): void {
	try {
		writeFileSync("/proc/self/clear_refs", "5");
	} catch {
		// Without this file `peak` returns the resident size at the end.
	}
}

function readPeak(): number {
	try {
		const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
		return Number(kilobytes) / 1024;
	} catch {
		return process.memoryUsage.rss() / MEGABYTE;
	}
}

function openProfiler(): { start(): void; stop(): CpuProfile } {
	const session = new Session();
	session.connect();
	session.post("Profiler.enable");
	session.post("Profiler.setSamplingInterval", { interval: SAMPLE_MICROSECONDS });
	let isOn = false;
	return {
		start() {
			if (isOn) session.post("Profiler.stop");
			session.post("Profiler.start");
			isOn = true;
		},
		stop() {
			let taken: CpuProfile | undefined;
			// Within one process the callback runs before the call returns.
			session.post("Profiler.stop", (_, { profile }) => {
				taken = profile as CpuProfile;
			});
			isOn = false;
			return taken ?? { nodes: [], startTime: 0, samples: [], timeDeltas: [] };
		},
	};
}
