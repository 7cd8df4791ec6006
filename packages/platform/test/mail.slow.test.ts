import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { after, describe, test } from "node:test";
import { TLSSocket } from "node:tls";
import type { SMTPServerOptions } from "smtp-server";
import { MAIL_PASSWORD, MAIL_USER, openScriptedServer, openSmtpServer } from "../../../test/smtp-server.ts";
import { parseAllowedHosts } from "../src/addresses.ts";
import { nodeMail } from "../src/mail.node.ts";
import { MailProblem, type MailServer, type OutgoingMail } from "../src/mail.ts";
import { TEST_CERTIFICATE } from "./tls-certificate.ts";

const NEVER = new AbortController().signal;
const LOGIN = { user: MAIL_USER, password: MAIL_PASSWORD };

const stops: (() => unknown)[] = [];
after(async () => {
	for (const stop of stops.reverse()) await stop();
});

/** `service.example`, for which there is a certificate, is this machine. */
function openMail(options: { connectMs?: number; idleMs?: number } = {}) {
	const mail = nodeMail({
		allow: parseAllowedHosts("127.0.0.1, service.example"),
		resolve: async () => [{ address: "127.0.0.1", family: 4 }],
		...options,
	});
	stops.push(() => mail.close());
	return mail;
}

async function serve(options: SMTPServerOptions = {}) {
	const server = await openSmtpServer(options);
	stops.push(server.stop);
	return server;
}

async function serveScript(script: Parameters<typeof openScriptedServer>[0]) {
	const server = await openScriptedServer(script);
	stops.push(server.stop);
	return server;
}

const plain = (port: number, more: Partial<MailServer> = {}): MailServer => ({
	...{ key: `127.0.0.1:${port}`, hostname: "127.0.0.1", port, login: null, tls: "off" },
	...more,
});
const secure = (port: number, more: Partial<MailServer> = {}): MailServer =>
	plain(port, { hostname: "service.example", tls: "starttls", trust: TEST_CERTIFICATE.cert, ...more });

const TLS = { key: TEST_CERTIFICATE.key, cert: TEST_CERTIFICATE.cert };

function buildMail(text = "Subject: Hi\r\n\r\nHello\r\n", more: Partial<OutgoingMail> = {}): OutgoingMail {
	const bytes = new TextEncoder().encode(text);
	return {
		from: "shop@example.com",
		to: ["ada@example.org"],
		message: {
			size: bytes.length,
			async *open() {
				yield bytes;
			},
		},
		...more,
	};
}

const refuses = (work: Promise<unknown>, message: RegExp, isProblem = true) =>
	assert.rejects(work, (error: Error) => {
		assert.match(error.message, message);
		assert.doesNotMatch(error.message, new RegExp(MAIL_PASSWORD));
		assert.equal(error instanceof MailProblem, isProblem, `${error.name}: ${error.message}`);
		return true;
	});

