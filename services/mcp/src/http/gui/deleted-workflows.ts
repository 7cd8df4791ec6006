import { DeletedAnswer } from "@tripline/contract/entries";
import { Id } from "@tripline/contract/names";
import { encodeCursor } from "@tripline/contract/paging";
import {
	ChangedWorkflow,
	DeletedWorkflowPage,
	TRASH_DAYS,
	VersionQuery,
} from "@tripline/contract/workflow-versions";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { McpCaller } from "../../callers.ts";
import { TAKEN } from "./condition.ts";
import { createNotFound, type GuiParts, getExecutor, requireFound, TAG as tag } from "./parts.ts";

const params = z.object({ id: Id });
const DELETED = "deleted workflow";

export const deletedWorkflowRoutes = (parts: GuiParts): Route<McpCaller>[] => [
	route({
		method: "GET",
		path: "/gui/deleted-workflows",
		tag,
		summary: "Deleted workflows, last deleted first",
		description: `They are kept with their versions for ${TRASH_DAYS} days.`,
		query: VersionQuery,
		responses: { 200: { description: "A page", body: DeletedWorkflowPage } },
		async handle(call) {
			const { limit, cursor } = call.query;
			const page = { limit, cursor: cursor && encodeCursor(cursor) };
			return reply(200, await getExecutor(parts, call).deletedWorkflows.list(page));
		},
	}),

	route({
		method: "POST",
		path: "/gui/deleted-workflows/{id}/restore",
		tag,
		summary: "Restore a deleted workflow",
		params,
		responses: {
			200: { description: "Restored", body: ChangedWorkflow },
			409: TAKEN,
		},
		async handle(call) {
			const { deletedWorkflows } = getExecutor(parts, call);
			return reply(200, requireFound(await deletedWorkflows.restore(call.params.id), DELETED));
		},
	}),

	route({
		method: "DELETE",
		path: "/gui/deleted-workflows/{id}",
		tag,
		summary: "Delete a deleted workflow and its versions for good",
		params,
		responses: { 200: { description: "Deleted", body: DeletedAnswer } },
		async handle(call) {
			if (!(await getExecutor(parts, call).deletedWorkflows.purge(call.params.id)))
				throw createNotFound(DELETED);
			return reply(200, { deleted: true });
		},
	}),
];
