import { TerminalError } from "@tripline/engine/terminal-error";

const MIB = 1024 * 1024;
/** The largest output of `parse` as JSON. */
export const MAX_OUTPUT_BYTES = 16 * MIB;
/** Below what a run may hold, so that an output which is accepted leaves room for what is made of it. */
const MAX_MEMORY_BYTES = 48 * MIB;

/** Stops a reader before it holds more than a node's output may have. The engine measures the output exactly. */
export class OutputRoom {
	private json = 0;
	private memory = 0;
	private readonly advice: string;

	/** `advice` says how to read less. */
	constructor(advice: string) {
		this.advice = advice;
	}

	/** Sizes of a new value: as JSON at least, in memory about. */
	take(json: number, memory: number): void {
		this.json += json;
		this.memory += memory;
		if (this.json > MAX_OUTPUT_BYTES)
			throw this.createError(`larger than ${MAX_OUTPUT_BYTES / MIB} MiB as JSON`);
		if (this.memory > MAX_MEMORY_BYTES)
			throw this.createError(`larger than ${MAX_MEMORY_BYTES / MIB} MiB in memory`);
	}

	private createError(what: string): TerminalError {
		return new TerminalError(`the output would be ${what}; ${this.advice}`);
	}
}

export const READ_FEWER_ROWS = "read fewer rows at a time with offset and limit";
