import { flag, integer, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { object, params } from "../schema.ts";

export const textDiff = code({
	id: "text_diff",
	title: "Difference of two texts",
	description: `Compares two texts line by line and gives a unified diff, as \`diff -u\` and \`git\` write it, with the number of lines that came and went.

Use it to tell people what changed on a page, in a file or in a setting: keep the last text with \`kb_upsert\`, compare, and go on only when \`changed\` is true. \`patch\` and \`git apply\` take the result.

Of very different texts (more than 500 changed lines in one place) the changed part is shown as a whole block, which is still a correct diff.`,
	tags: ["text", "diff", "monitoring"],
	params: params(
		{
			before: text("The old text", { maxLength: 200_000 }),
			after: text("The new text", { maxLength: 200_000 }),
			context: integer("Equal lines to show around each change", { minimum: 0, maximum: 100, default: 3 }),
			before_name: text("Name of the old text", { default: "before", maxLength: 200 }),
			after_name: text("Name of the new text", { default: "after", maxLength: 200 }),
		},
		["before", "after"],
	),
	output: object(
		{
			changed: flag("Whether there is any difference"),
			added: integer("Lines only in the new text"),
			removed: integer("Lines only in the old text"),
			diff: text("The unified diff; empty if nothing changed"),
		},
		"The difference",
	),
	code: String.raw`
const MOST_EDITS = 500;
const linesOf = (text) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const edits = compare(linesOf(input.before), linesOf(input.after));
const added = edits.filter(([sign]) => sign === "+").length;
const removed = edits.filter(([sign]) => sign === "-").length;
if (added + removed === 0) return { changed: false, added, removed, diff: "" };
const oneLine = (name) => name.replace(/[\r\n]+/g, " ");
const header = "--- " + oneLine(input.before_name) + "\n+++ " + oneLine(input.after_name) + "\n";
return { changed: true, added, removed, diff: header + hunksOf(edits, input.context).map(written).join("") };

/** All lines in order, each as [" ", "-" or "+", line]. */
function compare(a, b) {
	let start = 0;
	while (start < a.length && start < b.length && a[start] === b[start]) start++;
	let end = 0;
	while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
	const middle = shortestEdits(a.slice(start, a.length - end), b.slice(start, b.length - end));
	const same = (line) => [" ", line];
	return [...a.slice(0, start).map(same), ...middle, ...a.slice(a.length - end).map(same)];
}

/** Myers: the furthest place on each diagonal by the number of edits so far. */
function shortestEdits(a, b) {
	const whole = [...a.map((line) => ["-", line]), ...b.map((line) => ["+", line])];
	if (a.length === 0 || b.length === 0) return whole;
	const most = Math.min(a.length + b.length, MOST_EDITS);
	const zero = most + 1;
	const furthest = new Int32Array(2 * most + 3);
	const history = [];
	for (let edits = 0; edits <= most; edits++) {
		history.push(furthest.slice(zero - edits - 1, zero + edits + 2));
		for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
			const left = furthest[zero + diagonal - 1];
			const above = furthest[zero + diagonal + 1];
			let x = diagonal === -edits || (diagonal !== edits && left < above) ? above : left + 1;
			let y = x - diagonal;
			while (x < a.length && y < b.length && a[x] === b[y]) {
				x++;
				y++;
			}
			furthest[zero + diagonal] = x;
			if (x >= a.length && y >= b.length) return wayBack(a, b, history);
		}
	}
	return whole;
}

function wayBack(a, b, history) {
	const found = [];
	let x = a.length;
	let y = b.length;
	for (let edits = history.length - 1; edits > 0; edits--) {
		const at = (diagonal) => history[edits][diagonal + edits + 1];
		const diagonal = x - y;
		const isDown = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
		const fromX = at(isDown ? diagonal + 1 : diagonal - 1);
		const fromY = fromX - (isDown ? diagonal + 1 : diagonal - 1);
		while (x > fromX && y > fromY) {
			found.push([" ", a[--x]]);
			y--;
		}
		found.push(isDown ? ["+", b[--y]] : ["-", a[--x]]);
	}
	while (x > 0) found.push([" ", a[--x]]);
	return found.reverse();
}

/** Changes with the equal lines around them; what overlaps is one hunk. */
function hunksOf(edits, context) {
	const hunks = [];
	let hunk = null;
	let lastChange = -1;
	let oldLine = 1;
	let newLine = 1;
	edits.forEach(([sign], place) => {
		if (sign !== " ") {
			if (hunk === null || place - lastChange > 2 * context + 1) {
				const from = Math.max(place - context, 0);
				hunk = { from, to: place, oldStart: oldLine - (place - from), newStart: newLine - (place - from) };
				hunks.push(hunk);
			}
			hunk.to = place;
			lastChange = place;
		}
		if (sign !== "+") oldLine++;
		if (sign !== "-") newLine++;
	});
	return hunks.map(({ from, to, oldStart, newStart }) => ({
		oldStart,
		newStart,
		lines: edits.slice(from, to + context + 1),
	}));
}

function written({ oldStart, newStart, lines }) {
	const range = (start, other) => {
		const count = lines.filter(([sign]) => sign !== other).length;
		if (count === 1) return String(start);
		return (count === 0 ? start - 1 : start) + "," + count;
	};
	const body = lines.map(
		([sign, line]) => sign + line + (line.endsWith("\n") ? "" : "\n\\ No newline at end of file\n"),
	);
	return "@@ -" + range(oldStart, "+") + " +" + range(newStart, "-") + " @@\n" + body.join("");
}
`,
	examples: [
		{
			title: "A line changed and one added",
			params: {
				before: "tea\nmilk\nsugar\n",
				after: "tea\noat milk\nsugar\nhoney\n",
				before_name: "list (Monday)",
				after_name: "list (Tuesday)",
			},
			output: {
				changed: true,
				added: 2,
				removed: 1,
				diff: "--- list (Monday)\n+++ list (Tuesday)\n@@ -1,3 +1,4 @@\n tea\n-milk\n+oat milk\n sugar\n+honey\n",
			},
		},
		{
			title: "No newline at the end",
			params: { before: "a\nb", after: "a\nb\n", context: 0 },
			output: {
				changed: true,
				added: 1,
				removed: 1,
				diff: "--- before\n+++ after\n@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+b\n",
			},
		},
		{
			title: "Nothing changed",
			params: { before: "same\n", after: "same\n" },
			output: { changed: false, added: 0, removed: 0, diff: "" },
		},
	],
});
