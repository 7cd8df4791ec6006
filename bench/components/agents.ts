import type { Effects } from "@tripline/components/effects";
import { buildAnswer } from "../../test/model-double.ts";
import { compilePlan } from "../executor/engine.ts";
import { compare } from "../measure.ts";
import type { Row } from "../report.ts";
import { callInLanes, runForData } from "./calls.ts";

const ROUNDS = 15;
const CALLS = 200;

const MODEL = { model: "m", base_url: "https://model.example/v1" };
const PROMPT = "Where is my order 7?";
const RESULT = "Order 7 was sent.";

/** An agent that calls a tool once and answers, against the same calls written as nodes. */
export async function agentTurns(onProgress: (what: string) => void): Promise<Row[]> {
	onProgress("agent");
	const agent = compilePlan({
		triplets: ["input >> then >> answer"],
		config: { answer: { component: "agent", ...MODEL, prompt: PROMPT, tools: [{ component: "template" }] } },
	});
	const nodes = compilePlan({
		triplets: ["input >> then >> ask", "ask >> then >> tool", "tool >> then >> answer"],
		config: {
			ask: { component: "llm_chat", ...MODEL, prompt: PROMPT, tools: [TOOL] },
			tool: { component: "template", text: "{{ask.tool_calls[0].arguments.text}}" },
			answer: {
				...{ component: "llm_chat", ...MODEL, tools: [TOOL] },
				messages: [
					{ role: "user", content: PROMPT },
					"{{ask.message}}",
					{ role: "tool", tool_call_id: "{{ask.tool_calls[0].id}}", content: "{{tool}}" },
				],
			},
		},
	});
	const side = (plan: typeof agent) => () => ({
		calls: CALLS,
		run: () => callInLanes(CALLS, 1, async () => void (await runForData(plan, {}, EFFECTS))),
	});
	const { floor, ours, ratio } = await compare({ rounds: ROUNDS, floor: side(nodes), ours: side(agent) });
	return [
		{
			what: "agent, a turn with one tool call",
			unit: "µs",
			floor,
			ours,
			ratio,
			bar: { on: "ratio", most: 2.5 },
		},
	];
}

const TOOL = {
	name: "template",
	description: "Renders a text.",
	parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};

const encode = (answer: object): Uint8Array => new TextEncoder().encode(JSON.stringify(answer));
const CALL = encode(buildAnswer("openai", [{ name: "template", arguments: { text: RESULT } }]));
const ANSWER = encode(buildAnswer("openai", "It is on its way."));

const EFFECTS: Partial<Effects> = {
	getModelPrice: () => null,
	countTokens: () => {},
	async http({ url, body }) {
		const { value } = body as unknown as { readonly value: { readonly messages: readonly unknown[] } };
		const isFirst = value.messages.length === 1;
		return {
			url,
			status: 200,
			headers: { "content-type": "application/json" },
			body: isFirst ? CALL : ANSWER,
		};
	},
};
