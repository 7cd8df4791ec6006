import type { Json } from "@tripline/contract/json";
import { TerminalError } from "../terminal-error.ts";
import { countJsonBytes } from "./json-bytes.ts";
import { ENTRY_BYTES, estimateMemory, estimateOwnMemory } from "./memory.ts";
import type { Budget } from "./options.ts";

const MIB = 1_048_576;
const MAX_OUTPUT_BYTES = MIB;
const MAX_RESULT_BYTES = 4 * MIB;
/** Memory held by a run and the workflows it calls, so that no workflow can exhaust the shared memory. */
const MAX_HELD_BYTES = 64 * MIB;
/** Bytes made are an upper bound of bytes held; above this it is worth measuring exactly. */
const MIN_MEASURED_BYTES = 16_384;
/** A request body nests at most 64 levels, and outputs may wrap it a few more times. Also stops at circular values. */
const MAX_DEPTH = 128;

/** Checks that outputs of one run are plain JSON of a bounded size, and counts the memory that is new in them. */
export class Outputs {
	/** Of this run, or of one of its loops, alone. */
	private held = 0;
	/** What was held when it was last measured. */
	private measured = 0;
	private readonly budget: Budget;
	private readonly parent: Outputs | null;

	constructor(budget: Budget, parent: Outputs | null = null) {
		this.budget = budget;
		this.parent = parent;
	}

	/** Counts a part of the run separately, and as part of the whole. */
	fork(): Outputs {
		return new Outputs(this.budget, this);
	}

	/** Called when nothing but these values is held any more. Measuring is worth it once twice as much was made. */
	keepOnly(values: readonly unknown[]): void {
		if (this.held <= 2 * this.measured + MIB) return;
		this.measured = estimateMemory(values, this.held);
		this.release(this.held - this.measured);
	}

	/**
	 * Returns the output with undefined replaced by null. `made` is an upper bound of its new bytes, `maxBytes` the
	 * component's own limit of its JSON. Throws to fail the node.
	 */
	accept(output: unknown, made: number, maxBytes = MAX_OUTPUT_BYTES): Json {
		if (output === undefined || output === null) return null;
		if (typeof output === "boolean") return output;
		const looksAtMemory = made > MIN_MEASURED_BYTES;
		const { hasHoles: holes, memory } = measure(output, maxBytes, "output", looksAtMemory);
		this.hold(looksAtMemory ? Math.min(memory, made) : made);
		return holes ? fillHoles(output) : (output as Json);
	}

	/** The same check without counting it as held. */
	check(output: unknown, maxBytes = MAX_OUTPUT_BYTES): Json {
		const { hasHoles } = measure(output, maxBytes, "output");
		return hasHoles ? fillHoles(output) : (output as Json);
	}

	/** Counts the parameters of a node in progress. */
	lend(params: Json, made: number): number {
		const bytes = made > MIN_MEASURED_BYTES ? estimateMemory(params, made) : made;
		this.hold(bytes);
		return bytes;
	}

	hold(bytes: number): void {
		if (bytes === 0) return;
		const { heldBytes = 0 } = this.budget;
		if (heldBytes + bytes > MAX_HELD_BYTES)
			throw new TerminalError(
				`the run holds ${toMib(heldBytes)} MiB of data and this would add ${toMib(bytes)} MiB: the limit is ${MAX_HELD_BYTES / MIB} MiB`,
			);
		this.count(bytes);
	}

	release(bytes: number): void {
		if (bytes !== 0) this.count(-bytes);
	}

	private count(bytes: number): void {
		this.budget.heldBytes = (this.budget.heldBytes ?? 0) + bytes;
		for (let each: Outputs | null = this; each !== null; each = each.parent) each.held += bytes;
	}

	/** Called when the run has ended and its outputs are no longer held. */
	releaseAll(): void {
		this.release(this.held);
	}
}

const toMib = (bytes: number): string => (bytes / MIB).toFixed(1);

/** Why the value cannot be the run's result, or null. */
export function findResultProblem(data: Json): string | null {
	try {
		measure(data, MAX_RESULT_BYTES, "result");
		return null;
	} catch (error) {
		return (error as Error).message;
	}
}

function measure(value: unknown, limit: number, what: string, looksAtMemory = false): Measure {
	const measured = new Measure(limit, what, looksAtMemory);
	measured.visit(value, 0);
	if (measured.high > limit && countJsonBytes(value, limit) > limit) throw measured.createTooLargeError();
	return measured;
}

/** Bounds of a value's size as JSON: exact sizes would require scanning every character of every output. */
class Measure {
	low = 0;
	high = 0;
	/** Whether it contains undefined. */
	hasHoles = false;
	/** In bytes; measured only if requested. */
	memory = 0;
	private readonly limit: number;
	private readonly what: string;
	private readonly looksAtMemory: boolean;

	constructor(limit: number, what: string, looksAtMemory: boolean) {
		this.limit = limit;
		this.what = what;
		this.looksAtMemory = looksAtMemory;
	}

	visit(value: unknown, depth: number): void {
		if (this.looksAtMemory) this.memory += estimateOwnMemory(value);
		switch (typeof value) {
			case "string":
				this.add(value.length + 2, value.length * 6 + 2);
				break;
			case "number":
				if (!Number.isFinite(value)) throw this.createRefusedError(`the number ${value}`);
				this.add(1, 25);
				break;
			case "boolean":
				this.add(4, 5);
				break;
			case "undefined":
				this.hasHoles = true;
				this.add(4, 4);
				break;
			case "object":
				if (value === null) this.add(4, 4);
				else this.visitObject(value, depth);
				break;
			default:
				throw this.createRefusedError(`a ${typeof value}`);
		}
	}

	private visitObject(value: object, depth: number): void {
		if (depth >= MAX_DEPTH) {
			throw new TerminalError(`the ${this.what} contains itself or nests deeper than ${MAX_DEPTH} levels`);
		}
		this.add(1, 2);
		if (Array.isArray(value)) {
			for (let index = 0; index < value.length; index++) {
				this.add(1, 1);
				this.visit(value[index], depth + 1);
			}
			return;
		}
		const prototype = Object.getPrototypeOf(value);
		if (prototype !== Object.prototype && prototype !== null) {
			throw this.createRefusedError("an object that is neither a list nor a plain object");
		}
		for (const key in value) {
			this.add(key.length + 4, key.length * 6 + 4);
			this.memory += ENTRY_BYTES;
			this.visit((value as Record<string, unknown>)[key], depth + 1);
		}
	}

	private add(low: number, high: number): void {
		this.low += low;
		this.high += high;
		if (this.low > this.limit) throw this.createTooLargeError();
	}

	createTooLargeError(): TerminalError {
		return new TerminalError(`the ${this.what} is larger than ${this.limit / MIB} MiB as JSON`);
	}

	private createRefusedError(found: string): TerminalError {
		return new TerminalError(`the ${this.what} contains ${found}, which JSON cannot represent`);
	}
}

function fillHoles(value: unknown): Json {
	if (value === undefined) return null;
	if (typeof value !== "object" || value === null) return value as Json;
	if (Array.isArray(value)) return Array.from(value, fillHoles);
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fillHoles(inner)]));
}
