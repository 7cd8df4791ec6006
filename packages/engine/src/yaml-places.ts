import { isMap, isScalar, isSeq, type LineCounter, type Node, Scalar } from "yaml";
import type { Locate, Spot } from "./diagnostics.ts";

/** Locates spots by line and column. A missing value is located at its parent. */
export function locateInYaml(text: string, contents: unknown, lines: LineCounter): Locate {
	return (spot) => {
		const { line, col } = lines.linePos(spot.sourceOffset ?? findOffset(spot, contents, text));
		const located = { line: Math.max(1, line), column: Math.max(1, col) };
		return { ...located, order: [located.line, located.column] };
	};
}

/** The property name that a YAML key becomes. */
export function toKeyName(key: unknown): string | undefined {
	if (key === null) return "";
	if (!isScalar(key)) return undefined;
	return typeof key.value === "string" ? key.value : (key.source ?? String(key.value ?? ""));
}

function findOffset({ path, key, offset, near }: Spot, contents: unknown, text: string): number {
	let node = contents;
	let start = getStart(node) ?? 0;
	for (const [index, part] of path.entries()) {
		const found = findChild(node, part);
		if (found === undefined) return near === undefined ? start : findOffset(near, contents, text);
		node = found.value;
		const keyStart = getStart(found.key);
		start = (key && index === path.length - 1 ? keyStart : (getStart(node) ?? keyStart)) ?? start;
	}
	return offset !== undefined && isScalar(node) ? findOffsetInScalar(text, node, start, offset) : start;
}

function findChild(node: unknown, part: string | number): { key: unknown; value: unknown } | undefined {
	if (isMap(node)) return node.items.find(({ key }) => toKeyName(key) === part);
	if (!isSeq(node) || typeof part !== "number" || part >= node.items.length) return undefined;
	return { key: null, value: node.items[part] };
}

/** Exact if the source contains the text verbatim; otherwise the start of the scalar. */
function findOffsetInScalar(text: string, node: Scalar, start: number, offset: number): number {
	const value = String(node.value);
	const end = node.range?.[1] ?? start;
	switch (node.type) {
		case Scalar.PLAIN:
			return text.slice(start, end) === value ? start + offset : start;
		case Scalar.QUOTE_DOUBLE:
		case Scalar.QUOTE_SINGLE:
			return text.slice(start + 1, end - 1) === value ? start + 1 + offset : start;
		case Scalar.BLOCK_LITERAL:
			return findOffsetInBlock(text, value.slice(0, offset), start);
		default:
			return start;
	}
}

/** A literal block keeps its lines; only the indentation is not part of the value. */
function findOffsetInBlock(text: string, before: string, start: number): number {
	const body = text.indexOf("\n", start) + 1;
	const indent = /^(?: *\r?\n)*( *)/.exec(text.slice(body))?.[1]?.length ?? 0;
	const linesBefore = before.split("\n");
	let line = body;
	for (let count = 1; count < linesBefore.length; count++) line = text.indexOf("\n", line) + 1;
	return line + indent + (linesBefore.at(-1)?.length ?? 0);
}

const getStart = (node: unknown): number | undefined => (node as Node | null | undefined)?.range?.[0];
