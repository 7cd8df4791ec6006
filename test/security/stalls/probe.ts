import { readFileSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";
import { type CpuProfile, hottest, type Span } from "./hottest.ts";

/**
 * Loaded into the service before anything else. The processor time that the main thread used between two firings of a
 * short interval is an upper bound of one turn of the event loop. Processor time and not the clock: others use the
 * machine too.
 */

export interface Reading {
	/** Milliseconds of processor time of the main thread. */
	readonly longestTurn: number;
	/** Megabytes, the most since the reset. */
	readonly resident: number;
	readonly heap: number;
	/** Where the longest turn spent its time, if that was asked for. */
	readonly hot: readonly string[];
	/** How many turns were long enough that others feel it, and where these spent their time. */
	readonly longTurns: number;
	readonly hotInLong: readonly string[];
}

export type Question = "reset" | "read" | "cpu" | "resident" | "shrink";
export type Answer = { readonly nth: number; readonly value: Reading | number };

const EVERY_MS = 2;
/** Looking at the heap costs more than looking at the time. */
const HEAP_EVERY = 16;
/** Milliseconds. */
const LONG_TURN = 10;
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
	let before = cpu();
	let firedAt = microseconds();

	const look = () => {
		const now = cpu();
		const at = microseconds();
		if (now - before > longest) {
			longest = now - before;
			longestAt = [firedAt, at];
		}
		if (now - before > LONG_TURN) long.push([firedAt, at]);
		before = now;
		firedAt = at;
		if (firings++ % HEAP_EVERY === 0) mostHeap = Math.max(mostHeap, process.memoryUsage().heapUsed);
	};
	setInterval(look, EVERY_MS).unref();

	const answers: Record<Question, () => Reading | number> = {
		cpu,
		resident() {
			collect();
			return process.memoryUsage.rss() / MEGABYTE;
		},
		shrink() {
			// As when memory runs out: what is kept for later use is given back too. Code gets slower by it.
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
			before = cpu();
			firedAt = microseconds();
			return 0;
		},
		read() {
			look();
			const profile = profiler?.stop();
			return {
				longestTurn: longest,
				resident: peak(),
				heap: mostHeap / MEGABYTE,
				hot: profile === undefined ? [] : hottest(profile, [longestAt]),
				longTurns: long.length,
				hotInLong: profile === undefined ? [] : hottest(profile, long),
			};
		},
	};
	process.on("message", ({ nth, question }: { nth: number; question: Question }) =>
		send({ nth, value: answers[question]() }),
	);
	// A question may come at any time; waiting for one must not keep the process.
	process.channel?.unref();
}

function cpu(): number {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1000;
}

/** The clock that profiles use. */
function microseconds(): number {
	return Number(process.hrtime.bigint() / 1000n);
}

function resetPeak(): void {
	try {
		writeFileSync("/proc/self/clear_refs", "5");
	} catch {
		// Where there is no such file, `peak` tells what is resident at the end.
	}
}

function peak(): number {
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
			// Within one process the answer comes before the call returns.
			session.post("Profiler.stop", (_, { profile }) => {
				taken = profile as CpuProfile;
			});
			isOn = false;
			return taken ?? { nodes: [], startTime: 0, samples: [], timeDeltas: [] };
		},
	};
}
