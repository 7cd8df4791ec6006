import type { JsonObject } from "@tripline/contract/workflows";
import { type DocumentSource, ExecutorRefused } from "@tripline/executor/client";
import * as z from "zod";
import { tool } from "./described.ts";
import { diagnosed, diagnosticFields, document, HOW_TO_MEND, sourceOf } from "./documents.ts";
import { next } from "./fields.ts";
import { diagnosticsOf, isUncompilable } from "./save-workflow.ts";
import type { ToolContext } from "./tool.ts";
import { workflowName, workflowNotFound } from "./workflow-name.ts";

export const createWebhook = tool({
	name: "create_webhook",
	title: "Create a webhook",
	description:
		"Makes a new secret URL that runs a graph when it is called, for another service or page to call. Give a saved workflow's name, of which it takes a copy, or a document. Whoever has the URL can run it, without any other credential: give it only to the user. Saved workflows have a webhook_url of their own, by their name; use this where the URL must not be guessed.",
	hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
	input: z
		.strictObject({
			workflow: workflowName.optional().meta({
				description: "A saved workflow, as it is now; later changes of it do not change the webhook",
				examples: ["daily report"],
			}),
			document: document.optional().meta({
				description:
					"Instead of workflow: a document as for save_workflow, in which only triplets (and config) are needed, as an object or YAML text",
				examples: [
					{
						description: "Says hello",
						triplets: ["input >> ON_SUCCESS >> hello"],
						config: { hello: { component: "template", text: "Hello {{input.name}}" } },
					},
				],
			}),
		})
		.refine(({ workflow, document }) => (workflow === undefined) !== (document === undefined), {
			message: "either workflow or document must be given, and not both",
		}),
	output: z.object({
		created: z.boolean(),
		webhook_url: z.string().nullable().meta({ description: "A secret: whoever has it can run it" }),
		description: z.string().nullable(),
		error: z.string().nullable().meta({ description: "Why none was made" }),
		...diagnosticFields,
		next,
	}),
	async call({ workflow, document }, context) {
		const source = document === undefined ? await copyOf(workflow as string, context) : sourceOf(document);
		try {
			const { webhook_url, description } = await context.executor.webhooks.create(source);
			const next =
				"POST a JSON object there to run it: it becomes input. Tell the user that whoever has the URL can run it.";
			return {
				structured: { created: true, webhook_url, description, error: null, ...diagnosed([], []), next },
			};
		} catch (error) {
			if (!(error instanceof ExecutorRefused)) throw error;
			const found = isUncompilable(error)
				? await diagnosticsOf(error, source, context.executor)
				: diagnosed([], []);
			const nothing = { created: false, webhook_url: null, description: null, error: error.message };
			const next = `No webhook was made. ${HOW_TO_MEND} Then call create_webhook again.`;
			return { structured: { ...nothing, ...found, next }, isError: true };
		}
	},
});

/** Without the trigger: it is started by its URL alone. */
async function copyOf(name: string, context: ToolContext): Promise<DocumentSource> {
	const document = await context.executor.workflows.document(name);
	if (document === null) throw await workflowNotFound(name, context);
	const { trigger: _, id: __, ...rest } = document;
	return { json: rest as JsonObject };
}
