import type { Diagnostic } from "@tripline/contract/workflows";
import { type DocumentSource, ExecutorRefused, type TenantExecutor } from "@tripline/executor/client";
import * as z from "zod";
import { LANGUAGE_URI } from "../resources/uris.ts";
import { defineTool } from "./define-tool.ts";
import { diagnosticFields, document, fitDiagnostics, HOW_TO_FIX, toSource } from "./documents.ts";
import { next } from "./fields.ts";
import { NO_FACTS, readFacts, type SavedFacts, savedFields } from "./saved-facts.ts";
import { describeStale, isStale } from "./stale-save.ts";
import { versionNumber } from "./workflow-name.ts";

export const saveWorkflow = defineTool({
	name: "save_workflow",
	title: "Save a workflow",
	description: `Creates a workflow, or replaces the one with the same name. The edges of its graph are triplets, subject >> relation >> object; config defines what each node does:
{"name":"greet","description":"Says hello","version":"1","triplets":["input >> ON_SUCCESS >> hello"],"config":{"hello":{"component":"template","text":"Hello {{input.name}}"}}}
If it does not compile, nothing is saved and the diagnostics say what to fix: fix it and save again. The resource ${LANGUAGE_URI} explains the language, list_components lists what nodes can run. To change a workflow, start from get_workflow: if it returns yaml, edit that text and save it with its comments. Pass its version_number as if_version.`,
	hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
	input: z.strictObject({
		document,
		if_version: versionNumber(
			"The version that the change is based on: if it is not the current one, nothing is saved and diff says what changed",
		).optional(),
	}),
	output: z.object({
		saved: z.boolean(),
		name: z.string().nullable(),
		version_number: z.int().nullable().meta({ description: "Of the current version" }),
		diff: z.string().nullable().meta({ description: "From if_version to the current version" }),
		created: z.boolean().meta({ description: "False: an existing workflow was replaced, or nothing saved" }),
		webhook_url: z.string().nullable().meta({ description: "POST a JSON object to it to run the workflow" }),
		...savedFields,
		error: z.string().nullable(),
		...diagnosticFields,
		next,
	}),
	async call({ document, if_version }, { executor }) {
		const source = toSource(document);
		const nothing = { saved: false, created: false, webhook_url: null, ...NO_FACTS };
		try {
			const saved = await executor.workflows.save(source, { ifVersion: if_version });
			const { name, created, webhook_url, version_number, diagnostics } = saved;
			const facts = await readFacts(name, executor);
			const next = describeNext(name, facts, diagnostics);
			const told = { saved: true, name, version_number, created, webhook_url, ...facts };
			return {
				structured: { ...told, diff: null, error: null, ...fitDiagnostics(diagnostics, []), next },
			};
		} catch (error) {
			if (if_version !== undefined && isStale(error)) {
				const stale = await describeStale(error, source, if_version, executor);
				return { structured: { ...nothing, ...stale, ...fitDiagnostics([], []) }, isError: true };
			}
			if (!isUncompilable(error)) throw error;
			const found = await readDiagnostics(error, source, executor);
			const next = `Nothing was saved. ${HOW_TO_FIX} Then call save_workflow again.`;
			const unknown = { name: null, version_number: null, diff: null };
			return { structured: { ...nothing, ...unknown, error: error.message, ...found, next }, isError: true };
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
	{ sample_input, next_run, tool, form_url, enabled }: SavedFacts,
	warnings: readonly Diagnostic[],
): string {
	const input =
		sample_input === null ? "{}, with the input that it needs" : "the sample_input or a better one";
	const parts = [
		warnings.some(({ code }) => code === "missing_credential")
			? "The user must add the credentials that the warnings name before it can run."
			: null,
		`Test it: run_workflow {"name":${JSON.stringify(name)}} with input ${input}.`,
		enabled === false ? "It is disabled: set_workflow_enabled switches its triggers on." : null,
		next_run === null ? null : `It will run by itself at ${next_run}: tell the user.`,
		form_url === null ? null : `People fill in its form at ${form_url}: tell the user.`,
		tool === null ? null : `Assistants that connect from now on see the tool ${tool}.`,
	];
	return parts.filter((part) => part !== null).join(" ");
}
