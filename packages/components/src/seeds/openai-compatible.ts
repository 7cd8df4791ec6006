import type { ApiRecipe } from "@tripline/contract/recipes";
import { text } from "../schema-words.ts";
import { openaiOperations } from "./openai-operations.ts";

/** A parameter, because a credential's field can be only one path segment and some services have two. */
const api_path = text("Path before /chat/completions: v1, api/v1 (OpenRouter), openai/v1 (Groq)", {
	default: "v1",
});

export const openaiCompatible: ApiRecipe = {
	id: "openai_compatible",
	category: "ai",
	title: "OpenAI-compatible service",
	description:
		"Chat, embeddings and models of any OpenAI-compatible service, such as OpenRouter, Groq, Mistral, Together or DeepSeek. The credential names its host.",
	auth: "openai_compatible",
	base_url: "https://{{credential.host}}",
	docs_url: "https://platform.openai.com/docs/api-reference",
	operations: openaiOperations("mistral-small-latest", "mistral-embed", {
		path: "/{+api_path}",
		params: { api_path },
	}),
};
