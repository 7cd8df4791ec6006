import * as z from "zod";
import { WriteEntry } from "./entries.ts";
import { Id, Namespace } from "./names.ts";
import { UnixSeconds } from "./schedules.ts";

/** What a run waits for besides a time, while it does. */
export const WAIT = "wait";
/** The same once it has ended. */
export const ENDED_WAIT = "ended_wait";

export const WaitId = z
	.string()
	.regex(/^[0-9a-f]{32}$/, "must be 32 hexadecimal digits")
	.meta({ description: "Names the wait within its run" });

const waitFields = {
	owner_id: Namespace,
	run: Id.meta({ description: "The execution that waits" }),
	id: WaitId,
};

export const WaitKey = z.strictObject(waitFields);
export type WaitKey = z.output<typeof WaitKey>;

const WaitState = z.enum(["open", "answered", "expired", "withdrawn"]);
export type WaitState = z.output<typeof WaitState>;

export const OpenWait = z
	.strictObject({
		...waitFields,
		expires_at: UnixSeconds.meta({ description: "From then on nobody can answer" }),
		metadata_json: WriteEntry.shape.metadata_json.meta({
			description: "What is asked: a JSON object, as text",
		}),
	})
	.meta({ id: "OpenWait" });
export type OpenWait = z.input<typeof OpenWait>;

export const OpenedWait = z.object({
	opened: z.boolean().meta({ description: "False if it exists already" }),
});

export const AnswerWait = z
	.strictObject({
		...waitFields,
		answer_json: WriteEntry.shape.metadata_json
			.unwrap()
			.max(1_048_576)
			.meta({ description: "The answer: a JSON object, as text" }),
		by: z.string().max(256).meta({ description: "Who answered" }),
	})
	.meta({ id: "AnswerWait" });
export type AnswerWait = z.input<typeof AnswerWait>;

export const AnsweredWait = z.object({
	answered: z.boolean().meta({ description: "Whether this answer, and no other, counts" }),
});

export const EndWait = z
	.strictObject({ ...waitFields, state: z.enum(["expired", "withdrawn"]) })
	.meta({ id: "EndWait" });
export type EndWait = z.input<typeof EndWait>;

export const ReadWait = WaitKey.extend({
	taken: z
		.literal("true")
		.optional()
		.meta({ description: "The run goes on with the answer, if there is one" }),
});

export const FoundWait = z.object({
	wait: z
		.object({
			state: WaitState,
			expires_at: UnixSeconds,
			metadata_json: z.string(),
			answer_json: z.string().nullable(),
			by: z.string().nullable(),
			answered_at: UnixSeconds.nullable(),
		})
		.nullable(),
});
export type FoundWait = NonNullable<z.output<typeof FoundWait>["wait"]>;
