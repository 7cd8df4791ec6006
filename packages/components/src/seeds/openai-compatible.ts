import type { ApiRecipe } from "@tripline/contract/recipes";
import { text } from "../schema-words.ts";
import { openaiOperations } from "./openai-operations.ts";

/** A field of a credential is one segment of a path, and some services have two. */
const api_path = text("What comes before /chat/completions: v1, api/v1 (OpenRouter), openai/v1 (Groq)", {
	default: "v1",
});

export const openaiCompatible: ApiRecipe = {
	id: "openai_compatible",
	title: "OpenAI-compatible service",
	description:
		"Chat, embeddings and models of any service that speaks OpenAI's API, such as OpenRouter, Groq, Mistral, Together or DeepSeek. The credential says which.",
	auth: "openai_compatible",
	base_url: "https://{{credential.host}}",
	docs_url: "https://platform.openai.com/docs/api-reference",
	operations: openaiOperations("mistral-small-latest", "mistral-embed", {
		path: "/{+api_path}",
		params: { api_path },
	}),
};
