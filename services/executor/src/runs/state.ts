import type { State } from "@tripline/components/effects";
import type { Json } from "@tripline/contract/json";
import type { Turns } from "@tripline/platform/turns";
import type { CallOptions, StoreClient } from "@tripline/store/client";
import { createStoreCalls } from "./store-calls.ts";

/** Access to one namespace's named values on behalf of a run. */
export function createState(
	store: StoreClient,
	turns: Turns,
	owner_id: string,
	run: CallOptions["run"],
): State {
	const ask = createStoreCalls(turns, owner_id, run);
	return {
		get: async (name, signal) => parseValue(await ask(signal, (on) => store.state.get(owner_id, name, on))),
		async set(change, signal) {
			const answer = await ask(signal, (on) => store.state.set({ ...change, owner_id }, on));
			return { stored: answer.stored, previous: parseValue(answer.previous_json) };
		},
		increment: async (counter, signal) =>
			(await ask(signal, (on) => store.state.increment({ ...counter, owner_id }, on))).value,
	};
}

const parseValue = (json: string | null): Json => (json === null ? null : JSON.parse(json));
