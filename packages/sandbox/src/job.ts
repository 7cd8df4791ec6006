/** What to run. The same as the platform's port, which this package does not know. */
export interface Job {
	/** The body of an async function with the parameter `input`; what it returns is the output. */
	readonly code: string;
	/** JSON. */
	readonly input: string;
	readonly limits: Limits;
	/** JSON in, JSON out. */
	readonly http?: (request: string) => Promise<string>;
}

interface Limits {
	readonly timeoutMs: number;
	readonly memoryBytes: number;
	readonly outputBytes: number;
}

export type Reason = "threw" | "timeout" | "memory" | "output";

export type Outcome = { readonly log: readonly string[] } & (
	| { readonly ok: true; readonly output: string }
	| { readonly ok: false; readonly reason: Reason; readonly error: string }
);

/** What the platform knows about time and about who waits. */
export interface Control {
	/** Unix milliseconds: what code of users reads as the time. */
	now(): number;
	/** Milliseconds, which on some platforms stand still while something computes. */
	elapsed(): number;
	/** Whether nobody waits for the outcome any more. */
	isAborted(): boolean;
}

/** The job was ended because nobody waits for it. */
export class Aborted extends Error {
	override readonly name = "Aborted";
}
