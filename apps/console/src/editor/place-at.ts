import { findFlowPlace } from "./flow-place.ts";
import { ITEM, type Lines, type Path, type Place } from "./place.ts";
import { parseYamlLine, type YamlLine } from "./yaml-line.ts";

/** The syntactic place of a position; null if there is nothing to complete. */
export function findPlace(doc: Lines, number: number, column: number): Place | null {
	const before = doc.line(number).text.slice(0, column);
	const line = parseYamlLine(before);
	const { path: above, isText } = findParents(
		doc,
		number,
		line.dashes[0] ?? line.column,
		line.dashes.length > 0,
	);
	const path = [...above, ...line.dashes.map(() => ITEM)];
	const template = isText || !isComment(before) ? findOpenTemplate(before) : null;
	const key = line.key ?? path.at(-1);
	if (template !== null && key !== "code")
		return { kind: "template", path: line.key === null || isText ? path : [...path, line.key], ...template };
	if (isText || isComment(before)) return null;
	if (isTriplets(path)) return findTripletPlace(before, line.column);
	const inner = line.key === null ? path : [...path, line.key];
	if (/^[{[]/.test(line.value)) {
		const found = findFlowPlace(line.value, inner, line.valueColumn);
		return found?.kind === "value" && isTriplets(found.path) ? findTripletPlace(before, found.from) : found;
	}
	if (line.key !== null) return { kind: "value", path: inner, from: line.valueColumn };
	return { kind: "key", path, from: line.column, siblings: siblings(doc, number, line), isCompact: false };
}

/** The parent keys of a line, by indentation. A block scalar is a single value, whatever its lines look like. */
function findParents(
	doc: Lines,
	number: number,
	column: number,
	isItem: boolean,
): { path: Path; isText: boolean } {
	let path: string[] = [];
	let isText = false;
	let limit = column;
	let isLimitDash = isItem;
	for (let at = number - 1; at >= 1 && (limit > 0 || isLimitDash); at--) {
		const line = parseYamlLine(doc.line(at).text);
		if (line.isEmpty) continue;
		// A list may be indented to the same column as its key.
		const isAbove = line.column < limit || (isLimitDash && line.column === limit && line.dashes.length === 0);
		if (line.key !== null && isAbove) {
			if (line.isBlock) {
				path = [];
				isText = true;
			}
			path.unshift(line.key);
			limit = line.column;
			isLimitDash = false;
		}
		for (const dash of line.dashes.toReversed()) {
			if (dash >= limit) continue;
			path.unshift(ITEM);
			limit = dash;
			isLimitDash = true;
		}
	}
	return { path, isText };
}

/** The other keys of the mapping that a line belongs to. */
function siblings(doc: Lines, number: number, { column }: YamlLine): string[] {
	const keys: string[] = [];
	for (const step of [-1, 1]) {
		for (let at = number + step; at >= 1 && at <= doc.lines; at += step) {
			const line = parseYamlLine(doc.line(at).text);
			if (line.isEmpty) continue;
			if (line.column < column) break;
			// Keys of another list element are not siblings.
			if (step === 1 && line.dashes.length > 0) break;
			if (line.column === column && line.key !== null) keys.push(line.key);
			if (step === -1 && line.dashes.length > 0) break;
		}
	}
	return keys;
}

const isTriplets = (path: Path): boolean =>
	path.length === 2 && (path[0] === "triplets" || path[0] === "flow") && path[1] === ITEM;

function findTripletPlace(before: string, column: number): Place | null {
	const written = before.slice(column);
	const start = column + (/^["']/.test(written) ? 1 : 0);
	const parts = before.slice(start).split(">>");
	const last = parts.at(-1) ?? "";
	const part = parts.length - 1;
	if (part > 2) return null;
	return {
		kind: "triplet",
		part: part as 0 | 1 | 2,
		from: before.length - last.trimStart().length,
	};
}

function findOpenTemplate(before: string): { from: number; text: string } | null {
	const open = before.lastIndexOf("{{");
	if (open < 0 || before.indexOf("}}", open) >= 0) return null;
	return { from: open + 2, text: before.slice(open + 2) };
}

function isComment(before: string): boolean {
	const hash = before.search(/(?:^|\s)#/);
	if (hash < 0) return false;
	const quotes = before.slice(0, hash).replaceAll(/\\./g, "");
	return (quotes.split('"').length - 1) % 2 === 0 && (quotes.split("'").length - 1) % 2 === 0;
}
