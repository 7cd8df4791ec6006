import type { EmailTrigger } from "@tripline/contract/workflows";
import type { Runnable } from "../runs/runnable.ts";

export interface WatchedWorkflow {
	/** Id of its entry. */
	readonly entryId: string;
	readonly name: string;
	readonly versionNumber: number | undefined;
	readonly runnable: Runnable;
	readonly settings: EmailTrigger;
}

export interface MailboxPlace {
	readonly namespace: string;
	readonly credential: string;
	readonly mailbox: string;
}

export interface WatchedMailbox {
	update(workflows: readonly WatchedWorkflow[]): void;
	stop(): Promise<void>;
}
