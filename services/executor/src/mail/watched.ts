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

export interface MailboxReader {
	/** Null before that is known. */
	readonly read_by: "this_process" | "another_process" | null;
	/** ISO 8601: since when this process has a connection; null without one. */
	readonly connected_at: string | null;
}

export interface MailboxPlace {
	readonly namespace: string;
	readonly credential: string;
	readonly mailbox: string;
}

export interface WatchedMailbox {
	/** What this process knows of who reads it. */
	describe(): MailboxReader;
	update(workflows: readonly WatchedWorkflow[]): void;
	stop(): Promise<void>;
}
