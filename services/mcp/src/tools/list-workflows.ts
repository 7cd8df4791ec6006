import { WorkflowTag } from "@tripline/contract/workflows";
import * as z from "zod";
import { shorten } from "./budget.ts";
import { defineTool } from "./define-tool.ts";
import { readDeleted } from "./deleted-workflows.ts";
import { cursor, limit, MAX_PAGE_CHARS, next, nextCursor } from "./fields.ts";
import { filterMatching } from "./matching.ts";
import { pickPage } from "./pages.ts";
import type { ToolContext } from "./tool.ts";

const MAX_FOUND = 100;
/** Leaves room for the rest of the answer. */
const MAX_LIST_CHARS = MAX_PAGE_CHARS - 1_000;

type Listed = Awaited<
	ReturnType<ToolContext["executor"]["workflows"]["listWithLatestRuns"]>
>["workflows"][number];

export const listWorkflows = defineTool({
	name: "list_workflows",
	title: "List workflows",
	description:
		"Lists the saved workflows with their triggers and latest runs, by name; with query, best matches first, by words and by meaning. Use it before you write a new workflow.",
	hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
	input: z
		.strictObject({
			query: z.string().min(1).max(1_000).optional().meta({ description: "What the workflow is about" }),
			tag: WorkflowTag.optional().meta({ description: "Only workflows with this tag" }),
			deleted: z.boolean().default(false).meta({ description: "List deleted ones that can be restored" }),
			limit: limit(20, 100),
			cursor,
		})
		.refine(({ query, tag, deleted }) => (query ?? tag) === undefined || !deleted, {
			message: "query and tag cannot be used with deleted",
		}),
	output: z.object({
		workflows: z.array(
			z.object({
				name: z.string(),
				description: z.string(),
				tags: z.array(z.string()),
				trigger: z.string().nullable(),
				cron: z.string().nullable(),
				event: z.string().nullable(),
				exposed: z.boolean(),
				enabled: z.boolean(),
				last_run: z.object({ time: z.string(), verdict: z.string(), error: z.string() }).nullable(),
			}),
		),
		deleted: z.array(z.object({ name: z.string(), deleted_at: z.string(), purged_at: z.string() })),
		total: z.int(),
		next_cursor: nextCursor,
		next,
	}),
	async call({ query, tag, deleted, ...page }, context) {
		if (deleted) return { structured: await listDeleted(page, context) };
		const { workflows } = await context.executor.workflows.listWithLatestRuns({ tag });
		const wanted =
			query === undefined ? workflows.toSorted(compareNames) : await findMatching(workflows, query, context);
		const { items, next_cursor } = pickPage(wanted.map(toItem), ({ name }) => name, {
			...page,
			room: MAX_LIST_CHARS,
		});
		return {
			structured: {
				workflows: items,
				deleted: [],
				total: wanted.length,
				next_cursor,
				next: nextStep(items.length, query ?? tag),
			},
		};
	},
});

async function listDeleted(
	page: { readonly limit: number; readonly cursor?: string | undefined },
	context: ToolContext,
) {
	const all = await readDeleted(context);
	const { items, next_cursor } = pickPage(all, ({ id }) => id, { ...page, room: MAX_LIST_CHARS });
	return {
		workflows: [],
		deleted: items.map(({ name, deleted_at, purged_at }) => ({ name, deleted_at, purged_at })),
		total: all.length,
		next_cursor,
		next: all.length === 0 ? "None can be restored." : "rollback_workflow restores one by its name.",
	};
}

/** Search results first, then matches by name and description, because not every workflow is in the store. */
async function findMatching(
	workflows: readonly Listed[],
	query: string,
	{ store, namespace, signal }: ToolContext,
): Promise<Listed[]> {
	const request = {
		owner_id: namespace,
		q: query.toWellFormed(),
		entry_types: ["workflow"],
		limit: MAX_FOUND,
	};
	const found = await store.search(request, { signal });
	const byNames = new Map(workflows.map((workflow) => [workflow.name, workflow]));
	const hits = found.flatMap(({ page_name }) => byNames.get(page_name) ?? []);
	const named = filterMatching(workflows, query, ({ name, description }) => [name, description]);
	return [...new Set([...hits, ...named])];
}

const toItem = ({
	name,
	description,
	tags,
	trigger,
	cron_expr,
	expose,
	enabled,
	last_execution,
}: Listed) => ({
	name,
	description: shorten(description, 200),
	tags,
	trigger: trigger?.type ?? null,
	cron: cron_expr,
	event: trigger?.event ?? null,
	exposed: expose,
	enabled,
	last_run: last_execution && {
		time: last_execution.time,
		verdict: last_execution.verdict,
		error: shorten(last_execution.error, 200),
	},
});

/** Compares code units, so that the order does not depend on the locale. */
const compareNames = (one: Listed, other: Listed): number =>
	one.name < other.name ? -1 : one.name > other.name ? 1 : 0;

function nextStep(count: number, filter: string | undefined): string {
	if (count > 0) return "get_workflow returns a definition, run_workflow runs it.";
	if (filter === undefined) return "There are no workflows yet: create one with save_workflow.";
	return "No match: try other words, or omit query and tag to list all.";
}
