import type { Socket } from "node:net";
import { isPublicAddress } from "./addresses.ts";
import { sessionPools } from "./databases-pool.node.ts";
import { type Dial, guardedDial, type Resolve } from "./guarded-dial.node.ts";
import { OutboundRefused } from "./http.ts";
import { toCallError } from "./http-errors.ts";
import { type GuardOptions, outboundGuard } from "./http-guard.ts";
import { type Mail, MailProblem, type MailServer, type OutgoingMail, type SentMail } from "./mail.ts";
import { LostConnection, type SmtpSession } from "./mail-session.ts";

export interface NodeMailOptions extends GuardOptions {
	readonly resolve?: Resolve;
	readonly dial?: Dial;
	/** After this time without use a connection is closed. */
	readonly idleMs?: number;
	/** For the connection, the greeting, TLS and the login together. */
	readonly connectMs?: number;
}

const CONNECT_MS = 20_000;
const MAX_CONNECTIONS = 50;
const MAX_CONNECTIONS_PER_SERVER = 4;

/** The client is loaded by the first call. */
export function nodeMail({
	resolve,
	dial,
	idleMs = 5_000,
	connectMs = CONNECT_MS,
	...guarding
}: NodeMailOptions): Mail {
	const guard = outboundGuard(guarding);
	const open = guardedDial({ guard, resolve, dial });
	const pools = sessionPools<SmtpSession>({
		maxPerKey: MAX_CONNECTIONS_PER_SERVER,
		maxOpen: MAX_CONNECTIONS,
		idleMs,
	});

	return {
		async send(server, mail, signal) {
			for (let lost = 0; ; lost++) {
				try {
					return await sendOnce(server, mail, signal);
				} catch (error) {
					// The server may have closed all that were kept. Nothing of the message has been sent.
					if (!(error instanceof LostConnection) || lost === MAX_CONNECTIONS_PER_SERVER) throw error;
				}
			}
		},
		async check(server, signal) {
			(await connect(server, signal)).close();
		},
		async close() {
			pools.close();
		},
	};

	async function sendOnce(server: MailServer, mail: OutgoingMail, signal: AbortSignal): Promise<SentMail> {
		const session = await pools.acquire(server.key, () => connect(server, signal), signal);
		try {
			return await session.send(mail, signal);
		} finally {
			pools.release(server.key, session);
		}
	}

	async function connect(server: MailServer, signal: AbortSignal): Promise<SmtpSession> {
		const { hostname, port } = server;
		const timeout = AbortSignal.timeout(connectMs);
		const until = AbortSignal.any([signal, timeout]);
		try {
			guard.checkTarget({ hostname, port });
			const { openSmtp } = await import("./mail-smtp.node.ts");
			return await openSmtp(server, await openSocket(server, until), until);
		} catch (error) {
			if (signal.aborted) throw signal.reason;
			if (timeout.aborted)
				throw new Error(
					`${hostname}:${port} did not accept a connection and the login within ${connectMs} ms`,
				);
			if (error instanceof OutboundRefused) throw new MailProblem(error.message);
			throw typeof (error as NodeJS.ErrnoException).code === "string" ? toCallError(error, hostname) : error;
		}
	}

	async function openSocket({ hostname, port, tls }: MailServer, until: AbortSignal): Promise<Socket> {
		const socket = await open({ hostname, port }, until);
		if (tls !== "off" || !isPublicAddress(socket.remoteAddress ?? "")) return socket;
		socket.destroy();
		throw new OutboundRefused(`${hostname} has a public address, so that it is reached only with TLS`);
	}
}
