import { DeletedAnswer } from "@tripline/contract/entries";
import { notFound } from "@tripline/contract/failures";
import { OwnedWorkflow, SaveDraftQuery, WorkflowDraft } from "@tripline/contract/workflow-versions";
import { unixSeconds } from "@tripline/platform/clock";
import { readText } from "@tripline/web/body";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import { assertInternal, type Caller, nameChange } from "../domain/callers.ts";
import type { StoreParts } from "./deps.ts";
import { toIso } from "./workflows.ts";

const tag = "Workflows";

/** For internal callers: a draft is a text that only they can read. */
export function workflowDraftRoutes({ workflowDrafts, clock, settings }: StoreParts): Route<Caller>[] {
	return [
		route({
			method: "GET",
			path: "/workflows/draft",
			tag,
			summary: "A workflow's draft",
			description: "Internal callers only.",
			query: OwnedWorkflow,
			responses: { 200: { description: "The draft", body: WorkflowDraft } },
			async handle({ caller, query }) {
				assertInternal(caller);
				return reply(200, toDraft(await workflowDrafts.get(query.owner_id, query.name)));
			},
		}),
		route({
			method: "PUT",
			path: "/workflows/draft",
			tag,
			summary: "Save a workflow's draft",
			description: "Internal callers only. The text is not compiled.",
			query: SaveDraftQuery,
			accepts: { "text/plain": z.string() },
			responses: { 200: { description: "The draft", body: WorkflowDraft } },
			async handle({ caller, query, request }) {
				assertInternal(caller);
				const text = await readText(request, settings.maxBodyBytes);
				const { owner_id, name, format, base } = query;
				const change = { ...nameChange(owner_id, query), now: unixSeconds(clock) };
				return reply(
					200,
					toDraft(await workflowDrafts.save({ owner_id, name, format, base, text, ...change })),
				);
			},
		}),
		route({
			method: "DELETE",
			path: "/workflows/draft",
			tag,
			summary: "Discard a workflow's draft",
			description: "Internal callers only.",
			query: OwnedWorkflow,
			responses: { 200: { description: "Deleted", body: DeletedAnswer } },
			async handle({ caller, query }) {
				assertInternal(caller);
				if (!(await workflowDrafts.delete(query.owner_id, query.name))) throw notFound();
				return reply(200, { deleted: true });
			},
		}),
	];
}

function toDraft(row: Awaited<ReturnType<StoreParts["workflowDrafts"]["get"]>>): WorkflowDraft {
	if (row === null) throw notFound();
	const { source: text, saved_at, ...draft } = row;
	return { ...draft, saved_at: toIso(saved_at), text };
}
