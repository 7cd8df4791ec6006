import { Failed, notFound } from "@tripline/contract/failures";
import type { StoredVersion, WorkflowVersionPage } from "@tripline/contract/workflow-versions";
import type { Turns } from "@tripline/platform/turns";
import { type StoreClient, StoreRefused } from "@tripline/store/client";
import type { Author } from "../domain/change.ts";
import { readStoredSource } from "../domain/saved-workflow.ts";
import { addText, readText } from "../domain/written-text.ts";
import type { AcceptedRuns } from "../runs/accepted.ts";
import type { LegacyWorkflowStorage } from "../storage/legacy-workflows.ts";
import { toWritten, type WorkflowStorage, type WrittenWorkflow } from "../storage/workflows.ts";
import { workflowDiffs } from "./diff.ts";
import type { Drafts } from "./drafts.ts";
import { type WorkflowFinder, workflowNotFound } from "./find.ts";
import type { LegacyWorkflows } from "./legacy.ts";
import type { SavedWorkflows } from "./saved.ts";
import { type StoredWorkflows, toIso } from "./stored.ts";

/** A workflow after a change of something besides its text. */
export interface Changed {
	readonly name: string;
	readonly version_number: number;
	readonly enabled: boolean;
	readonly updated_at: string;
}

/** Who changes a workflow, and the version that must be the current one. */
interface Change {
	readonly by: Author;
	readonly ifVersion: number | undefined;
}

export type Versions = ReturnType<typeof versions>;

/** What the versions of a workflow are for: reading, comparing and going back. Also its name and its switch. */
export function versions(deps: {
	readonly store: StoreClient;
	readonly workflows: WorkflowStorage;
	readonly legacy: LegacyWorkflowStorage;
	readonly adopt: LegacyWorkflows["adopt"];
	readonly stored: StoredWorkflows;
	readonly saved: SavedWorkflows;
	readonly drafts: Drafts;
	readonly finder: WorkflowFinder;
	readonly accepted: Pick<AcceptedRuns, "cancelWaiting">;
	readonly turns: Turns;
	/** Mailboxes may have to be opened or closed. */
	onTriggerChanged(namespace: string): void;
}) {
	const { store, workflows, adopt, turns } = deps;

	return {
		async list(
			namespace: string,
			name: string,
			page: { readonly limit: number; readonly cursor?: string | undefined },
		): Promise<WorkflowVersionPage> {
			const found = await store.workflows.listVersions({ owner_id: namespace, name, ...page });
			// A workflow of the legacy store exists and has none.
			if (found.versions.length === 0 && !(await deps.finder.exists(namespace, name)))
				throw workflowNotFound();
			return found;
		},

		async read(namespace: string, name: string, number: number) {
			const { content, metadata_json, ...version } = await getVersion(namespace, name, number);
			const written = toWritten(version.name, { content, metadata_json });
			return { ...version, text: await deps.stored.render(namespace, written) };
		},

		diff: workflowDiffs({ ...deps, getVersion, getEntry }),

		/** Makes a new version with the text of an old one. It must still compile with the tenant's components. */
		async rollBack(
			namespace: string,
			name: string,
			{ version, by, ifVersion }: Change & { readonly version: number },
		): Promise<Changed> {
			const old = await getVersion(namespace, name, version);
			const json = await turns.run(namespace, () => readStoredSource(old.metadata_json));
			await deps.saved.compile(namespace, { json });
			const { version: current } = await getEntry(namespace, name);
			const workflow = await nameAs(namespace, toWritten(old.name, old), name);
			const condition = { if_version: ifVersion ?? current };
			const { entry } = await workflows.save(namespace, workflow, by, condition);
			deps.onTriggerChanged(namespace);
			return toChanged(entry);
		},

		async setEnabled(namespace: string, name: string, enabled: boolean): Promise<Changed> {
			await adopt(namespace, name);
			if (!(await store.workflows.setEnabled({ owner_id: namespace, name, enabled })))
				throw workflowNotFound();
			deps.onTriggerChanged(namespace);
			if (!enabled) await deps.accepted.cancelWaiting(namespace, name, "disabled");
			return toChanged(await getEntry(namespace, name));
		},

		/** A new version under another name. The name in the original text changes, and nothing else of it. */
		async rename(
			namespace: string,
			name: string,
			{ to, by, ifVersion }: Change & { readonly to: string },
		): Promise<Changed> {
			await adopt(namespace, name);
			const entry = await getEntry(namespace, name);
			const if_version = ifVersion ?? entry.version ?? 1;
			if (to === name) return toChanged(entry);
			if (await deps.finder.exists(namespace, to)) throw isTaken(to);
			const { metadata: metadata_json } = await nameAs(namespace, toWritten(name, entry), to);
			// First from the legacy store: what is left there would be found under the old name.
			await deps.legacy.delete(namespace, name);
			try {
				const moved = await store.workflows.rename({
					...{ owner_id: namespace, name, to, if_version, metadata_json, ...by },
				});
				if (moved === null) throw workflowNotFound();
				return toChanged(moved);
			} catch (error) {
				if (error instanceof StoreRefused && error.status === 409) throw isTaken(to);
				throw error;
			}
		},
	};

	async function getVersion(namespace: string, name: string, number: number): Promise<StoredVersion> {
		const version = await store.workflows.getVersion(namespace, name, number);
		if (version !== null) return version;
		throw (await deps.finder.exists(namespace, name))
			? notFound(`the workflow has no version ${number}`)
			: workflowNotFound();
	}

	async function getEntry(namespace: string, name: string) {
		const entry = await workflows.find(namespace, name);
		if (entry === null) throw workflowNotFound();
		return entry;
	}

	/** The same workflow under another name, with that name in its original text. */
	async function nameAs(
		namespace: string,
		workflow: WrittenWorkflow,
		name: string,
	): Promise<WrittenWorkflow> {
		if (workflow.name === name) return workflow;
		const text = await readText(workflow);
		if (text === null) return { ...workflow, name };
		const { yaml: _, ...rest } = JSON.parse(workflow.metadata) as { yaml?: unknown };
		const renamed = { ...workflow, name, metadata: JSON.stringify(rest) };
		const { replaceName } = await import("@tripline/engine/yaml/replace-name");
		const replaced = await turns.run(namespace, () => replaceName(text, name));
		const metadata = replaced === null ? null : await addText(renamed, replaced);
		return metadata === null ? renamed : { ...renamed, metadata };
	}
}

interface ChangedEntry {
	readonly page_name: string;
	readonly version?: number | undefined;
	readonly disabled?: true | undefined;
	readonly updated_at: number;
}

export const toChanged = ({ page_name, version, disabled, updated_at }: ChangedEntry): Changed => ({
	name: page_name,
	version_number: version ?? 1,
	enabled: disabled !== true,
	updated_at: toIso(updated_at),
});

const isTaken = (name: string): Failed =>
	new Failed({
		kind: "conflict",
		message: `a workflow named ${JSON.stringify(name)} exists: rename or delete it first`,
	});
