import * as z from "zod";

/** The part of OpenAI's chat completions that a workflow can serve. Unknown fields are ignored, as they grow in number. */

const MAX_MESSAGES = 1_000;
const MAX_PARTS = 100;

const ImageUrl = z.string().regex(/^(?:https?:\/\/|data:image\/[a-z0-9.+-]{1,40};base64,)/i, {
	error: "must be an http or https URL, or a data URL such as data:image/png;base64,…",
});

const Part = z.discriminatedUnion("type", [
	z.object({ type: z.literal("text"), text: z.string() }),
	z.object({ type: z.literal("image_url"), image_url: z.object({ url: ImageUrl }) }),
	z.object({
		type: z.literal("file"),
		file: z.object({
			filename: z.string().max(1_024).optional(),
			file_data: z.string().meta({ description: "A data URL in base64" }),
		}),
	}),
]);
export type CompletionPart = z.output<typeof Part>;

const Message = z.object({
	role: z.enum(["system", "developer", "user", "assistant"]),
	content: z.union([z.string(), z.array(Part).min(1).max(MAX_PARTS)]).nullish(),
});
export type CompletionMessage = z.output<typeof Message>;

export const CompletionRequest = z
	.object({
		model: z.string().min(1).max(128).meta({ description: "The workflow's name" }),
		messages: z.array(Message).min(1).max(MAX_MESSAGES),
		stream: z.boolean().nullish(),
		stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
		n: z.literal(1, "must be 1").nullish(),
		tools: z.array(z.unknown()).max(0, "are not supported: the workflow has its own").nullish(),
	})
	.meta({ id: "CompletionRequest", description: "As OpenAI's; other fields are ignored" });
export type CompletionRequest = z.output<typeof CompletionRequest>;

const CompletionUsage = z.object({
	prompt_tokens: z.int(),
	completion_tokens: z.int(),
	total_tokens: z.int(),
});
export type CompletionUsage = z.output<typeof CompletionUsage>;

export const Completion = z
	.object({
		id: z.string(),
		object: z.literal("chat.completion"),
		created: z.int(),
		model: z.string(),
		choices: z.array(
			z.object({
				index: z.int(),
				message: z.object({
					role: z.literal("assistant"),
					content: z.string(),
					refusal: z.null(),
				}),
				logprobs: z.null(),
				finish_reason: z.enum(["stop", "length"]),
			}),
		),
		usage: CompletionUsage.optional(),
	})
	.meta({ id: "Completion" });

export const ModelList = z
	.object({
		object: z.literal("list"),
		data: z.array(
			z.object({ id: z.string(), object: z.literal("model"), created: z.int(), owned_by: z.string() }),
		),
	})
	.meta({ id: "ModelList" });

export const CompletionError = z
	.object({
		error: z.object({
			message: z.string(),
			type: z.string(),
			param: z.string().nullable(),
			code: z.string().nullable(),
		}),
	})
	.meta({ id: "CompletionError" });
export type CompletionError = z.output<typeof CompletionError>;
