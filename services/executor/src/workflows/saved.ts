import type { ListedEntry } from "@tripline/contract/entries";
import type { Backfilled } from "@tripline/contract/executor";
import { Failed } from "@tripline/contract/failures";
import type { Diagnostic, Graph, JsonObject } from "@tripline/contract/workflows";
import type { WorkflowDocument } from "@tripline/engine/decompile";
import { renderYaml } from "@tripline/engine/render-yaml";
import { readSource, type Source } from "@tripline/engine/source";
import { type Log, toErrorFields } from "@tripline/platform/log";
import type { Turns } from "@tripline/platform/turns";
import { StoreRefused } from "@tripline/store/client";
import type * as z from "zod";
import type { Catalogues } from "../catalogue/catalogues.ts";
import {
	buildDocument,
	buildMetadata,
	DEFAULT_VERSION,
	describeStored,
	getCron,
	parseStored,
	type SavedWorkflow,
	toSource,
} from "../domain/saved-workflow.ts";
import { addText, readText } from "../domain/written-text.ts";
import type { AcceptedRuns } from "../runs/accepted.ts";
import { corrupt } from "../runs/runnable.ts";
import type { LegacyWorkflowStorage } from "../storage/legacy-workflows.ts";
import type { WorkflowStorage } from "../storage/workflows.ts";
import type { Vault } from "../vault/vault.ts";
import { compileOr4xx } from "./compiled.ts";
import { type WorkflowFinder, workflowNotFound } from "./find.ts";

export interface Saved {
	readonly name: string;
	readonly description: string;
	readonly created: boolean;
	readonly graph: Graph;
	readonly cron_expr: string | null;
	readonly version: string;
	readonly updated_at: string;
	readonly diagnostics: readonly Diagnostic[];
}

export interface SaveOptions {
	/** Name, description and version are required; otherwise only the name. */
	readonly whole: boolean;
	/** A document with a different name is refused. */
	readonly name?: string | undefined;
}

export type SavedWorkflows = ReturnType<typeof savedWorkflows>;

