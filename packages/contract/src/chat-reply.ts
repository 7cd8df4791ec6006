import type { Json } from "./json.ts";

/** What a run says in a chat: a text, or the text in what a model or an agent gives. */
export function readReply(data: Json): string {
	if (data === null) return "";
	if (typeof data !== "object") return String(data);
	if (!Array.isArray(data)) {
		const text = data.text ?? data.output;
		if (typeof text === "string") return text;
	}
	return JSON.stringify(data);
}
