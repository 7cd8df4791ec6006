import type { FetchMessageObject, FetchQueryObject, ImapFlow, ImapFlowOptions } from "imapflow";
import { isPublicAddress } from "./addresses.ts";
import { guardedAddresses, type Resolve } from "./guarded-dial.node.ts";
import { OutboundRefused } from "./http.ts";
import { type GuardOptions, outboundGuard } from "./http-guard.ts";
import { limitInput } from "./imap-input.node.ts";
import type { MailServer } from "./mail.ts";
import type { MailRequest } from "./mail-entry.node.ts";
import { mailReader } from "./mail-reader.node.ts";
import {
	type Mailboxes,
	MailboxProblem,
	type MailLimits,
	type OpenMailbox,
	type ParsedMail,
	type ReceivedMail,
	type WantedMailbox,
} from "./mailboxes.ts";
import { threadQueue } from "./thread-queue.node.ts";

export interface NodeMailboxesOptions extends GuardOptions {
	readonly resolve?: Resolve;
	/** For tests. */
	readonly times?: Partial<typeof TIMES>;
}

const MIB = 1024 * 1024;
const TIMES = {
	/** Until the mailbox is open. */
	connectMs: 30_000,
	commandMs: 60_000,
	/** A large mail over a slow line. */
	readMs: 300_000,
	/** Servers may end an IDLE after 30 minutes, and routers forget a silent connection much sooner. */
	idleMs: 5 * 60_000,
	/** Between looks at a server without IDLE. */
	lookMs: 60_000,
};
const MAX_LINE_BYTES = 128 * 1024;
/** Of what a server sends besides a mail. */
const MAX_OTHER_BYTES = 256 * 1024;
/** Until the login. */
const MAX_WELCOME_BYTES = 64 * 1024;
/** UIDs that are looked through together, so that the answer is one short line. */
const WINDOW = 1_000;
const MAX_HEAD_BYTES = 256 * 1024;
const MAX_LITERAL_BYTES = 26 * MIB;
const MAX_UID = 2 ** 32 - 1;
/** Mails up to this size are read without a turn. */
const SMALL_BYTES = 256 * 1024;
const MAX_LARGE_AT_ONCE = 4;
const MAX_WAITING = 10_000;

