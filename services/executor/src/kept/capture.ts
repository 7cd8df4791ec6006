import type { Json } from "@tripline/contract/json";
import { countJsonBytes } from "@tripline/engine/run/json-bytes";
import { estimateMemory } from "@tripline/engine/run/memory";
import type { CapturedStep } from "@tripline/engine/run/options";

/** Of memory, for the input and the outputs of one run: four of the largest outputs. */
const MAX_HELD_BYTES = 4 * 1024 * 1024;
/** Of the capture itself with the document that it refers to, and of each step without its output. */
const RUN_BYTES = 4096;
const STEP_BYTES = 200;
/** Gaps are closed once there are as many of them and they are half of the list. */
const MIN_GAPS = 1000;

/** Beyond this, further failures are dropped like successes. */
const MAX_FAILING = 10_000;

export interface HeldStep extends CapturedStep {
	/** Size of the output as JSON, if it was dropped. */
	readonly droppedBytes?: number;
}

/** An attempt of a node, at its place in the loops around it. */
interface Attempt {
	readonly step: string;
	readonly attempt: number;
}

/** Secret values by the name of their credential. */
export type Secrets = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * What the nodes of one run gave. It holds references, because outputs are never modified. If there are too many, it
 * drops elements of loops, the oldest first and those that failed last.
 */
export class RunCapture {
	bytes = RUN_BYTES;
	/** Values or steps are missing. */
	isCut = false;
	/** Steps are missing. */
	isSparse = false;
	/** Undefined if it is too large; then its size as JSON is known. */
	readonly input: Json | undefined;
	readonly droppedInputBytes: number | undefined;
	#steps: (HeldStep | undefined)[] = [];
	#gaps = 0;
	/** The first step that may be dropped. */
	#next = 0;
	#failing: Set<string> | null = null;
	#secrets: Map<string, Set<string>> | null = null;
	/** Of the run that called this one as a workflow: what one gives the other may contain the secrets of either. */
	readonly #caller: RunCapture | undefined;
	/** Runs of called workflows, by attempt. */
	#called: Map<string, string> | null = null;

	constructor(input: Json, caller?: RunCapture) {
		this.#caller = caller;
		const size = estimateMemory(input, MAX_HELD_BYTES);
		this.isCut = size === MAX_HELD_BYTES;
		this.input = this.isCut ? undefined : input;
		if (this.isCut) this.droppedInputBytes = countJsonBytes(input, Number.POSITIVE_INFINITY);
		else this.bytes += size;
	}

	get steps(): HeldStep[] {
		return this.#steps.filter((step) => step !== undefined);
	}

	/** The places of elements that failed, and of the elements around them. */
	get failing(): ReadonlySet<string> {
		return this.#failing ?? NONE;
	}

	get secrets(): Secrets {
		return this.#caller?.secrets ?? this.#secrets ?? NO_SECRETS;
	}

	addSecrets(credential: string, values: readonly string[]): void {
		if (this.#caller !== undefined) {
			this.#caller.addSecrets(credential, values);
			return;
		}
		this.#secrets ??= new Map();
		const known = this.#secrets.get(credential) ?? new Set();
		for (const value of values) known.add(value);
		this.#secrets.set(credential, known);
	}

	addCalled({ step, attempt }: Attempt, run: string): void {
		this.#called ??= new Map();
		this.#called.set(`${attempt}:${step}`, run);
	}

	/** The run of the workflow that a node has called, if it has a record. */
	findCalled({ id, place, attempt }: CapturedStep): string | undefined {
		return this.#called?.get(`${attempt}:${place}:${id}`);
	}

	record(step: CapturedStep): void {
		if (step.status === "failed" && step.place !== "") this.#addFailing(step.place);
		const size = estimateStep(step);
		if (this.bytes + size > MAX_HELD_BYTES && !this.#makeRoom(size)) {
			this.isCut = true;
			const left = dropValues(step);
			const least = estimateStep(left);
			if (this.bytes + least <= MAX_HELD_BYTES) this.#add(left, least);
			else this.isSparse = true;
		} else this.#add(step, size);
	}

	#add(step: HeldStep, size: number): void {
		this.#steps.push(step);
		this.bytes += size;
	}

	#addFailing(place: string): void {
		this.#failing ??= new Set();
		if (this.#failing.size >= MAX_FAILING) return;
		for (let around = place; around !== ""; around = around.slice(0, Math.max(0, around.lastIndexOf("."))))
			this.#failing.add(around);
	}

	#makeRoom(size: number): boolean {
		while (this.bytes + size > MAX_HELD_BYTES && this.#next < this.#steps.length) {
			const at = this.#next++;
			const step = this.#steps[at];
			if (step === undefined || step.place === "" || this.failing.has(step.place)) continue;
			this.bytes -= estimateStep(step);
			this.#steps[at] = undefined;
			this.#gaps++;
			this.isCut = true;
			this.isSparse = true;
		}
		if (this.#gaps > MIN_GAPS && this.#gaps > this.#steps.length / 2) this.#closeGaps();
		return this.bytes + size <= MAX_HELD_BYTES;
	}

	#closeGaps(): void {
		const isKept = (step: HeldStep | undefined) => step !== undefined;
		this.#next = this.#steps.slice(0, this.#next).filter(isKept).length;
		this.#steps = this.#steps.filter(isKept);
		this.#gaps = 0;
	}
}

const estimateStep = ({ error, output, params }: CapturedStep): number =>
	STEP_BYTES +
	(params === undefined ? 0 : estimateMemory(params, MAX_HELD_BYTES)) +
	(error === undefined ? 0 : 2 * error.length) +
	(output === undefined ? 0 : estimateMemory(output, MAX_HELD_BYTES));

/** What is left says at least that the node ran. */
const dropValues = ({ output, params: _, error, ...step }: CapturedStep): HeldStep => ({
	...step,
	error: error?.slice(0, STEP_BYTES / 2).toWellFormed(),
	...(output !== undefined && { droppedBytes: countJsonBytes(output, Number.POSITIVE_INFINITY) }),
});

const NONE: ReadonlySet<string> = new Set();
const NO_SECRETS: Secrets = new Map();
