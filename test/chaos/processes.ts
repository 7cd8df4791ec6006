import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { bundleServiceOnce } from "../service-bundle.ts";
import type { History } from "./history.ts";

const MAX_STDERR = 4_000;
/** As a supervisor does: a process that cannot start, because there is no database, is started again. */
const RESTART_AFTER_MS = 300;
const SKEW = `--import=${new URL("skew.ts", import.meta.url)}`;

/** A process of the service that is started again whenever it ends. */
export class ServiceProcess {
	readonly name: string;
	readonly #skewMs: number;
	readonly #settings: Readonly<Record<string, string>>;
	readonly #history: History;
	#child: ChildProcess | null = null;
	#ports: { readonly service: number; readonly store: number } | null = null;
	#isKilled = false;
	#isStopped = false;
	#restartAfterMs = RESTART_AFTER_MS;
	#running: Promise<void> = Promise.resolve();

	constructor(parts: {
		readonly name: string;
		readonly skewMs: number;
		readonly settings: Readonly<Record<string, string>>;
		readonly history: History;
	}) {
		this.name = parts.name;
		this.#skewMs = parts.skewMs;
		this.#settings = parts.settings;
		this.#history = parts.history;
	}

	/** Null while it is not ready. */
	get ports(): { readonly service: number; readonly store: number } | null {
		return this.#ports;
	}

	start(): void {
		this.#running = this.#keepRunning();
	}

	/** Ends it at once. It is started again after this time. */
	kill(restartAfterMs: number): void {
		this.#restartAfterMs = restartAfterMs;
		this.#isKilled = true;
		this.#ports = null;
		this.#child?.kill("SIGKILL");
	}

	async stop(): Promise<void> {
		this.#isStopped = true;
		this.kill(0);
		await this.#running;
	}

	async #keepRunning(): Promise<void> {
		const program = join(await bundleServiceOnce(), "main.js");
		while (!this.#isStopped) {
			await this.#run(program);
			await wait(this.#restartAfterMs);
			this.#restartAfterMs = RESTART_AFTER_MS;
		}
	}

	/** Until it has ended. */
	async #run(program: string): Promise<void> {
		this.#isKilled = false;
		const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", SKEW, program], {
			cwd: this.#settings.DATA_DIR,
			env: {
				PATH: process.env.PATH,
				NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
				CLOCK_SKEW_MS: String(this.#skewMs),
				...this.#settings,
			},
			stdio: ["ignore", "pipe", "pipe"],
		});
		this.#child = child;
		let stdout = "";
		let stderr = "";
		let wasReady = false;
		child.stderr.on("data", (chunk) => {
			stderr = (stderr + chunk).slice(-MAX_STDERR);
			for (const line of String(chunk).split("\n"))
				if (line.includes("request failed")) this.#history.errors.push(line);
		});
		child.stdout.on("data", (chunk) => {
			stdout += chunk;
			if (wasReady || this.#isKilled || !stdout.includes("Try it:")) return;
			wasReady = true;
			this.#ports = { service: readPort(stdout, "service"), store: readPort(stdout, "store") };
		});
		const [code, signal] = (await once(child, "close")) as [number | null, string | null];
		this.#ports = null;
		// Without a database it cannot start.
		if (wasReady && !this.#isKilled) this.#history.exits.push({ process: this.name, code, signal, stderr });
	}
}

function readPort(stdout: string, name: string): number {
	const [, url] = new RegExp(`${name} +(http://\\S+)`).exec(stdout) ?? [];
	return Number(new URL(url ?? "").port);
}
