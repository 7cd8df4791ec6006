import { MAILBOX_STATE } from "@tripline/contract/entry-types";
import type { StoreClient } from "@tripline/store/client";
import { MailboxState } from "../domain/mailbox-state.ts";
import { triggerStateStorage } from "./trigger-states.ts";

export type MailboxStates = ReturnType<typeof mailboxStateStorage>;

/** How far mailboxes were read, by the ids of the workflows' entries: those stay when a workflow is renamed. */
export const mailboxStateStorage = (store: StoreClient) =>
	triggerStateStorage(store, MAILBOX_STATE, MailboxState);