/** A tenant's named workflows, in the store and in the legacy key-value store. */
export function savedWorkflows(deps: {
	readonly workflows: WorkflowStorage;
	readonly legacy: LegacyWorkflowStorage;
	readonly catalogues: Catalogues;
	readonly vault: Vault;
	readonly turns: Turns;
	readonly finder: WorkflowFinder;
	readonly runTimeoutMs: number;
	readonly accepted: Pick<AcceptedRuns, "cancelWaiting">;
	readonly log: Log;
}) {
	const { workflows, legacy, catalogues } = deps;

	return {
		async save(namespace: string, source: Source, { whole, name: meant }: SaveOptions): Promise<Saved> {
			const compiled = await compileOr4xx(source, {
				catalogue: () => catalogues.catalogue(namespace),
				credentials: await deps.vault.listByName(namespace),
				named: whole,
				turns: deps.turns,
				runTimeoutMs: deps.runTimeoutMs,
				finder: deps.finder,
				namespace,
			});
			const { definition, warnings } = compiled;
			const { name, description = "", version = DEFAULT_VERSION, graph, trigger } = definition;
			if (name === undefined) throw badName("name is required");
			if (meant !== undefined && name !== meant) throw badName(`name must be ${JSON.stringify(meant)}`);
			// Serialising, storing and returning a large document is slow, so each step takes its own turn.
			const runInTurn = <Result>(compute: () => Result) => deps.turns.run(namespace, compute);
			const metadata = await runInTurn(() => buildMetadata(definition, compiled.triplets));
			const text = "yaml" in source ? source.yaml : null;
			const workflow = { name, description, metadata };
			const { entry, created } = await runInTurn(() => write(namespace, workflow, text));
			return runInTurn(() => ({
				name,
				description,
				created,
				graph,
				cron_expr: getCron(trigger ?? null),
				version,
				updated_at: toIso(entry.updated_at),
				diagnostics: warnings,
			}));
		},

		/** The store wins on equal names. */
		async list(namespace: string): Promise<SavedWorkflow[]> {
			const stored = (await workflows.all(namespace)).map(describeEntry);
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
		async document(namespace: string, name: string): Promise<JsonObject> {
			return readDocument(namespace, name, await read(namespace, name));
		},

		/** The document as YAML: the original text with its comments if it was saved as YAML. */
		async text(namespace: string, name: string): Promise<string> {
			const found = await read(namespace, name);
			const written = await readWritten(found.entry);
			if (written !== null) return written;
			const document = await readDocument(namespace, name, found);
			return deps.turns.run(namespace, () => renderYaml(document as unknown as WorkflowDocument));
		},

		/** The original text only. Null if there is none. */
		async written(namespace: string, name: string): Promise<string | null> {
			const entry = await workflows.find(namespace, name);
			return entry === null ? null : readWritten(entry);
		},

		/** True if it was in either store. */
		async delete(namespace: string, name: string): Promise<boolean> {
			const wasStored = await workflows.delete(namespace, name);
			const wasLegacy = await legacy.delete(namespace, name);
			if (!wasStored && !wasLegacy) return false;
			try {
				await deps.accepted.cancelWaiting(namespace, name);
			} catch (error) {
				// The workflow is deleted anyway; its waiting runs fail when they start.
				deps.log("warn", "accepted runs of a deleted workflow not cancelled", toErrorFields(error));
			}
			return true;
		},

		/** A workflow that is already in the store is newer and stays unchanged. */
		async backfill(namespace: string): Promise<z.output<typeof Backfilled>> {
			const needs_description: string[] = [];
			let backfilled = 0;
			let unchanged = 0;
			for (const name of await legacy.names(namespace)) {
				const text = await legacy.get(namespace, name);
				if (text === null) continue;
				const legacyValue = parseOrNull(text);
				const { definition, diagnostics } = readSource({ json: toSource(legacyValue) }, { named: false });
				if (definition === null || hasErrors(diagnostics)) {
					// Leave it in the legacy store and copy the others.
					deps.log("warn", "a legacy workflow cannot be read", { namespace, workflow: name });
					continue;
				}
				const description = getDescription(legacyValue);
				const metadata = buildMetadata(definition, null);
				const { entry, created } = await workflows.saveOnce(namespace, { name, description, metadata });
				backfilled++;
				if (!created) unchanged++;
				if (entry.content === "") needs_description.push(name);
			}
			return { backfilled, unchanged, needs_description };
		},
	};

	/** Stores the workflow without its original text if it is too large with it. */
	async function write(
		namespace: string,
		workflow: { name: string; description: string; metadata: string },
		text: string | null,
	) {
		const metadata = text === null ? null : await addText(workflow, text);
		if (metadata === null) return workflows.save(namespace, workflow);
		try {
			return await workflows.save(namespace, { ...workflow, metadata });
		} catch (error) {
			if (!(error instanceof StoreRefused && error.status === 413)) throw error;
			return workflows.save(namespace, workflow);
		}
	}

	/** Parsing, reading and writing a large document is slow, so each step takes its own turn. */
	async function read(namespace: string, name: string): Promise<Read> {
		const entry = await workflows.find(namespace, name);
		const text = entry?.metadata_json ?? (await legacy.get(namespace, name));
		if (text === null) throw workflowNotFound();
		return { entry, stored: await deps.turns.run(namespace, () => parseText(text)) };
	}

	async function readDocument(namespace: string, name: string, { entry, stored }: Read) {
		return deps.turns.run(namespace, () => {
			const description = entry?.content ?? getDescription(stored);
			const source = { version: DEFAULT_VERSION, ...toSource(stored), name, description };
			const { definition, diagnostics } = readSource({ json: source }, { named: false });
			if (definition === null || hasErrors(diagnostics)) throw corrupt();
			return buildDocument(definition, stored);
		});
	}

	async function describeLegacy(namespace: string, name: string): Promise<SavedWorkflow | null> {
		const text = await legacy.get(namespace, name);
		if (text === null) return null;
		const stored = parseOrNull(text);
		return {
			name,
			description: getDescription(stored),
			...describeStored(stored),
			source: "kv",
			next_run_at: null,
			updated_at: null,
		};
	}
}

/** A workflow as read from one of the stores. */
interface Read {
	/** Null if it is in the legacy store. */
	readonly entry: ListedEntry | null;
	readonly stored: unknown;
}

const readWritten = async (entry: ListedEntry | null): Promise<string | null> =>
	entry === null
		? null
		: readText({ name: entry.page_name, description: entry.content, metadata: entry.metadata_json });

const describeEntry = (entry: ListedEntry): SavedWorkflow => ({
	name: entry.page_name,
	description: entry.content,
	...describeStored(parseOrNull(entry.metadata_json)),
	source: "store",
	next_run_at: entry.next_run_at === undefined ? null : toIso(entry.next_run_at),
	updated_at: toIso(entry.updated_at),
});

const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
	diagnostics.some(({ severity }) => severity === "error");

const toIso = (seconds: number): string => new Date(seconds * 1000).toISOString();

function getDescription(stored: unknown): string {
	const description = (stored as { description?: unknown } | null)?.description;
	return typeof description === "string" ? description : "";
}

function parseText(text: string): unknown {
	const value = parseOrNull(text);
	if (value === null) throw corrupt("it is not JSON");
	return value;
}

function parseOrNull(text: string): unknown {
	try {
		return parseStored(text);
	} catch {
		return null;
	}
}

const badName = (message: string): Failed =>
	new Failed({
		kind: "uncompilable",
		message: `the workflow does not compile: ${message}`,
		diagnostics: [{ severity: "error", code: "bad_field", message, path: "name" }],
	});
