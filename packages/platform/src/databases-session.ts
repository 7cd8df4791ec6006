import { DatabaseProblem, type DatabaseStatement, type StatementResult } from "./databases.ts";

/** A connection to a server of any kind. */
export interface DatabaseSession {
	/** Not if it is closed, or has a state that the next user must not see. */
	readonly isReusable: boolean;
	begin(isReadOnly: boolean): Promise<void>;
	commit(): Promise<void>;
	rollBack(): Promise<void>;
	run(statement: DatabaseStatement, limits: ReadLimits): Promise<StatementResult>;
	/** Ends the statement at the server; it then rejects. Never rejects itself. */
	cancel(): Promise<void>;
	close(): void;
}

/** What one statement may read. */
export interface ReadLimits {
	readonly maxRows: number;
	bytesLeft(): number;
	takeBytes(bytes: number): void;
}

export const createTooLargeProblem = (): DatabaseProblem =>
	new DatabaseProblem("the rows are larger than a result may be: select fewer rows or columns");

/** A name that is taken gets a number, so that no value is lost: `id`, `id_2`. */
export function nameColumns(given: readonly string[]): string[] {
	// An object could not have it as a plain field.
	const taken = new Set(["__proto__"]);
	return given.map((name) => {
		let next = name;
		for (let number = 2; taken.has(next); number++) next = `${name}_${number}`;
		taken.add(next);
		return next;
	});
}
