import type { Backfilled } from "@tripline/contract/executor";
import type { Log } from "@tripline/platform/log";
import type * as z from "zod";
import type { Author } from "../domain/change.ts";
import { buildMetadata, parseOrNull, readDescription, toSource } from "../domain/saved-workflow.ts";
import type { LegacyWorkflowStorage } from "../storage/legacy-workflows.ts";
import type { WorkflowStorage, WrittenWorkflow } from "../storage/workflows.ts";
import { readDefinition } from "./compiled.ts";

export type LegacyWorkflows = ReturnType<typeof legacyWorkflows>;

/** Copies workflows of the legacy key-value store into the store. One that is already there is newer and stays. */
export function legacyWorkflows(deps: {
	readonly workflows: WorkflowStorage;
	readonly legacy: LegacyWorkflowStorage;
	readonly log: Log;
}) {
	const { workflows, legacy } = deps;

	return {
		/** Before the first change of a workflow, so that its text is the first version. */
		async adopt(namespace: string, name: string): Promise<void> {
			const text = await legacy.get(namespace, name);
			const workflow = text === null ? null : readLegacy(name, text);
			if (workflow !== null) await workflows.saveOnce(namespace, workflow, nameLegacy(namespace));
		},

		async backfill(namespace: string): Promise<z.output<typeof Backfilled>> {
			const needs_description: string[] = [];
			let backfilled = 0;
			let unchanged = 0;
			for (const name of await legacy.names(namespace)) {
				const text = await legacy.get(namespace, name);
				if (text === null) continue;
				const workflow = readLegacy(name, text);
				if (workflow === null) {
					// Leave it in the legacy store and copy the others.
					deps.log("warn", "a legacy workflow cannot be read", { namespace, workflow: name });
					continue;
				}
				const { entry, created } = await workflows.saveOnce(namespace, workflow, nameLegacy(namespace));
				backfilled++;
				if (!created) unchanged++;
				if (entry.content === "") needs_description.push(name);
			}
			return { backfilled, unchanged, needs_description };
		},
	};
}

/** Null if it cannot be read. */
function readLegacy(name: string, text: string): WrittenWorkflow | null {
	const value = parseOrNull(text);
	const definition = readDefinition({ json: toSource(value) });
	if (definition === null) return null;
	return { name, description: readDescription(value), metadata: buildMetadata(definition, null) };
}

const nameLegacy = (namespace: string): Author => ({ author: namespace, client: "legacy" });
