import * as z from "zod";

/** How far a workflow has read its mailbox. */
export const MailboxState = z.strictObject({
	/** Changes with the mailbox: then reading starts from now again. */
	fingerprint: z.string(),
	/** ISO 8601: since when mails start runs; null before the mailbox was first opened. */
	since: z.string().nullable(),
	uid_validity: z.string().nullable(),
	/** Mails up to this one start no further run. */
	last_uid: z.int(),
	/** ISO 8601: when the last mail was read. */
	last_mail_at: z.string().nullable(),
	/** ISO 8601: since when the process that reads it has a connection. Left by one that died. */
	connected_at: z.string().nullable().default(null),
	/** In a row. */
	failures: z.int(),
	error: z.string().nullable(),
	/** ISO 8601 */
	retry_at: z.string().nullable(),
});
export type MailboxState = z.infer<typeof MailboxState>;

export const DEFAULT_MAILBOX = "INBOX";
