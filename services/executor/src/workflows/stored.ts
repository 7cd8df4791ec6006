import type { ListedEntry } from "@tripline/contract/entries";
import type { JsonObject } from "@tripline/contract/workflows";
import type { WorkflowDocument } from "@tripline/engine/decompile";
import { renderYaml } from "@tripline/engine/render-yaml";
import type { Turns } from "@tripline/platform/turns";
import {
	buildDocument,
	DEFAULT_VERSION,
	describeStored,
	parseOrNull,
	readDescription,
	type SavedWorkflow,
	toSource,
} from "../domain/saved-workflow.ts";
import { readText } from "../domain/written-text.ts";
import { corrupt } from "../runs/runnable.ts";
import type { LegacyWorkflowStorage } from "../storage/legacy-workflows.ts";
import { toWritten, type WorkflowStorage, type WrittenWorkflow } from "../storage/workflows.ts";
import { readDefinition } from "./compiled.ts";
import { workflowNotFound } from "./find.ts";

/** What was read of a workflow, and the number of the version that it is. */
export interface Versioned<Value> {
	readonly value: Value;
	/** Null in the legacy store. */
	readonly version: number | null;
}

export type StoredWorkflows = ReturnType<typeof storedWorkflows>;

/** Reads a tenant's named workflows, in the store and in the legacy key-value store. */
export function storedWorkflows(deps: {
	readonly workflows: WorkflowStorage;
	readonly legacy: LegacyWorkflowStorage;
	readonly turns: Turns;
}) {
	const { workflows, legacy, turns } = deps;

	return {
		/** The store wins on equal names. The legacy store has no tags. */
		async list(namespace: string, tag?: string): Promise<SavedWorkflow[]> {
			const stored = (await workflows.all(namespace, tag)).map(describeEntry);
			if (tag !== undefined) return stored;
			const known = new Set(stored.map(({ name }) => name));
			const old = (await legacy.names(namespace)).filter((name) => !known.has(name));
			const described = await Promise.all(old.map((name) => describeLegacy(namespace, name)));
			return [...stored, ...described.filter((each) => each !== null)];
		},

		/** The list item of one workflow. */
		async describe(namespace: string, name: string): Promise<SavedWorkflow | null> {
			const entry = await workflows.find(namespace, name);
			return entry === null ? describeLegacy(namespace, name) : describeEntry(entry);
		},

		/** Portable: posting it to another instance creates the same workflow. */
		async document(namespace: string, name: string): Promise<Versioned<JsonObject>> {
			const { version, ...found } = await find(namespace, name);
			return { value: await buildPortable(namespace, found), version };
		},

		/** The document as YAML: the original text with its comments if it was saved as YAML. */
		async text(namespace: string, name: string): Promise<Versioned<string>> {
			const { version, ...found } = await find(namespace, name);
			return { value: await render(namespace, found), version };
		},

		/** The same of a workflow as it was stored. */
		render,

		/** The original text only. Null if there is none. */
		async written(namespace: string, name: string): Promise<Versioned<string> | null> {
			const entry = await workflows.find(namespace, name);
			const value = entry === null ? null : await readText(toWritten(name, entry));
			return value === null ? null : { value, version: entry?.version ?? null };
		},
	};

	async function render(namespace: string, workflow: Readable): Promise<string> {
		const { description } = workflow;
		const written = description === null ? null : await readText({ ...workflow, description });
		if (written !== null) return written;
		const document = await buildPortable(namespace, workflow);
		return turns.run(namespace, () => renderYaml(document as unknown as WorkflowDocument));
	}

	async function find(
		namespace: string,
		name: string,
	): Promise<Readable & { readonly version: number | null }> {
		const entry = await workflows.find(namespace, name);
		if (entry !== null) return { ...toWritten(name, entry), version: entry.version ?? null };
		const metadata = await legacy.get(namespace, name);
		if (metadata === null) throw workflowNotFound();
		return { name, description: null, metadata, version: null };
	}

	/** Parsing, reading and writing a large document is slow, so each step takes its own turn. */
	async function buildPortable(
		namespace: string,
		{ name, description, metadata }: Readable,
	): Promise<JsonObject> {
		const stored = await turns.run(namespace, () => parseOrNull(metadata));
		if (stored === null) throw corrupt("it is not JSON");
		return turns.run(namespace, () => {
			const described = { name, description: description ?? readDescription(stored) };
			const json = { version: DEFAULT_VERSION, ...toSource(stored), ...described };
			const definition = readDefinition({ json });
			if (definition === null) throw corrupt();
			return buildDocument(definition, stored);
		});
	}

	async function describeLegacy(namespace: string, name: string): Promise<SavedWorkflow | null> {
		const text = await legacy.get(namespace, name);
		if (text === null) return null;
		const stored = parseOrNull(text);
		return {
			name,
			description: readDescription(stored),
			...describeStored(stored),
			source: "kv",
			next_run_at: null,
			updated_at: null,
			version_number: null,
			enabled: true,
		};
	}
}

interface Readable extends Omit<WrittenWorkflow, "description"> {
	/** Null in the legacy store, which has it in the metadata. */
	readonly description: string | null;
}

const describeEntry = (entry: ListedEntry): SavedWorkflow => ({
	name: entry.page_name,
	description: entry.content,
	...describeStored(parseOrNull(entry.metadata_json)),
	source: "store",
	next_run_at: entry.next_run_at === undefined ? null : toIso(entry.next_run_at),
	updated_at: toIso(entry.updated_at),
	version_number: entry.version ?? null,
	enabled: entry.disabled !== true,
});

export const toIso = (seconds: number): string => new Date(seconds * 1000).toISOString();
