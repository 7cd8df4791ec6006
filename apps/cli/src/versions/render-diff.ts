import type { WorkflowDiff } from "@tripline/contract/workflow-versions";
import type { Io } from "../io.ts";
import { toPrintable } from "../printable.ts";
import { applyStyle, colourDiffLine } from "../style.ts";

type Hunk = WorkflowDiff["hunks"][number];
type Line = Hunk["lines"][number];

const SIGNS = { same: " ", removed: "-", added: "+" } as const;

/** In the unified format, followed by the changed nodes. */
export function renderDiff(io: Io, { hunks, nodes }: Pick<WorkflowDiff, "hunks" | "nodes">): string[] {
	return [...hunks.flatMap((hunk) => renderHunk(io, hunk)), ...renderNodes(nodes)];
}

function renderHunk(io: Io, { from_line, to_line, lines }: Hunk): string[] {
	const from = lines.filter(({ change }) => change !== "added").length;
	const to = lines.filter(({ change }) => change !== "removed").length;
	return [
		applyStyle(io, "dim", `@@ -${from_line},${from} +${to_line},${to} @@`),
		...lines.flatMap((line) => renderLine(io, line)),
	];
}

function renderLine(io: Io, { change, text }: Line): string[] {
	const line = colourDiffLine(io, SIGNS[change] + toPrintable(text.replace(/\r?\n$/, "")));
	return text.endsWith("\n") ? [line] : [line, "\\ No newline at end of file"];
}

function renderNodes(nodes: WorkflowDiff["nodes"]): string[] {
	return Object.entries(nodes ?? {}).flatMap(([change, ids]) =>
		ids.length === 0 ? [] : [`${change} nodes: ${ids.map(toPrintable).join(", ")}`],
	);
}