describe("sending mail", () => {
	test("byte for byte, also lines with a dot", async () => {
		const server = await serve();
		const text = `Subject: Hi\r\n\r\n.\r\n..\r\n.a\r\n${"x".repeat(70_000)}\r\nend\r\n`;
		const sent = await openMail().send(plain(server.port), buildMail(text), NEVER);
		assert.deepEqual(sent.accepted, ["ada@example.org"]);
		assert.match(sent.response, /^250 2\.0\.0 Ok: queued as 1$/);
		assert.equal(server.mails[0]?.message.toString(), text);
		assert.equal(server.mails[0]?.from, "shop@example.com");
	});

	test("with STARTTLS and a login", async () => {
		const server = await serve();
		await openMail().send(secure(server.port, { login: LOGIN }), buildMail(), NEVER);
		assert.deepEqual(
			server.mails.map(({ isSecure, user }) => [isSecure, user]),
			[[true, MAIL_USER]],
		);
		assert.deepEqual(server.logins, [true]);
	});

	test("with TLS from the start", async () => {
		const server = await serve({ secure: true });
		const where = secure(server.port, { login: LOGIN, tls: "implicit" });
		await openMail().send(where, buildMail(), NEVER);
		assert.equal(server.mails[0]?.isSecure, true);
	});

	test("keeps a connection for the next mail, and opens another if the server has closed it", async () => {
		const server = await serve();
		const mail = openMail();
		for (let count = 0; count < 3; count++) await mail.send(plain(server.port), buildMail(), NEVER);
		assert.equal(server.countConnections(), 1);
		let connections = 0;
		const closing = await serveScript(async (socket, lines) => {
			connections++;
			for await (const _ of answer(socket, lines)) socket.destroy();
		});
		await mail.send(plain(closing.port), buildMail(), NEVER);
		await mail.send(plain(closing.port), buildMail(), NEVER);
		assert.equal(connections, 2);
	});

	test("tells which recipients were refused, and fails if all were", async () => {
		const server = await serve();
		const mail = openMail();
		const sent = await mail.send(
			plain(server.port),
			buildMail(undefined, { to: ["ada@example.org", "550@example.org", "450@example.org"] }),
			NEVER,
		);
		assert.deepEqual(sent.accepted, ["ada@example.org"]);
		assert.deepEqual(sent.rejected, [
			{ address: "550@example.org", response: "550 not here" },
			{ address: "450@example.org", response: "450 not here" },
		]);
		assert.deepEqual(server.mails[0]?.to, ["ada@example.org"]);
		const refused = (to: string[]) => mail.send(plain(server.port), buildMail(undefined, { to }), NEVER);
		await refuses(refused(["550@example.org", "551@example.org"]), /refused all recipients: 55/);
		// One of them may be accepted later.
		await refuses(refused(["550@example.org", "450@example.org"]), /refused all recipients: 450/, false);
		assert.equal(server.mails.length, 1);
	});

	test("a login that is refused", async () => {
		const server = await serve();
		const login = { user: MAIL_USER, password: "wrong-wrong-wrong" };
		await refuses(
			openMail().send(secure(server.port, { login }), buildMail(), NEVER),
			/service\.example refused the login: 535/,
		);
	});

	test("check logs in and sends nothing", async () => {
		const server = await serve();
		await openMail().check(secure(server.port, { login: LOGIN }), NEVER);
		assert.deepEqual([server.logins, server.mails], [[true], []]);
	});

	test("a message whose source fails is not sent in part", async () => {
		const server = await serve();
		const message = {
			size: 100,
			async *open() {
				yield new TextEncoder().encode("Subject: Hi\r\n\r\nfirst half");
				throw new Error("the file is gone");
			},
		};
		await assert.rejects(
			openMail().send(plain(server.port), buildMail(undefined, { message }), NEVER),
			/the file is gone/,
		);
		assert.deepEqual(server.mails, []);
	});

	test("is streamed: a large mail is not read ahead of a server that stops reading", async () => {
		const server = await serveScript(async (socket, lines) => {
			socket.write("220 hello\r\n");
			for await (const line of lines) {
				socket.write(line === "DATA" ? "354 go\r\n" : "250 ok\r\n");
				if (line !== "DATA") continue;
				socket.pause();
				return;
			}
		});
		let read = 0;
		const chunk = new Uint8Array(65_536).fill(0x61);
		const message = {
			size: 1_000 * chunk.length,
			async *open() {
				for (; read < 1_000; read++) yield chunk.slice();
			},
		};
		const signal = AbortSignal.timeout(500);
		await assert.rejects(
			openMail().send(plain(server.port), buildMail(undefined, { message }), signal),
			(error: Error) => error.name === "TimeoutError",
		);
		assert.ok(read < 500, `${read} chunks were read`);
	});
});

