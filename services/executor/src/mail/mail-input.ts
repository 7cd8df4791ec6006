import type { FileValue } from "@tripline/contract/files";
import type { EmailTrigger, JsonObject } from "@tripline/contract/workflows";
import type { MailAddress, ReceivedMail } from "@tripline/platform/mailboxes";

/** Whether the mail is one that the workflow asks for. What it compares is what the sender wrote. */
export function matchesMail({ from, subject }: ReceivedMail, settings: EmailTrigger): boolean {
	const sender = from?.address.toLowerCase() ?? "";
	const isFrom = (wanted: string) =>
		wanted.startsWith("@") ? sender.endsWith(wanted.toLowerCase()) : sender === wanted.toLowerCase();
	if (settings.from !== undefined && ![settings.from].flat().some(isFrom)) return false;
	return settings.subject === undefined || subject.toLowerCase().includes(settings.subject.toLowerCase());
}

/** The input of a run. */
export function buildMailInput(
	mail: ReceivedMail,
	place: { readonly mailbox: string; readonly uidValidity: string },
	attachments: readonly (FileValue | MailPart)[],
	isTruncated: boolean,
): JsonObject {
	return {
		id: `${place.uidValidity}.${mail.uid}`,
		message_id: mail.messageId,
		from: mail.from === null ? null : toJson(mail.from),
		to: mail.to.map(toJson),
		cc: mail.cc.map(toJson),
		reply_to: mail.replyTo.map(toJson),
		subject: mail.subject,
		date: mail.date,
		received_at: mail.receivedAt,
		text: mail.text,
		html: mail.html,
		in_reply_to: mail.inReplyTo,
		references: [...mail.references],
		headers: { ...mail.headers },
		attachments: attachments.map((file) => ({ ...file })),
		mailbox: place.mailbox,
		uid: mail.uid,
		size: mail.size,
		truncated: isTruncated,
	};
}

/** An attachment that was not stored. */
export interface MailPart {
	readonly name: string;
	readonly type: string;
	readonly size: number;
}

const toJson = ({ address, name }: MailAddress): JsonObject => ({ address, name });
