import type { Json } from "@tripline/contract/json";
import { TerminalError } from "../component.ts";
import type { Budget } from "../run.ts";
import { jsonBytes } from "./json-bytes.ts";
import { ENTRY_BYTES, memoryOf, ownMemoryOf } from "./memory.ts";

const MIB = 1_048_576;
const MAX_OUTPUT = MIB;
const MAX_RESULT = 4 * MIB;
/** Of memory that a run and the workflows it calls hold together, so that no workflow can fill what all share. */
const MAX_HELD_BYTES = 64 * MIB;
/** What was made is the bound of what is held; above this it is worth looking how much of it that is. */
const LOOK_BYTES = 16_384;
/** A body nests at most 64 deep; outputs wrap what they were given a few more times. A value in itself ends here too. */
const MAX_DEPTH = 128;

/** Lets the outputs of one run pass: plain JSON of a bounded size. Counts what is new of them, wherever it is held. */
export class Outputs {
	/** Of this run alone. */
	private held = 0;
	private readonly budget: Budget;

	constructor(budget: Budget) {
		this.budget = budget;
	}

	/**
	 * The output with null for undefined. `made` is how many bytes of it are new at the most. Throws what fails the
	 * node.
	 */
	accept(output: unknown, made: number): Json {
		if (output === undefined || output === null) return null;
		if (typeof output === "boolean") return output;
		const looksAtMemory = made > LOOK_BYTES;
		const { holes, memory } = measure(output, MAX_OUTPUT, "output", looksAtMemory);
		this.hold(looksAtMemory ? Math.min(memory, made) : made);
		return holes ? filled(output) : (output as Json);
	}

	/** Counts what a node under way is given. */
	lend(params: Json, made: number): number {
		const bytes = made > LOOK_BYTES ? memoryOf(params, made) : made;
		this.hold(bytes);
		return bytes;
	}

	hold(bytes: number): void {
		if (bytes === 0) return;
		const { heldBytes = 0 } = this.budget;
		if (heldBytes + bytes > MAX_HELD_BYTES)
			throw new TerminalError(
				`the run holds ${inMib(heldBytes)} MiB of what its nodes made, and this would add ${inMib(bytes)}: at most are ${MAX_HELD_BYTES / MIB} MiB`,
			);
		this.held += bytes;
		this.budget.heldBytes = heldBytes + bytes;
	}

	release(bytes: number): void {
		if (bytes === 0) return;
		this.held -= bytes;
		this.budget.heldBytes = (this.budget.heldBytes ?? 0) - bytes;
	}

	/** The run has ended, and nobody holds its outputs any more. */
	releaseAll(): void {
		this.release(this.held);
	}
}

const inMib = (bytes: number): string => (bytes / MIB).toFixed(1);

/** Why the run cannot end with this value, or null. */
export function resultProblem(data: Json): string | null {
	try {
		measure(data, MAX_RESULT, "result");
		return null;
	} catch (error) {
		return (error as Error).message;
	}
}

function measure(value: unknown, limit: number, what: string, looksAtMemory = false): Measure {
	const measured = new Measure(limit, what, looksAtMemory);
	measured.visit(value, 0);
	if (measured.high > limit && jsonBytes(value, limit) > limit) throw measured.tooLarge();
	return measured;
}

/** Bounds of a value's size as JSON: exact figures would cost a look at every character of every output. */
class Measure {
	low = 0;
	high = 0;
	/** Whether it holds undefined. */
	holes = false;
	/** Bytes, if that was asked for. */
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
		if (this.looksAtMemory) this.memory += ownMemoryOf(value);
		switch (typeof value) {
			case "string":
				this.add(value.length + 2, value.length * 6 + 2);
				break;
			case "number":
				if (!Number.isFinite(value)) throw this.refused(`the number ${value}`);
				this.add(1, 25);
				break;
			case "boolean":
				this.add(4, 5);
				break;
			case "undefined":
				this.holes = true;
				this.add(4, 4);
				break;
			case "object":
				if (value === null) this.add(4, 4);
				else this.within(value, depth);
				break;
			default:
				throw this.refused(`a ${typeof value}`);
		}
	}

	private within(value: object, depth: number): void {
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
			throw this.refused("an object that is neither a list nor a plain object");
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
		if (this.low > this.limit) throw this.tooLarge();
	}

	tooLarge(): TerminalError {
		return new TerminalError(`the ${this.what} is larger than ${this.limit / MIB} MiB as JSON`);
	}

	private refused(found: string): TerminalError {
		return new TerminalError(`the ${this.what} holds ${found}, which JSON cannot`);
	}
}

function filled(value: unknown): Json {
	if (value === undefined) return null;
	if (typeof value !== "object" || value === null) return value as Json;
	if (Array.isArray(value)) return Array.from(value, filled);
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner)]));
}