/** Mailboxes by IMAP. The client is loaded by the first one. */
export function nodeMailboxes({ resolve, times, ...guarding }: NodeMailboxesOptions): Mailboxes {
	const guard = outboundGuard(guarding);
	const findAddresses = guardedAddresses({ guard, resolve });
	const limits = { ...TIMES, ...times };
	const reader = mailReader();
	/** Each holds its bytes in memory, several times over while it is parsed. */
	const large = threadQueue({
		maxThreads: MAX_LARGE_AT_ONCE,
		maxWaiting: MAX_WAITING,
		maxWaitingPerOwner: MAX_WAITING,
		createBusyError: () => new Error("too many large mails are waiting to be read"),
	});

	return {
		async open(server, wanted, signal) {
			const { ImapFlow: Client } = await import("imapflow");
			const client = new Client(await buildOptions(server, signal));
			return openMailbox(client, server, wanted, signal);
		},
		async close() {
			await Promise.all([reader.close(), large.close()]);
		},
	};

	async function buildOptions(server: MailServer, signal: AbortSignal): Promise<ImapFlowOptions> {
		const { hostname, port, login, tls, trust } = server;
		if (login === null) throw new MailboxProblem("the credential has no user and password");
		const addresses = await checkAddresses(
			server,
			AbortSignal.any([signal, AbortSignal.timeout(limits.connectMs)]),
		);
		return {
			host: hostname,
			port,
			secure: tls === "implicit",
			...(tls !== "implicit" && { doSTARTTLS: tls === "starttls" }),
			auth: { user: login.user, pass: login.password },
			tls: {
				rejectUnauthorized: true,
				minVersion: "TLSv1.2",
				...(trust !== undefined && { ca: trust }),
				// It connects by itself, and to no address that was not checked.
				...{ lookup: (_: string, __: unknown, done: Found) => done(null, [...addresses]) },
				...{ autoSelectFamily: true },
			},
			// It would log what is sent, such as the login.
			logger: false,
			clientInfo: { name: "Tripline" },
			disableAutoIdle: true,
			// A small answer could become a large one.
			disableCompression: true,
			disableBinary: true,
			connectionTimeout: limits.connectMs,
			greetingTimeout: limits.connectMs,
			socketTimeout: limits.idleMs + limits.commandMs,
			maxLineLength: MAX_LINE_BYTES,
			maxLiteralSize: MAX_LITERAL_BYTES,
			maxResponseSize: MAX_LITERAL_BYTES + MAX_LINE_BYTES,
		};
	}

	async function checkAddresses({ hostname, port, tls }: MailServer, signal: AbortSignal) {
		try {
			guard.checkTarget({ hostname, port });
			const { addresses } = await findAddresses({ hostname, port }, signal);
			if (tls === "off" && addresses.some(({ address }) => isPublicAddress(address)))
				throw new OutboundRefused(`${hostname} has a public address, so that it is reached only with TLS`);
			return addresses;
		} catch (error) {
			throw error instanceof OutboundRefused
				? new MailboxProblem(error.message)
				: toProblem(error, { hostname }, "cannot be found");
		}
	}

	async function openMailbox(
		client: ImapFlow,
		server: MailServer,
		wanted: WantedMailbox,
		signal: AbortSignal,
	): Promise<OpenMailbox> {
		const input = limitInput(client, MAX_WELCOME_BYTES);
		const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>();
		let hasNews = false;
		let isFlooded = false;
		let wake = () => {};
		client.on("error", ({ code }: NodeJS.ErrnoException) => {
			if (code !== undefined && LIMIT_CODE.test(code)) isFlooded = true;
		});
		client.on("close", () => {
			onClosed();
			wake();
		});
		client.on("exists", () => {
			hasNews = true;
			wake();
		});
		const close = () => client.close();
		signal.addEventListener("abort", close, { once: true });
		void closed.then(() => signal.removeEventListener("abort", close));
		try {
			return await run("opened", limits.connectMs, MAX_WELCOME_BYTES, connect);
		} catch (error) {
			client.close();
			throw error;
		}

		async function connect(): Promise<OpenMailbox> {
			await client.connect();
			input.pace();
			input.allow(MAX_OTHER_BYTES);
			for (const target of wanted.targets)
				if (!(await client.status(target, { messages: true }).catch(() => false)))
					throw new MailboxProblem(`there is no mailbox ${JSON.stringify(target)} to move mails to`);
			const mailbox = await client.mailboxOpen(wanted.name, { readOnly: !wanted.isWritten });
			const uidValidity = String(mailbox.uidValidity ?? "");
			if (!/^[1-9]\d*$/.test(uidValidity))
				throw new MailboxProblem(`${server.hostname} does not keep the numbers of mails`);
			const lastUid = isUid(mailbox.uidNext) ? mailbox.uidNext - 1 : await findLastUid();
			return { uidValidity, lastUid, listAfter, read, markSeen, move, waitForMail, close };
		}

		/** Some servers do not say which UID is next. */
		async function findLastUid(): Promise<number> {
			const uids = (await client.search({ uid: "*" }, { uid: true })) || [];
			return Math.max(0, ...uids.filter(isUid).slice(0, 1));
		}

		async function listAfter(uid: number, max: number): Promise<readonly number[]> {
			hasNews = false;
			const next = await search(uid, `${uid + 1}:${uid + WINDOW}`);
			const found = next.length > 0 ? next : await search(uid, `${uid + WINDOW + 1}:*`);
			return found.sort((one, other) => one - other).slice(0, max);
		}

		/** With `*` the range includes the last mail, whatever its UID, so what is not above `uid` is left out. */
		async function search(uid: number, range: string): Promise<number[]> {
			const found = await run("listed", limits.commandMs, MAX_OTHER_BYTES, () =>
				client.search({ uid: range }, { uid: true }),
			);
			if (Array.isArray(found)) return found.filter((each) => isUid(each) && each > uid);
			throw client.usable ? new MailboxProblem(`${server.hostname} refused to list the mails`) : lost();
		}

		async function read<Result>(
			uid: number,
			{ maxBytes }: MailLimits,
			use: (mail: ReceivedMail) => Promise<Result>,
		): Promise<Result | null> {
			const head = await fetch(uid, {
				size: true,
				internalDate: true,
				bodyParts: [{ key: "HEADER", start: 0, maxLength: MAX_HEAD_BYTES }],
			});
			if (head === null) return null;
			const { size = 0 } = head;
			const readWhole = async () => {
				const source = await fetchSource(uid, size, maxBytes);
				return use(await toMail(head, source));
			};
			return size <= SMALL_BYTES ? readWhole() : large.run(wanted.owner, signal, readWhole);
		}

		/** Null if it is larger than allowed, or than the server said. */
		async function fetchSource(uid: number, size: number, maxBytes: number): Promise<Uint8Array | null> {
			if (size > maxBytes) return null;
			// One more byte, to see whether the mail is as large as the server says.
			const wantedBytes = Math.min(maxBytes, Math.max(size, SMALL_BYTES)) + 1;
			const found = await fetch(uid, { source: { start: 0, maxLength: wantedBytes } }, wantedBytes);
			const source = found?.source;
			return source === undefined || source.length >= wantedBytes ? null : source;
		}

		async function fetch(
			uid: number,
			query: FetchQueryObject,
			bytes = MAX_HEAD_BYTES,
		): Promise<FetchMessageObject | null> {
			const found = await run("read", limits.readMs, bytes + MAX_OTHER_BYTES, () =>
				client.fetchAll(String(uid), { ...query, uid: true }, { uid: true }),
			);
			return found.find((message) => message.uid === uid) ?? null;
		}

		async function toMail(head: FetchMessageObject, source: Uint8Array | null): Promise<ReceivedMail> {
			const headBytes = head.headers ?? new Uint8Array();
			const parsed =
				(source === null ? null : await parse(source, true)) ?? (await parse(headBytes, false)) ?? UNREADABLE;
			const { internalDate } = head;
			const received = internalDate === undefined ? Number.NaN : new Date(internalDate).getTime();
			return {
				...parsed,
				uid: head.uid,
				size: Number.isSafeInteger(head.size) ? (head.size ?? 0) : 0,
				receivedAt: Number.isFinite(received) ? new Date(received).toISOString() : null,
			};
		}

		/** Null if it cannot be parsed: what a sender writes must not keep the mails after it from being read. */
		async function parse(bytes: Uint8Array, isWhole: boolean): Promise<ParsedMail | null> {
			// A copy, because a thread takes its bytes over.
			const message: MailRequest = { source: new Uint8Array(bytes), isWhole };
			try {
				return await reader.parse(wanted.owner, message, signal);
			} catch (error) {
				if (signal.aborted) throw error;
				return null;
			}
		}

		async function markSeen(uid: number): Promise<void> {
			await run("marked", limits.commandMs, MAX_OTHER_BYTES, () =>
				client.messageFlagsAdd(String(uid), ["\\Seen"], { uid: true }),
			);
		}

		async function move(uid: number, target: string): Promise<void> {
			const isMoved = await run("moved", limits.commandMs, MAX_OTHER_BYTES, () =>
				client.messageMove(String(uid), target, { uid: true }),
			);
			if (isMoved === false && (await fetch(uid, { flags: true })) !== null)
				throw new MailboxProblem(`a mail could not be moved to ${JSON.stringify(target)}`);
		}

		async function waitForMail(until: AbortSignal): Promise<void> {
			if (hasNews || !client.usable || until.aborted) return;
			input.allow(MAX_OTHER_BYTES);
			if (client.capabilities.has("IDLE")) {
				const isRefused = await sleep(limits.idleMs, until, client.idle());
				// The server may refuse it, or end it at once.
				if (isRefused) await sleep(limits.lookMs, until);
			} else await sleep(limits.lookMs, until);
			if (!client.usable && !until.aborted) throw lost();
		}

		/** Until there is news, or the time is over. True if `ended` was settled before. */
		async function sleep(ms: number, until: AbortSignal, ended?: Promise<unknown>): Promise<boolean> {
			const { promise, resolve } = Promise.withResolvers<boolean>();
			wake = () => resolve(false);
			const timer = setTimeout(wake, ms);
			until.addEventListener("abort", wake, { once: true });
			ended?.then(
				() => resolve(true),
				() => resolve(true),
			);
			try {
				return await promise;
			} finally {
				clearTimeout(timer);
				until.removeEventListener("abort", wake);
			}
		}

		async function run<Result>(
			what: string,
			ms: number,
			bytes: number,
			work: () => Promise<Result>,
		): Promise<Result> {
			const { promise: late, reject } = Promise.withResolvers<never>();
			input.allow(bytes);
			const timer = setTimeout(() => {
				client.close();
				reject(new MailboxProblem(`${server.hostname} took longer than ${ms / 1000} s: nothing was ${what}`));
			}, ms);
			try {
				return await Promise.race([work(), late]);
			} catch (error) {
				signal.throwIfAborted();
				throw isFlooded || input.isExceeded() ? lost() : toProblem(error, server, "closed the connection");
			} finally {
				clearTimeout(timer);
			}
		}

		function lost(): MailboxProblem {
			return new MailboxProblem(
				isFlooded || input.isExceeded()
					? `${server.hostname} sent more than it was asked for`
					: `${server.hostname} closed the connection`,
			);
		}
	}
}

