import type { Entry } from "@tripline/contract/entries";
import { Failed } from "@tripline/contract/failures";
import { sha256Hex } from "@tripline/contract/ids";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { eventMatches } from "@tripline/engine/event-pattern";
import type { Clock } from "@tripline/platform/clock";
import { errorFields, type Log } from "@tripline/platform/log";
import { isCountedRoot } from "../domain/event-root.ts";
import { eventIn, sourceIn } from "../domain/saved-workflow.ts";
import type { SeenEvents } from "../storage/seen-events.ts";
import type { WorkflowStorage } from "../storage/workflows.ts";
import { type AcceptedRuns, type NewRuns, RootIsFull } from "./accepted.ts";
import { newExecutionId } from "./execute.ts";
import type { Runnable, Runnables } from "./runnable.ts";

export interface RaisedEvent {
	readonly namespace: string;
	readonly type: string;
	readonly data: Json;
	/** How many events led to this one, one starting the next, itself included. */
	readonly depth: number;
	/** What the run descends from that caused it; left out: the event comes from outside. */
	readonly rootId?: string | undefined;
	/** What else the event says of itself, for the workflows it starts. */
	readonly attributes?: JsonObject;
	/** The same for the same event sent again. */
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
	/** Events that were refused for good, by what led to them: a storm raises them again by the thousand. */
	const refused = new Set<string>();

	return { raise, tell };

	/** All that listen are started, or `Failed` says why none is. `known`: who listens, where that was read already. */
	async function raise(event: RaisedEvent, known?: readonly Entry[]): Promise<Raised> {
		if (event.depth > MAX_DEPTH) return NOTHING;
		const again = `${event.rootId}\n${event.namespace}\n${event.type}`;
		if (refused.has(again)) throw new RootIsFull();
		try {
			return await raiseNew(event, known);
		} catch (error) {
			if (error instanceof RootIsFull && event.rootId !== undefined) {
				if (refused.size >= MAX_REFUSED) refused.clear();
				refused.add(again);
			}
			throw error;
		}
	}

	async function raiseNew(event: RaisedEvent, known?: readonly Entry[]): Promise<Raised> {
		const listening = listenersTo(event, known ?? (await deps.workflows.listening(event.namespace)));
		if (!event.dedupKey) return startAll(event, rootOf(event), listening, () => newExecutionId(deps.clock));
		const first = await deps.seen.begin(event.namespace, event.dedupKey);
		if (first.isDone) return NOTHING;
		// One that was cut off in the middle is sent again: what was accepted then has the same id and is not accepted twice.
		const raised = await startAll(event, first.id, listening, (name) => sameId(first.id, name));
		await deps.seen.end(event.namespace, event.dedupKey);
		return raised;
	}

	/** The same for an event of the service's own: that it is refused concerns neither the run nor the write behind it. */
	async function tell(event: RaisedEvent, known?: readonly Entry[]): Promise<void> {
		try {
			await raise(event, known);
		} catch (error) {
			if (!(error instanceof Failed && error.failure.kind === "too_many")) throw error;
			const { namespace, type } = event;
			deps.log("warn", "event refused", { namespace, type, reason: error.message });
		}
	}

	async function startAll(
		{ namespace, type, data, depth, attributes }: RaisedEvent,
		rootId: string,
		listening: readonly Entry[],
		idOf: (name: string) => string | Promise<string>,
	): Promise<Raised> {
		const runs: NewRuns["runs"][number][] = [];
		for (const listener of listening) {
			const runnable = await runnableOf(listener);
			if (runnable === null) continue;
			const workflow = listener.page_name;
			runs.push({ executionId: await idOf(workflow), workflow, runnable });
		}
		if (runs.length === 0) return NOTHING;
		const input = { type, data, ...attributes };
		const fresh: NewRuns = { namespace, input, trigger: "event", eventDepth: depth, rootId, runs };
		const executions = await deps.accepted.accept(fresh);
		return { matched: executions.length, executions };
	}

	/** Null: one that does not compile any more must not keep the others from running. */
	async function runnableOf({ metadata_json, owner_id }: Entry): Promise<Runnable | null> {
		try {
			return await deps.runnables.of(metadata_json, sourceIn, owner_id);
		} catch (error) {
			if (!(error instanceof Failed && error.failure.kind === "corrupt")) throw error;
			deps.log("error", "a listening workflow cannot run", errorFields(error));
			return null;
		}
	}

	/** What the runs it starts are counted by. An event that no run caused begins a count of its own. */
	function rootOf({ rootId }: RaisedEvent): string {
		const isCounted = rootId !== undefined && isCountedRoot(rootId, deps.clock.now());
		return isCounted ? rootId : newExecutionId(deps.clock);
	}
}

const listenersTo = ({ type }: RaisedEvent, entries: readonly Entry[]): Entry[] =>
	entries.filter(({ metadata_json }) => {
		const event = eventIn(metadata_json);
		return typeof event === "string" && eventMatches(event, type);
	});

/** Of the same event and workflow the same, shaped as a UUID of version 8. */
async function sameId(event: string, name: string): Promise<string> {
	const hex = await sha256Hex(`${event}\n${name}`);
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
