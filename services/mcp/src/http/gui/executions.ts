import { DeletedAnswer } from "@tripline/contract/entries";
import { ExecutionPage } from "@tripline/contract/execution-log";
import {
	AcceptedRun,
	CancelledExecution,
	ExecutionDetail,
	ReplayExecution,
	UnfinishedPage,
	UnfinishedQuery,
} from "@tripline/contract/executor";
import { GuiExecutionQuery } from "@tripline/contract/gui";
import { ExecutionSettings, KeptData, KeptDataQuery } from "@tripline/contract/kept-data";
import { Id } from "@tripline/contract/names";
import { encodeCursor } from "@tripline/contract/paging";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { McpCaller } from "../../callers.ts";
import { type GuiParts, getExecutor, requireFound, TAG as tag } from "./parts.ts";

const OneExecution = z.object({ id: Id });

export const executionRoutes = (parts: GuiParts): Route<McpCaller>[] => [
	route({
		method: "GET",
		path: "/gui/executions",
		tag,
		summary: "Execution records, newest first",
		description:
			"With q, a page searches at most 2,000 records: it may have few or no results and still not be the last. Continue with next_cursor.",
		query: GuiExecutionQuery,
		responses: { 200: { description: "A page", body: ExecutionPage } },
		async handle({ caller, query: { cursor, ...query } }) {
			const page = await parts.store.executionLog.list({
				...query,
				owner_id: caller.namespace,
				cursor: cursor && encodeCursor(cursor),
			});
			return reply(200, page);
		},
	}),

	route({
		method: "GET",
		path: "/gui/executions/unfinished",
		tag,
		summary: "Runs that have not ended and that no caller waits for",
		query: UnfinishedQuery,
		responses: { 200: { description: "A page", body: UnfinishedPage } },
		async handle(call) {
			const { limit, cursor } = call.query;
			const page = { limit, ...(cursor !== undefined && { cursor: encodeCursor(cursor) }) };
			return reply(200, await getExecutor(parts, call).executions.unfinished(page));
		},
	}),

	route({
		method: "GET",
		path: "/gui/executions/{id}",
		tag,
		summary: "An execution, with its trace while that is available",
		params: OneExecution,
		responses: { 200: { description: "Its status, record and trace", body: ExecutionDetail } },
		async handle(call) {
			const detail = await getExecutor(parts, call).executions.get(call.params.id);
			return reply(200, requireFound(detail, "execution"));
		},
	}),

	route({
		method: "POST",
		path: "/gui/executions/{id}/cancel",
		tag,
		summary: "Cancel a run that has not ended",
		description:
			"Nodes in progress are aborted; only what their `ALWAYS` edges lead to still runs, for 30 seconds at most. 409 if it has ended, 404 if a caller waits for it.",
		params: OneExecution,
		responses: { 200: { description: "It is cancelled, or cleans up", body: CancelledExecution } },
		async handle(call) {
			const cancelled = await getExecutor(parts, call).executions.cancel(call.params.id);
			return reply(200, requireFound(cancelled, "execution"));
		},
	}),

	route({
		method: "POST",
		path: "/gui/executions/{id}/replay",
		tag,
		summary: "Repeat a run that has ended, as a new run",
		description: "Does not wait for the new run. 409 if what it needs of the old run is not kept.",
		params: OneExecution,
		body: ReplayExecution,
		responses: { 202: { description: "The new run is accepted", body: AcceptedRun } },
		async handle(call) {
			const accepted = await getExecutor(parts, call).executions.replay(call.params.id, call.body);
			return reply(202, requireFound(accepted, "execution"));
		},
	}),

	route({
		method: "GET",
		path: "/gui/executions/{id}/data",
		tag,
		summary: "What the nodes of a run received and gave",
		params: OneExecution,
		query: KeptDataQuery,
		responses: { 200: { description: "The input, and a page of nodes", body: KeptData } },
		async handle(call) {
			const { limit, cursor, ...query } = call.query;
			const asked = { ...query, limit: String(limit), cursor: cursor && encodeCursor(cursor) };
			return reply(200, await getExecutor(parts, call).executions.data(call.params.id, asked));
		},
	}),

	route({
		method: "DELETE",
		path: "/gui/executions/{id}/data",
		tag,
		summary: "Delete what is kept of a run",
		description: "Its record stays.",
		params: OneExecution,
		responses: { 200: { description: "Deleted", body: DeletedAnswer } },
		async handle(call) {
			await getExecutor(parts, call).executions.deleteData(call.params.id);
			return reply(200, { deleted: true });
		},
	}),

	route({
		method: "GET",
		path: "/gui/executions/settings",
		tag,
		summary: "What is kept of runs whose workflow does not say it",
		responses: { 200: { description: "The settings", body: ExecutionSettings } },
		async handle(call) {
			return reply(200, await getExecutor(parts, call).executions.settings());
		},
	}),

	route({
		method: "PUT",
		path: "/gui/executions/settings",
		tag,
		summary: "Set what is kept of runs whose workflow does not say it",
		description: "Takes effect within a minute.",
		body: ExecutionSettings,
		responses: { 200: { description: "The settings", body: ExecutionSettings } },
		async handle(call) {
			return reply(200, await getExecutor(parts, call).executions.changeSettings(call.body));
		},
	}),
];
