import { ExecutionPage } from "@tripline/contract/execution-log";
import { ExecutionDetail } from "@tripline/contract/executor";
import { GuiExecutionQuery } from "@tripline/contract/gui";
import { Id } from "@tripline/contract/names";
import { encodeCursor } from "@tripline/contract/paging";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { McpCaller } from "../../callers.ts";
import { type GuiParts, getExecutor, requireFound, TAG as tag } from "./parts.ts";

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
		path: "/gui/executions/{id}",
		tag,
		summary: "An execution, with its trace while that is available",
		params: z.object({ id: Id }),
		responses: { 200: { description: "Its status, record and trace", body: ExecutionDetail } },
		async handle(call) {
			const detail = await getExecutor(parts, call).executions.get(call.params.id);
			return reply(200, requireFound(detail, "execution"));
		},
	}),
];
