import * as z from "zod";
import { WriteEntry } from "./entries.ts";
import { Id, Namespace } from "./names.ts";
import { UnixSeconds } from "./schedules.ts";

/** A question that a run has asked, while it is open. */
export const WAIT = "wait";
/** The same for an event that a run waits for. */
export const EVENT_WAIT = "event_wait";
/** Either once it has ended. */
export const ENDED_WAIT = "ended_wait";

/** Waits that one call answers, and that one call lists. */
export const MAX_WAITS_PER_CALL = 200;

export const WaitId = z
	.string()
	.regex(/^[0-9a-f]{32}$/, "must be 32 hexadecimal digits")
	.meta({ description: "Names the wait within its run" });

const RunWait = z.strictObject({
	run: Id.meta({ description: "The execution that waits" }),
	id: WaitId,
});
/** One of the waits of a namespace's runs. */
export type RunWait = z.output<typeof RunWait>;

const waitFields = { owner_id: Namespace, ...RunWait.shape };

export const WaitKey = z.strictObject(waitFields);
export type WaitKey = z.output<typeof WaitKey>;

const EventWord = z.string().min(1).max(128);

const WaitState = z.enum(["open", "answered", "expired", "withdrawn"]);
export type WaitState = z.output<typeof WaitState>;

export const OpenWait = z
	.strictObject({
		...waitFields,
		expires_at: UnixSeconds.meta({ description: "From then on nobody can answer" }),
		metadata_json: WriteEntry.shape.metadata_json.meta({
			description: "What is asked, or which events are meant: a JSON object, as text",
		}),
		event_word: EventWord.optional().meta({
			description: "The first word of the pattern of the events that it waits for. Absent: for an answer",
		}),
	})
	.meta({ id: "OpenWait" });
export type OpenWait = z.input<typeof OpenWait>;

export const OpenedWait = z.object({
	opened: z.boolean().meta({ description: "False if it exists already" }),
});

export const AnswerWaits = z
	.strictObject({
		owner_id: Namespace,
		waits: z.array(RunWait).min(1).max(MAX_WAITS_PER_CALL),
		answer_json: WriteEntry.shape.metadata_json
			.unwrap()
			.max(1_048_576)
			.meta({ description: "The answer: a JSON object, as text" }),
		by: z.string().max(256).meta({ description: "Who answered" }),
	})
	.meta({ id: "AnswerWaits" });
export type AnswerWaits = z.input<typeof AnswerWaits>;

export const AnsweredWaits = z.object({
	answered: z.array(RunWait).meta({ description: "Those for which this answer, and no other, counts" }),
});

export const EventWaitQuery = z.strictObject({
	owner_id: Namespace,
	word: EventWord,
	after: z
		.string()
		.regex(/^\d{1,15}$/, "must be a whole number")
		.default("0")
		.meta({ description: "`next` of the previous answer" }),
});

/** One that waits for events whose pattern begins with that word. */
export const EventWait = RunWait.extend({ metadata_json: z.string() });
export type EventWait = z.output<typeof EventWait>;

export const EventWaitPage = z.object({
	waits: z.array(EventWait),
	next: z.int().nullable().meta({ description: "Null: these were all" }),
});
export type EventWaitPage = z.output<typeof EventWaitPage>;

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
