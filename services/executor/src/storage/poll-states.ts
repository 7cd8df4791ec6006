import { POLL_STATE } from "@tripline/contract/entry-types";
import type { StoreClient } from "@tripline/store/client";
import { PollState } from "../domain/poll-state.ts";
import { triggerStateStorage } from "./trigger-states.ts";

export type PollStates = ReturnType<typeof pollStateStorage>;

/** What polls remember, by the names of their workflows. */
export const pollStateStorage = (store: StoreClient) => triggerStateStorage(store, POLL_STATE, PollState);
