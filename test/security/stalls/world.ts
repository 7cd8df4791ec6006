import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Answer, type Client, createClient } from "../client.ts";
import {
	ADMIN_TOKEN,
	MAX_BODY_BYTES,
	MAX_UPLOAD_BYTES,
	NAMESPACE,
	type Send,
	STATIC_TOKEN,
	type Step,
} from "./case.ts";
import { type Outside, openOutside } from "./outside.ts";
import type { Reading } from "./probe.ts";
import { WatchedService } from "./watched-service.ts";

/** Maximum time for any answer. */
const ANSWER_MS = 35_000;
/** How long after its limit a success may still be answered. */
const LATE_MS = 250;
/** Accepted runs may take as long as any run. */
const REST_MS = 45_000;
const PROBE_MS = 30_000;
const UPLOAD = /^(?:multipart\/|application\/octet-stream$)/;

/** The outcome of a case's steps. */
export interface Outcome {
	/** A status, or the reason why there is none. */
	readonly answers: (number | string)[];
	readonly problems: string[];
	/** The last answer's error, or the beginning of its text. */
	said: string;
}

interface WorldOptions {
	readonly settings?: Readonly<Record<string, string>>;
	/** Whether the probe records CPU profiles. */
	readonly profiles?: boolean;
}

type Taken = { readonly answer: Answer; readonly ms: number } | { readonly why: string };

/** A watched service, the outside server that it may call, and clients. */
export class World {
	/** The value of the tenant header. */
	tenant = NAMESPACE;
	/** Resident megabytes before the first case. */
	idle = 0;
	readonly clients: Readonly<Record<Send["to"], Client>>;
	readonly #outside: Outside;
	readonly #settings: Readonly<Record<string, string>>;
	readonly #profiles: boolean;
	/** From processes that the current case has ended. */
	#earlier: Reading[] = [];
	#folder = makeFolder();
	#service: WatchedService | null = null;

