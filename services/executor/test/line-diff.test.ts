import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { diffTexts, type Hunk } from "../src/domain/line-diff.ts";
import { compareLines, type DiffLine } from "../src/domain/line-edits.ts";

const pick = (lines: readonly DiffLine[], left: DiffLine["change"]): string[] =>
	lines.filter(({ change }) => change !== left).map(({ text }) => text);

const countChanges = (lines: readonly DiffLine[]): number =>
	lines.filter(({ change }) => change !== "same").length;

/** The length of the longest common subsequence, by the textbook. */
function measureCommon(from: readonly string[], to: readonly string[]): number {
	const table = Array.from({ length: from.length + 1 }, () => new Array<number>(to.length + 1).fill(0));
	for (const [i, a] of from.entries())
		for (const [j, b] of to.entries()) {
			const row = table[i + 1] as number[];
			row[j + 1] = a === b ? (table[i]?.[j] ?? 0) + 1 : Math.max(table[i]?.[j + 1] ?? 0, row[j] ?? 0);
		}
	return table[from.length]?.[to.length] ?? 0;
}

test("lines are compared with the fewest changes", () => {
	const line = fc.constantFrom("a", "b", "c", "d");
	fc.assert(
		fc.property(fc.array(line, { maxLength: 30 }), fc.array(line, { maxLength: 30 }), (from, to) => {
			const lines = compareLines(from, to);
			assert.deepEqual(pick(lines, "added"), from);
			assert.deepEqual(pick(lines, "removed"), to);
			assert.equal(countChanges(lines), from.length + to.length - 2 * measureCommon(from, to));
		}),
		{ numRuns: 500 },
	);
});

/** The text after the changes; fails if a hunk does not lie where it says. */
function apply(text: string, hunks: readonly Hunk[]): string {
	let applied = "";
	let at = 0;
	for (const { from_line, to_line, lines } of hunks) {
		const start = findLine(text, from_line);
		assert.ok(start >= at, "the hunks overlap or are out of order");
		applied += text.slice(at, start);
		assert.equal(applied.length, findLine(applied, to_line));
		at = start;
		for (const { change, text: line } of lines) {
			if (change !== "removed") applied += line;
			if (change === "added") continue;
			assert.equal(text.slice(at, at + line.length), line);
			at += line.length;
		}
		assert.ok(lines.some(({ change }) => change !== "same"));
	}
	return applied + text.slice(at);
}

const findLine = (text: string, line: number): number =>
	text
		.split("\n")
		.slice(0, line - 1)
		.reduce((at, { length }) => at + length + 1, 0);

test("applying the hunks to one text gives the other", () => {
	const lines = fc.array(fc.constantFrom("a\n", "b\n", "\n", "\r\n", "文\n"), { maxLength: 40 });
	const text = fc.tuple(lines, fc.constantFrom("", "a", "b")).map(([all, last]) => all.join("") + last);
	fc.assert(
		fc.property(text, text, (from, to) => assert.equal(apply(from, diffTexts(from, to)), to)),
		{ numRuns: 2_000 },
	);
});

test("applying the hunks of a few changes in a long text gives the other", () => {
	const lines = Array.from({ length: 2_000 }, (_, nth) => `${nth % 50}\n`);
	const change = fc.tuple(fc.nat({ max: 1_999 }), fc.constantFrom("", "0\n", "new\n", "1\n2\n"));
	fc.assert(
		fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
			const changed = [...lines];
			for (const [at, line] of changes) changed[at] = line;
			const hunks = diffTexts(lines.join(""), changed.join(""));
			assert.equal(apply(lines.join(""), hunks), changed.join(""));
			assert.ok(hunks.every((hunk) => hunk.lines.length < 300));
		}),
		{ numRuns: 100 },
	);
});

test("a change shows three unchanged lines on each side", () => {
	const lines = Array.from({ length: 20 }, (_, nth) => `line ${nth + 1}\n`);
	const [hunk, ...more] = diffTexts(lines.join(""), lines.with(9, "changed\n").join(""));
	assert.deepEqual(more, []);
	assert.deepEqual([hunk?.from_line, hunk?.to_line], [7, 7]);
	assert.deepEqual(
		hunk?.lines.map(({ change, text }) => `${change} ${text.trim()}`),
		[
			"same line 7",
			"same line 8",
			"same line 9",
			"removed line 10",
			"added changed",
			"same line 11",
			"same line 12",
			"same line 13",
		],
	);
});

test("a missing end of the last line is a change", () => {
	assert.equal(diffTexts("a\nb", "a\nb\n").length, 1);
	assert.deepEqual(diffTexts("a\nb", "a\nb"), []);
});

const LONG: Readonly<Record<string, readonly [string, string]>> = {
	"a megabyte of line ends": ["\n".repeat(1_048_576), "x\n".repeat(524_288)],
	"100,000 equal lines and one more": [
		"a\n".repeat(100_000),
		`${"a\n".repeat(50_000)}b\n${"a\n".repeat(50_000)}`,
	],
	"no line in common": [number("a", 70_000), number("b", 70_000)],
	"few lines in common": [number("a", 9_000), `${number("b", 4_000)}a 500\n${number("b", 4_000)}`],
	"two lines by turns": ["a\nb\n".repeat(200_000), "b\na\n".repeat(200_000)],
	"the same lines in another order": [vary(3, 9_000), vary(5, 9_000)],
	"one long line": ["x".repeat(1_000_000), `${"x".repeat(999_999)}y`],
	nothing: ["", number("a", 70_000)],
};

function number(name: string, count: number): string {
	return Array.from({ length: count }, (_, nth) => `${name} ${nth}\n`).join("");
}

function vary(seed: number, count: number): string {
	return Array.from({ length: count }, (_, nth) => `${(nth * seed) % 7}\n`).join("");
}

for (const [name, [from, to]] of Object.entries(LONG)) {
	test(`texts are compared within bounds: ${name}`, () => {
		const started = process.cpuUsage();
		const hunks = diffTexts(from, to);
		const { user, system } = process.cpuUsage(started);
		assert.ok(user + system < 200_000, `${(user + system) / 1_000} ms`);
		assert.ok(JSON.stringify(hunks).length < 4_000_000);
		assert.ok(apply(from, hunks) === to);
		assert.ok(apply(to, diffTexts(to, from)) === from);
	});
}
