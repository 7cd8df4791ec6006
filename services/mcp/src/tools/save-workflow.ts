import type { Diagnostic } from "@tripline/contract/workflows";
import { type DocumentSource, ExecutorRefused, type TenantExecutor } from "@tripline/executor/client";
import * as z from "zod";
import { LANGUAGE_URI } from "../resources/uris.ts";
import { defineTool } from "./define-tool.ts";
import { diagnosticFields, document, fitDiagnostics, HOW_TO_FIX, toSource } from "./documents.ts";
import { next } from "./fields.ts";
import { NO_FACTS, readFacts, type SavedFacts, savedFields } from "./saved-facts.ts";

export const saveWorkflow = defineTool({
	name: "save_workflow",
	title: "Save a workflow",
	description: `Creates a workflow, or replaces the one with the same name. The edges of its graph are triplets, subject >> relation >> object; config defines what each node does:
{"name":"greet","description":"Says hello","version":"1","triplets":["input >> ON_SUCCESS >> hello"],"config":{"hello":{"component":"template","text":"Hello {{input.name}}"}}}
If it does not compile, nothing is saved and the diagnostics say what to fix: fix it and save again. The resource ${LANGUAGE_URI} explains the language, list_components lists what nodes can run. To change a workflow, start from get_workflow: if it returns yaml, edit that text and save it as text, with its comments.`,
	hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
	input: z.strictObject({ document }),
	output: z.object({
		saved: z.boolean(),
		name: z.string().nullable(),
		created: z.boolean().meta({ description: "False: an existing workflow was replaced, or nothing saved" }),
		webhook_url: z.string().nullable().meta({ description: "POST a JSON object to it to run the workflow" }),
		...savedFields,
		error: z.string().nullable(),
		...diagnosticFields,
		next,
	}),
	async call({ document }, { executor }) {
		const source = toSource(document);
		try {
			const saved = await executor.workflows.save(source);
			const { name, created, webhook_url, diagnostics } = saved;
			const facts = await readFacts(name, executor);
			const next = describeNext(name, facts, diagnostics);
			const told = { saved: true, name, created, webhook_url, ...facts, error: null };
			return { structured: { ...told, ...fitDiagnostics(diagnostics, []), next } };
		} catch (error) {
			if (!isUncompilable(error)) throw error;
			const found = await readDiagnostics(error, source, executor);
			const nothing = { saved: false, name: null, created: false, webhook_url: null, ...NO_FACTS };
			const next = `Nothing was saved. ${HOW_TO_FIX} Then call save_workflow again.`;
			return { structured: { ...nothing, error: error.message, ...found, next }, isError: true };
		}
	},
});

/** Whether the compiler rejected the document. */
export const isUncompilable = (error: unknown): error is ExecutorRefused =>
	error instanceof ExecutorRefused &&
	(Array.isArray(error.answer.diagnostics) || Array.isArray(error.answer.missing));

/** The answer for missing components has no diagnostics, which contain the hints: validate again to get them. */
export async function readDiagnostics(
	{ answer }: ExecutorRefused,
	source: DocumentSource,
	executor: TenantExecutor,
) {
	if (Array.isArray(answer.diagnostics)) return fitDiagnostics(answer.diagnostics as Diagnostic[], []);
	const { diagnostics, missing } = await executor.workflows.validate(source);
	return fitDiagnostics(diagnostics, missing);
}

function describeNext(
	name: string,
	{ sample_input, next_run, tool, form_url }: SavedFacts,
	warnings: readonly Diagnostic[],
): string {
	const input =
		sample_input === null ? "{}, with the input that it needs" : "the sample_input or a better one";
	const parts = [
		warnings.some(({ code }) => code === "missing_credential")
			? "The user must add the credentials that the warnings name before it can run."
			: null,
		`Test it: run_workflow {"name":${JSON.stringify(name)}} with input ${input}.`,
		next_run === null ? null : `It will run by itself at ${next_run}: tell the user.`,
		form_url === null ? null : `People fill in its form at ${form_url}: tell the user.`,
		tool === null ? null : `Assistants that connect from now on see the tool ${tool}.`,
	];
	return parts.filter((part) => part !== null).join(" ");
}
