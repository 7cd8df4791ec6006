import type { Json } from "@tripline/contract/json";
import { toPrintable } from "./printable.ts";

interface Line {
	readonly sign: " " | "+" | "-";
	readonly text: string;
}

/** Unchanged lines shown before and after a change. */
const CONTEXT_LINES = 2;
/** The comparison costs the product of both line counts; above this all lines are shown as removed and added. */
const MAX_COMPARISONS = 4_000_000;

/** Renders a document as lines with one value each. */
export function renderDocument(value: Json, indent = ""): string[] {
	if (Array.isArray(value)) return value.flatMap((item) => renderEntry("-", item, indent));
	if (typeof value !== "object" || value === null) return [indent + JSON.stringify(value)];
	return Object.entries(value).flatMap(([key, item]) => renderEntry(`${renderKey(key)}:`, item, indent));
}

function renderEntry(label: string, value: Json, indent: string): string[] {
	const below = `${indent}  `;
	if (typeof value === "string" && value.includes("\n"))
		return [`${indent}${label} |`, ...value.split("\n").map((line) => below + toPrintable(line))];
	if (typeof value !== "object" || value === null || Object.keys(value).length === 0)
		return [`${indent}${label} ${JSON.stringify(value)}`];
	return [`${indent}${label}`, ...renderDocument(value, below)];
}

const renderKey = (key: string): string => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key));

/** The changed lines with a little context; empty if both are equal. */
export function diffLines(before: readonly string[], after: readonly string[]): string[] {
	const lines = findChanges(before, after);
	const isShown = lines.map((_, at) =>
		lines.slice(Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1).some(({ sign }) => sign !== " "),
	);
	return lines.flatMap(({ sign, text }, at) => {
		if (isShown[at]) return [`${sign} ${text}`];
		return at > 0 && isShown[at - 1] && isShown.includes(true, at) ? ["  …"] : [];
	});
}

function findChanges(before: readonly string[], after: readonly string[]): Line[] {
	let start = 0;
	while (start < before.length && start < after.length && before[start] === after[start]) start++;
	let end = 0;
	while (
		end < before.length - start &&
		end < after.length - start &&
		before[before.length - 1 - end] === after[after.length - 1 - end]
	)
		end++;
	return [
		...toLines(" ", before.slice(0, start)),
		...compareLines(before.slice(start, before.length - end), after.slice(start, after.length - end)),
		...toLines(" ", before.slice(before.length - end)),
	];
}

const toLines = (sign: Line["sign"], lines: readonly string[]): Line[] =>
	lines.map((text) => ({ sign, text }));

/** Compares by the longest common subsequence. */
function compareLines(before: readonly string[], after: readonly string[]): Line[] {
	if (before.length * after.length > MAX_COMPARISONS)
		return [...toLines("-", before), ...toLines("+", after)];
	const width = after.length + 1;
	const common = new Uint32Array((before.length + 1) * width);
	const at = (one: number, other: number) => common[one * width + other] as number;
	for (let one = before.length - 1; one >= 0; one--)
		for (let other = after.length - 1; other >= 0; other--)
			common[one * width + other] =
				before[one] === after[other]
					? at(one + 1, other + 1) + 1
					: Math.max(at(one + 1, other), at(one, other + 1));
	const lines: Line[] = [];
	let [one, other] = [0, 0];
	while (one < before.length && other < after.length) {
		if (before[one] === after[other]) {
			lines.push({ sign: " ", text: before[one++] as string });
			other++;
		} else if (at(one + 1, other) >= at(one, other + 1))
			lines.push({ sign: "-", text: before[one++] as string });
		else lines.push({ sign: "+", text: after[other++] as string });
	}
	return [...lines, ...toLines("-", before.slice(one)), ...toLines("+", after.slice(other))];
}
