import type { Outcome } from "./command.ts";
import type { Io } from "./io.ts";
import { applyStyle } from "./style.ts";

const GAP = "  ";
const ELLIPSIS = "…";

/** Renders text as is and a table in aligned columns; the last column is cut on a narrow terminal. */
export function renderText(text: Outcome["text"], io: Io): string {
	if (typeof text === "string") return text;
	const { columns, rows, empty, after } = text;
	if (rows.length === 0) return [empty, ...(after === undefined ? [] : ["", after])].join("\n");
	const lines = [columns.map((name) => name.toUpperCase()), ...rows.map((row) => row.map(toOneLine))];
	const widths = columns.map((_, column) =>
		Math.max(...lines.map((line) => measureWidth(line[column] ?? ""))),
	);
	const before = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0);
	const last = io.isTerminal ? Math.max(10, io.width - before) : Number.POSITIVE_INFINITY;
	const drawn = lines.map((line) =>
		columns
			.map((_, column) => {
				const cell = line[column] ?? "";
				return column === columns.length - 1 ? truncate(cell, last) : padCell(cell, widths[column] as number);
			})
			.join(GAP)
			.trimEnd(),
	);
	const [header = "", ...body] = drawn;
	return [applyStyle(io, "dim", header), ...body, ...(after === undefined ? [] : ["", after])].join("\n");
}

/** Control characters would move the cursor or hide what follows. */
export const toOneLine = (text: string): string => text.replaceAll(/\p{Cc}+/gu, " ");

export const padCell = (text: string, width: number): string =>
	text + " ".repeat(Math.max(0, width - measureWidth(text)));

function truncate(text: string, width: number): string {
	if (measureWidth(text) <= width) return text;
	let kept = "";
	for (const character of text) {
		if (measureWidth(kept + character) > width - 1) break;
		kept += character;
	}
	return kept + ELLIPSIS;
}

/** Columns on a terminal: a wide character takes two, a combining mark none. */
export function measureWidth(text: string): number {
	let width = 0;
	for (const character of text.replaceAll(/[\p{Mn}\p{Me}\p{Cf}]/gu, ""))
		width += isWide(character.codePointAt(0) as number) ? 2 : 1;
	return width;
}

const isWide = (code: number): boolean =>
	(code >= 0x1100 && code <= 0x115f) ||
	(code >= 0x2e80 && code <= 0xa4cf) ||
	(code >= 0xac00 && code <= 0xd7a3) ||
	(code >= 0xf900 && code <= 0xfaff) ||
	(code >= 0xfe30 && code <= 0xfe6f) ||
	(code >= 0xff00 && code <= 0xff60) ||
	(code >= 0xffe0 && code <= 0xffe6) ||
	(code >= 0x1f300 && code <= 0x1faff) ||
	(code >= 0x20000 && code <= 0x3fffd);