/** Speaks SMTP well; gives a line after each mail. */
async function* answer(
	socket: Socket | TLSSocket,
	lines: AsyncIterable<string>,
	replies: (line: string) => string | undefined = () => undefined,
): AsyncGenerator<string> {
	socket.write(replies("") ?? "220 hello\r\n");
	let isData = false;
	for await (const line of lines) {
		if (isData && line !== ".") continue;
		isData = false;
		const reply = replies(line);
		if (reply !== undefined) socket.write(reply);
		else if (line === "DATA") {
			socket.write("354 go\r\n");
			isData = true;
		} else if (line.startsWith("EHLO")) socket.write("250-hello\r\n250 SIZE 1000000\r\n");
		else socket.write("250 ok\r\n");
		if (line === ".") yield line;
	}
}

/** A server with some replies of its own. */
const serveReplies = (replies: (line: string) => string | undefined) =>
	serveScript(async (socket, lines) => {
		for await (const _ of answer(socket, lines, replies));
	});

describe("replies", () => {
	const cases: [name: string, on: RegExp, reply: string, message: RegExp, isProblem: boolean][] = [
		[
			"a greeting of 421 can be retried",
			/^$/,
			"421 too busy",
			/did not answer as|refused the connection: 421/,
			false,
		],
		["a greeting of 554 cannot", /^$/, "554 go away", /refused the connection: 554/, true],
		["451 to the sender can be retried", /^MAIL/, "451 later", /refused the sender: 451 later/, false],
		["553 to the sender cannot", /^MAIL/, "553 no", /refused the sender: 553 no/, true],
		["452 to the mail can be retried", /^\.$/, "452 full", /refused the mail: 452 full/, false],
		["552 to the mail cannot", /^\.$/, "552 too big", /refused the mail: 552 too big/, true],
		["421 in place of an answer can be retried", /^\.$/, "421 bye", /421 bye/, false],
	];
	for (const [name, on, reply, message, isProblem] of cases) {
		test(name, async () => {
			const server = await serveReplies((line) => (on.test(line) ? `${reply}\r\n` : undefined));
			await refuses(openMail().send(plain(server.port), buildMail(), NEVER), message, isProblem);
		});
	}

	test("a lost answer says that it is not known whether the mail was accepted, and can be retried", async () => {
		const server = await serveScript(async (socket, lines) => {
			for await (const _ of answer(socket, lines, (line) => (line === "." ? "" : undefined)))
				socket.destroy();
		});
		await refuses(
			openMail().send(plain(server.port), buildMail(), NEVER),
			/not known whether the mail was accepted/,
			false,
		);
	});
});

