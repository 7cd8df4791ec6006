import { Asking } from "./asking.ts";
import { type Engine, type Host, OutOfMemory } from "./engine.ts";
import type { Pointer } from "./exports.ts";
import { CODE_FILE, captureCode, type Image, PAGE_BYTES } from "./image.ts";
import { Aborted, type Control, type Job, type Outcome, type Reason } from "./job.ts";
import { LogLines } from "./log-lines.ts";

/** On a common machine most code uses 160,000 to 340,000 per millisecond, the slowest known attack 60,000. */
const FUEL_PER_MS = 200_000;
const MAX_ERROR_LENGTH = 2000;

const [PENDING, FULFILLED] = [0, 1];

/** One job on its own engine. */
export class Run implements Host {
	readonly #engine: Engine;
	readonly #image: Image;
	readonly #job: Job;
	readonly #control: Control;
	readonly #onCompiled: ((image: Image) => void) | undefined;
	readonly #log = new LogLines();
	readonly #asking: Asking;
	#now = 0;
	#msLeft: number;
	#stopAt = 0;
	#promise: Pointer = 0;
	#isBroken = false;

	/** The engine must be in the state of the image. If code is compiled, `onCompiled` receives an image that includes it. */
	constructor(engine: Engine, image: Image, job: Job, control: Control, onCompiled?: (image: Image) => void) {
		this.#engine = engine;
		this.#image = image;
		this.#job = job;
		this.#control = control;
		this.#onCompiled = onCompiled;
		this.#msLeft = job.limits.timeoutMs;
		this.#asking = new Asking(job.http);
	}

	/** An exception unwound through the engine, so it must not be reused. */
	get isBroken(): boolean {
		return this.#isBroken;
	}

	/** Returns synchronously if the code makes no requests. Throws or rejects only with `Aborted`. */
	execute(): Outcome | Promise<Outcome> {
		const { quickJs } = this.#engine;
		const { timeoutMs, memoryBytes } = this.#job.limits;
		this.#engine.host = this;
		quickJs.fuel.value = BigInt(Math.ceil(timeoutMs * FUEL_PER_MS)) - (this.#image.compiled?.fuel ?? 0n);
		quickJs.pages.value = Math.max(this.#image.pages, Math.floor(memoryBytes / PAGE_BYTES));
		return this.#step(() => this.#start()) ?? this.#waitForOutcome();
	}

	async #waitForOutcome(): Promise<Outcome> {
		for (;;) {
			const answers = await this.#asking.takeAnswers();
			if (this.#control.isAborted()) throw new Aborted();
			const execute = this.#step(() => {
				for (const { resolve, text } of answers) {
					this.#engine.call(resolve, this.#image.nothing, this.#engine.newText(text));
				}
				return this.#settle();
			});
			if (execute !== null) return execute;
		}
	}

