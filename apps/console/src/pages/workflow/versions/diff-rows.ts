import type { Diff } from "../../../api/types.ts";

type Hunk = Diff["hunks"][number];

export interface Cell {
	/** From 1. */
	readonly line: number;
	/** Without the end of the line. */
	readonly text: string;
	/** The part that differs from the other side; null if nothing stands out. */
	readonly marked: readonly [start: number, end: number] | null;
	/** The last line of a text that does not end with a line break. */
	readonly isOpen: boolean;
}

/** A line on both sides, or a changed line with the one that replaced it. */
export interface Row {
	readonly isChanged: boolean;
	readonly from: Cell | null;
	readonly to: Cell | null;
}

export interface Section {
	/** Unchanged lines between this section and the one before it. */
	readonly skipped: number;
	readonly rows: readonly Row[];
}

/** The rows of a side-by-side comparison. */
export function toSections(hunks: readonly Hunk[]): readonly Section[] {
	let next = 1;
	return hunks.map((hunk) => {
		const skipped = hunk.from_line - next;
		next = hunk.from_line + hunk.lines.filter(({ change }) => change !== "added").length;
		return { skipped, rows: toRows(hunk) };
	});
}

/** The same rows with one side per row: removed lines before the ones that replace them. */
export function toUnified(rows: readonly Row[]): readonly Row[] {
	const unified: Row[] = [];
	const added: Row[] = [];
	for (const row of rows) {
		if (!row.isChanged) unified.push(...added.splice(0), row);
		else {
			if (row.from !== null) unified.push({ ...row, to: null });
			if (row.to !== null) added.push({ ...row, from: null });
		}
	}
	return [...unified, ...added];
}

function toRows({ from_line, to_line, lines }: Hunk): readonly Row[] {
	const rows: Row[] = [];
	const removed: Cell[] = [];
	const added: Cell[] = [];
	let [from, to] = [from_line, to_line];
	for (const { change, text } of lines) {
		if (change === "removed") removed.push(toCell(from++, text));
		else if (change === "added") added.push(toCell(to++, text));
		else {
			pair();
			rows.push({ isChanged: false, from: toCell(from++, text), to: toCell(to++, text) });
		}
	}
	pair();
	return rows;

	function pair(): void {
		for (let at = 0; at < Math.max(removed.length, added.length); at++) {
			const [one, other] = [removed[at] ?? null, added[at] ?? null];
			rows.push({ isChanged: true, from: markPart(one, other), to: markPart(other, one) });
		}
		removed.length = 0;
		added.length = 0;
	}
}

const toCell = (line: number, text: string): Cell => ({
	line,
	text: text.replace(/\r?\n$/, ""),
	marked: null,
	isOpen: !text.endsWith("\n"),
});

/** Marks what differs in a line that has something in common with the other one. */
function markPart(cell: Cell | null, other: Cell | null): Cell | null {
	if (cell === null || other === null) return cell;
	const [one, two] = [cell.text, other.text];
	const most = Math.min(one.length, two.length);
	let start = 0;
	while (start < most && one[start] === two[start]) start++;
	let end = 0;
	while (end < most - start && one.at(-1 - end) === two.at(-1 - end)) end++;
	// A pair of surrogates is one character.
	if (isInPair(one, start)) start--;
	if (isInPair(one, one.length - end)) end--;
	const common = one.slice(0, start).trim().length + end;
	if (common === 0 || start + end >= one.length) return cell;
	return { ...cell, marked: [start, one.length - end] };
}

const isInPair = (text: string, at: number): boolean => /^[\uDC00-\uDFFF]/.test(text.slice(at));
