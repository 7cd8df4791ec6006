import type { VersionedEntry } from "@tripline/contract/entries";
import { Failed } from "@tripline/contract/failures";
import { sha256Hex } from "@tripline/contract/ids";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { isEventMatch } from "@tripline/engine/event-pattern";
import type { Clock } from "@tripline/platform/clock";
import { type Log, toErrorFields } from "@tripline/platform/log";
import { isCountedRoot } from "../domain/event-root.ts";
import { readEventPattern, readStoredSource } from "../domain/saved-workflow.ts";
import type { SeenEvents } from "../storage/seen-events.ts";
import type { WorkflowStorage } from "../storage/workflows.ts";
import { type AcceptedRuns, type NewRuns, RootIsFull } from "./accepted.ts";
import { newExecutionId } from "./execute.ts";
import type { Runnable, Runnables } from "./runnable.ts";

export interface RaisedEvent {
	readonly namespace: string;
	readonly type: string;
	readonly data: Json;
	/** Length of the chain of events up to and including this one. */
	readonly depth: number;
	/** The root of the run that caused it. Omitted for an external event. */
	readonly rootId?: string | undefined;
	/** Files in its data that the workflows may open. */
	readonly files?: readonly string[];
	/** Raised by a caller with the tenant's credential, who may name any file of the namespace in the data. */
	readonly isOwners?: boolean;
	/** Further attributes of the event, passed to the workflows it starts. */
	readonly attributes?: JsonObject;
	/** Equal when the same event is sent again. */
	readonly dedupKey?: string | null;
}

export interface Raised {
	readonly matched: number;
	/** Execution ids. */
	readonly executions: readonly string[];
}

const MAX_DEPTH = 4;
const MAX_REFUSED = 1_000;
const NOTHING: Raised = { matched: 0, executions: [] };

export type Events = ReturnType<typeof events>;

/** Starts the workflows that listen for an event. */
export function events(deps: {
	readonly seen: SeenEvents;
	readonly workflows: WorkflowStorage;
	readonly runnables: Runnables;
	readonly accepted: AcceptedRuns;
	readonly clock: Clock;
	readonly log: Log;
}) {
	/** Permanently refused events by root, because an event storm raises them again by the thousand. */
	const refused = new Set<string>();

	return { raise, tell: raiseOwn };

	/** Starts all listening workflows or throws `Failed` and starts none. `known`: the listeners, if already read. */
	async function raise(event: RaisedEvent, known?: readonly VersionedEntry[]): Promise<Raised> {
		if (event.depth > MAX_DEPTH) return NOTHING;
		const refusalKey = `${event.rootId}\n${event.namespace}\n${event.type}`;
		if (refused.has(refusalKey)) throw new RootIsFull();
		try {
			return await raiseNew(event, known);
		} catch (error) {
			if (error instanceof RootIsFull && event.rootId !== undefined) {
				if (refused.size >= MAX_REFUSED) refused.clear();
				refused.add(refusalKey);
			}
			throw error;
		}
	}

	async function raiseNew(event: RaisedEvent, known?: readonly VersionedEntry[]): Promise<Raised> {
		const listening = filterListeners(event, known ?? (await deps.workflows.listListeners(event.namespace)));
		if (!event.dedupKey) return startAll(event, pickRoot(event), listening, () => newExecutionId(deps.clock));
		const first = await deps.seen.begin(event.namespace, event.dedupKey);
		if (first.isDone) return NOTHING;
		// An interrupted event may be sent again: runs accepted the first time have the same id and are not accepted twice.
		const raised = await startAll(event, first.id, listening, (name) => deriveId(first.id, name));
		await deps.seen.end(event.namespace, event.dedupKey);
		return raised;
	}

	/** Raises an event of the service itself. A refusal must not fail the run or write that caused it. */
	async function raiseOwn(event: RaisedEvent, known?: readonly VersionedEntry[]): Promise<void> {
		try {
			await raise(event, known);
		} catch (error) {
			if (!(error instanceof Failed && error.failure.kind === "too_many")) throw error;
			const { namespace, type } = event;
			deps.log("warn", "event refused", { namespace, type, reason: error.message });
		}
	}

	async function startAll(
		{ namespace, type, data, depth, attributes, files = [], isOwners = false }: RaisedEvent,
		rootId: string,
		listening: readonly VersionedEntry[],
		buildId: (name: string) => string | Promise<string>,
	): Promise<Raised> {
		const runs: NewRuns["runs"][number][] = [];
		for (const listener of listening) {
			const runnable = await findRunnable(listener);
			if (runnable === null) continue;
			const workflow = listener.page_name;
			const { version: versionNumber } = listener;
			runs.push({ executionId: await buildId(workflow), workflow, versionNumber, runnable });
		}
		if (runs.length === 0) return NOTHING;
		const input = { type, data, ...attributes };
		const fresh: NewRuns = {
			namespace,
			input,
			trigger: "event",
			eventDepth: depth,
			rootId,
			runs,
			files,
			isOwners,
		};
		const executions = await deps.accepted.accept(fresh);
		return { matched: executions.length, executions };
	}

	/** Null if it no longer compiles: that must not keep the others from running. */
	async function findRunnable({ metadata_json, owner_id }: VersionedEntry): Promise<Runnable | null> {
		try {
			return await deps.runnables.get(metadata_json, readStoredSource, owner_id);
		} catch (error) {
			if (!(error instanceof Failed && error.failure.kind === "corrupt")) throw error;
			deps.log("error", "a listening workflow cannot run", toErrorFields(error));
			return null;
		}
	}

	/** The root by which its runs are counted. An event that no run caused starts a new count. */
	function pickRoot({ rootId }: RaisedEvent): string {
		const isCounted = rootId !== undefined && isCountedRoot(rootId, deps.clock.now());
		return isCounted ? rootId : newExecutionId(deps.clock);
	}
}

const filterListeners = ({ type }: RaisedEvent, entries: readonly VersionedEntry[]): VersionedEntry[] =>
	entries.filter(({ metadata_json }) => {
		const event = readEventPattern(metadata_json);
		return typeof event === "string" && isEventMatch(event, type);
	});

/** Deterministic for an event and a workflow, in the form of a version 8 UUID. */
async function deriveId(event: string, name: string): Promise<string> {
	const hex = await sha256Hex(`${event}\n${name}`);
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
