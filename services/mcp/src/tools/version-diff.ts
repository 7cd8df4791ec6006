import type { WorkflowDiff } from "@tripline/contract/workflow-versions";
import { takeBeginning } from "./budget.ts";

/** Leaves room for the rest of an answer. */
const MAX_DIFF_CHARS = 16_000;

type Hunk = WorkflowDiff["hunks"][number];

const SIGNS = { same: " ", removed: "-", added: "+" } as const;

/** As a unified diff; empty if both texts are equal. */
export const renderDiff = ({ from, to, hunks }: WorkflowDiff): string =>
	hunks.length === 0 ? "" : `--- version ${from}\n+++ version ${to}\n${hunks.map(renderHunk).join("")}`;

function renderHunk({ from_line, to_line, lines }: Hunk): string {
	const count = (without: Hunk["lines"][number]["change"]) =>
		lines.filter(({ change }) => change !== without).length;
	const head = `@@ -${from_line},${count("added")} +${to_line},${count("removed")} @@\n`;
	return head + lines.map(({ change, text }) => SIGNS[change] + endLine(text)).join("");
}

const endLine = (text: string): string =>
	text.endsWith("\n") ? text : `${text}\n\\ No newline at end of file\n`;

/** As much of it as fits into an answer, and where to read on; null at the end. */
export function cutDiff(diff: string, start = 0): { readonly part: string; readonly end: number | null } {
	const rest = diff.slice(start);
	const part = takeBeginning(rest, MAX_DIFF_CHARS);
	return { part, end: part.length === rest.length ? null : start + part.length };
}
