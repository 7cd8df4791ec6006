import { Id } from "@tripline/contract/names";
import { ExecutorRefused } from "@tripline/executor/client";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { anyObject } from "./fields.ts";
import { ToolProblem } from "./tool.ts";

export const answerQuestion = defineTool({
	name: "answer_question",
	title: "Answer a question",
	description: "Answers a question of list_waiting with assistants: true, for good: ask the user first.",
	hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
	input: z.strictObject({
		execution_id: Id.meta({ description: "The run" }),
		id: z.string().max(32).meta({ description: "The question" }),
		answer: anyObject.meta({ description: "Fits the question's fields" }),
	}),
	output: z.object({ status: z.literal("answered") }),
	async call({ execution_id, id, answer }, { executor }) {
		const answered = await executor.questions
			.answer({ execution_id, id }, answer)
			.catch((error: unknown) => Promise.reject(explain(error)));
		if (answered === null)
			throw new ToolProblem(
				`There is no question ${id} of the run ${execution_id}. list_waiting lists the open questions.`,
			);
		return { structured: { status: answered.status } };
	},
});

/** Other errors are explained as those of every tool. */
function explain(error: unknown): unknown {
	if (!(error instanceof ExecutorRefused)) return error;
	if (error.status === 403)
		return new ToolProblem(
			"Only a person may answer this question, because it does not say assistants: true. Ask the user to answer it on its page, in the console, or with tripline answer.",
		);
	if (error.status === 409)
		return new ToolProblem(
			`Nothing was answered: ${error.message}. list_waiting lists the open questions, get_execution returns the status of the run.`,
		);
	if (error.status === 422 && error.issues.length > 0) {
		const lines = error.issues.map(({ path, message }) => `\n- ${path === "" ? "answer" : path}: ${message}`);
		return new ToolProblem(
			`The answer does not fit the question's fields:${lines.join("")}\nNothing was answered. list_waiting returns the fields.`,
		);
	}
	return error;
}
