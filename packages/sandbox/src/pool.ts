import type { Engine } from "./engine.ts";
import { buildImage, createEngine, type Image, PAGE_BYTES, resetEngine } from "./image.ts";
import type { Control, Job, Outcome } from "./job.ts";
import { Run } from "./run.ts";

/** Idle engines to keep. More would only hold memory. */
const MAX_IDLE = 6;
/** Compiled programs to keep, about a third of a MiB each. */
const MAX_CODES = 16;

interface Idle {
	readonly engine: Engine;
	/** The state of its memory. */
	readonly image: Image;
}

/** Runs jobs, each on an engine of its own that was reset after the previous job. */
export class Pool {
	readonly #module: WebAssembly.Module;
	readonly #idle: Idle[] = [];
	/** By source text, most recently used last. Null if it ran only once, so its compiled form is not kept. */
	readonly #codes = new Map<string, Image | null>();
	#pristine: Image | null = null;
	#dropped = 0;

	constructor(module: WebAssembly.Module) {
		this.#module = module;
	}

	/** Bytes of engines dropped since the last call; they occupy memory until garbage is collected. */
	takeDropped(): number {
		const dropped = this.#dropped;
		this.#dropped = 0;
		return dropped;
	}

	/**
	 * Returns synchronously if the code makes no requests. Throws or rejects only with `Aborted`. `told` is called before
	 * the engine is reset, so that whoever waits for the outcome need not wait for that.
	 */
	run(job: Job, control: Control, told?: (outcome: Outcome) => void): Outcome | Promise<Outcome> {
		this.#pristine ??= buildImage(this.#module);
		const known = this.#codes.get(job.code);
		let image = known ?? this.#pristine;
		const keep = (compiled: Image) => {
			image = compiled;
		};
		const engine = this.#take(image);
		const run = new Run(engine, image, job, control, known === null ? keep : undefined);
		const ended = (outcome: Outcome): Outcome => {
			told?.(outcome);
			this.#remember(job.code, image);
			if (run.isBroken || !this.#giveBack(engine, image)) this.#drop(engine);
			return outcome;
		};
		const aborted = (error: unknown): never => {
			this.#drop(engine);
			throw error;
		};
		let outcome: Outcome | Promise<Outcome>;
		try {
			outcome = run.execute();
		} catch (error) {
			return aborted(error);
		}
		return outcome instanceof Promise ? outcome.then(ended, aborted) : ended(outcome);
	}

	#take(image: Image): Engine {
		const place = this.#idle.findIndex((idle) => idle.image === image);
		if (place >= 0) return (this.#idle.splice(place, 1)[0] as Idle).engine;
		const other = this.#idle.shift();
		if (other === undefined) return createEngine(this.#module, image);
		resetEngine(other.engine, image);
		return other.engine;
	}

	/** Returns whether it is kept: an engine whose memory grew is not reused. */
	#giveBack(engine: Engine, image: Image): boolean {
		engine.host = null;
		const grew = engine.quickJs.memory.buffer.byteLength > image.pages * PAGE_BYTES;
		if (grew || this.#idle.length >= MAX_IDLE) return false;
		resetEngine(engine, image);
		this.#idle.push({ engine, image });
		return true;
	}

	#drop(engine: Engine): void {
		this.#dropped += engine.quickJs.memory.buffer.byteLength;
	}

	#remember(code: string, image: Image): void {
		this.#codes.delete(code);
		this.#codes.set(code, image.compiled === null ? null : image);
		const [oldest] = this.#codes.keys();
		if (this.#codes.size > MAX_CODES && oldest !== undefined) this.#codes.delete(oldest);
	}
}
