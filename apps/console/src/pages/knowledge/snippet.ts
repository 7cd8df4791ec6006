interface Range {
	readonly start: number;
	readonly end: number;
}

interface Piece {
	readonly at: number;
	readonly text: string;
	readonly isMatch: boolean;
}

/** Splits a text into matching and other pieces. Ranges may touch, overlap or exceed the text. */
export function splitPieces(text: string, matches: readonly Range[]): Piece[] {
	const pieces: Piece[] = [];
	let at = 0;
	for (const { start, end } of [...matches].sort((one, other) => one.start - other.start)) {
		add(start, false);
		add(end, true);
	}
	add(text.length, false);
	return pieces;

	function add(until: number, isMatch: boolean): void {
		const to = Math.min(until, text.length);
		if (to <= at) return;
		pieces.push({ at, text: text.slice(at, to), isMatch });
		at = to;
	}
}

const PREVIEW_LENGTH = 200;

/** The start of the content on one line, so that a list of thousands does not hold whole documents. */
export function buildPreview(content: string): string {
	return content
		.slice(0, PREVIEW_LENGTH * 2)
		.replace(/\s+/g, " ")
		.trim()
		.slice(0, PREVIEW_LENGTH);
}
