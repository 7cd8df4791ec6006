import type { WantedEvent } from "@tripline/components/effects";
import type { Json } from "@tripline/contract/json";
import type { EventWait, RunWait } from "@tripline/contract/waits";
import type { JsonObject } from "@tripline/contract/workflows";
import { isEventMatch } from "@tripline/engine/event-pattern";
import { CarriedExpressions } from "@tripline/engine/expressions/carried";
import { Meter } from "@tripline/engine/meter";
import { countJsonBytes } from "@tripline/engine/run/json-bytes";
import type { Turns } from "@tripline/platform/turns";
import type { StoreClient } from "@tripline/store/client";

/** Of what is stored of a wait, and of an event: every run that waits for it stores it. */
const MAX_BYTES = 64 * 1024;
/** For one condition: five milliseconds. */
const MAX_UNITS = 200_000;
/** How many conditions are evaluated before others get a turn. */
const CONDITIONS_PER_TURN = 10;

/** What a run gets of an event that it waits for. */
export interface DeliveredEvent {
	/** Null if it is too large. */
	readonly event: JsonObject | null;
	/** Those in it that the run may open. */
	readonly files: readonly string[];
	/** Whether the run may open any file of the namespace that is named in it. */
	readonly isOwners: boolean;
}

interface NewEvent {
	readonly namespace: string;
	/** As workflows see it. */
	readonly event: JsonObject & { readonly type: string };
	readonly files?: readonly string[];
	readonly isOwners?: boolean;
}

export type EventWaits = ReturnType<typeof eventWaits>;

/** Runs that wait for events. */
export function eventWaits(deps: {
	readonly store: StoreClient;
	readonly turns: Turns;
	wake(owner_id: string, runs: readonly string[]): Promise<void>;
}) {
	const { store } = deps;

	return {
		/**
		 * Gives the event to all runs that wait for it, and returns how many those are. It is stored before they go on.
		 * `unawaited`: first words for which no run waits, to which others are added.
		 */
		async deliver(fresh: NewEvent, unawaited = new Set<string>()): Promise<number> {
			const { namespace, event } = fresh;
			const conditions = new CarriedExpressions();
			const [word = ""] = event.type.split(".");
			let answer: string | null = null;
			let count = 0;
			for (const first of [word, "*"]) {
				for (let after: number | null = unawaited.has(first) ? null : 0; after !== null; ) {
					const page = await store.waits.listForEvents({ owner_id: namespace, word: first, after });
					if (after === 0 && page.waits.length === 0) unawaited.add(first);
					after = page.next;
					const waits = await findFitting(namespace, page.waits, event, conditions);
					if (waits.length === 0) continue;
					answer ??= JSON.stringify(toDelivered(fresh));
					const by = { owner_id: namespace, by: "an event", answer_json: answer };
					const answered = await store.waits.answer({ ...by, waits });
					count += answered.length;
					await deps.wake(namespace, [...new Set(answered.map(({ run }) => run))]);
				}
			}
			return count;
		},
	};

	async function findFitting(
		namespace: string,
		waits: readonly EventWait[],
		event: NewEvent["event"],
		conditions: CarriedExpressions,
	): Promise<RunWait[]> {
		const fitting: RunWait[] = [];
		for (let at = 0; at < waits.length; at += CONDITIONS_PER_TURN) {
			await deps.turns.run(namespace, () => {
				for (const { run, id, metadata_json } of waits.slice(at, at + CONDITIONS_PER_TURN)) {
					const { pattern, where } = JSON.parse(metadata_json) as WantedEvent;
					if (isEventMatch(pattern, event.type) && (where === null || isTrue(where, event, conditions)))
						fitting.push({ run, id });
				}
			});
		}
		return fitting;
	}
}

const toDelivered = ({ event, files = [], isOwners = false }: NewEvent): DeliveredEvent =>
	countJsonBytes(event, MAX_BYTES + 1) > MAX_BYTES
		? { event: null, files: [], isOwners: false }
		: { event, files, isOwners };

/** Why a run cannot wait for these events; null if it can. */
export const findWantedProblem = (wanted: WantedEvent): string | null =>
	countJsonBytes({ ...wanted.where?.values }, MAX_BYTES + 1) > MAX_BYTES
		? "where reads more than 64 KiB of values: compute what it compares in a node before"
		: null;

/** An event for which the condition fails is another one than is meant. */
function isTrue(
	where: NonNullable<WantedEvent["where"]>,
	event: Json,
	conditions: CarriedExpressions,
): boolean {
	try {
		return conditions.evaluate(where, event, new Meter(MAX_UNITS)) === true;
	} catch {
		return false;
	}
}
