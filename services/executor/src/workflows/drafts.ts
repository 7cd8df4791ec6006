import { Failed, notFound } from "@tripline/contract/failures";
import { findUnstorable } from "@tripline/contract/json";
import type { WorkflowDraft } from "@tripline/contract/workflow-versions";
import type { Source } from "@tripline/engine/source";
import type { Turns } from "@tripline/platform/turns";
import type { StoreClient } from "@tripline/store/client";
import type { Author } from "../domain/change.ts";
import { buildMetadata, readStoredSource } from "../domain/saved-workflow.ts";
import type { Runnable, Runnables } from "../runs/runnable.ts";
import { workflowNotFound } from "./find.ts";
import type { LegacyWorkflows } from "./legacy.ts";
import type { Saved, SavedWorkflows } from "./saved.ts";

export type Drafts = ReturnType<typeof drafts>;

/** One unpublished text per workflow, as it was sent: it may not compile yet. */
export function drafts(deps: {
	readonly store: StoreClient;
	readonly adopt: LegacyWorkflows["adopt"];
	readonly saved: SavedWorkflows;
	readonly runnables: Runnables;
	readonly turns: Turns;
}) {
	const { store, saved, turns } = deps;

	return {
		/** Null if the workflow has none. */
		find,

		get,

		/** The draft's text as a source, which may not compile. */
		readSource,

		async save(
			namespace: string,
			name: string,
			draft: {
				readonly text: string;
				readonly format: WorkflowDraft["format"];
				readonly base?: number | undefined;
				readonly by: Author;
			},
		): Promise<WorkflowDraft> {
			const { by, base, text, format } = draft;
			const problem = findUnstorable(text);
			if (problem !== null) throw new Failed({ kind: "bad_request", message: problem });
			await deps.adopt(namespace, name);
			const stored = await store.workflows.saveDraft(text, {
				owner_id: namespace,
				name,
				format,
				base,
				...by,
			});
			if (stored === null) throw workflowNotFound();
			return stored;
		},

		async discard(namespace: string, name: string): Promise<void> {
			if (!(await store.workflows.deleteDraft(namespace, name))) throw draftNotFound();
		},

		/** Compiles it, or throws the 400 or 422 that says why not. */
		async prepare(namespace: string, draft: WorkflowDraft): Promise<Runnable> {
			const source = await readSource(namespace, draft);
			const { definition, triplets } = await saved.compile(namespace, source);
			const text = await turns.run(namespace, () => buildMetadata(definition, triplets));
			return deps.runnables.get(text, readStoredSource, namespace);
		},

		/**
		 * Saves it as a new version if its base is still the current one, and discards it in the same unit of work. A draft
		 * that was saved again meanwhile is kept.
		 */
		async publish(namespace: string, name: string, by: Author): Promise<Saved> {
			const draft = await get(namespace, name);
			const source = await readSource(namespace, draft);
			return saved.save(namespace, source, {
				...{ whole: true, name, by },
				condition: draft.base,
				draft: draft.revision,
			});
		},
	};

	function find(namespace: string, name: string): Promise<WorkflowDraft | null> {
		return store.workflows.getDraft(namespace, name);
	}

	async function get(namespace: string, name: string): Promise<WorkflowDraft> {
		const draft = await find(namespace, name);
		if (draft === null) throw draftNotFound();
		return draft;
	}

	async function readSource(namespace: string, { format, text }: WorkflowDraft): Promise<Source> {
		if (format === "yaml") return (await import("@tripline/engine/yaml")).yamlSource(text);
		return turns.run(namespace, () => ({ json: JSON.parse(text) as unknown }));
	}
}

const draftNotFound = (): Failed => notFound("the workflow has no draft");
