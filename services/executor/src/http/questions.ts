import { Failed, invalid, notFound } from "@tripline/contract/failures";
import { Id } from "@tripline/contract/names";
import { encodeCursor } from "@tripline/contract/paging";
import { AnsweredQuestion, AnswerQuestion, QuestionPage, QuestionQuery } from "@tripline/contract/questions";
import { WaitId } from "@tripline/contract/waits";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { Caller } from "../domain/callers.ts";
import { isAssistant, readAuthor } from "./change.ts";
import type { ExecutorParts } from "./deps.ts";

const tag = "Questions";

export function questionRoutes(parts: ExecutorParts): Route<Caller>[] {
	const { questions, clock } = parts;
	return [
		route({
			method: "GET",
			path: "/questions",
			tag,
			summary: "List the tenant's open questions, the latest first",
			query: QuestionQuery,
			responses: { 200: { description: "A page", body: QuestionPage } },
			async handle({ caller: { namespace }, query: { limit, cursor } }) {
				const page = { limit, ...(cursor !== undefined && { cursor: encodeCursor(cursor) }) };
				return reply(200, await questions.list(namespace, page));
			},
		}),

		route({
			method: "POST",
			path: "/questions/{execution_id}/{id}/answer",
			tag,
			summary: "Answer a question",
			description:
				"The first answer counts, and its run goes on. 409 if it was answered or withdrawn, or has expired. 403 if an assistant answers a question without `assistants: true`.",
			params: z.object({ execution_id: Id, id: WaitId }),
			body: AnswerQuestion,
			responses: { 200: { description: "This answer counts", body: AnsweredQuestion } },
			async handle({ caller, params: { execution_id, id }, body: { answer }, request }) {
				const wait = { owner_id: caller.namespace, run: execution_id, id };
				const asked = await questions.find(wait);
				if (asked === null) throw notFound("question not found");
				if (!asked.question.assistants && isAssistant(request))
					throw new Failed({ kind: "forbidden", message: "only a person may answer this question" });
				const issues = await questions.check(caller.namespace, asked.question.fields, answer);
				if (asked.state === "open" && issues.length > 0) throw invalid(issues);
				const { author, client } = readAuthor(parts, caller, request);
				const isFirst =
					asked.state === "open" && (await questions.answer(wait, answer, `${author} (${client})`));
				if (isFirst) return reply(200, { execution_id, id, status: "answered" });
				const { state = "withdrawn" } = (await questions.find(wait)) ?? {};
				const isOver = state === "open" && asked.expiresAt * 1000 <= clock.now();
				throw new Failed({ kind: "conflict", message: ENDED[isOver ? "expired" : state] });
			},
		}),
	];
}

const ENDED = {
	open: "the question cannot be answered now: try again",
	answered: "the question was answered before",
	expired: "the question has expired",
	withdrawn: "the question was withdrawn: its run no longer waits",
} as const;
