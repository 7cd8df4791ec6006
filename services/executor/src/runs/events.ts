import type { Entry } from "@tripline/contract/entries";
import { Failed } from "@tripline/contract/failures";
import { sha256Hex } from "@tripline/contract/ids";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { eventMatches } from "@tripline/engine/event-pattern";
import type { Clock } from "@tripline/platform/clock";
import { errorFields, type Log } from "@tripline/platform/log";
import { sourceOf } from "../domain/saved-workflow.ts";
import type { SeenEvents } from "../storage/seen-events.ts";
import type { WorkflowStorage } from "../storage/workflows.ts";
import type { AcceptedRuns } from "./accepted.ts";
import { newExecutionId } from "./execute.ts";
import type { Runnables } from "./runnable.ts";

export interface RaisedEvent {
	readonly namespace: string;
	readonly type: string;
	readonly data: Json;
	/** How many events led to this one, one starting the next, itself included. */
	readonly depth: number;
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

const MOST_DEPTH = 4;
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
	return {
		/** `known`: the namespace's listening workflows, where they were read already. */
		async raise(event: RaisedEvent, known?: readonly Entry[]): Promise<Raised> {
			if (event.depth > MOST_DEPTH) return NOTHING;
			const listening = listenersTo(event, known ?? (await deps.workflows.listening(event.namespace)));
			if (!event.dedupKey) return startAll(event, listening, () => newExecutionId(deps.clock));
			const first = await deps.seen.begin(event.namespace, event.dedupKey);
			if (first.isDone) return NOTHING;
			// One that was cut off in the middle is sent again: what was accepted then has the same id and is not accepted twice.
			const raised = await startAll(event, listening, (name) => sameId(first.id, name));
			await deps.seen.end(event.namespace, event.dedupKey);
			return raised;
		},
	};

	async function startAll(
		event: RaisedEvent,
		listening: readonly Entry[],
		idOf: (name: string) => string | Promise<string>,
	): Promise<Raised> {
		const executions: string[] = [];
		for (const listener of listening) {
			const executionId = await idOf(listener.page_name);
			if (await start(event, listener, executionId)) executions.push(executionId);
		}
		return { matched: executions.length, executions };
	}

	async function start(
		{ namespace, type, data, depth, attributes }: RaisedEvent,
		{ page_name: name, metadata_json }: Entry,
		executionId: string,
	): Promise<boolean> {
		try {
			return await deps.accepted.accept(
				{
					runnable: await deps.runnables.of(metadata_json, sourceOf, namespace),
					workflow: name,
					namespace,
					input: { type, data, ...attributes },
					trigger: "event",
					executionId,
					eventDepth: depth,
				},
				{ kind: "named", namespace, name },
			);
		} catch (error) {
			// One that does not compile any more must not keep the others from running.
			if (!(error instanceof Failed && error.failure.kind === "corrupt")) throw error;
			deps.log("error", "a listening workflow cannot run", errorFields(error));
			return false;
		}
	}
}

const listenersTo = ({ type }: RaisedEvent, entries: readonly Entry[]): Entry[] =>
	entries.filter(({ metadata_json }) => {
		const { trigger } = sourceOf(JSON.parse(metadata_json)) as { trigger?: { event?: unknown } };
		return typeof trigger?.event === "string" && eventMatches(trigger.event, type);
	});

/** Of the same event and workflow the same, shaped as a UUID of version 8. */
async function sameId(event: string, name: string): Promise<string> {
	const hex = await sha256Hex(`${event}\n${name}`);
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
