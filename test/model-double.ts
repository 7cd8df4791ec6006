/** What a model answers: a text, or the tools that it calls. */
export type ModelReply = string | readonly ToolUse[];

interface ToolUse {
	readonly name: string;
	readonly arguments: unknown;
}

export type ModelFormat = "openai" | "anthropic" | "gemini";

/** The answer of a provider. */
export function buildAnswer(format: ModelFormat, reply: ModelReply): object {
	const text = typeof reply === "string" ? reply : null;
	const calls = typeof reply === "string" ? [] : reply;
	if (format === "anthropic")
		return {
			...{ type: "message", model: "double", stop_reason: text === null ? "tool_use" : "end_turn" },
			content:
				text === null
					? calls.map((call, at) => ({
							type: "tool_use",
							id: `c${at}`,
							name: call.name,
							input: call.arguments,
						}))
					: [{ type: "text", text }],
			usage: { input_tokens: 10, output_tokens: 5 },
		};
	if (format === "gemini") {
		const parts =
			text === null
				? calls.map(({ name, arguments: args }) => ({ functionCall: { name, args } }))
				: [{ text }];
		return {
			modelVersion: "double",
			candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }],
			usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
		};
	}
	const tool_calls = calls.map((call, at) => ({
		...{ id: `c${at}`, type: "function" },
		function: {
			name: call.name,
			arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
		},
	}));
	const message = { role: "assistant", content: text, ...(text === null && { tool_calls }) };
	return {
		model: "double",
		choices: [{ index: 0, message, finish_reason: text === null ? "tool_calls" : "stop" }],
		usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
	};
}

interface Asked {
	readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
	readonly contents?: readonly { readonly parts: readonly Record<string, unknown>[] }[];
}

/** What the model was told about its calls, in their order. */
export function readResults(body: string): string[] {
	const { messages = [], contents = [] } = JSON.parse(body) as Asked;
	const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
	return [
		...messages.filter(({ role }) => role === "tool").map(({ content }) => String(content)),
		...blocks
			.filter(({ type }) => type === "tool_result")
			.map(({ content }) => content.map(({ text }: { readonly text: string }) => text).join("")),
		...contents
			.flatMap(({ parts }) => parts)
			.flatMap(({ functionResponse }) => {
				const { response } = (functionResponse ?? {}) as { readonly response?: Record<string, string> };
				return response === undefined ? [] : (response.output ?? response.error ?? "");
			}),
	];
}
