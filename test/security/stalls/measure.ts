import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Answer, type Client, clientOf } from "../client.ts";
import { ADMIN_TOKEN, type Case, MAX_BODY_BYTES, type Send, STATIC_TOKEN, type Step } from "./case.ts";
import { type Outside, openOutside } from "./outside.ts";
import { WatchedService } from "./watched-service.ts";

/** What every case has to keep to. */
export const BARS = { turnMs: 250, memoryMb: 200, answerMs: 35_000 } as const;

/** Accepted runs may go on for as long as a run may. */
const REST_MS = 45_000;
const PROBE_MS = 30_000;
/** A success may be told of this long after its limit: one turn. */
const LATE_MS = BARS.turnMs;

export interface Measured {
	readonly name: string;
	/** A status, or why there is none. */
	readonly answers: readonly (number | string)[];
	/** Milliseconds of processor time. */
	readonly longestTurn: number;
	/** Megabytes above the idle process. */
	readonly memory: number;
	readonly heap: number;
	readonly seconds: number;
	/** The bars that it breaks. */
	readonly problems: readonly string[];
	/** The beginning of the last answer. */
	readonly said: string;
	readonly hot: readonly string[];
}

type Taken = { readonly answer: Answer; readonly ms: number } | { readonly why: string };

export interface WorldOptions {
	readonly settings?: Readonly<Record<string, string>>;
	readonly profiles?: boolean;
}

/** A service that is watched, the outside server that it may call, and a client. */
export class World {
	readonly #outside: Outside;
	readonly #settings: Readonly<Record<string, string>>;
	readonly #profiles: boolean;
	readonly #clients: Readonly<Record<Send["to"], Client>>;
	#folder: string;
	#service: WatchedService;
	/** Megabytes resident before the first case. */
	idle = 0;

