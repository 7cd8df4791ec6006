import type { OutgoingMail, SentMail } from "./mail.ts";

/** A connection to a server, after the login. */
export interface SmtpSession {
	readonly isReusable: boolean;
	send(mail: OutgoingMail, signal: AbortSignal): Promise<SentMail>;
	close(): void;
}

/** The connection ended, and nothing of the message was sent. */
export class LostConnection extends Error {}
