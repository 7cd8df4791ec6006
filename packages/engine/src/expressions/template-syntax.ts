import type { Meter } from "../meter.ts";
import { MAX_PROBLEMS, type TextProblem } from "./problem.ts";
import {
	CLOSE,
	countPaths,
	OPEN,
	type Reference,
	ReferenceParser,
	SyntaxProblem,
} from "./reference-syntax.ts";

/** Includes compiling it. */
const UNITS_PER_REFERENCE = 200;

/** A part of a template: literal text or a reference. */
type Piece = string | Reference;

export function parseTemplate(text: string, meter: Meter): { pieces: Piece[]; problems: TextProblem[] } {
	const pieces: Piece[] = [];
	const problems: TextProblem[] = [];
	let at = 0;
	while (at < text.length && problems.length < MAX_PROBLEMS) {
		meter.spend(UNITS_PER_REFERENCE);
		const open = text.indexOf(OPEN, at);
		if (open === -1) {
			pieces.push(text.slice(at));
			break;
		}
		if (open > at) pieces.push(text.slice(at, open));
		const parser = new ReferenceParser(text, open + OPEN.length);
		try {
			const reference = parser.reference(open);
			meter.spend(UNITS_PER_REFERENCE * Math.max(0, countPaths(reference) - 1));
			pieces.push(reference);
			at = parser.at;
		} catch (error) {
			if (!(error instanceof SyntaxProblem)) throw error;
			problems.push({
				code: "bad_template",
				message: error.message,
				offset: error.offset,
				...(error.hint === undefined ? {} : { hint: error.hint }),
			});
			// Continue after the broken reference, so that one pass reports every problem.
			const close = text.indexOf(CLOSE, Math.max(error.offset, open + OPEN.length));
			at = close === -1 ? text.length : close + CLOSE.length;
		}
	}
	return { pieces, problems };
}
