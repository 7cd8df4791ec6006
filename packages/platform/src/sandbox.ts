/** Runs user code, which sees its input, computes, and can do nothing else. */
export interface Sandbox {
	/** Never rejects because of the code: its errors are outcomes. Rejects when the signal is aborted. */
	run(job: SandboxJob, signal: AbortSignal): Promise<SandboxOutcome>;
	/** Ends threads and frees memory. */
	close(): Promise<void>;
}

export interface SandboxJob {
	/** The owner of the code: owners are served in turn. Absent if it has none. */
	readonly owner?: string;
	/** The body of an async function with the parameter `input`; what it returns is the output. */
	readonly code: string;
	/** JSON, or a function that returns it, so that a waiting job does not hold it in memory. */
	readonly input: string | (() => string);
	readonly limits: SandboxLimits;
	/**
	 * Backs the global function `http(request)`, which returns a promise of the response. JSON text in, JSON text out; the
	 * message of a rejection reaches the code as an error. If absent, the function does not exist.
	 */
	readonly http?: (request: string) => Promise<string>;
}

export interface SandboxLimits {
	/** Computing time; waiting for `http` does not count. */
	readonly timeoutMs: number;
	readonly memoryBytes: number;
	readonly outputBytes: number;
}

export type SandboxOutcome = { readonly log: readonly string[] } & (
	| { readonly ok: true /** JSON. */; readonly output: string }
	| { readonly ok: false; readonly reason: "threw" | "timeout" | "memory" | "output"; readonly error: string }
);
