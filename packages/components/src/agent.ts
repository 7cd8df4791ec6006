import type { Component } from "@tripline/engine/component";
import { toSchemaType } from "@tripline/engine/types/from-schema";
import { ANY, replaceFields } from "@tripline/engine/types/type";
import * as z from "zod";
import { AgentCourse } from "./agent/course.ts";
import { AgentParams } from "./agent/params.ts";
import { planSteps } from "./agent/tools.ts";
import { define } from "./define.ts";
import type { Effects } from "./effects.ts";
import { anything } from "./schemas.ts";

const Tokens = z.int();

const definition = define({
	id: "agent",
	title: "Agent",
	description: `Asks a language model that can call tools, runs the tools that it calls, and tells it their results, until it answers. Tools are workflows, also all with a tag, components, operations of recipes and tools of MCP servers. The node's \`credential\` holds the model's API key.

Every call of the model and of a tool is a step with a trace of its own, \`<node>/model\` or \`<node>/<tool>\`. In a durable run the steps are recorded: an agent that is interrupted goes on after the last completed call.

The model sees the names, descriptions and parameters of its tools, and nothing else: no credentials and no fixed parameters. Arguments are checked before anything runs. If a call is wrong, refused or fails, the model is told why and goes on.`,
	params: AgentParams,
	// Which tools there are, and who approves them, must be known before the run.
	verbatim: [
		"approve",
		"tools.component",
		"tools.workflow",
		"tools.tag",
		"tools.name",
		"tools.credential",
		"tools.timeout_ms",
		"memory.summarise",
		"memory.facts",
		"citations",
	],
	output: z.object({
		text: z.string().meta({ description: "The answer" }),
		json: anything().optional().meta({ description: "With `schema`: the answer as a value" }),
		citations: z
			.array(
				z.object({
					mark: z.int().meta({ description: "The number of its mark in the answer" }),
					entry_id: z.string(),
					entry_type: z.string(),
					page_name: z.string(),
					text: z.string().meta({ description: "The start of what the model read of it" }),
				}),
			)
			.optional()
			.meta({ description: "With `citations`: the entries that the answer cites" }),
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
			...(constant("citations") !== true && { citations: null }),
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
			title: "With a memory, and answers that cite entries",
			input: { conversation: "c-7", message: "And the kettle?" },
			params: {
				model: "gpt-5-mini",
				prompt: "{{input.message}}",
				tools: [{ component: "kb_search" }],
				memory: { key: "{{input.conversation}}", summarise: true },
				citations: true,
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