	/** Computes until there is an outcome; null if the code waits for an answer. */
	#step(compute: () => Outcome | null): Outcome | null {
		this.#now = this.#control.now();
		const started = this.#control.elapsed();
		this.#stopAt = started + this.#msLeft;
		try {
			return compute();
		} catch (error) {
			return this.#handleStop(error);
		} finally {
			this.#msLeft -= this.#control.elapsed() - started;
		}
	}

	#start(): Outcome | null {
		const { functions, nothing, compiled } = this.#image;
		const engine = this.#engine;
		const { quickJs } = engine;
		const main = compiled?.main ?? this.#compile();
		if (quickJs.qjs_is_exception(main)) return this.#handleThrow(quickJs.qjs_get_exception());
		if (!quickJs.qjs_is_function(main)) return this.#fail("threw", NOT_A_BODY);
		if (this.#job.http !== undefined) engine.call(functions.offerHttp, nothing);
		this.#promise = engine.call(functions.start, nothing, main, engine.newText(this.#job.input));
		if (quickJs.qjs_is_exception(this.#promise)) return this.#handleThrow(quickJs.qjs_get_exception());
		return this.#settle();
	}

	/** A function or an exception; `nothing` if the text closes the function body early and continues after it. */
	#compile(): Pointer {
		const { functions, nothing, file } = this.#image;
		const engine = this.#engine;
		const { quickJs } = engine;
		const fuel = quickJs.fuel.value;
		const source = `async function (input) {${this.#job.code}\n}`;
		const main = engine.evaluate(`(${source})`, file);
		if (quickJs.qjs_is_exception(main)) return main;
		const text = engine.call(functions.readSource, nothing, main);
		if (!quickJs.qjs_is_string(text) || engine.readText(text) !== source.toWellFormed()) return nothing;
		if (this.#onCompiled !== undefined) {
			const image = captureCode(engine, this.#image, { main, fuel: fuel - quickJs.fuel.value });
			if (image !== null) this.#onCompiled(image);
		}
		return main;
	}

	/** Runs pending jobs in the engine until the code's promise is settled. */
	#settle(): Outcome | null {
		const { quickJs } = this.#engine;
		while (quickJs.qjs_promise_state(this.#promise) === PENDING) {
			if (quickJs.qjs_is_job_pending() === 0) {
				return this.#asking.isIdle ? this.#fail("threw", NEVER_COMES) : null;
			}
			// Errors thrown by a microtask are ignored.
			if (quickJs.qjs_execute_pending_job() < 0) quickJs.qjs_get_exception();
		}
		const value = quickJs.qjs_promise_result(this.#promise);
		return quickJs.qjs_promise_state(this.#promise) === FULFILLED
			? this.#handleReturn(value)
			: this.#handleThrow(value);
	}

	#handleReturn(value: Pointer): Outcome {
		const { quickJs } = this.#engine;
		const { functions, nothing } = this.#image;
		if (quickJs.qjs_is_undefined(value)) return { ok: true, output: "null", log: this.#log.all };
		const json = this.#engine.call(functions.json, nothing, value);
		if (quickJs.qjs_is_exception(json)) {
			const { reason, error } = this.#handleThrow(quickJs.qjs_get_exception());
			return reason === "memory" ? this.#fail(reason, error) : this.#fail("output", `${NOT_JSON}: ${error}`);
		}
		if (!quickJs.qjs_is_string(json))
			return this.#fail("output", `${NOT_JSON}: it is a function or a symbol`);
		const { outputBytes } = this.#job.limits;
		const text = this.#engine.locateText(json);
		if (text.length > outputBytes) {
			return this.#fail("output", `the output has ${text.length} bytes; at most ${outputBytes} are allowed`);
		}
		return { ok: true, output: this.#engine.decode(text), log: this.#log.all };
	}

	#handleThrow(error: Pointer) {
		const { functions, nothing } = this.#image;
		const read = (callee: Pointer) => {
			const text = this.#engine.call(callee, nothing, error);
			const isText = this.#engine.quickJs.qjs_is_string(text);
			return isText ? this.#engine.readText(text, 4 * MAX_ERROR_LENGTH) : "";
		};
		const text = read(functions.describe);
		if (text === "InternalError: out of memory") return this.#failForMemory();
		const line = PLACE.exec(read(functions.readStack))?.[1];
		const lines = this.#job.code.split("\n").length;
		const place = line === undefined ? "" : ` (line ${Math.min(Number(line), lines)})`;
		const shown = text === "" ? "the code threw a value that cannot be displayed" : text;
		return this.#fail("threw", shown.slice(0, MAX_ERROR_LENGTH - place.length).toWellFormed() + place);
	}

	#handleStop(error: unknown): Outcome {
		this.#isBroken = true;
		if (error instanceof Aborted) throw error;
		const { quickJs } = this.#engine;
		if (error instanceof TimeIsUp || quickJs.fuel.value < 0n) {
			return this.#fail("timeout", `the code computed for longer than ${this.#job.limits.timeoutMs} ms`);
		}
		if (error instanceof OutOfMemory) return this.#failForMemory();
		if (error instanceof RangeError)
			return this.#fail("threw", "RangeError: Maximum call stack size exceeded");
		return this.#fail("threw", "the engine failed while running the code");
	}

	#failForMemory() {
		const mebibytes = this.#job.limits.memoryBytes / 2 ** 20;
		return this.#fail("memory", `the code needs more than its limit of ${mebibytes} MiB of memory`);
	}

	#fail(reason: Reason, error: string) {
		return { ok: false, reason, error, log: this.#log.all } as const;
	}

	now(): number {
		return this.#now;
	}

	poll(): void {
		if (this.#control.isAborted()) throw new Aborted();
		if (this.#control.elapsed() > this.#stopAt) throw new TimeIsUp();
	}

	log(line: Pointer): boolean {
		const text = this.#engine.locateText(line);
		return this.#log.add(this.#engine.decode(text, this.#log.bytesLeft), text.length);
	}

	skip(): void {
		this.#log.skipLine();
	}

	ask(text: string): Pointer {
		const { promise, resolve } = this.#engine.newPromise();
		this.#asking.ask(text, resolve);
		return promise;
	}
}

class TimeIsUp extends Error {}

const PLACE = new RegExp(`\\b${CODE_FILE}:(\\d+)`);
const NOT_A_BODY = "SyntaxError: the code is not the body of a function";
const NEVER_COMES = "the code waits for a promise that never settles";
const NOT_JSON = "the output is not JSON";
