/** Everything a command reads and writes besides files, so that tests can replace it. */
export interface Io {
	readonly env: Readonly<Record<string, string | undefined>>;
	/** The working folder. */
	readonly cwd: string;
	/** The user's home folder. */
	readonly home: string;
	/** The user id; null on Windows, which has none. */
	readonly uid: number | null;
	readonly isTerminal: boolean;
	/** Columns of the terminal. */
	readonly width: number;
	out(text: string): void;
	/** False once the reader of the output has gone, as `head` does after its last line. */
	hasReader(): boolean;
	err(text: string): void;
	/** All of standard input. */
	stdin(): Promise<string>;
	/** Asks on the terminal; null if there is none. */
	ask(question: string): Promise<string | null>;
	/** Asks without echoing what is typed. */
	askSecret(question: string): Promise<string | null>;
	fetch(request: Request, init?: { readonly signal: AbortSignal }): Promise<Response>;
	now(): number;
	wait(ms: number): Promise<unknown>;
	/** Calls `act` on Ctrl-C instead of ending the process, until the returned function is called. */
	onInterrupt(act: () => void): () => void;
	readonly version: string;
	/** The service that `--service` names; left out, it is the configured one. */
	readonly service?: string;
}
