import { ConversationKey } from "@tripline/contract/conversations";
import { durationUpTo } from "@tripline/contract/durations";
import * as z from "zod";
import { AnswerSchema } from "../llm/matching.ts";
import { Message } from "../llm/messages.ts";
import { modelParams } from "../llm/model-call.ts";
import { ToolList } from "./tools.ts";

const MAX_APPROVAL_DAYS = 30;

export const AgentParams = z
	.strictObject({
		model: modelParams.model,
		instructions: z.string().optional().meta({ description: "What the agent is for, and its rules" }),
		prompt: z.string().min(1, "must not be empty").optional().meta({ description: "What it is asked" }),
		messages: z.array(Message).min(1).max(1_000).optional().meta({
			description: "A conversation so far, as of `llm_chat`; `prompt` is added to its end",
		}),
		tools: ToolList.default([]).meta({
			description:
				"What the model may call: `{ component }`, `{ workflow }`, or `{ tag }` for all workflows with that tag, each with `params` that are fixed, and `name`, `description`, `credential`, `timeout_ms`",
		}),
		approve: z.array(z.string()).max(64).default([]).meta({
			description: "Names of tools for which a person is asked before each call",
		}),
		approve_within: durationUpTo(MAX_APPROVAL_DAYS).default("1 day").meta({
			description: "How long a person may take to approve a call; then it is not made",
		}),
		memory: z
			.strictObject({
				key: ConversationKey.meta({
					description: "Names the conversation within the workflow, such as `{{input.conversation}}`",
				}),
				max_tokens: z.int().min(500).max(50_000).default(8_000).meta({
					description: "Tokens of what is remembered, estimated. Older turns are left out",
				}),
				summarise: z.boolean().default(false).meta({
					description: "Have the model summarise turns that no longer fit",
				}),
				facts: z.boolean().default(false).meta({
					description:
						"Give the model the tool `remember`, which adds a fact to the knowledge graph, up to 10 in a run",
				}),
			})
			.optional()
			.meta({
				description:
					"Keeps the conversation: the next run with the same key begins with it. A run that fails adds nothing",
			}),
		citations: z.boolean().default(false).meta({
			description:
				"List what the answer cites of the entries that the tools `kb_search` and `kb_get` have returned",
		}),
		schema: AnswerSchema.optional().meta({
			description: "JSON Schema that the answer must match; see `llm_chat`",
		}),
		schema_by: z.enum(["format", "tool"]).default("format").meta({ description: "As of `llm_chat`" }),
		max_steps: z.int().min(1).max(50).default(10).meta({
			description: "Calls of the model. In the last one it cannot call tools and has to answer",
		}),
		max_tokens: z.int().min(1).max(100_000_000).optional().meta({
			description: "Tokens of all calls of the model together, read and written; then the node fails",
		}),
		max_cost: z.number().positive().optional().meta({
			description:
				"Cost of all calls of the model together, in the currency of the operator's prices; then the node fails",
		}),
		max_seconds: z.int().min(1).max(2_592_000).optional().meta({
			description: "Time after which no further call of the model is made and the node fails",
		}),
		stream: z.boolean().default(false).meta({
			description: "Request streamed responses: whoever watches the run gets the texts as they are written",
		}),
		temperature: z.number().min(0).max(2).optional().meta({ description: "As of `llm_chat`" }),
		provider: z.enum(["openai", "anthropic", "gemini"]).optional().meta({ description: "As of `llm_chat`" }),
		base_url: modelParams.base_url.meta({ description: "As of `llm_chat`" }),
		extra: modelParams.extra,
		attempts: modelParams.attempts,
		attempt_timeout_ms: modelParams.attempt_timeout_ms,
	})
	.refine(({ prompt, messages }) => prompt !== undefined || messages !== undefined, {
		path: ["prompt"],
		error: "or messages must be set",
	});
export type AgentParams = z.output<typeof AgentParams>;
