import type { Io } from "./io.ts";

/** A command as data: help, completion and parsing are made from it. */
export interface Command {
	/** `push`, or two words as in `creds push`. */
	readonly name: string;
	/** One line, without a full stop. */
	readonly about: string;
	readonly positionals: readonly Positional[];
	readonly flags: readonly Flag[];
	/** At least one, with what it does. */
	readonly examples: readonly { readonly line: string; readonly about: string }[];
	/** More, below the flags. */
	readonly details?: string;
	/** Loaded when it is run: `--help` must not wait for it. */
	load(): Promise<{ readonly run: Run }>;
}

type Run = (invocation: Invocation) => Promise<Outcome>;

interface Positional {
	readonly name: string;
	readonly about: string;
	readonly isOptional?: true;
	/** Takes all that follow. */
	readonly isRest?: true;
}

interface Flag {
	/** Without the dashes. */
	readonly name: string;
	/** What stands for the value in the help; left out: it is on or off. */
	readonly value?: string;
	readonly about: string;
	/** May be given more than once. */
	readonly isMany?: true;
}

/** How a command was called. */
export interface Invocation {
	/** One text, or a list where it takes all that follow. */
	readonly positionals: Readonly<Record<string, string | readonly string[] | undefined>>;
	readonly flags: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
	readonly io: Io;
	/** Tells a person how far it is, on stderr; nothing with `--json` or `--quiet`. */
	progress(what: string): void;
}

/** What a command did. */
export interface Outcome {
	/** Default 0; 1: it failed. Only `serve` passes on another. */
	readonly code?: number;
	/** With `--json`. */
	readonly json: unknown;
	/** For a person: lines, or a table. */
	readonly text: string | Table;
}

export interface Table {
	readonly columns: readonly string[];
	readonly rows: readonly (readonly string[])[];
	/** Instead of an empty table. */
	readonly empty: string;
	/** Below it. */
	readonly after?: string;
}

/** What the caller can mend: one line, and the way out. Exit code 1, or 2 where the command was called wrongly. */
export class CliProblem extends Error {
	override readonly name = "CliProblem";
	readonly code: 1 | 2;
	readonly hint: string | null;

	constructor(message: string, options: { code?: 1 | 2; hint?: string } = {}) {
		super(message);
		this.code = options.code ?? 1;
		this.hint = options.hint ?? null;
	}
}
