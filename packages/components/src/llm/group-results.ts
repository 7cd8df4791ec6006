import type { ChatMessage } from "./chat.ts";

/** The results of parallel tool calls together, for providers that expect them in one message; others alone. */
export function groupResults(messages: readonly ChatMessage[]): ChatMessage[][] {
	const groups: ChatMessage[][] = [];
	for (const message of messages) {
		const last = groups.at(-1);
		if (message.role === "tool" && last?.[0]?.role === "tool") last.push(message);
		else groups.push([message]);
	}
	return groups;
}
