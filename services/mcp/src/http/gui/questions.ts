import { Id } from "@tripline/contract/names";
import { encodeCursor } from "@tripline/contract/paging";
import { AnsweredQuestion, AnswerQuestion, QuestionPage, QuestionQuery } from "@tripline/contract/questions";
import { WaitId } from "@tripline/contract/waits";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { McpCaller } from "../../callers.ts";
import { type GuiParts, getExecutor, requireFound, TAG as tag } from "./parts.ts";

export const questionRoutes = (parts: GuiParts): Route<McpCaller>[] => [
	route({
		method: "GET",
		path: "/gui/questions",
		tag,
		summary: "Open questions of runs, the latest first",
		query: QuestionQuery,
		responses: { 200: { description: "A page", body: QuestionPage } },
		async handle(call) {
			const { limit, cursor } = call.query;
			const page = { limit, ...(cursor !== undefined && { cursor: encodeCursor(cursor) }) };
			return reply(200, await getExecutor(parts, call).questions.list(page));
		},
	}),

	route({
		method: "POST",
		path: "/gui/questions/{execution_id}/{id}/answer",
		tag,
		summary: "Answer a question",
		description:
			"The first answer counts, and its run goes on. 409 if it was answered or withdrawn, or has expired.",
		params: z.object({ execution_id: Id, id: WaitId }),
		body: AnswerQuestion,
		responses: { 200: { description: "This answer counts", body: AnsweredQuestion } },
		async handle(call) {
			const { execution_id, id } = call.params;
			const answered = await getExecutor(parts, call).questions.answer(
				{ execution_id, id },
				call.body.answer,
			);
			return reply(200, requireFound(answered, "question"));
		},
	}),
];
