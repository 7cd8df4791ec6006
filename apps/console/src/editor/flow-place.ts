import { ITEM, type Path, type Place } from "./place.ts";
import { unquote } from "./yaml-line.ts";

interface Frame {
	readonly path: Path;
	readonly isList: boolean;
	readonly keys: string[];
	key: string | null;
	start: number;
}

/** The place at the end of a text in flow style, such as `{ type: schedule, cr`. One line only. */
export function findFlowPlace(text: string, base: Path, offset: number): Place | null {
	const frames: Frame[] = [];
	let quote: string | null = null;
	for (let at = 0; at < text.length; at++) {
		const char = text.charAt(at);
		const frame = frames.at(-1);
		if (quote !== null) {
			if (quote === '"' && char === "\\") at++;
			else if (char === quote) quote = null;
		} else if ((char === '"' || char === "'") && text.slice(frame?.start ?? 0, at).trim() === "")
			quote = char;
		else if (char === "{" || char === "[") {
			const path = frame === undefined ? base : getInnerPath(frame);
			frames.push({ path, isList: char === "[", keys: [], key: null, start: at + 1 });
		} else if (char === "}" || char === "]") frames.pop();
		else if (frame === undefined) continue;
		else if (char === ",") {
			frame.key = null;
			frame.start = at + 1;
		} else if (char === ":" && !frame.isList && frame.key === null && /^(?:\s|$)/.test(text.slice(at + 1))) {
			frame.key = unquote(text.slice(frame.start, at).trim());
			frame.keys.push(frame.key);
			frame.start = at + 1;
		}
	}
	const frame = frames.at(-1);
	if (frame === undefined) return null;
	const written = text.slice(frame.start);
	const from = offset + frame.start + (written.length - written.trimStart().length);
	if (!frame.isList && frame.key === null)
		return { kind: "key", path: frame.path, from, siblings: frame.keys, isCompact: true };
	return { kind: "value", path: getInnerPath(frame), from };
}

const getInnerPath = (frame: Frame): Path => [...frame.path, frame.isList ? ITEM : (frame.key ?? "")];
