import { durationUpTo, parseDuration } from "@tripline/contract/durations";
import { toSchemaType } from "@tripline/engine/types/from-schema";
import { ANY_OBJECT } from "@tripline/engine/types/type";
import * as z from "zod";
import { define } from "./define.ts";
import { anyObject, anything } from "./schemas.ts";

const MAX_DAYS = 30;

/** Without fields a question is answered with yes or no. */
const APPROVAL = {
	type: "object",
	properties: {
		approved: { type: "boolean", title: "Approve" },
		comment: { type: "string", title: "Comment", maxLength: 2_000 },
	},
	required: ["approved"],
};

export const ask = define({
	id: "ask",
	title: "Ask a person",
	description:
		"Asks a person and waits for the answer, for up to 30 days. The run leaves the process meanwhile. Its page is at `{{<node>.url}}`, which the nodes behind `ON_WAIT` send to whoever is asked; the answer is the node's output. The first answer counts. If nobody answers in time, the node fails, and a retry does not ask again.",
	params: z.strictObject({
		question: z.string().min(1).max(4_000).meta({
			description: "What is asked: Markdown with bold, italic, code, links and lists",
		}),
		fields: anyObject().optional().meta({
			description:
				"What the answer has: a JSON Schema of an object, drawn as a form. Default: `approved` (true or false) and `comment`",
		}),
		show: anyObject()
			.optional()
			.meta({ description: "Values that the page shows below the question, by name" }),
		expires: durationUpTo(MAX_DAYS).default("7 days").meta({
			description: "Until when it can be answered, such as `2 hours` or `3 days`; at most 30 days",
		}),
		to: z.string().max(200).optional().meta({ description: "Who is asked, for the list of open questions" }),
		assistants: z.boolean().default(false).meta({ description: "Whether assistants may answer too" }),
	}),
	output: anything().meta({ description: "The answer" }),
	inferOutput({ constant, has, meter }) {
		if (!has("fields")) return toSchemaType(APPROVAL, meter);
		const fields = constant("fields");
		return fields === undefined ? ANY_OBJECT : toSchemaType(fields, meter);
	},
	examples: [
		{
			title: "An approval",
			input: { amount: 250 },
			params: { question: "Pay **{{input.amount}}** euros?", to: "accounting", expires: "3 days" },
		},
		{
			title: "With fields of its own",
			params: {
				question: "When shall we deliver?",
				fields: {
					type: "object",
					properties: { day: { type: "string", format: "date", title: "Day" } },
					required: ["day"],
				},
			},
		},
	],
	parks: () => true,
	run: (call) => {
		const { question, fields = APPROVAL, show = {}, to = null, assistants, expires } = call.params;
		const until = call.startedAt + (parseDuration(expires) ?? 0);
		return call.effects.ask({ question, fields, show, to, assistants }, until, call);
	},
});
