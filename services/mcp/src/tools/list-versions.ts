import type { WorkflowDiff } from "@tripline/contract/workflow-versions";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { cursor, next, nextCursor } from "./fields.ts";
import type { ToolContext } from "./tool.ts";
import { cutDiff, renderDiff } from "./version-diff.ts";
import { createVersionNotFound, versionNumber, workflowName } from "./workflow-name.ts";

/** At most 900 characters each, so a page fits into an answer. */
const PAGE_SIZE = 20;
/** Both versions and where to start: the current version may change between two parts of a diff. */
const DIFF_CURSOR = /^([1-9]\d{0,14})-([1-9]\d{0,14})-(\d{1,9})$/;

interface Asked {
	readonly from: number | undefined;
	readonly to: number | undefined;
	readonly start?: number;
}

export const listVersions = defineTool({
	name: "list_versions",
	title: "List versions",
	description:
		"Lists a workflow's versions, newest first: when, by whom and with which client each was saved. With from or to, returns the diff of two versions instead.",
	hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
	input: z.strictObject({
		name: workflowName,
		from: versionNumber("Default: the one before to").optional(),
		to: versionNumber("Default: current").optional(),
		cursor,
	}),
	output: z.object({
		versions: z.array(
			z.object({
				version_number: z.int(),
				created_at: z.string(),
				author: z.string().nullable(),
				client: z.string().nullable(),
			}),
		),
		diff: z.string().nullable(),
		next_cursor: nextCursor,
		next,
	}),
	async call({ name, from, to, cursor }, context) {
		const asked = parseDiffCursor(cursor) ?? { from, to };
		const isDiff = asked.from !== undefined || asked.to !== undefined;
		return { structured: await (isDiff ? describeDiff(name, asked, context) : list(name, cursor, context)) };
	},
});

function parseDiffCursor(cursor: string | undefined): Asked | null {
	const [, from, to, start] = DIFF_CURSOR.exec(cursor ?? "")?.map(Number) ?? [];
	return start === undefined ? null : { from, to, start };
}

async function list(name: string, cursor: string | undefined, context: ToolContext) {
	const page = await context.executor.versions.list(name, { limit: PAGE_SIZE, cursor });
	if (page === null) throw await createVersionNotFound(name, context);
	const versions = page.versions.map(({ number, created_at, author, client }) => ({
		version_number: number,
		created_at,
		author,
		client,
	}));
	return { versions, diff: null, next_cursor: page.next_cursor, next: describeNext() };

	function describeNext(): string {
		const [newest, before] = versions;
		if (newest === undefined) return "It has no versions yet: its next change makes the first.";
		if (before === undefined) return "There is nothing to compare or to go back to.";
		const pair = { name, from: before.version_number, to: newest.version_number };
		return `See a change: list_versions ${JSON.stringify(pair)}. Go back: ${renderRollback(name, before.version_number)}.`;
	}
}

async function describeDiff(name: string, { start, ...sides }: Asked, context: ToolContext) {
	const compared = await context.executor.versions.diff(name, sides);
	if (compared === null) throw await createVersionNotFound(name, context);
	const { part, end } = cutDiff(renderDiff(compared), start);
	const { from, to } = compared;
	return {
		versions: [],
		diff: part,
		next_cursor: end === null ? null : `${from}-${to}-${end}`,
		next: end === null ? describeNext(compared) : "The diff is truncated: read on with next_cursor.",
	};

	function describeNext({ hunks }: WorkflowDiff): string {
		if (hunks.length === 0) return "Both versions have the same text.";
		return typeof from === "number" ? `Go back: ${renderRollback(name, from)}.` : "";
	}
}

const renderRollback = (name: string, version_number: number): string =>
	`rollback_workflow ${JSON.stringify({ name, version_number })}`;