describe("hostile servers", { concurrency: true }, () => {
	const shortly = { connectMs: 500 };

	test("that greet without end", async () => {
		const server = await serveScript((socket) => {
			const write = () => {
				while (socket.write(`220-${"x".repeat(1_000)}\r\n`));
				socket.once("drain", write);
			};
			write();
		});
		await refuses(
			openMail().send(plain(server.port), buildMail(), NEVER),
			/did not answer as a mail server/,
			false,
		);
	});

	test("that greet with a line without end", async () => {
		const server = await serveScript((socket) => {
			const write = () => {
				while (socket.write("x".repeat(10_000)));
				socket.once("drain", write);
			};
			write();
		});
		await refuses(
			openMail().send(plain(server.port), buildMail(), NEVER),
			/did not answer as a mail server/,
			false,
		);
	});

	test("that never greet", async () => {
		const server = await serveScript(() => {});
		await refuses(
			openMail(shortly).send(plain(server.port), buildMail(), NEVER),
			/did not accept a connection and the login within 500 ms/,
			false,
		);
	});

	test("that send a byte at a time", async () => {
		const server = await serveScript(async (socket) => {
			for (;;) {
				await new Promise((resolve) => setTimeout(resolve, 50));
				if (!socket.write("2")) return;
			}
		});
		await refuses(openMail(shortly).send(plain(server.port), buildMail(), NEVER), /within 500 ms/, false);
	});

	test("whose reply has lines without end", async () => {
		const server = await serveReplies((line) =>
			line.startsWith("EHLO") ? `250-${"a".repeat(500)}\r\n`.repeat(1_000) : undefined,
		);
		await refuses(
			openMail().send(plain(server.port), buildMail(), NEVER),
			/did not answer as a mail server/,
			false,
		);
	});

	test("that ask for more of the login without end", async () => {
		let asked = 0;
		const server = await serveScript(async (socket, lines) => {
			socket.write("220 hello\r\n");
			for await (const line of lines) {
				asked++;
				socket.write(line.startsWith("EHLO") ? "250-hello\r\n250 AUTH PLAIN\r\n" : "334 more\r\n");
			}
		});
		await refuses(
			openMail(shortly).send(plain(server.port, { login: LOGIN }), buildMail(), NEVER),
			/did not accept a connection and the login within 500 ms/,
			false,
		);
		assert.ok(asked > 2);
	});

	for (const [stage, on] of [
		["the envelope", /^MAIL/],
		["the mail", /^DATA/],
		["the end of the mail", /^\.$/],
	] as const) {
		test(`that stall at ${stage} are left when the call is cancelled`, async () => {
			const server = await serveReplies((line) => (on.test(line) ? "" : undefined));
			const reason = new Error("cancelled");
			const control = new AbortController();
			setTimeout(() => control.abort(reason), 200);
			await assert.rejects(openMail().send(plain(server.port), buildMail(), control.signal), reason);
			await new Promise((resolve) => setTimeout(resolve, 50));
			assert.equal(server.countOpen(), 0);
		});
	}

	test("that claim to take only small mails", async () => {
		const server = await serveReplies((line) =>
			line.startsWith("EHLO") ? "250-hello\r\n250 SIZE 10\r\n" : undefined,
		);
		await refuses(
			openMail().send(plain(server.port), buildMail(), NEVER),
			/larger than 127\.0\.0\.1 takes: 10 bytes/,
		);
	});

	test("that lie about the size that they take", async () => {
		const server = await serveReplies((line) => {
			if (line.startsWith("EHLO")) return "250-hello\r\n250 SIZE 99999999999999999999\r\n";
			return line === "." ? "552 too big\r\n" : undefined;
		});
		await refuses(openMail().send(plain(server.port), buildMail(), NEVER), /refused the mail: 552/);
	});

	test("whose reply is long or has control characters: it is shown in part", async () => {
		const server = await serveReplies((line) =>
			line === "." ? `250 ok \u001b[31m\u0000${"y".repeat(5_000)}\r\n` : undefined,
		);
		const { response } = await openMail().send(plain(server.port), buildMail(), NEVER);
		assert.ok(response.length <= 500);
		assert.match(response, /^[\x20-\x7e]+$/);
	});
});

