import { DeletedAnswer } from "@tripline/contract/entries";
import { Failed, notFound } from "@tripline/contract/failures";
import { Id } from "@tripline/contract/names";
import {
	ChangedWorkflow,
	DeletedWorkflowPage,
	TRASH_DAYS,
	VersionQuery,
} from "@tripline/contract/workflow-versions";
import { StoreRefused } from "@tripline/store/client";
import { parseTarget } from "@tripline/web/http-message";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { Caller } from "../domain/callers.ts";
import { toChanged } from "../workflows/versions.ts";
import type { ExecutorParts } from "./deps.ts";
import { answerChanged } from "./versions.ts";

const tag = "Deleted workflows";
const params = z.object({ id: Id });

/** By id: several workflows of one name may have been deleted. */
export function deletedWorkflowRoutes({ store }: ExecutorParts): Route<Caller>[] {
	return [
		route({
			method: "GET",
			path: "/deleted-workflows",
			tag,
			summary: "List deleted workflows, last deleted first",
			description: `They are kept with their versions for ${TRASH_DAYS} days.`,
			query: VersionQuery,
			responses: { 200: { description: "A page", body: DeletedWorkflowPage } },
			async handle({ caller, query: { limit }, request }) {
				const cursor = new URLSearchParams(parseTarget(request.url).search).get("cursor") ?? undefined;
				return reply(200, await store.workflows.listDeleted({ owner_id: caller.namespace, limit, cursor }));
			},
		}),

		route({
			method: "POST",
			path: "/deleted-workflows/{id}/restore",
			tag,
			summary: "Restore a deleted workflow",
			description: "With its versions, its draft, its switch and its name.",
			params,
			responses: {
				200: { description: "Restored", body: ChangedWorkflow },
				409: { description: "Another workflow has its name" },
			},
			async handle({ caller, params: { id } }) {
				try {
					const entry = await store.workflows.restore(caller.namespace, id);
					if (entry === null) throw deletedNotFound();
					return answerChanged(toChanged(entry));
				} catch (error) {
					if (!(error instanceof StoreRefused && error.status === 409)) throw error;
					throw new Failed({ kind: "conflict", message: `${error.message}: rename or delete it first` });
				}
			},
		}),

		route({
			method: "DELETE",
			path: "/deleted-workflows/{id}",
			tag,
			summary: "Delete a deleted workflow and its versions for good",
			params,
			responses: { 200: { description: "Deleted", body: DeletedAnswer } },
			async handle({ caller, params: { id } }) {
				if (!(await store.workflows.purge(caller.namespace, id))) throw deletedNotFound();
				return reply(200, { deleted: true });
			},
		}),
	];
}

const deletedNotFound = (): Failed => notFound("deleted workflow not found");
