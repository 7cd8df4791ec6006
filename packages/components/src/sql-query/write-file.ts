import type { Json } from "@tripline/contract/json";
import type { RowBatch } from "@tripline/platform/databases";
import { writeCsv } from "../make-file/csv.ts";
import { encodeInTurns, type Turns } from "../make-file/encode.ts";

const UNITS_PER_VALUE = 12;

export type RowFormat = "csv" | "tsv" | "jsonl";

/** The rows as the bytes of a file, a batch at a time. */
export async function* encodeRows(
	batches: AsyncIterable<RowBatch>,
	format: RowFormat,
	call: Turns,
): AsyncGenerator<Uint8Array> {
	let isFirst = true;
	for await (const batch of batches) {
		yield* encodeInTurns(
			format === "jsonl"
				? writeLines(batch, call)
				: writeTable(batch, format === "tsv" ? "\t" : ",", isFirst, call),
			call,
		);
		isFirst = false;
	}
}

/** Objects by column, without making them: their garbage would be most of the memory that is used. */
function* writeLines({ columns, rows }: RowBatch, { meter }: Turns): Generator<string> {
	const labels = columns.map((name, index) => `${index === 0 ? "" : ","}${JSON.stringify(name)}:`);
	for (const row of rows) {
		let line = "{";
		for (let index = 0; index < labels.length; index++) line += labels[index] + JSON.stringify(row[index]);
		meter.spend(line.length / 4 + labels.length * UNITS_PER_VALUE);
		yield `${line}}\n`;
	}
}

function writeTable(
	{ columns, rows }: RowBatch,
	delimiter: string,
	hasHeader: boolean,
	{ meter }: Turns,
): Iterable<string> {
	if (columns.length === 0) return [];
	const table = {
		rows: rows as readonly Json[],
		columns: columns.map((name, field) => ({ field, name, type: null, width: null })),
		hasHeader,
	};
	return writeCsv(table, { delimiter, formulas: false, bom: false }, meter);
}

/** Rows as objects by column. */
export function toObjects({ columns, rows }: Pick<RowBatch, "columns" | "rows">): Record<string, Json>[] {
	return rows.map((row) => {
		const object: Record<string, Json> = {};
		for (let index = 0; index < columns.length; index++)
			object[columns[index] as string] = row[index] as Json;
		return object;
	});
}
