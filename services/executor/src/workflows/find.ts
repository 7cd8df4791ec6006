import type { DescribedWorkflow } from "@tripline/components/effects";
import { Failed } from "@tripline/contract/failures";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Log } from "@tripline/platform/log";
import { StoreUnavailable } from "@tripline/store/client";
import {
	readInputSchema,
	readStoredOutputSchema,
	readStoredSource,
	type SavedWorkflow,
} from "../domain/saved-workflow.ts";
import type { Runnable, Runnables } from "../runs/runnable.ts";
import type { LegacyWorkflowStorage } from "../storage/legacy-workflows.ts";
import type { WorkflowStorage } from "../storage/workflows.ts";

type Source = SavedWorkflow["source"];

export interface FoundWorkflow {
	readonly runnable: Runnable;
	/** The store from which it was read. */
	readonly source: Source;
	/** Its triggers are switched off. */
	readonly isDisabled: boolean;
	/** Undefined in the legacy store. */
	readonly versionNumber: number | undefined;
	/** Empty in the legacy store. */
	readonly description: string;
}

interface StoredText extends Omit<FoundWorkflow, "runnable"> {
	readonly text: string;
}

export type WorkflowFinder = ReturnType<typeof workflowFinder>;

/** Finds a workflow by name, first in the store, then in the legacy store if the store has none or is unreachable. */
export function workflowFinder(deps: {
	readonly workflows: WorkflowStorage;
	readonly legacy: LegacyWorkflowStorage;
	readonly runnables: Runnables;
	readonly log: Log;
}) {
	return {
		async find(namespace: string, name: string): Promise<FoundWorkflow | null> {
			const stored = await read(namespace, name);
			if (stored === null) return null;
			const { text, ...found } = stored;
			return { runnable: await deps.runnables.get(text, readStoredSource, namespace), ...found };
		},

		/** A version of a workflow in the store. */
		async findVersion(
			namespace: string,
			name: string,
			versionNumber: number,
		): Promise<Pick<FoundWorkflow, "runnable" | "versionNumber"> | null> {
			const text = await deps.workflows.findVersion(namespace, name, versionNumber);
			if (text === null) return null;
			return { runnable: await deps.runnables.get(text, readStoredSource, namespace), versionNumber };
		},

		/** True also for a workflow that can no longer run. */
		exists: async (namespace: string, name: string): Promise<boolean> =>
			(await read(namespace, name)) !== null,

		/** The schema that a workflow's data matches, null if it has none, undefined if there is no such workflow. */
		async readOutputSchema(namespace: string, name: string): Promise<JsonObject | null | undefined> {
			const stored = await read(namespace, name);
			return stored === null ? undefined : readStoredOutputSchema(stored.text);
		},

		/** Workflows with a tag, at most so many. */
		async listTagged(namespace: string, tag: string, limit: number): Promise<DescribedWorkflow[]> {
			const entries = await deps.workflows.listTagged(namespace, tag, limit);
			return entries.map(({ page_name, content, metadata_json }) => ({
				name: page_name,
				description: content,
				input_schema: readInputSchema(metadata_json),
			}));
		},

		/** Some names of workflows, for hints. */
		recentNames: (namespace: string): Promise<string[]> => deps.workflows.recentNames(namespace),
	};

	async function read(namespace: string, name: string): Promise<StoredText | null> {
		let outage: StoreUnavailable | null = null;
		try {
			const entry = await deps.workflows.find(namespace, name);
			if (entry !== null)
				return {
					text: entry.metadata_json,
					source: "store",
					isDisabled: entry.disabled === true,
					versionNumber: entry.version,
					description: entry.content,
				};
		} catch (error) {
			if (!(error instanceof StoreUnavailable)) throw error;
			outage = error;
		}
		const legacy = await deps.legacy.get(namespace, name);
		// Without the store it is unknown whether the workflow exists.
		if (legacy === null && outage !== null) throw outage;
		if (outage !== null)
			deps.log("warn", "the store cannot be reached, the legacy version of a workflow is used", {
				namespace,
				workflow: name,
			});
		return legacy === null
			? null
			: { text: legacy, source: "kv", isDisabled: false, versionNumber: undefined, description: "" };
	}
}

export const workflowNotFound = (): Failed =>
	new Failed({ kind: "not_found", message: "workflow not found" });
