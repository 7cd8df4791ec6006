import type { JsonObject } from "@tripline/contract/workflows";
import { type DocumentSource, ExecutorRefused } from "@tripline/executor/client";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { diagnosticFields, document, fitDiagnostics, HOW_TO_FIX, toSource } from "./documents.ts";
import { next } from "./fields.ts";
import { isUncompilable, readDiagnostics } from "./save-workflow.ts";
import type { ToolContext } from "./tool.ts";
import { createWorkflowNotFound, workflowName } from "./workflow-name.ts";

export const createWebhook = defineTool({
	name: "create_webhook",
	title: "Create a webhook",
	description:
		"Creates a secret URL that runs a workflow when another service or page calls it. Anyone who has the URL can run it without another credential: give it only to the user. Saved workflows already have a webhook_url based on their name; use this tool if the URL must not be guessable.",
	hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
	input: z
		.strictObject({
			workflow: workflowName.optional().meta({
				description: "A saved workflow as it is now; later changes to it do not affect the webhook",
			}),
			document: document.optional().meta({
				description:
					"Instead of workflow: a document as for save_workflow, with at least triplets and config",
			}),
		})
		.refine(({ workflow, document }) => (workflow === undefined) !== (document === undefined), {
			message: "exactly one of workflow and document must be given",
		}),
	output: z.object({
		created: z.boolean(),
		webhook_url: z.string().nullable(),
		description: z.string().nullable(),
		error: z.string().nullable(),
		...diagnosticFields,
		next,
	}),
	async call({ workflow, document }, context) {
		const source =
			document === undefined ? await copyWorkflow(workflow as string, context) : toSource(document);
		try {
			const { webhook_url, description } = await context.executor.webhooks.create(source);
			const next =
				"POST a JSON object to the URL to run it: the object becomes input. Tell the user that anyone who has the URL can run it.";
			return {
				structured: { created: true, webhook_url, description, error: null, ...fitDiagnostics([], []), next },
			};
		} catch (error) {
			if (!(error instanceof ExecutorRefused)) throw error;
			const found = isUncompilable(error)
				? await readDiagnostics(error, source, context.executor)
				: fitDiagnostics([], []);
			const nothing = { created: false, webhook_url: null, description: null, error: error.message };
			const next = `No webhook was created. ${HOW_TO_FIX} Then call create_webhook again.`;
			return { structured: { ...nothing, ...found, next }, isError: true };
		}
	},
});

/** Without the trigger, because only its URL starts it. */
async function copyWorkflow(name: string, context: ToolContext): Promise<DocumentSource> {
	const document = await context.executor.workflows.document(name);
	if (document === null) throw await createWorkflowNotFound(name, context);
	const { trigger: _, id: __, ...rest } = document;
	return { json: rest as JsonObject };
}
