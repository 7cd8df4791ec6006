import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { after, before, describe, type TestContext, test } from "node:test";
import { parseAllowedHosts } from "../src/addresses.ts";
import type { MailServer } from "../src/mail.ts";
import { nodeMailboxes } from "../src/mailboxes.node.ts";
import { type Mailboxes, MailboxProblem, type OpenMailbox } from "../src/mailboxes.ts";

const NEVER = new AbortController().signal;
const PASSWORD = "correct-horse-battery";
const TIMES = { connectMs: 2_000, commandMs: 1_000, readMs: 2_000, idleMs: 2_000, lookMs: 200 };
const WANTED = { owner: "o", name: "INBOX", targets: [], isWritten: false };

/** What a server answers to a command besides the final OK; a function sends by itself. */
type Script = Readonly<Record<string, string | ((socket: Socket, tag: string, line: string) => void)>>;

const SELECTED = "* 1 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT 5] x\r\n";

/** A server that follows a script. */
async function startServer(context: TestContext, script: Script, greeting = "* OK ready\r\n") {
	const received: string[] = [];
	const server = createServer((socket) => {
		let text = "";
		socket.on("error", () => {});
		socket.write(greeting);
		socket.on("data", (chunk) => {
			text += chunk;
			for (let end = text.indexOf("\r\n"); end >= 0; end = text.indexOf("\r\n")) {
				const line = text.slice(0, end);
				text = text.slice(end + 2);
				received.push(line);
				const [tag = "", first = "", second = ""] = line.split(" ");
				const name = first === "UID" ? `UID ${second}` : first.toUpperCase();
				const answer = script[name] ?? DEFAULTS[name] ?? "";
				if (typeof answer === "function") answer(socket, tag, line);
				else socket.write(`${answer}${tag} OK done\r\n`);
			}
		});
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	context.after(() => server.close());
	return { port: (server.address() as AddressInfo).port, received };
}

const DEFAULTS: Script = {
	CAPABILITY: "* CAPABILITY IMAP4rev1 IDLE\r\n",
	SELECT: SELECTED,
	EXAMINE: SELECTED,
	LIST: '* LIST () "/" INBOX\r\n',
	"UID SEARCH": "* SEARCH 5\r\n",
};

describe("mailboxes", () => {
	let mailboxes: Mailboxes;
	before(() => {
		mailboxes = nodeMailboxes({ allow: parseAllowedHosts("127.0.0.1"), times: TIMES });
	});
	after(() => mailboxes.close());

	const describeServer = (port: number, more: Partial<MailServer> = {}): MailServer => ({
		...{ key: "k", hostname: "127.0.0.1", port, tls: "off" },
		login: { user: "ada", password: PASSWORD },
		...more,
	});

	async function openWith(context: TestContext, script: Script, greeting?: string): Promise<OpenMailbox> {
		const { port } = await startServer(context, script, greeting);
		const mailbox = await mailboxes.open(describeServer(port), WANTED, NEVER);
		context.after(() => mailbox.close());
		return mailbox;
	}

	const refuses = (work: Promise<unknown>, message: RegExp) =>
		assert.rejects(work, (error: Error) => {
			assert.match(error.message, message);
			assert.doesNotMatch(error.message, new RegExp(PASSWORD));
			return error instanceof MailboxProblem;
		});

	test("are refused at inner addresses, and without TLS at public ones", async () => {
		const resolve = async () => [{ address: "93.184.215.14", family: 4 }];
		const guarded = nodeMailboxes({ allow: parseAllowedHosts(""), resolve });
		const at = (hostname: string) => ({ ...describeServer(993), hostname });
		await refuses(guarded.open(at("127.0.0.1"), WANTED, NEVER), /not a public address/);
		await refuses(guarded.open(at("mail.example"), WANTED, NEVER), /reached only with TLS/);
		const inner = nodeMailboxes({
			allow: parseAllowedHosts(""),
			resolve: async () => [...(await resolve()), { address: "10.0.0.1", family: 4 }],
		});
		await refuses(inner.open({ ...at("mail.example"), tls: "implicit" }, WANTED, NEVER), /10\.0\.0\.1/);
		await guarded.close();
		await inner.close();
	});

	test("never get a password before TLS, if it is wanted", async (context) => {
		const { port, received } = await startServer(context, {});
		await refuses(
			mailboxes.open(describeServer(port, { tls: "starttls" }), WANTED, NEVER),
			/no verified TLS connection/,
		);
		assert.doesNotMatch(received.join("\n"), new RegExp(`${PASSWORD}|LOGIN|AUTH`));
	});

	test("are not opened for ever", async (context) => {
		const silent = await startServer(context, {}, "");
		await refuses(
			mailboxes.open(describeServer(silent.port), WANTED, NEVER),
			/longer than 2 s|TIMEOUT|in required time/,
		);
		const stalled = await startServer(context, { LOGIN() {} });
		await refuses(mailboxes.open(describeServer(stalled.port), WANTED, NEVER), /longer than 2 s/);
	});

	test("do not show what a server says about the password", async (context) => {
		const { port } = await startServer(context, {
			LOGIN: (socket, tag) => socket.write(`${tag} NO [AUTHENTICATIONFAILED] wrong\r\n`),
		});
		await refuses(mailboxes.open(describeServer(port), WANTED, NEVER), /refused the login: .*wrong/);
	});

	test("do not follow referrals", async (context) => {
		const { port, received } = await startServer(context, {
			LOGIN: (socket, tag) => socket.write(`${tag} NO [REFERRAL imap://ada@127.0.0.1:1/INBOX] go there\r\n`),
		});
		await refuses(mailboxes.open(describeServer(port), WANTED, NEVER), /refused/);
		assert.equal(received.filter((line) => line.includes("LOGIN")).length, 1);
	});

	test("end servers that send lines without an end", async (context) => {
		const mailbox = await openWith(context, { "UID SEARCH": flood("* SEARCH 1", " 1") });
		await refuses(mailbox.listAfter(0, 10), /more than it was asked for/);
	});

	test("end servers that send answers without an end", async (context) => {
		const mailbox = await openWith(context, { "UID FETCH": flood("", "* 1 FETCH (UID 5 FLAGS ())\r\n") });
		const watch = watchStalls();
		await refuses(
			mailbox.read(5, { maxBytes: 1_000 }, async () => {}),
			/more than it was asked for|longer than 2 s/,
		);
		watch.assertNone();
	});

	test("end servers that announce huge literals", async (context) => {
		const mailbox = await openWith(context, {
			"UID FETCH": (socket) => socket.write("* 1 FETCH (UID 5 BODY[HEADER] {4294967295}\r\n"),
		});
		await refuses(
			mailbox.read(5, { maxBytes: 1_000 }, async () => {}),
			/more than it was asked for/,
		);
	});

	test("end servers that announce mails all the time", async (context) => {
		const mailbox = await openWith(context, {
			IDLE: (socket) => {
				socket.write("+ idling\r\n");
				flood("", "* 4294967295 EXISTS\r\n* 1 EXISTS\r\n")(socket);
			},
		});
		const watch = watchStalls();
		await mailbox.waitForMail(NEVER);
		await refuses(
			mailbox.listAfter(0, 10),
			/closed the connection|more than it was asked for|longer than 1 s/,
		);
		watch.assertNone();
	});

	test("end servers that do not answer", async (context) => {
		const mailbox = await openWith(context, { "UID SEARCH"() {} });
		await refuses(mailbox.listAfter(0, 10), /longer than 1 s/);
	});

	test("believe no numbers that cannot be", async (context) => {
		const mailbox = await openWith(context, {
			SELECT: "* 4294967295 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT 5] x\r\n",
			"UID SEARCH": "* SEARCH 0 9 -1 5 4294967296 99999999999999999999 7 7 x\r\n",
		});
		assert.deepEqual(await mailbox.listAfter(4, 10), [5, 7, 9]);
		assert.deepEqual(await mailbox.listAfter(5, 1), [7]);
	});

	test("take only the mail that was asked for, and no more of it than is allowed", async (context) => {
		const long = "x".repeat(5_000);
		const mailbox = await openWith(context, {
			"UID FETCH": (socket, tag, line) => {
				const body = line.includes("BODY.PEEK[]")
					? `BODY[]<0> {${long.length}}\r\n${long}`
					: "RFC822.SIZE 10";
				socket.write(`* 9 FETCH (UID 9 ${body})\r\n* 1 FETCH (UID 5 ${body})\r\n${tag} OK\r\n`);
			},
		});
		const mail = await mailbox.read(5, { maxBytes: 1_000 }, async (read) => read);
		assert.equal(mail?.uid, 5);
		assert.equal(mail?.isTruncated, true);
		assert.equal(mail?.text, null);
		assert.equal(await mailbox.read(6, { maxBytes: 1_000 }, async (read) => read), null);
	});

	test("are looked at again by and by if the server refuses IDLE", async (context) => {
		const mailbox = await openWith(context, {
			IDLE: (socket, tag) => socket.write(`${tag} NO not now\r\n`),
		});
		const startedAt = Date.now();
		await mailbox.waitForMail(NEVER);
		assert.ok(Date.now() - startedAt >= TIMES.lookMs - 20);
	});

	test("tell that the connection is lost", async (context) => {
		const mailbox = await openWith(context, {
			IDLE: (socket) => {
				socket.write("+ idling\r\n* BYE over\r\n");
				socket.end();
			},
		});
		await refuses(mailbox.waitForMail(NEVER), /closed the connection/);
	});
});

/** Without the limits, a server holds up everything for seconds. */
const MAX_STALL_MS = 1_000;

function watchStalls() {
	let [longest, last] = [0, performance.now()];
	const timer = setInterval(() => {
		longest = Math.max(longest, performance.now() - last);
		last = performance.now();
	}, 2);
	return {
		assertNone() {
			clearInterval(timer);
			assert.ok(longest < MAX_STALL_MS, `held up for ${longest.toFixed(0)} ms`);
		},
	};
}

/** Sends for as long as the client reads. */
const flood =
	(start: string, more: string) =>
	(socket: Socket): void => {
		socket.write(start);
		const chunk = more.repeat(10_000);
		const send = () => {
			if (!socket.destroyed && socket.write(chunk)) setImmediate(send);
		};
		socket.on("drain", send);
		send();
	};
