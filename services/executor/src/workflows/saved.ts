import { Failed, staleVersion } from "@tripline/contract/failures";
import type { Diagnostic, Graph } from "@tripline/contract/workflows";
import type { Source } from "@tripline/engine/source";
import { type Log, toErrorFields } from "@tripline/platform/log";
import type { Turns } from "@tripline/platform/turns";
import { StoreRefused } from "@tripline/store/client";
import type { Catalogues } from "../catalogue/catalogues.ts";
import type { Author, Condition } from "../domain/change.ts";
import { buildMetadata, DEFAULT_VERSION, getCron } from "../domain/saved-workflow.ts";
import { addText } from "../domain/written-text.ts";
import type { AcceptedRuns } from "../runs/accepted.ts";
import type { LegacyWorkflowStorage } from "../storage/legacy-workflows.ts";
import type { MailboxStates } from "../storage/mailbox-states.ts";
import type { PollStates } from "../storage/poll-states.ts";
import type { WorkflowStorage, WrittenWorkflow } from "../storage/workflows.ts";
import type { Vault } from "../vault/vault.ts";
import { type Compiled, compileOr4xx } from "./compiled.ts";
import type { WorkflowFinder } from "./find.ts";
import type { LegacyWorkflows } from "./legacy.ts";
import type { Provided } from "./needs.ts";
import { toIso } from "./stored.ts";

export interface Saved {
	readonly name: string;
	readonly description: string;
	readonly created: boolean;
	readonly graph: Graph;
	readonly cron_expr: string | null;
	readonly version: string;
	readonly version_number: number;
	readonly updated_at: string;
	readonly diagnostics: readonly Diagnostic[];
}

export interface SaveOptions {
	/** Name, description and version are required; otherwise only the name. */
	readonly whole: boolean;
	/** A document with a different name is refused. */
	readonly name?: string | undefined;
	readonly by: Author;
	readonly condition?: Condition | undefined;
	/** The revision of the draft that this publishes. */
	readonly draft?: number | undefined;
}

export type SavedWorkflows = ReturnType<typeof savedWorkflows>;

