import { Failed } from "@tripline/contract/failures";
import { StoreUnavailable } from "@tripline/store/client";
import { sourceOf } from "../domain/saved-workflow.ts";
import type { Runnable, Runnables } from "../runs/runnable.ts";
import type { LegacyWorkflowStorage } from "../storage/legacy-workflows.ts";
import type { WorkflowStorage } from "../storage/workflows.ts";

export type WorkflowFinder = ReturnType<typeof workflowFinder>;

/** A namespace's workflow by name: the store is asked first, the legacy store if that has none or cannot be reached. */
export function workflowFinder(deps: {
	readonly workflows: WorkflowStorage;
	readonly legacy: LegacyWorkflowStorage;
	readonly runnables: Runnables;
}) {
	return {
		async find(namespace: string, name: string): Promise<Runnable | null> {
			const text = await definitionOf(namespace, name);
			return text === null ? null : deps.runnables.of(text, sourceOf, namespace);
		},

		/** Also one that cannot run any more. */
		exists: async (namespace: string, name: string): Promise<boolean> =>
			(await definitionOf(namespace, name)) !== null,
	};

	async function definitionOf(namespace: string, name: string): Promise<string | null> {
		let outage: StoreUnavailable | null = null;
		try {
			const entry = await deps.workflows.find(namespace, name);
			if (entry !== null) return entry.metadata_json;
		} catch (error) {
			if (!(error instanceof StoreUnavailable)) throw error;
			outage = error;
		}
		const legacy = await deps.legacy.get(namespace, name);
		// Without the store nobody knows whether there is such a workflow.
		if (legacy === null && outage !== null) throw outage;
		return legacy;
	}
}

export const workflowNotFound = (): Failed =>
	new Failed({ kind: "not_found", message: "workflow not found" });
