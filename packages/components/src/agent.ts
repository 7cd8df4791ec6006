import { durationUpTo } from "@tripline/contract/durations";
import type { Component } from "@tripline/engine/component";
import { toSchemaType } from "@tripline/engine/types/from-schema";
import { ANY, replaceFields } from "@tripline/engine/types/type";
import * as z from "zod";
import { AgentCourse } from "./agent/course.ts";
import { planSteps, ToolList } from "./agent/tools.ts";
import { define } from "./define.ts";
import type { Effects } from "./effects.ts";
import { findSchemaProblem } from "./llm/matching.ts";
import { Message } from "./llm/messages.ts";
import { modelParams } from "./llm/model-call.ts";
import { anyObject, anything } from "./schemas.ts";

const MAX_APPROVAL_DAYS = 30;

const Schema = anyObject().superRefine((schema, context) => {
	const problem = findSchemaProblem(schema);
	if (problem !== null) context.addIssue(problem);
});

const Params = z
	.strictObject({
		model: modelParams.model,
		instructions: z.string().optional().meta({ description: "What the agent is for, and its rules" }),
		prompt: z.string().min(1, "must not be empty").optional().meta({ description: "What it is asked" }),
		messages: z.array(Message).min(1).max(1_000).optional().meta({
			description: "A conversation so far, as of `llm_chat`; `prompt` is added to its end",
		}),
		tools: ToolList.default([]).meta({
			description:
				"What the model may call: `{ component }` or `{ workflow }`, each with `params` that are fixed, and `name`, `description`, `credential`, `timeout_ms`",
		}),
		approve: z.array(z.string()).max(64).default([]).meta({
			description: "Names of tools for which a person is asked before each call",
		}),
		approve_within: durationUpTo(MAX_APPROVAL_DAYS).default("1 day").meta({
			description: "How long a person may take to approve a call; then it is not made",
		}),
		schema: Schema.optional().meta({ description: "JSON Schema that the answer must match; see `llm_chat`" }),
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
export type AgentParams = z.output<typeof Params>;

const Tokens = z.int();

const definition = define({
	id: "agent",
	title: "Agent",
	description: `Asks a language model that can call tools, runs the tools that it calls, and tells it their results, until it answers. Tools are workflows, components, operations of recipes and tools of MCP servers. The node's \`credential\` holds the model's API key.

Every call of the model and of a tool is a step with a trace of its own, \`<node>/model\` or \`<node>/<tool>\`. In a durable run the steps are recorded: an agent that is interrupted goes on after the last completed call.

The model sees the names, descriptions and parameters of its tools, and nothing else: no credentials and no fixed parameters. Arguments are checked before anything runs. If a call is wrong, refused or fails, the model is told why and goes on.`,
	params: Params,
	// Which tools there are, and who approves them, must be known before the run.
	verbatim: [
		"approve",
		"tools.component",
		"tools.workflow",
		"tools.name",
		"tools.credential",
		"tools.timeout_ms",
	],
	output: z.object({
		text: z.string().meta({ description: "The answer" }),
		json: anything().optional().meta({ description: "With `schema`: the answer as a value" }),
		usage: z
			.object({
				input_tokens: Tokens,
				output_tokens: Tokens,
				total_tokens: Tokens,
				cost: z.number().optional().meta({ description: "If the operator has set the model's price" }),
			})
			.meta({ description: "Of all calls of the model; estimated where the provider does not report them" }),
		model_calls: z.int().meta({ description: "How often the model was called" }),
		tool_calls: z.int().meta({ description: "How many tools were run" }),
		model: z.string().meta({ description: "The model that answered" }),
	}),
	inferOutput({ output, has, constant, meter }) {
		const schema = constant("schema");
		return replaceFields(output, {
			json: schema !== undefined ? toSchemaType(schema, meter) : has("schema") ? ANY : null,
		});
	},
	examples: [
		{
			title: "With a workflow and the knowledge store as tools",
			input: { question: "Where is my order 7?" },
			params: {
				model: "gpt-5-mini",
				instructions: "You answer customers of a tea shop.",
				prompt: "{{input.question}}",
				tools: [
					{ workflow: "order status" },
					{ component: "kb_search", name: "search_manual", params: { limit: 5 } },
				],
				max_steps: 5,
				credential: "openai",
			},
		},
		{
			title: "With a tool that a person has to approve",
			input: { mail: "Please refund order 7." },
			params: {
				model: "gpt-5-mini",
				prompt: "Handle this mail:\n\n{{input.mail}}",
				tools: [{ workflow: "refund", description: "Refunds an order." }],
				approve: ["refund"],
				credential: "openai",
			},
		},
		{
			title: "A prompt or messages are required",
			params: { model: "gpt-5-mini" },
			error: 'parameter "prompt" is required',
		},
	],
	isPure: true,
	orchestration: {
		planSteps,
		begin: (params, steps) => new AgentCourse(params as unknown as AgentParams, steps),
	},
	// The steps of its course give the output.
	run: () => null,
});

export const agent: Component<Effects> = { ...definition, hosts: ["*"], takesCredentials: true };
