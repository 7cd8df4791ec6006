import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { bundleServiceOnce } from "../../service-bundle.ts";
import type { Answer, Question, Reading } from "./probe.ts";

const SOURCE = fileURLToPath(new URL("../../../apps/node/src/main.ts", import.meta.url));
const PROBE = pathToFileURL(fileURLToPath(new URL("./probe.ts", import.meta.url))).href;
/** Far above any limit, but small enough that a case that exhausts the heap does so within seconds. */
const OPTIONS = ["--disable-warning=ExperimentalWarning", "--max-old-space-size=1024"];
/** Linux reports the CPU time of a thread in hundredths of a second. */
const TICK_MS = 10;
const QUIET_EVERY_MS = 60;
/** CPU time of the main thread between two checks that counts as idle; the probe itself uses less. */
const QUIET_MS = 6;

export interface WatchedOptions {
	readonly folder: string;
	readonly settings: Readonly<Record<string, string>>;
	readonly profiles?: boolean;
}

/** The real process with the probe loaded. */
export class WatchedService {
	readonly publicUrl: string;
	readonly storeUrl: string;
	readonly #child: ChildProcess;
	readonly #asked = new Map<number, (value: Reading | number) => void>();
	#nth = 0;

	private constructor(child: ChildProcess, said: string) {
		this.#child = child;
		const url = (name: string) => new RegExp(`${name} +(http://\\S+)`).exec(said)?.[1] ?? "";
		this.publicUrl = url("service");
		this.storeUrl = url("store");
		child.on("message", ({ nth, value }: Answer) => {
			this.#asked.get(nth)?.(value);
			this.#asked.delete(nth);
		});
	}

	static async start({ folder, settings, profiles = false }: WatchedOptions): Promise<WatchedService> {
		const errors = join(folder, "stderr.log");
		// The names of the bundle's functions are too short for profiles.
		const main = profiles ? SOURCE : join(await bundleServiceOnce(), "main.js");
		const child = spawn(process.execPath, [...OPTIONS, "--import", PROBE, main], {
			// A folder without .env, so that no settings of this checkout apply.
			cwd: folder,
			env: {
				PATH: process.env.PATH,
				NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
				PORT: "0",
				STORE_PORT: "0",
				DATA_DIR: join(folder, "data"),
				...(profiles && { STALLS_PROFILE: "1" }),
				...settings,
			},
			// A file, because reading a pipe would compete with the service for CPU time.
			stdio: ["ignore", "pipe", openSync(errors, "a"), "ipc"],
		});
		const killWithUs = () => child.kill("SIGKILL");
		process.on("exit", killWithUs);
		child.once("exit", () => process.off("exit", killWithUs));
		let said = "";
		for await (const chunk of child.stdout?.setEncoding("utf8").iterator({ destroyOnReturn: false }) ?? []) {
			said += chunk;
			if (said.includes("Try it:")) return new WatchedService(child, said);
		}
		throw new Error(`the service did not start: ${readFileSync(errors, "utf8").slice(-2000)}`);
	}

	get isAlive(): boolean {
		return this.#child.exitCode === null && this.#child.signalCode === null;
	}

	/** How the process ended. */
	get ending(): string {
		return this.#child.signalCode ?? `exit code ${this.#child.exitCode}`;
	}

	reset(withinMs: number): Promise<number | null> {
		return this.#ask<number>("reset", withinMs);
	}

	read(withinMs: number): Promise<Reading | null> {
		return this.#ask<Reading>("read", withinMs);
	}

	/** Resident megabytes after a garbage collection. */
	resident(withinMs: number): Promise<number | null> {
		return this.#ask<number>("resident", withinMs);
	}

	/** Makes it release unused memory. Returns the resident megabytes afterwards. */
	shrink(withinMs: number): Promise<number | null> {
		return this.#ask<number>("shrink", withinMs);
	}

	/** CPU milliseconds of the main thread, read from outside so that it works while the process is blocked. */
	mainThreadCpu(): number {
		const { pid } = this.#child;
		try {
			const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8");
			const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
			return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
		} catch {
			return 0;
		}
	}

	async hasEndedWithin(ms: number): Promise<boolean> {
		for (const until = performance.now() + ms; this.isAlive && performance.now() < until; )
			await wait(QUIET_EVERY_MS);
		return !this.isAlive;
	}

	/** Whether the main thread became idle in that time. */
	async isQuietWithin(ms: number): Promise<boolean> {
		const until = performance.now() + ms;
		let before = await this.#ask<number>("cpu", ms);
		while (this.isAlive && before !== null) {
			await wait(QUIET_EVERY_MS);
			const now = await this.#ask<number>("cpu", Math.max(1, until - performance.now()));
			if (now !== null && now - before < QUIET_MS) return true;
			before = now;
		}
		return false;
	}

	async stop(signal: "SIGTERM" | "SIGKILL" = "SIGKILL"): Promise<void> {
		if (!this.isAlive) return;
		const ended = once(this.#child, "exit");
		this.#child.kill(signal);
		await ended;
	}

	/** Null if no answer came in time. */
	#ask<Value extends Reading | number>(question: Question, withinMs: number): Promise<Value | null> {
		if (!this.isAlive || !this.#child.connected) return Promise.resolve(null);
		const nth = ++this.#nth;
		const { promise, resolve } = Promise.withResolvers<Value | null>();
		const timer = setTimeout(() => resolve(null), withinMs);
		const gone = () => resolve(null);
		this.#child.once("exit", gone);
		this.#asked.set(nth, (value) => resolve(value as Value));
		this.#child.send({ nth, question }, (error) => {
			if (error !== null) resolve(null);
		});
		return promise.finally(() => {
			clearTimeout(timer);
			this.#child.off("exit", gone);
			this.#asked.delete(nth);
		});
	}
}
