import {
	type Alias,
	isAlias,
	isMap,
	isScalar,
	isSeq,
	type LineCounter,
	type Node,
	Scalar,
	type YAMLMap,
} from "yaml";
import type { Locate, Spot } from "../diagnostics.ts";

/** The nodes that merged aliases refer to. */
export type Anchors = Map<Alias, Node>;

/** Locates spots by line and column. A missing value is located at its parent. */
export function locateInYaml(text: string, contents: unknown, lines: LineCounter, anchors: Anchors): Locate {
	return (spot) => {
		const { line, col } = lines.linePos(spot.sourceOffset ?? findOffset(spot, { text, contents, anchors }));
		const located = { line: Math.max(1, line), column: Math.max(1, col) };
		return { ...located, order: [located.line, located.column] };
	};
}

/** Whether the key merges other maps into its own; in quotes it is a key like any other. */
export const isMergeKey = (key: unknown): boolean =>
	isScalar(key) && key.value === "<<" && key.type === Scalar.PLAIN;

/** The property name that a YAML key becomes. */
export function toKeyName(key: unknown): string | undefined {
	if (key === null) return "";
	if (!isScalar(key)) return undefined;
	return typeof key.value === "string" ? key.value : (key.source ?? String(key.value ?? ""));
}

interface Parsed {
	readonly text: string;
	readonly contents: unknown;
	readonly anchors: Anchors;
}

function findOffset({ path, key, offset, near }: Spot, parsed: Parsed): number {
	let node = parsed.contents;
	let start = getStart(node) ?? 0;
	for (const [index, part] of path.entries()) {
		const found = findChild(node, part, parsed.anchors);
		if (found === undefined) return near === undefined ? start : findOffset(near, parsed);
		node = found.value;
		const keyStart = getStart(found.key);
		start = (key && index === path.length - 1 ? keyStart : (getStart(node) ?? keyStart)) ?? start;
	}
	return offset !== undefined && isScalar(node)
		? findOffsetInScalar(parsed.text, node, start, offset)
		: start;
}

interface Child {
	readonly key: unknown;
	readonly value: unknown;
}

function findChild(node: unknown, part: string | number, anchors: Anchors): Child | undefined {
	if (isMap(node)) return findEntry(node, part, anchors, new Set());
	if (!isSeq(node) || typeof part !== "number" || part >= node.items.length) return undefined;
	return { key: null, value: node.items[part] };
}

/** Maps that are searched for one key. */
const MAX_MERGED_MAPS = 100;

/** An entry of a map or, if it has none of that name, of the maps that are merged into it. */
function findEntry(
	map: YAMLMap,
	part: string | number,
	anchors: Anchors,
	seen: Set<unknown>,
): Child | undefined {
	const own = map.items.find(({ key }) => toKeyName(key) === part);
	if (own !== undefined || seen.has(map) || seen.size === MAX_MERGED_MAPS) return own;
	seen.add(map);
	for (const { key, value } of map.items) {
		if (!isMergeKey(key)) continue;
		for (const each of isSeq(value) ? value.items : [value]) {
			const merged = isAlias(each) ? anchors.get(each) : each;
			const found = isMap(merged) ? findEntry(merged, part, anchors, seen) : undefined;
			if (found !== undefined) return found;
		}
	}
	return undefined;
}

/** Exact for a text on one line and for a literal block; otherwise the start of the scalar. */
function findOffsetInScalar(text: string, node: Scalar, start: number, offset: number): number {
	const value = String(node.value);
	const end = node.range?.[1] ?? start;
	switch (node.type) {
		case Scalar.PLAIN:
			return text.slice(start, end) === value ? start + offset : start;
		case Scalar.QUOTE_DOUBLE:
		case Scalar.QUOTE_SINGLE:
			return start + findOffsetInQuotes(text.slice(start, end), value, offset);
		case Scalar.BLOCK_LITERAL:
			return findOffsetInBlock(text, value, start, offset);
		default:
			return start;
	}
}

const ESCAPE = /''|\\(?:x..|u....|U.{8}|.)/y;

/** Skips the escapes before the offset, which are longer than what they stand for. */
function findOffsetInQuotes(quoted: string, value: string, offset: number): number {
	if (quoted.slice(1, -1) === value) return 1 + offset;
	if (quoted.includes("\n")) return 0;
	const isDouble = quoted.startsWith('"');
	let at = 1;
	for (let done = 0; done < offset && at < quoted.length; done++) {
		ESCAPE.lastIndex = at;
		const isEscape = quoted[at] === (isDouble ? "\\" : "'");
		const [skipped = " "] = (isEscape ? ESCAPE.exec(quoted) : null) ?? [];
		at += skipped.length;
	}
	return at;
}

/** A literal block keeps its lines; only the indentation is not part of the value. */
function findOffsetInBlock(text: string, value: string, start: number, offset: number): number {
	const body = text.indexOf("\n", start) + 1;
	const linesBefore = value.slice(0, offset).split("\n");
	let line = body;
	for (let count = 1; count < linesBefore.length; count++) line = text.indexOf("\n", line) + 1;
	return line + measureIndent(text.slice(body), value) + (linesBefore.at(-1)?.length ?? 0);
}

/** The first line that is not empty shows how much of it is indentation. */
function measureIndent(body: string, value: string): number {
	const written = /^[ \t]*\S.*$/m.exec(body)?.[0].trimEnd() ?? "";
	const read = /^[ \t]*\S.*$/m.exec(value)?.[0].trimEnd() ?? "";
	return Math.max(0, written.length - read.length);
}

const getStart = (node: unknown): number | undefined => (node as Node | null | undefined)?.range?.[0];