/** Compiles, saves and deletes a tenant's named workflows. */
export function savedWorkflows(deps: {
	readonly workflows: WorkflowStorage;
	readonly legacy: LegacyWorkflowStorage;
	readonly adopt: LegacyWorkflows["adopt"];
	readonly catalogues: Catalogues;
	readonly vault: Vault;
	readonly turns: Turns;
	readonly finder: WorkflowFinder;
	readonly runTimeoutMs: number;
	readonly provided: Provided;
	readonly accepted: Pick<AcceptedRuns, "cancelWaiting">;
	readonly pollStates: Pick<PollStates, "delete">;
	readonly mailboxStates: Pick<MailboxStates, "delete">;
	/** Mailboxes may have to be opened or closed. */
	onTriggerChanged(namespace: string, hasEmail?: boolean): void;
	readonly log: Log;
}) {
	const { workflows, legacy, catalogues } = deps;

	return {
		async save(namespace: string, source: Source, options: SaveOptions): Promise<Saved> {
			const { name: meant } = options;
			const compiled = await compileFor(namespace, source, options.whole);
			const { definition, warnings } = compiled;
			const { name, description = "", version = DEFAULT_VERSION, graph, trigger } = definition;
			if (name === undefined) throw badName("name is required");
			if (meant !== undefined && name !== meant) throw badName(`name must be ${JSON.stringify(meant)}`);
			// Serialising, storing and returning a large document is slow, so each step takes its own turn.
			const runInTurn = <Result>(compute: () => Result) => deps.turns.run(namespace, compute);
			const metadata = await runInTurn(() => buildMetadata(definition, compiled.triplets));
			const text = "yaml" in source ? source.yaml : null;
			const workflow = { name, description, metadata };
			await deps.adopt(namespace, name);
			const { entry, created } = await runInTurn(() => write(namespace, workflow, text, options));
			deps.onTriggerChanged(namespace, trigger?.email !== undefined);
			return runInTurn(() => ({
				name,
				description,
				created,
				graph,
				cron_expr: getCron(trigger ?? null),
				version,
				version_number: entry.version ?? 1,
				updated_at: toIso(entry.updated_at),
				diagnostics: warnings,
			}));
		},

		/** Throws the 400 or 422 of a workflow that does not compile with the tenant's components. */
		compile: (namespace: string, source: Source): Promise<Compiled> => compileFor(namespace, source, false),

		/** True if it was in either store. It can be restored. With a version: only if that is the current one. */
		async delete(namespace: string, name: string, by: Author, ifVersion?: number): Promise<boolean> {
			await deps.adopt(namespace, name);
			if (ifVersion !== undefined) await requireVersion(namespace, name, ifVersion);
			// First from the legacy store: what is left there would be found again once the store has none.
			const wasLegacy = await legacy.delete(namespace, name);
			const deletedId = await workflows.delete(namespace, name, by, ifVersion);
			if (deletedId === null && !wasLegacy) return false;
			deps.onTriggerChanged(namespace);
			try {
				await deps.accepted.cancelWaiting(namespace, name, "deleted");
				// What is left is of no use: a workflow of that name that is created later polls as for the first time.
				await deps.pollStates.delete(namespace, name);
				if (deletedId !== null) await deps.mailboxStates.delete(namespace, deletedId);
			} catch (error) {
				// The workflow is deleted anyway; its waiting runs fail when they start.
				deps.log("warn", "not everything of a deleted workflow was removed", toErrorFields(error));
			}
			return true;
		},
	};

	/** Stores the workflow without its original text if it is too large with it. */
	async function write(
		namespace: string,
		workflow: WrittenWorkflow,
		text: string | null,
		options: SaveOptions,
	): Promise<Written> {
		const metadata = text === null ? null : await addText(workflow, text);
		if (metadata === null) return writeOn(namespace, workflow, options);
		try {
			return await writeOn(namespace, { ...workflow, metadata }, options);
		} catch (error) {
			if (!(error instanceof StoreRefused && error.status === 413)) throw error;
			return writeOn(namespace, workflow, options);
		}
	}

	async function writeOn(
		namespace: string,
		workflow: WrittenWorkflow,
		{ by, condition, draft }: SaveOptions,
	): Promise<Written> {
		if (condition === "none") {
			const written = await workflows.saveOnce(namespace, workflow, by);
			if (!written.created) throw staleVersion("none", written.entry.version ?? null);
			return written;
		}
		if (condition === "any" && (await workflows.find(namespace, workflow.name)) === null)
			throw staleVersion("any", null);
		if (typeof condition !== "number") return workflows.save(namespace, workflow, by);
		return workflows.save(namespace, workflow, by, { if_version: condition, publishes_draft: draft });
	}

	async function requireVersion(namespace: string, name: string, expected: number): Promise<void> {
		const entry = await workflows.find(namespace, name);
		if (entry !== null && entry.version !== expected) throw staleVersion(expected, entry.version ?? null);
	}

	async function compileFor(namespace: string, source: Source, named: boolean): Promise<Compiled> {
		return compileOr4xx(source, {
			catalogue: () => catalogues.catalogue(namespace),
			credentials: await deps.vault.listByName(namespace),
			named,
			turns: deps.turns,
			runTimeoutMs: deps.runTimeoutMs,
			provided: deps.provided,
			finder: deps.finder,
			namespace,
		});
	}
}

type Written = Awaited<ReturnType<WorkflowStorage["save"]>>;

const badName = (message: string): Failed =>
	new Failed({
		kind: "uncompilable",
		message: `the workflow does not compile: ${message}`,
		diagnostics: [{ severity: "error", code: "bad_field", message, path: "name" }],
	});
