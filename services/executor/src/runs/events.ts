import type { Entry } from "@tripline/contract/entries";
import { sha256Hex } from "@tripline/contract/ids";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { eventMatches } from "@tripline/engine/event-pattern";
import type { Clock } from "@tripline/platform/clock";
import { errorFields, type Log } from "@tripline/platform/log";
import type { StoreClient } from "@tripline/store/client";
import { sourceOf } from "../domain/saved-workflow.ts";
import type { WorkflowStorage } from "../storage/workflows.ts";
import type { AcceptedRuns } from "./accepted.ts";
import { newExecutionId } from "./execute.ts";
import type { Runnables } from "./runnable.ts";

export interface RaisedEvent {
	readonly namespace: string;
	readonly type: string;
	readonly data: Json;
	/** How many events led to this one, one starting the next. */
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

const SEEN = "event_seen";
const MOST_DEPTH = 4;

export type Events = ReturnType<typeof events>;

/** Starts the workflows that listen for an event. */
export function events(deps: {
	readonly store: StoreClient;
	readonly workflows: WorkflowStorage;
	readonly runnables: Runnables;
	readonly accepted: AcceptedRuns;
	readonly clock: Clock;
	readonly log: Log;
}) {
	const { store, clock } = deps;

	return {
		/** `listening`: the namespace's listening workflows, where they are known already. */
		async raise(event: RaisedEvent, listening?: readonly Entry[]): Promise<Raised> {
			if (event.depth > MOST_DEPTH) return { matched: 0, executions: [] };
			const seen = event.dedupKey ? await sha256Hex(event.dedupKey) : null;
			if (seen !== null && (await store.entries.get(event.namespace, SEEN, seen)) !== null)
				return { matched: 0, executions: [] };
			const executions: string[] = [];
			for (const { name, metadata } of listeners(
				event,
				listening ?? (await deps.workflows.listening(event.namespace)),
			)) {
				const executionId = await executionIdOf(seen, name);
				if (await start(event, name, metadata, executionId)) executions.push(executionId);
			}
			// Last: an event that was cut off in the middle is sent again, and what was accepted is not accepted twice.
			if (seen !== null)
				await store.entries.once({
					owner_id: event.namespace,
					entry_type: SEEN,
					page_name: seen,
					content: "",
				});
			return { matched: executions.length, executions };
		},
	};

	function listeners({ type }: RaisedEvent, entries: readonly Entry[]): { name: string; metadata: string }[] {
		return entries
			.filter(({ metadata_json }) => {
				const { trigger } = sourceOf(JSON.parse(metadata_json)) as { trigger?: { event?: unknown } };
				return typeof trigger?.event === "string" && eventMatches(trigger.event, type);
			})
			.map(({ page_name, metadata_json }) => ({ name: page_name, metadata: metadata_json }));
	}

	async function start(
		{ namespace, type, data, depth, attributes }: RaisedEvent,
		name: string,
		metadata: string,
		executionId: string,
	): Promise<boolean> {
		try {
			return await deps.accepted.accept(
				{
					runnable: deps.runnables.of(metadata, sourceOf),
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
			if (!isCorrupt(error)) throw error;
			deps.log("error", "a listening workflow cannot run", errorFields(error));
			return false;
		}
	}

	/** Of a repeated event the same, so that the store accepts it once; shaped as a UUID of version 8. */
	async function executionIdOf(seen: string | null, name: string): Promise<string> {
		if (seen === null) return newExecutionId(clock);
		const hex = await sha256Hex(`${seen}\n${name}`);
		return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
	}
}

const isCorrupt = (error: unknown): boolean =>
	(error as { failure?: { kind?: string } } | null)?.failure?.kind === "corrupt";