describe("TLS of mail servers", () => {
	test("is required: a server, or someone in between, that offers no STARTTLS gets no login", async () => {
		const seen: string[] = [];
		const server = await serveReplies((line) => {
			seen.push(line);
			if (line.startsWith("EHLO")) return "250-hello\r\n250 AUTH PLAIN LOGIN\r\n";
			return line === "STARTTLS" ? "502 unknown\r\n" : undefined;
		});
		await refuses(
			openMail().send(secure(server.port, { login: LOGIN }), buildMail(), NEVER),
			/does not support STARTTLS: use its port for TLS, usually 465/,
		);
		assert.deepEqual(seen.map((line) => line.split(" ")[0]).filter(Boolean), ["EHLO", "STARTTLS"]);
	});

	test("is verified: an unknown certificate is refused", async () => {
		const server = await serve();
		await refuses(
			openMail().send(secure(server.port, { login: LOGIN, trust: undefined }), buildMail(), NEVER),
			/certificate of service\.example is not valid/,
			false,
		);
		const implicit = await serve({ secure: true });
		await refuses(
			openMail().send(secure(implicit.port, { trust: undefined, tls: "implicit" }), buildMail(), NEVER),
			/certificate of service\.example is not valid/,
			false,
		);
		assert.deepEqual(server.logins, []);
	});

	test("is verified: a certificate of another name is refused", async () => {
		const server = await serve();
		const mail = nodeMail({
			allow: parseAllowedHosts("other.example"),
			resolve: async () => [{ address: "127.0.0.1", family: 4 }],
		});
		stops.push(() => mail.close());
		await refuses(
			mail.send(secure(server.port, { hostname: "other.example", login: LOGIN }), buildMail(), NEVER),
			/certificate of other\.example is not valid/,
			false,
		);
		assert.deepEqual(server.logins, []);
	});

	test("what is sent in clear after the answer to STARTTLS counts for nothing", async () => {
		const seen: string[] = [];
		const server = await serveScript(async (socket, lines) => {
			socket.write("220 hello\r\n");
			for await (const line of lines) {
				if (line !== "STARTTLS") {
					socket.write("250-hello\r\n250 STARTTLS\r\n");
					continue;
				}
				socket.write("220 go\r\n250-injected\r\n250-SIZE 1\r\n250 AUTH PLAIN\r\n");
				break;
			}
			const tls = new TLSSocket(socket, { isServer: true, ...TLS });
			tls.on("error", () => {});
			tls.on("data", (chunk: Buffer) => {
				seen.push(chunk.toString());
				tls.write("250 hello\r\n");
			});
		});
		// The server inside TLS offers no login, whatever was said before.
		await assert.rejects(
			openMail({ connectMs: 2_000 }).send(secure(server.port, { login: LOGIN }), buildMail(), NEVER),
		);
		assert.doesNotMatch(seen.join(""), /AUTH/);
	});

	test("off: no login is sent to a public address", async () => {
		const server = await serve();
		const mail = nodeMail({
			allow: { entries: [] },
			resolve: async () => [{ address: "93.184.215.14", family: 4 }],
			dial: () => {
				const socket = connect(server.port, "127.0.0.1");
				Object.defineProperty(socket, "remoteAddress", { value: "93.184.215.14" });
				return socket;
			},
		});
		stops.push(() => mail.close());
		await refuses(
			mail.send(plain(server.port, { hostname: "mail.example.com", login: LOGIN }), buildMail(), NEVER),
			/has a public address, so that it is reached only with TLS/,
		);
		assert.deepEqual(server.logins, []);
	});
});

describe("addresses of mail servers", () => {
	for (const [name, hostname, addresses] of [
		["a private address", "127.0.0.1", []],
		["a name that resolves to one", "mail.example.com", ["127.0.0.1"]],
		["a name that resolves to one among others", "mail.example.com", ["93.184.215.14", "::1"]],
		["a name without a domain", "mailhost", ["127.0.0.1"]],
	] as const) {
		test(`${name} is refused`, async () => {
			const server = await serve();
			const mail = nodeMail({
				allow: { entries: [] },
				resolve: async () => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
			});
			stops.push(() => mail.close());
			await refuses(mail.send(plain(server.port, { hostname }), buildMail(), NEVER), /ALLOW_PRIVATE_HOSTS/);
			assert.equal(server.countConnections(), 0);
		});
	}

	test("the address that was connected to is checked too", async () => {
		const server = await serve();
		const mail = nodeMail({
			allow: { entries: [] },
			resolve: async () => [{ address: "93.184.215.14", family: 4 }],
			dial: () => connect(server.port, "127.0.0.1"),
		});
		stops.push(() => mail.close());
		await refuses(
			mail.send(plain(server.port, { hostname: "mail.example.com" }), buildMail(), NEVER),
			/resolves to 127\.0\.0\.1/,
		);
	});
});
