import assert from "node:assert/strict";
import { test } from "node:test";
import { type Row, toSections, toUnified } from "../../src/pages/workflow/versions/diff-rows.ts";

type Line = ReturnType<typeof line>;
const line = (change: "same" | "removed" | "added", text: string) => ({ change, text });
const same = (text: string) => line("same", `${text}\n`);
const removed = (text: string) => line("removed", `${text}\n`);
const added = (text: string) => line("added", `${text}\n`);
const hunk = (from_line: number, to_line: number, ...lines: Line[]) => ({ from_line, to_line, lines });
const show = (rows: readonly Row[] = []) =>
	rows.map(({ from, to }) => [from && `${from.line} ${from.text}`, to && `${to.line} ${to.text}`]);
const buildRows = (...lines: Line[]) => toSections([hunk(1, 1, ...lines)])[0]?.rows ?? [];

test("puts a changed line next to the one that replaced it", () => {
	const rows = buildRows(same("a"), removed("b"), removed("c"), added("B"), same("d"));
	assert.deepEqual(show(rows), [
		["1 a", "1 a"],
		["2 b", "2 B"],
		["3 c", null],
		["4 d", "3 d"],
	]);
});

test("counts the unchanged lines before and between sections", () => {
	const sections = toSections([hunk(4, 4, same("a"), added("b")), hunk(20, 21, removed("c"))]);
	assert.deepEqual(
		sections.map(({ skipped }) => skipped),
		[3, 15],
	);
	assert.deepEqual(show(sections[1]?.rows), [["20 c", null]]);
});

test("shows removed lines before the ones that replace them if there is one column", () => {
	const rows = toUnified(
		buildRows(removed("a"), removed("b"), added("A"), added("B"), same("c"), added("d")),
	);
	assert.deepEqual(show(rows), [
		["1 a", null],
		["2 b", null],
		[null, "1 A"],
		[null, "2 B"],
		["3 c", "3 c"],
		[null, "4 d"],
	]);
});

test("marks the part of a line that differs", () => {
	const marked = (one: string, other: string) => {
		const [row] = buildRows(removed(one), added(other));
		return [row?.from, row?.to].map((cell) => cell?.marked && cell.text.slice(...cell.marked));
	};
	assert.deepEqual(marked("text: one", "text: two"), ["one", "two"]);
	assert.deepEqual(marked("text: one", "text: one more"), [null, " more"]);
	assert.deepEqual(marked("abc", "xyz"), [null, null]);
	assert.deepEqual(marked("say 😀!", "say 😁!"), ["😀", "😁"]);
	assert.deepEqual(marked("  a", "  b"), [null, null]);
});

test("tells a last line without a line break", () => {
	const [row] = buildRows(line("removed", "end"), line("added", "end\r\n"));
	assert.deepEqual([row?.from?.isOpen, row?.to?.isOpen, row?.to?.text], [true, false, "end"]);
});
