import { DatabaseProblem, type DatabaseStatement, type RowBatch, type StatementResult } from "./databases.ts";

/** A connection to a server of any kind. */
export interface DatabaseSession {
	/** Not if it is closed, or has a state that the next user must not see. */
	readonly isReusable: boolean;
	begin(isReadOnly: boolean): Promise<void>;
	commit(): Promise<void>;
	rollBack(): Promise<void>;
	run(statement: DatabaseStatement, limits: ReadLimits): Promise<StatementResult>;
	/** In a read-only transaction of its own, which it cannot leave. */
	runReadOnly(statement: DatabaseStatement, limits: ReadLimits): Promise<StatementResult>;
	/** Begins a statement whose rows are read in parts, in a transaction. */
	open(statement: DatabaseStatement): Cursor;
	/** Ends the statement at the server; it then rejects. Never rejects itself. */
	cancel(): Promise<void>;
	close(): void;
}

export interface Cursor {
	/** Rejects if the rows are larger than a part may be. */
	next(maxRows: number): Promise<RowPart>;
}

interface RowPart extends Pick<StatementResult, "columns" | "rows"> {
	/** As the server sent them. */
	readonly bytes: number;
	readonly isEnd: boolean;
}

/** Of one part of the rows that are read in parts. */
export const MAX_PART_BYTES = 16 * 1024 * 1024;
const USUAL_PART_BYTES = 64 * 1024;
const FIRST_ROWS = 20;
const MAX_PART_ROWS = 2_000;

/** Reads parts of a usual size, however large the rows are. */
export async function* readBatches(cursor: Cursor, maxRows: number): AsyncGenerator<RowBatch> {
	let left = maxRows;
	let size = FIRST_ROWS;
	for (;;) {
		// One more than wanted, to know whether there are more.
		const { columns, rows, bytes, isEnd } = await cursor.next(Math.min(size, left + 1));
		const hasMore = rows.length > left;
		yield { columns, rows: hasMore ? rows.slice(0, left) : rows, hasMore };
		if (isEnd || hasMore) return;
		left -= rows.length;
		const bytesPerRow = Math.max(1, bytes / Math.max(1, rows.length));
		size = Math.max(1, Math.min(MAX_PART_ROWS, Math.floor(USUAL_PART_BYTES / bytesPerRow)));
	}
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
export function nameColumns(given: readonly string[]): readonly string[] {
	if (given.length <= FEW_COLUMNS && areFewDifferent(given)) return given;
	// An object could not have it as a plain field.
	const taken = new Set(["__proto__"]);
	return given.map((name) => {
		let next = name;
		for (let number = 2; taken.has(next); number++) next = `${name}_${number}`;
		taken.add(next);
		return next;
	});
}

const FEW_COLUMNS = 32;

/** As most are, and then a set would take longer. */
function areFewDifferent(names: readonly string[]): boolean {
	for (let index = 0; index < names.length; index++) {
		const name = names[index] as string;
		if (name === "__proto__" || names.indexOf(name) !== index) return false;
	}
	return true;
}