	private constructor(
		outside: Outside,
		folder: string,
		service: WatchedService,
		{ settings = {}, profiles = false }: WorldOptions,
	) {
		this.#outside = outside;
		this.#folder = folder;
		this.#service = service;
		this.#settings = settings;
		this.#profiles = profiles;
		this.#clients = {
			service: clientOf(() => this.#service.publicUrl),
			store: clientOf(() => this.#service.storeUrl),
		};
	}

	static async open(options: WorldOptions = {}): Promise<World> {
		const outside = await openOutside();
		const folder = makeFolder();
		const settings = {
			LOG_LEVEL: "warn",
			MCP_STATIC_TOKEN: STATIC_TOKEN,
			REGISTRY_ADMIN_TOKEN: ADMIN_TOKEN,
			ALLOW_PRIVATE_HOSTS: outside.host,
			EXECUTION_LOG_DAILY_WRITE_LIMIT: "1000000000",
			...options.settings,
		};
		const all = { ...options, settings };
		const service = await WatchedService.start({ folder, settings, profiles: options.profiles ?? false });
		const world = new World(outside, folder, service, all);
		await world.#warmUp();
		return world;
	}

	get service(): WatchedService {
		return this.#service;
	}

	/**
	 * All of them at once; what is measured then is measured for each of them. Where that is little over a bar they get
	 * a second try, in which nothing is left of the cases before: what counts is the better of both.
	 */
	async measure(cases: readonly Case[]): Promise<Measured[]> {
		const first = await this.#measureOnce(cases);
		if (!first.some(isLittleOver)) return first;
		await this.#service.shrink(PROBE_MS);
		const second = await this.#measureOnce(cases);
		return first.map((one, index) => better(one, second[index] as Measured));
	}

	async #measureOnce(cases: readonly Case[]): Promise<Measured[]> {
		const started = performance.now();
		await this.#service.reset(PROBE_MS);
		const cpuBefore = this.#service.mainThreadCpu();
		const outcomes = await Promise.all(cases.map((each) => this.#carryOut(each.steps)));
		const isQuiet = await this.#service.isQuietWithin(REST_MS);
		const reading = await this.#service.read(PROBE_MS);
		const problems: string[] = [];
		if (reading === null) await this.#service.hasEndedWithin(PROBE_MS);
		const longestTurn = reading?.longestTurn ?? Math.max(0, this.#service.mainThreadCpu() - cpuBefore);
		const memory = reading === null ? 0 : reading.resident - this.idle;
		if (!this.#service.isAlive) problems.push(`the process ended: ${this.#service.ending}`);
		else if (reading === null) problems.push("the process answers no more");
		else if (!isQuiet) problems.push(`it does not come to rest within ${REST_MS / 1000} s`);
		problems.push(...overBars(longestTurn, memory));
		const seconds = (performance.now() - started) / 1000;
		if (!isQuiet) problems.push(...(await this.#startAnew()));
		return cases.map(({ name }, index) => {
			const outcome = outcomes[index] as Outcome;
			return {
				name,
				answers: outcome.answers,
				longestTurn,
				memory,
				heap: reading?.heap ?? 0,
				seconds,
				problems: [...problems, ...outcome.problems],
				said: outcome.said,
				hot: reading?.hot ?? [],
			};
		});
	}

	/** Megabytes that stay above idle. */
	async left(): Promise<number> {
		await this.#service.isQuietWithin(REST_MS);
		return ((await this.#service.shrink(PROBE_MS)) ?? 0) - this.idle;
	}

	async close(): Promise<void> {
		for (const client of Object.values(this.#clients)) client.close();
		await this.#service.stop();
		await this.#outside.close();
		removeFolder(this.#folder);
	}

	async #carryOut(steps: readonly Step[]): Promise<Outcome> {
		const outcome: Outcome = { answers: [], problems: [], said: "" };
		let token = "";
		for (const step of steps) {
			if (step.kind === "pause") await wait(step.ms);
			else if (step.kind === "restart") {
				const problems = await this.#restart("SIGTERM");
				outcome.problems.push(...problems);
				if (problems.length > 0) break;
			} else {
				const taken = await this.#send(step, token);
				const problem = problemOf(step, taken);
				outcome.answers.push("why" in taken ? taken.why : taken.answer.status);
				if ("answer" in taken) {
					outcome.said = taken.answer.text.slice(0, 300);
					token = tokenIn(taken.answer) ?? token;
				}
				if (problem !== null) outcome.problems.push(problem);
				if ("why" in taken || (step.isPreparation && taken.answer.status >= 300)) break;
			}
		}
		return outcome;
	}

	async #send({ to, method, path, headers, body: make }: Send, token: string): Promise<Taken> {
		const body = this.#filled(make?.());
		const length = body === undefined ? 0 : Buffer.byteLength(body);
		if (length > MAX_BODY_BYTES) return { why: `a body of ${length} bytes` };
		const started = performance.now();
		const target = path.replaceAll("{token}", token).replaceAll("{outside}", this.#outside.host);
		const call = this.#clients[to]
			.call(method, target, { headers, ...(body !== undefined && { body }) })
			.then(
				(answer): Taken => ({ answer, ms: performance.now() - started }),
				(error: Error): Taken => ({ why: error.message.slice(-120) }),
			);
		const timeout = new AbortController();
		const late = wait(BARS.answerMs, { why: "no answer" } as const, { signal: timeout.signal });
		late.catch(() => {});
		return Promise.race([call, late]).finally(() => timeout.abort());
	}

	#filled(body: string | Uint8Array | undefined): string | Uint8Array | undefined {
		return typeof body === "string" ? body.replaceAll("{outside}", this.#outside.host) : body;
	}

	/** Code that is compiled by the first requests, and the console, count as idle. */
	async #warmUp(): Promise<void> {
		for (const path of ["/console", "/openapi.json", "/components", "/readyz"]) {
			await this.#clients.service.call("GET", path);
		}
		await this.#service.isQuietWithin(REST_MS);
		this.idle = Math.max(this.idle, (await this.#service.resident(PROBE_MS)) ?? 0);
	}

	async #startAnew(): Promise<string[]> {
		const problems = await this.#restart("SIGKILL");
		if (problems.length === 0) return [];
		removeFolder(this.#folder);
		this.#folder = makeFolder();
		await this.#restart("SIGKILL");
		return problems;
	}

	async #restart(signal: "SIGTERM" | "SIGKILL"): Promise<string[]> {
		await this.#service.stop(signal);
		try {
			this.#service = await WatchedService.start({
				folder: this.#folder,
				settings: this.#settings,
				profiles: this.#profiles,
			});
			await this.#warmUp();
			return [];
		} catch (error) {
			return [`it does not start again: ${(error as Error).message}`];
		}
	}
}

function overBars(longestTurn: number, memory: number): string[] {
	return [
		...(longestTurn > BARS.turnMs ? [`a turn of ${Math.round(longestTurn)} ms`] : []),
		...(memory > BARS.memoryMb ? [`${Math.round(memory)} MB above idle`] : []),
	];
}

const isLittleOver = ({ longestTurn, memory }: Measured): boolean =>
	overBars(longestTurn, memory).length > 0 && overBars(longestTurn / 2, memory / 2).length === 0;

/** Figures may be better the second time; any other problem stays one. */
function better(first: Measured, second: Measured): Measured {
	const longestTurn = Math.min(first.longestTurn, second.longestTurn);
	const memory = Math.min(first.memory, second.memory);
	const others = ({ problems, ...one }: Measured) =>
		problems.filter((problem) => !overBars(one.longestTurn, one.memory).includes(problem));
	const problems = [...overBars(longestTurn, memory), ...new Set([...others(first), ...others(second)])];
	const hot = second.hot.length > 0 ? second.hot : first.hot;
	return { ...second, longestTurn, memory, hot, problems, seconds: first.seconds + second.seconds };
}

interface Outcome {
	readonly answers: (number | string)[];
	readonly problems: string[];
	said: string;
}

/** What is documented: a success, a refusal, a failed run, or that it is too much now. */
function problemOf(step: Send, taken: Taken): string | null {
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

function tokenIn({ body }: Answer): string | undefined {
	const token = (body as { readonly token?: unknown } | undefined)?.token;
	return typeof token === "string" ? token : undefined;
}

const makeFolder = (): string => mkdtempSync(join(tmpdir(), "tripline-stalls-"));
const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });
