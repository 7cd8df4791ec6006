import type { MailServer } from "./mail.ts";

/** Mailboxes of others, whose mails start workflows. Errors name no secret. */
export interface Mailboxes {
	/** Logs in and opens a mailbox. Rejects with a `MailboxProblem` if that fails. */
	open(server: MailServer, wanted: WantedMailbox, signal: AbortSignal): Promise<OpenMailbox>;
	/** Ends what reads mails. Mailboxes are closed by whoever opened them. */
	close(): Promise<void>;
}

export interface WantedMailbox {
	/** Who waits for it: large mails are read in turns of owners. */
	readonly owner: string;
	readonly name: string;
	/** Mailboxes that must exist, because mails are moved there. */
	readonly targets: readonly string[];
	/** Whether mails are marked or moved. */
	readonly isWritten: boolean;
}

/** One connection. Every call rejects with a `MailboxProblem` once it is lost. */
export interface OpenMailbox {
	/** While it stays the same, a UID means the same mail. */
	readonly uidValidity: string;
	/** The largest UID of the mails that were there when it was opened; 0 if there were none. */
	readonly lastUid: number;
	/** UIDs above this one, the smallest first. */
	listAfter(uid: number, max: number): Promise<readonly number[]>;
	/** Reads a mail for as long as `use` takes. Null if it is gone. */
	read<Result>(
		uid: number,
		limits: MailLimits,
		use: (mail: ReceivedMail) => Promise<Result>,
	): Promise<Result | null>;
	markSeen(uid: number): Promise<void>;
	move(uid: number, target: string): Promise<void>;
	/** Until mails may have arrived, or it is time to look by oneself. */
	waitForMail(signal: AbortSignal): Promise<void>;
	close(): void;
}

export interface MailLimits {
	/** Of a larger mail only the head is read. */
	readonly maxBytes: number;
}

export interface ReceivedMail extends ParsedMail {
	readonly uid: number;
	/** As the server says. */
	readonly size: number;
	/** When the server received it, ISO 8601; null if it does not say. */
	readonly receivedAt: string | null;
}

export interface MailAddress {
	readonly address: string;
	readonly name: string;
}

/** Everything in it was written by the sender. */
export interface ParsedMail {
	readonly messageId: string | null;
	readonly inReplyTo: string | null;
	readonly references: readonly string[];
	readonly from: MailAddress | null;
	readonly to: readonly MailAddress[];
	readonly cc: readonly MailAddress[];
	readonly replyTo: readonly MailAddress[];
	readonly subject: string;
	/** ISO 8601; null if there is none that can be read. */
	readonly date: string | null;
	readonly text: string | null;
	readonly html: string | null;
	/** By their names in lower case; of several with one name the first. */
	readonly headers: Readonly<Record<string, string>>;
	readonly attachments: readonly MailAttachment[];
	/** Whether something of the mail is missing here. */
	readonly isTruncated: boolean;
}

export interface MailAttachment {
	/** As the sender wrote it: it may contain a path. */
	readonly name: string | null;
	readonly type: string;
	readonly bytes: Uint8Array;
}

/** The mailbox could not be opened or was lost. */
export class MailboxProblem extends Error {
	override readonly name = "MailboxProblem";
}
