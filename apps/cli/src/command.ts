import type { Io } from "./io.ts";

/** A command as data: help, completion and parsing are made from it. */
export interface Command {
	/** `push`, or two words as in `creds push`. */
	readonly name: string;
	/** One line, without a full stop. */
	readonly about: string;
	readonly positionals: readonly Positional[];
	readonly flags: readonly Flag[];
	/** At least one; `about` says what the line does. */
	readonly examples: readonly { readonly line: string; readonly about: string }[];
	/** Further text, shown below the flags. */
	readonly details?: string;
	/** Loads the code when the command runs, so that `--help` stays fast. */
	load(): Promise<{ readonly run: Run }>;
}

type Run = (invocation: Invocation) => Promise<Outcome>;

interface Positional {
	readonly name: string;
	readonly about: string;
	readonly isOptional?: true;
	/** Takes all remaining arguments. */
	readonly isRest?: true;
}

interface Flag {
	/** Without the dashes. */
	readonly name: string;
	/** One letter. */
	readonly short?: string;
	/** The value's placeholder in the help; left out, the flag is a boolean. */
	readonly value?: string;
	readonly about: string;
	/** May be given more than once. */
	readonly isMany?: true;
}

/** How a command was called. */
export interface Invocation {
	/** A string, or a list for a positional with `isRest`. */
	readonly positionals: Readonly<Record<string, string | readonly string[] | undefined>>;
	readonly flags: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
	readonly io: Io;
	/** Reports progress on stderr; silent with `--json` or `--quiet`. */
	progress(what: string): void;
}

/** The result of a command. */
export interface Outcome {
	/** Exit code: 0 by default, 1 for a failure. Only `serve` uses others, and `eval` 130 after Ctrl-C. */
	readonly code?: number;
	/** Printed with `--json`; undefined if the command has printed everything. */
	readonly json: unknown;
	/** Printed otherwise: lines, or a table. */
	readonly text: string | Table;
}

export interface Table {
	readonly columns: readonly string[];
	readonly rows: readonly (readonly string[])[];
	/** Printed instead of an empty table. */
	readonly empty: string;
	/** Printed below the table. */
	readonly after?: string;
}

/** A problem that the caller can fix: one line and a hint. Exit code 1, or 2 for wrong usage. */
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
