interface Cells {
	readonly row: number;
	readonly endRow: number;
	/** Default: all columns. */
	readonly first?: number;
	readonly last?: number;
}

/** A1 notation of cells, which are counted from 0 and include the last ones. */
export function formatRange(title: string, { row, endRow, first, last }: Cells): string {
	const [from, to] = [first === undefined ? "" : toLetters(first), last === undefined ? "" : toLetters(last)];
	return `'${title.replaceAll("'", "''")}'!${from}${row + 1}:${to}${endRow + 1}`;
}

/** A, B, … Z, AA, AB and so on. */
export function toLetters(column: number): string {
	const letter = String.fromCharCode(65 + (column % 26));
	return column < 26 ? letter : toLetters(Math.floor(column / 26) - 1) + letter;
}
