/** What to run. Mirrors the platform's port, which this package does not import. */
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

/** Provides time and cancellation from the platform. */
export interface Control {
	/** Unix milliseconds: the time that user code sees. */
	now(): number;
	/** Milliseconds, which do not advance during computation on some platforms. */
	elapsed(): number;
	/** Whether the outcome is no longer needed. */
	isAborted(): boolean;
}

/** The job was stopped because its outcome is no longer needed. */
export class Aborted extends Error {
	override readonly name = "Aborted";
}
