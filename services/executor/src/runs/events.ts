import type { VersionedEntry } from "@tripline/contract/entries";
import { Failed } from "@tripline/contract/failures";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { isEventMatch } from "@tripline/engine/event-pattern";
import type { Clock } from "@tripline/platform/clock";
import { type Log, toErrorFields } from "@tripline/platform/log";
import { isCountedRoot } from "../domain/event-root.ts";
import { readEventPattern, readStoredSource } from "../domain/saved-workflow.ts";
import type { SeenEvents } from "../storage/seen-events.ts";
import type { WorkflowStorage } from "../storage/workflows.ts";
import type { EventWaits } from "../waits/event-waits.ts";
import { type AcceptedRuns, type NewRuns, RootIsFull } from "./accepted.ts";
import { deriveId } from "./derive-id.ts";
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
	/** Workflows that it started. */
	readonly matched: number;
	/** Waits of runs that it ended. */
	readonly woken: number;
	/** Execution ids. */
	readonly executions: readonly string[];
}

const MAX_DEPTH = 4;
const MAX_REFUSED = 1_000;
const NOTHING: Raised = { matched: 0, woken: 0, executions: [] };

/** What is known about a namespace whose events are raised one after the other. */
interface KnownListeners {
	readonly workflows: readonly VersionedEntry[];
	/** First words of types for whose events no run waits. */
	readonly unawaited: Set<string>;
}

export type Events = ReturnType<typeof events>;

/** Starts the workflows that listen for an event. */
export function events(deps: {
	readonly seen: SeenEvents;
	readonly workflows: WorkflowStorage;
	readonly runnables: Runnables;
	readonly accepted: AcceptedRuns;
	readonly waits: EventWaits;
	readonly clock: Clock;
	readonly log: Log;
}) {
	/** Permanently refused events by root, because an event storm raises them again by the thousand. */
	const refused = new Set<string>();

	return { raise, tell: raiseOwn };

	/**
	 * Starts all listening workflows or throws `Failed` and starts none. Runs that wait for the event go on in any case, once:
	 * they are given it first, so that it can be sent again. `known`: the listeners, if already read.
	 */
	async function raise(event: RaisedEvent, known?: KnownListeners): Promise<Raised> {
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

	async function raiseNew(event: RaisedEvent, known?: KnownListeners): Promise<Raised> {
		const { namespace, dedupKey } = event;
		const entries = known?.workflows ?? (await deps.workflows.listListeners(namespace));
		const listening = filterListeners(event, entries);
		const first = dedupKey ? await deps.seen.begin(namespace, dedupKey) : null;
		if (first?.isDone) return NOTHING;
		const woken = await deps.waits.deliver({ ...event, event: toInput(event) }, known?.unawaited);
		// An interrupted event may be sent again: runs accepted the first time have the same id and are not accepted twice.
		const executions =
			first === null
				? await startAll(event, pickRoot(event), listening, () => newExecutionId(deps.clock))
				: await startAll(event, first.id, listening, (name) => deriveId(first.id, name));
		if (dedupKey) await deps.seen.end(namespace, dedupKey);
		return { matched: executions.length, woken, executions };
	}

	/** Raises an event of the service itself. A refusal must not fail the run or write that caused it. */
	async function raiseOwn(event: RaisedEvent, known?: KnownListeners): Promise<void> {
		try {
			await raise(event, known);
		} catch (error) {
			if (!(error instanceof Failed && error.failure.kind === "too_many")) throw error;
			const { namespace, type } = event;
			deps.log("warn", "event refused", { namespace, type, reason: error.message });
		}
	}

	/** Returns the ids of the runs. */
	async function startAll(
		event: RaisedEvent,
		rootId: string,
		listening: readonly VersionedEntry[],
		buildId: (name: string) => string | Promise<string>,
	): Promise<readonly string[]> {
		const { namespace, depth, files = [], isOwners = false } = event;
		const runs: NewRuns["runs"][number][] = [];
		for (const listener of listening) {
			const runnable = await findRunnable(listener);
			if (runnable === null) continue;
			const workflow = listener.page_name;
			const { version: versionNumber } = listener;
			runs.push({ executionId: await buildId(workflow), workflow, versionNumber, runnable });
		}
		if (runs.length === 0) return [];
		const fresh: NewRuns = {
			namespace,
			input: toInput(event),
			trigger: "event",
			eventDepth: depth,
			rootId,
			runs,
			files,
			isOwners,
		};
		return deps.accepted.accept(fresh);
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

/** As workflows see it. */
const toInput = ({ type, data, attributes }: RaisedEvent) => ({ type, data, ...attributes });

const filterListeners = ({ type }: RaisedEvent, entries: readonly VersionedEntry[]): VersionedEntry[] =>
	entries.filter(({ metadata_json }) => {
		const event = readEventPattern(metadata_json);
		return typeof event === "string" && isEventMatch(event, type);
	});
