import * as z from "zod";
import { fileParam } from "../file-schemas.ts";
import { anyObject, anything } from "../schemas.ts";

const MAX_TOOLS = 128;
const MAX_CALLS = 128;

const Image = z.string().regex(/^(?:https?:\/\/|data:image\/[a-z0-9.+-]{1,40};base64,)/i, {
	error: "must be an http or https URL, or a data URL such as data:image/png;base64,…",
});

const Part = z.discriminatedUnion("type", [
	z.strictObject({
		type: z.literal("text").meta({ description: "A text" }),
		text: z.string().meta({ description: "The text" }),
	}),
	z.strictObject({
		type: z.literal("image_url").meta({ description: "An image" }),
		image_url: z
			.strictObject({ url: Image.meta({ description: "http or https URL, or data:image/png;base64,…" }) })
			.meta({ description: "The image" }),
	}),
	z.strictObject({
		type: z.literal("file").meta({ description: "A file" }),
		file: fileParam().meta({ description: "An image, a PDF, a recording or a text" }),
	}),
]);

const CallId = z.string().min(1).max(1_000);

/** As in the output of `llm_chat`, so that it can be sent back. */
const Call = z.strictObject({
	id: CallId.meta({ description: "Identifies the call" }),
	name: z.string().min(1).max(200).meta({ description: "Name of the tool" }),
	arguments: anything().meta({ description: "Arguments, as an object" }),
	is_json: z
		.boolean()
		.default(true)
		.meta({ description: "False if the arguments are a text that is not JSON" }),
});

export const Message = z
	.strictObject({
		role: z.enum(["system", "user", "assistant", "tool"]).meta({ description: "Who says it" }),
		content: z
			.union([z.string(), z.array(Part).min(1).max(100)])
			.optional()
			.meta({
				description:
					"A text, or a list of texts, images and files; may be left out of an assistant's tool calls",
			}),
		tool_calls: z
			.array(Call)
			.max(MAX_CALLS)
			.optional()
			.meta({ description: "The assistant's tool calls, as in the output" }),
		provider_data: anyObject().optional().meta({
			description: "From the output's message: what the provider needs back beside the tool calls",
		}),
		tool_call_id: CallId.optional().meta({ description: "The id of the call that a tool's result answers" }),
		is_error: z.boolean().optional().meta({ description: "Whether the tool failed" }),
	})
	.superRefine((message, context) => {
		const problem = findMessageProblem(message);
		if (problem !== null) context.addIssue({ code: "custom", ...problem });
	});
export type Message = z.output<typeof Message>;

interface Problem {
	readonly path: string[];
	readonly message: string;
}

function findMessageProblem(message: Readonly<Record<string, unknown>>): Problem | null {
	const isSet = (name: string) => message[name] !== undefined;
	const { role } = message;
	const own = { assistant: ["tool_calls", "provider_data"], tool: ["tool_call_id", "is_error"] };
	for (const [owner, names] of Object.entries(own)) {
		const foreign = role === owner ? undefined : names.find(isSet);
		if (foreign !== undefined) return { path: [foreign], message: `is only for the role ${owner}` };
	}
	if (role === "tool" && !isSet("tool_call_id")) {
		return { path: ["tool_call_id"], message: "is required: the id of the call that this result answers" };
	}
	return isSet("content") || isSet("tool_calls") ? null : { path: ["content"], message: "is required" };
}

/** The choices that are not the name of a tool. */
export const CHOICES: ReadonlySet<string> = new Set(["auto", "none", "required"]);

const Tool = z.strictObject({
	name: z
		.string()
		.regex(/^[A-Za-z0-9_-]{1,64}$/, "must have 1 to 64 letters, digits, _ and -")
		.refine((name) => !CHOICES.has(name), "must not be auto, none or required")
		.meta({ description: "Name of the tool" }),
	description: z.string().max(20_000).default("").meta({ description: "What it does, and when to call it" }),
	parameters: anyObject()
		.refine(({ type }) => type === "object", 'must describe an object: its "type" must be "object"')
		.default({ type: "object", properties: {} })
		.meta({ description: "JSON Schema of its arguments" }),
});

export const Tools = z
	.array(Tool)
	.min(1)
	.max(MAX_TOOLS)
	.superRefine((tools, context) => {
		const seen = new Set<string>();
		for (const [index, { name }] of tools.entries()) {
			if (seen.has(name))
				context.addIssue({ code: "custom", path: [index, "name"], message: "is used twice" });
			seen.add(name);
		}
	});