type Found = (error: null, addresses: { readonly address: string; readonly family: number }[]) => void;

const isUid = (value: unknown): value is number =>
	Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_UID;

const UNREADABLE: ParsedMail = {
	messageId: null,
	inReplyTo: null,
	references: [],
	from: null,
	to: [],
	cc: [],
	replyTo: [],
	subject: "",
	date: null,
	text: null,
	html: null,
	headers: {},
	attachments: [],
	isTruncated: true,
};

const MAX_ANSWER_CHARACTERS = 200;

/** Other properties of the client's errors may contain what was sent, so only some of them are read. */
function toProblem(error: unknown, { hostname }: Pick<MailServer, "hostname">, otherwise: string): unknown {
	if (error instanceof MailboxProblem || error instanceof OutboundRefused) return error;
	const { code, message, authenticationFailed, responseText, mailboxMissing, tlsFailed } = error as Error &
		Readonly<Record<string, unknown>>;
	const said =
		typeof responseText === "string" && responseText !== ""
			? `: ${responseText.slice(0, MAX_ANSWER_CHARACTERS)}`
			: "";
	if (authenticationFailed === true) return new MailboxProblem(`${hostname} refused the login${said}`);
	if (mailboxMissing === true) return new MailboxProblem(`${hostname} has no such mailbox`);
	if (tlsFailed === true || (typeof code === "string" && TLS_CODE.test(code)))
		return new MailboxProblem(`no verified TLS connection to ${hostname}: ${message}`);
	if (said !== "") return new MailboxProblem(`${hostname} refused${said}`);
	const why = typeof code === "string" && code !== "NoConnection" ? ` (${code})` : "";
	return new MailboxProblem(`${hostname} ${otherwise}${why}`);
}

const TLS_CODE = /CERT|SIGNED|ISSUER|TLS|SSL|ALTNAME/;
const LIMIT_CODE = /^(?:Line|Literal|Response)TooLarge$/;
