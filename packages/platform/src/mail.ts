/** Mail servers of others, through which workflows send. Errors name no secret. */
export interface Mail {
	/**
	 * Resolves if the server has accepted the mail for at least one recipient. Rejects with a `MailProblem` if a retry cannot
	 * help. Aborting ends the connection.
	 */
	send(server: MailServer, mail: OutgoingMail, signal: AbortSignal): Promise<SentMail>;
	/** Connects and logs in. Rejects if that fails. */
	check(server: MailServer, signal: AbortSignal): Promise<void>;
	/** Closes connections. */
	close(): Promise<void>;
}

export interface MailServer {
	/** Connections are shared by calls with the same key. */
	readonly key: string;
	/** Without brackets. */
	readonly hostname: string;
	readonly port: number;
	/** Null: the server asks for no login. */
	readonly login: { readonly user: string; readonly password: string } | null;
	/** From the start, or as the first command. Verified. Without it only servers on private networks are reached. */
	readonly tls: "implicit" | "starttls" | "off";
	/** Certificates to trust instead of the public ones, as PEM. */
	readonly trust?: string | undefined;
}

/** Addresses are plain: without names, in ASCII. */
export interface OutgoingMail {
	readonly from: string;
	readonly to: readonly string[];
	readonly message: {
		/** In bytes. */
		readonly size: number;
		open(): AsyncIterable<Uint8Array>;
	};
}

export interface SentMail {
	readonly accepted: readonly string[];
	/** With what the server said. */
	readonly rejected: readonly { readonly address: string; readonly response: string }[];
	readonly response: string;
}

/** A retry would fail in the same way. */
export class MailProblem extends Error {
	override readonly name = "MailProblem";
}
