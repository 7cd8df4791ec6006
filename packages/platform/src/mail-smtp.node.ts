import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { connect as connectTls } from "node:tls";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { openOrDestroy, waitForEvent } from "./guarded-dial.node.ts";
import { toCallError } from "./http-errors.ts";
import { MailProblem, type MailServer } from "./mail.ts";
import { LostConnection, type SmtpSession } from "./mail-session.ts";

/** Of one reply, of which a server may send as many lines as it likes. */
const MAX_REPLY_BYTES = 65_536;
const MAX_SHOWN_CHARACTERS = 500;
/** What the client calls itself: the name of the machine is nobody's business. */
const CLIENT_NAME = "[127.0.0.1]";

/** The socket is connected to an address that was checked. */
export async function openSmtp(
	server: MailServer,
	socket: Socket,
	signal: AbortSignal,
): Promise<SmtpSession> {
	const { hostname, login } = server;
	const secured = server.tls === "implicit" ? await startTls(server, socket, signal) : socket;
	const connection = new SMTPConnection(buildOptions(server, secured));
	let isOpen = true;
	let isUsed = false;
	connection.on("end", () => {
		isOpen = false;
	});
	// It is told to the call in progress.
	connection.on("error", () => {});
	const close = () => {
		isOpen = false;
		connection.close();
		secured.destroy();
		socket.destroy();
	};

	try {
		await call<void>((done) => connection.connect(done), signal);
		if (login !== null) {
			if (!connection.allowsAuth)
				throw new MailProblem(`${hostname} offers no login: leave out the credential's user and password`);
			const { user, password: pass } = login;
			await call<boolean>(
				(done) => connection.login({ user, pass, credentials: { user, pass } }, done),
				signal,
			);
		}
	} catch (error) {
		close();
		throw signal.aborted ? signal.reason : explain(error, server);
	}

	return {
		get isReusable() {
			return isOpen;
		},
		async send({ from, to, message }, signal) {
			const wasUsed = isUsed;
			isUsed = true;
			let isSending = false;
			let failed: unknown;
			async function* read() {
				isSending = true;
				try {
					yield* message.open();
				} catch (error) {
					failed = error;
					throw error;
				}
			}
			const content = Readable.from(read(), { objectMode: false });
			try {
				const envelope = { from, to: [...to], size: message.size };
				const sent = await call<Sent>((done) => connection.send(envelope, content, done as never), signal);
				return {
					accepted: sent.accepted,
					rejected: (sent.rejectedErrors ?? []).map(toRejected),
					response: shorten(sent.response),
				};
			} catch (error) {
				// What follows would be taken for the rest of the message.
				close();
				if (signal.aborted) throw signal.reason;
				if (failed !== undefined) throw failed;
				if (wasUsed && !isSending && isLost(error))
					throw new LostConnection(`${hostname} closed the connection`);
				if (isSending && isLost(error))
					throw new Error(
						`${hostname} closed the connection before it answered, so that it is not known whether the mail was accepted`,
					);
				throw explain(error, server);
			} finally {
				content.destroy();
			}
		},
		close,
	};

	/** The client tells a lost connection to the connection only. */
	function call<T>(
		start: (done: (error?: Error | null, result?: T) => void) => void,
		until: AbortSignal,
	): Promise<T> {
		const { promise, resolve, reject } = Promise.withResolvers<T>();
		const end = () => reject(createLostError());
		const abort = () => reject(until.reason);
		connection.once("error", reject);
		connection.once("end", end);
		until.addEventListener("abort", abort, { once: true });
		if (until.aborted) abort();
		else if (isOpen) start((error, result) => (error ? reject(error) : resolve(result as T)));
		else end();
		return promise.finally(() => {
			connection.off("error", reject);
			connection.off("end", end);
			until.removeEventListener("abort", abort);
		});
	}
}

interface Sent {
	readonly accepted: string[];
	readonly rejectedErrors?: readonly SmtpError[];
	readonly response: string;
}

type SmtpError = Error & {
	readonly code?: string;
	readonly command?: string;
	readonly response?: string;
	readonly responseCode?: number;
	readonly recipient?: string;
	readonly originalCode?: string;
};

function buildOptions({ hostname, port, tls, trust }: MailServer, connection: Socket) {
	return {
		connection,
		host: hostname,
		port,
		name: CLIENT_NAME,
		secure: tls === "implicit",
		secured: tls === "implicit",
		requireTLS: tls === "starttls",
		ignoreTLS: tls === "off",
		maxResponseSize: MAX_REPLY_BYTES,
		tls: buildTls(trust),
	};
}

const buildTls = (trust: string | undefined) => ({
	rejectUnauthorized: true,
	minVersion: "TLSv1.2" as const,
	...(trust !== undefined && { ca: trust }),
});

function startTls({ hostname, trust }: MailServer, plain: Socket, signal: AbortSignal): Promise<Socket> {
	const servername = /^[\d.]+$|:/.test(hostname) ? {} : { servername: hostname };
	const socket = connectTls({ socket: plain, host: hostname, ...servername, ...buildTls(trust) });
	return openOrDestroy(socket, async () => {
		await waitForEvent(socket, "secureConnect", signal);
		return socket;
	});
}

const createLostError = () => Object.assign(new Error("the connection ended"), { code: "ECONNECTION" });

const isLost = (error: unknown): boolean =>
	["ECONNECTION", "ESOCKET"].includes((error as SmtpError).code ?? "") &&
	(error as SmtpError).responseCode === undefined;

const toRejected = ({ recipient = "", response = "" }: SmtpError) => ({
	address: recipient,
	response: shorten(response),
});

/** The client's own texts are for programmers. 4xx is temporary, 5xx is not (RFC 5321). */
function explain(error: unknown, server: MailServer): unknown {
	const { code, command = "", response = "", responseCode = 0, originalCode } = error as SmtpError;
	const { hostname, port } = server;
	if (error instanceof MailProblem || code === undefined) return error;
	if (responseCode >= 500 && (command === "STARTTLS" || (command === "EHLO" && server.tls === "starttls")))
		return new MailProblem(
			`${hostname}:${port} does not support STARTTLS: use its port for TLS, usually 465, or for a server on a private network set the credential's field tls to off`,
		);
	if (responseCode !== 0) {
		const text = `${hostname} ${describe(command)}: ${shorten(response)}`;
		return responseCode >= 500 ? new MailProblem(text) : new Error(text);
	}
	const { message } = error as Error;
	if (/^Message size larger/.test(message))
		return new MailProblem(`the mail is larger than ${hostname} takes: ${message.replace(/\D+/g, "")} bytes`);
	if (code === "EPROTOCOL") return new Error(`${hostname} did not answer as a mail server does`);
	if (code === "ETIMEDOUT") return new Error(`${hostname} did not answer in time`);
	return toCallError({ code: originalCode ?? (isLost(error) ? "ECONNRESET" : code) }, hostname);
}

function describe(command: string): string {
	if (command.startsWith("AUTH")) return "refused the login";
	if (command === "MAIL FROM") return "refused the sender";
	if (command === "RCPT TO") return "refused all recipients";
	if (command === "DATA") return "refused the mail";
	return "refused the connection";
}

/** Replies go into outputs and errors: one line, and not as long as the server likes. */
const shorten = (text: string): string =>
	text
		.toWellFormed()
		.replace(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, " ")
		.trim()
		.slice(0, MAX_SHOWN_CHARACTERS);
