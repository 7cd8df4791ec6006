import type { ResourceContent } from "../protocol/content.ts";
import type { PromptMessage } from "../protocol/surface.ts";

export const userText = (text: string): PromptMessage => ({ role: "user", content: { type: "text", text } });

export const userResource = (resource: ResourceContent): PromptMessage => ({
	role: "user",
	content: { type: "resource", resource },
});

export const joinParagraphs = (parts: readonly string[]): string =>
	parts.filter((part) => part !== "").join("\n\n");
