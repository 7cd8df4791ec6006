import * as z from "zod";
import { AnyJson } from "./json.ts";
import { Id } from "./names.ts";
import { Cursor, limit, NextCursor } from "./paging.ts";
import { WaitId } from "./waits.ts";

const JsonObject = z.record(z.string(), AnyJson);

export const OpenQuestion = z
	.object({
		execution_id: Id.meta({ description: "The run that waits for the answer" }),
		id: WaitId.meta({ description: "Names the question within its run" }),
		workflow: z.string(),
		node: z.string(),
		question: z.string().meta({ description: "Markdown" }),
		fields: JsonObject.meta({ description: "The JSON Schema of the answer" }),
		show: JsonObject.meta({ description: "Values that are shown with it" }),
		to: z.string().nullable().meta({ description: "Who is asked" }),
		assistants: z.boolean().meta({ description: "Whether assistants may answer" }),
		asked_at: z.string(),
		expires_at: z.string(),
	})
	.meta({ id: "OpenQuestion" });
export type OpenQuestion = z.infer<typeof OpenQuestion>;

export const QuestionQuery = z.strictObject({ limit: limit(20, 100), cursor: Cursor.optional() });
export const QuestionPage = z.object({ questions: z.array(OpenQuestion), next_cursor: NextCursor });

export const AnswerQuestion = z
	.strictObject({ answer: JsonObject.meta({ description: "An object that fits the question's fields" }) })
	.meta({ id: "AnswerQuestion" });

export const AnsweredQuestion = z.object({
	execution_id: z.string(),
	id: z.string(),
	status: z.literal("answered"),
});
