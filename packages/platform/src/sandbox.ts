/** Runs code of users: it sees its input, computes, and can do nothing else. */
export interface Sandbox {
	/** Never rejects because of the code: what it does wrong is an outcome. Rejects when the signal is aborted. */
	run(job: SandboxJob, signal: AbortSignal): Promise<SandboxOutcome>;
	/** Ends threads and lets memory go. */
	close(): Promise<void>;
}

export interface SandboxJob {
	/** Whose code it is: owners take turns. Left out: nobody's. */
	readonly owner?: string;
	/** The body of an async function with the parameter `input`; what it returns is the output. */
	readonly code: string;
	/** JSON, or what makes it: a job that waits for its turn holds nothing of it. */
	readonly input: string | (() => string);
	readonly limits: SandboxLimits;
	/**
	 * What the code may ask for: the global function `http(request)` gives a promise of the answer. JSON text in, JSON text
	 * out; a rejection's message reaches the code as an error. Left out: there is no such function.
	 */
	readonly http?: (request: string) => Promise<string>;
}

export interface SandboxLimits {
	/** Of computing; waiting for `http` is not counted. */
	readonly timeoutMs: number;
	readonly memoryBytes: number;
	readonly outputBytes: number;
}

export type SandboxOutcome = { readonly log: readonly string[] } & (
	| { readonly ok: true /** JSON. */; readonly output: string }
	| { readonly ok: false; readonly reason: "threw" | "timeout" | "memory" | "output"; readonly error: string }
);
