import type { OutboundAnswer, OutboundCall } from "../../src/outbound/call.ts";

/** What the model answers: a text, or the tools that it calls. */
export type Reply = string | readonly { readonly name: string; readonly arguments: unknown }[];

interface Message {
	readonly role: string;
	readonly content: string;
	readonly tool_call_id?: string;
}

/** A model that answers by a script, and what it was asked. */
export function scriptModel(...replies: Reply[]) {
	const requests: {
		readonly messages: Message[];
		readonly tools?: unknown;
		readonly tool_choice?: unknown;
	}[] = [];
	return {
		requests,
		/** What it was told last about its calls. */
		readResults: () =>
			(requests.at(-1)?.messages ?? []).filter(({ role }) => role === "tool").map(({ content }) => content),
		async http({ body }: OutboundCall): Promise<OutboundAnswer> {
			const { value } = body as unknown as { readonly value: (typeof requests)[number] };
			requests.push(structuredClone(value));
			const reply = replies[requests.length - 1] ?? "The script has ended.";
			const calls = typeof reply === "string" ? [] : reply;
			const message = {
				role: "assistant",
				content: typeof reply === "string" ? reply : null,
				...(calls.length > 0 && {
					tool_calls: calls.map((call, index) => ({
						id: `call_${requests.length}_${index}`,
						type: "function",
						function: {
							name: call.name,
							arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
						},
					})),
				}),
			};
			const finish_reason = calls.length > 0 ? "tool_calls" : "stop";
			const answer = {
				model: "double",
				choices: [{ index: 0, message, finish_reason }],
				usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
			};
			return {
				status: 200,
				headers: { "content-type": "application/json" },
				body: new TextEncoder().encode(JSON.stringify(answer)),
				url: "",
			};
		},
	};
}
