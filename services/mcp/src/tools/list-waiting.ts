import type { UnfinishedExecution } from "@tripline/contract/executor";
import type { OpenQuestion } from "@tripline/contract/questions";
import type { JsonObject } from "@tripline/contract/workflows";
import * as z from "zod";
import { fit, shorten } from "./budget.ts";
import { defineTool } from "./define-tool.ts";
import { cursor, limit, MAX_PAGE_CHARS, next, nextCursor } from "./fields.ts";
import { pickPage } from "./pages.ts";
import { AnyValue } from "./reading.ts";
import type { ToolContext } from "./tool.ts";

/** Leaves room for the rest of the answer. */
const MAX_LIST_CHARS = MAX_PAGE_CHARS - 1_000;
/** One question always fits a page. */
const MAX_QUESTION_CHARS = 5_000;
const MAX_FIELDS_CHARS = 8_000;
const MAX_SHOW_CHARS = 3_000;

/** A question may be long. */
const QUESTION_PAGE_SIZE = 20;
const RUN_PAGE_SIZE = 100;
const MAX_PAGES = 5;

export const listWaiting = defineTool({
	name: "list_waiting",
	title: "List what waits",
	description:
		"Lists the open questions of runs with what their answers need, then runs that wait for a time or an event.",
	hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
	input: z.strictObject({ limit: limit(20, 100), cursor }),
	output: z.object({
		questions: z.array(AnyValue),
		runs: z.array(AnyValue),
		next_cursor: nextCursor,
		next,
	}),
	async call(page, context) {
		const { questions, mayHaveMore } = await readQuestions(context);
		const asking = new Set(questions.map(({ execution_id }) => execution_id));
		const runs = await readTimedRuns(context);
		// A run that asks is also due when its question expires.
		const waiting: Waiting[] = [
			...questions.map(toQuestion),
			...runs.filter((run) => !asking.has(run.id)).map(toRun),
		];
		const { items, next_cursor } = pickPage(waiting, getKey, { ...page, room: MAX_LIST_CHARS });
		const asked = items.filter(isQuestion);
		const timed = items.filter((item) => !isQuestion(item));
		return {
			structured: {
				questions: asked,
				runs: timed,
				next_cursor,
				next: describeNext(asked, timed, mayHaveMore),
			},
		};
	},
});

async function readQuestions({ executor }: ToolContext) {
	const questions: OpenQuestion[] = [];
	let cursor: string | undefined;
	for (let pages = 1; ; pages++) {
		const page = await executor.questions.list({ limit: QUESTION_PAGE_SIZE, cursor });
		questions.push(...page.questions);
		if (page.next_cursor === null) return { questions, mayHaveMore: false };
		if (pages === MAX_PAGES) return { questions, mayHaveMore: true };
		cursor = page.next_cursor;
	}
}

interface TimedRun extends UnfinishedExecution {
	readonly until: string;
}

async function readTimedRuns({ executor }: ToolContext): Promise<TimedRun[]> {
	const runs: TimedRun[] = [];
	let cursor: string | undefined;
	for (let pages = 1; pages <= MAX_PAGES; pages++) {
		const page = await executor.executions.unfinished({ limit: RUN_PAGE_SIZE, cursor });
		runs.push(...page.executions.filter(isTimed));
		if (page.next_cursor === null) break;
		cursor = page.next_cursor;
	}
	return runs;
}

const isTimed = (run: UnfinishedExecution): run is TimedRun => run.until !== undefined;

const toQuestion = (asked: OpenQuestion) => ({
	execution_id: asked.execution_id,
	id: asked.id,
	workflow: asked.workflow,
	node: shorten(asked.node, 200),
	question: shorten(asked.question, MAX_QUESTION_CHARS),
	to: asked.to === null ? null : shorten(asked.to, 200),
	since: asked.asked_at,
	until: asked.expires_at,
	assistants: asked.assistants,
	fields: fit(asked.fields as JsonObject, MAX_FIELDS_CHARS).value,
	show: fit(asked.show as JsonObject, MAX_SHOW_CHARS).value,
});

const toRun = ({ id, workflow, waits_for, since, until }: TimedRun) => ({
	...{ execution_id: id, workflow, waits_for, since, until },
});

type Waiting = ReturnType<typeof toQuestion> | ReturnType<typeof toRun>;

const isQuestion = (item: Waiting): item is ReturnType<typeof toQuestion> => "id" in item;

const getKey = (item: Waiting): string =>
	isQuestion(item) ? `${item.execution_id} ${item.id}` : item.execution_id;

function describeNext(
	questions: readonly { readonly assistants: boolean }[],
	runs: readonly object[],
	mayHaveMore: boolean,
): string {
	if (questions.length + runs.length === 0) return "Nothing waits.";
	return [
		questions.some(({ assistants }) => assistants) &&
			"answer_question answers a question with assistants: true, as the user decides.",
		questions.some(({ assistants }) => !assistants) &&
			"A question with assistants: false is answered by a person: on its page, in the console, or with tripline answer.",
		runs.length > 0 && "cancel_execution ends a run that waits.",
		mayHaveMore && "There are more questions than are listed: the oldest are missing.",
	]
		.filter((sentence) => sentence !== false)
		.join(" ");
}