	private constructor(outside: Outside, { settings = {}, profiles = false }: WorldOptions) {
		this.#outside = outside;
		this.#profiles = profiles;
		this.#settings = {
			LOG_LEVEL: "warn",
			MCP_STATIC_TOKEN: STATIC_TOKEN,
			REGISTRY_ADMIN_TOKEN: ADMIN_TOKEN,
			ALLOW_PRIVATE_HOSTS: outside.host,
			EXECUTION_LOG_DAILY_WRITE_LIMIT: "1000000000",
			...settings,
		};
		this.clients = {
			service: createClient(() => this.service.publicUrl),
			store: createClient(() => this.service.storeUrl),
		};
	}

	static async open(options: WorldOptions = {}): Promise<World> {
		const world = new World(await openOutside(), options);
		await world.#start();
		return world;
	}

	get service(): WatchedService {
		if (this.#service === null) throw new Error("the service has not been started");
		return this.#service;
	}

	/** Stops at a step after which the others make no sense. */
	async carryOut(steps: readonly Step[]): Promise<Outcome> {
		const outcome: Outcome = { answers: [], problems: [], said: "" };
		let token = "";
		for (const step of steps) {
			if (step.kind === "pause") await wait(step.ms);
			else if (step.kind === "restart") {
				const reading = await this.service.read(PROBE_MS);
				if (reading !== null) this.#earlier.push(reading);
				const problems = await this.restart("SIGTERM");
				// The time of a start does not count for the case.
				await this.service.reset(PROBE_MS);
				outcome.problems.push(...problems);
				if (problems.length > 0) break;
			} else {
				const taken = await this.#send(step, token);
				const problem = findProblem(step, taken);
				outcome.answers.push("why" in taken ? taken.why : taken.answer.status);
				if ("answer" in taken) {
					outcome.said = getMessage(taken.answer);
					token = readToken(taken.answer) ?? token;
				}
				if (problem !== null) outcome.problems.push(problem);
				if ("why" in taken || (step.isPreparation && taken.answer.status >= 300)) break;
			}
		}
		return outcome;
	}

	/** Starts the measurement. */
	async reset(): Promise<void> {
		this.#earlier = [];
		await this.service.reset(PROBE_MS);
	}

	/** Null if the process does not answer. */
	async read(): Promise<Reading | null> {
		const last = await this.service.read(PROBE_MS);
		if (last === null) return null;
		return [...this.#earlier, last].reduce((one, other) => ({
			...(one.longestTurn > other.longestTurn ? one : other),
			resident: Math.max(one.resident, other.resident),
			heap: Math.max(one.heap, other.heap),
		}));
	}

	/** Whether the main thread became idle. */
	isQuiet(): Promise<boolean> {
		return this.service.isQuietWithin(REST_MS);
	}

	/** Restarts on the same data. Returns the problem if it does not start. */
	async restart(signal: "SIGTERM" | "SIGKILL"): Promise<string[]> {
		await this.service.stop(signal);
		try {
			await this.#start();
			return [];
		} catch (error) {
			return [`it does not start again: ${(error as Error).message}`];
		}
	}

	/** Restarts on the same data, or on an empty folder if that fails. */
	async startAnew(): Promise<string[]> {
		const problems = await this.restart("SIGKILL");
		if (problems.length > 0) {
			removeFolder(this.#folder);
			this.#folder = makeFolder();
			await this.restart("SIGKILL");
		}
		return problems;
	}

	async close(): Promise<void> {
		for (const client of Object.values(this.clients)) client.close();
		await this.#service?.stop();
		await this.#outside.close();
		removeFolder(this.#folder);
	}

	async #start(): Promise<void> {
		this.#service = await WatchedService.start({
			folder: this.#folder,
			settings: this.#settings,
			profiles: this.#profiles,
		});
		// Code compiled by the first requests and the console count as part of the idle process.
		for (const path of ["/console", "/openapi.json", "/components", "/readyz"])
			await this.clients.service.call("GET", path);
		await this.isQuiet();
		this.idle = Math.max(this.idle, (await this.service.resident(PROBE_MS)) ?? 0);
	}

	async #send({ to, method, path, headers, body: make }: Send, token: string): Promise<Taken> {
		const fillTemplate = (text: string) =>
			text
				.replaceAll("{token}", token)
				.replaceAll("{tenant}", this.tenant)
				.replaceAll("{outside}", this.#outside.host);
		const made = make?.();
		const body = typeof made === "string" ? made.replaceAll("{outside}", this.#outside.host) : made;
		const length = body === undefined ? 0 : Buffer.byteLength(body);
		const most = headers.some((value) => UPLOAD.test(value)) ? MAX_UPLOAD_BYTES : MAX_BODY_BYTES;
		if (length > most) return { why: `a body of ${length} bytes` };
		const started = performance.now();
		const options = { headers: headers.map(fillTemplate), ...(body !== undefined && { body }) };
		const call = this.clients[to].call(method, fillTemplate(path), options).then(
			(answer): Taken => ({ answer, ms: performance.now() - started }),
			(error: Error): Taken => ({ why: error.message.slice(-120) }),
		);
		const isAnswered = new AbortController();
		const late = wait(ANSWER_MS, { why: "no answer" } as const, { signal: isAnswered.signal });
		late.catch(() => {});
		return Promise.race([call, late]).finally(() => isAnswered.abort());
	}
}

/** Checks for a documented answer: a success, a refusal, a failed run or an overload. */
function findProblem(step: Send, taken: Taken): string | null {
	if ("why" in taken) return taken.why;
	const { answer, ms } = taken;
	const { status } = answer;
	const about = `${step.method} ${step.path.slice(0, 60)}: ${status} ${answer.text.slice(0, 200)}`;
	if (step.isPreparation && status >= 300) return `the preparation failed: ${about}`;
	if (step.alsoFine?.includes(status)) return null;
	const body = answer.body as { readonly success?: unknown; readonly duration_ms?: number } | undefined;
	if (status >= 200 && status < 300) {
		const took = Math.min(body?.duration_ms ?? 0, ms);
		const isLate = step.lateAfterMs !== undefined && took > step.lateAfterMs + LATE_MS;
		return isLate ? `a success after ${Math.round(took)} ms, the limit was ${step.lateAfterMs} ms` : null;
	}
	if (status >= 400 && status < 500) return null;
	if (status === 500 && body?.success === false) return null;
	if (status === 503 && answer.headers["retry-after"] !== undefined) return null;
	return `not documented: ${about}`;
}

function getMessage({ body, text }: Answer): string {
	const error = (body as { readonly error?: unknown } | undefined)?.error;
	return (typeof error === "string" ? error : text).slice(0, 300);
}

function readToken({ body }: Answer): string | undefined {
	const token = (body as { readonly token?: unknown } | undefined)?.token;
	return typeof token === "string" ? token : undefined;
}

const makeFolder = (): string => mkdtempSync(join(tmpdir(), "tripline-stalls-"));
const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });
