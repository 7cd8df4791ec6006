import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { parseAllowedHosts } from "@tripline/platform/addresses";
import type { MailServer } from "@tripline/platform/mail";
import {
	type Mailboxes,
	MailboxProblem,
	type OpenMailbox,
	type ReceivedMail,
	type WantedMailbox,
} from "@tripline/platform/mailboxes";
import { nodeMailboxes } from "@tripline/platform/mailboxes.node";
import { IMAP_CA, IMAP_PASSWORD, type ImapServer, startImap } from "./imap.ts";

const NEVER = new AbortController().signal;
const MIB = 1024 * 1024;

describe("mailboxes by IMAP", () => {
	let imap: ImapServer;
	/** Without IDLE. */
	let plain: ImapServer;
	let mailboxes: Mailboxes;
	before(async () => {
		imap = await startImap();
		plain = await startImap({ capability: "IMAP4rev1 UIDPLUS MOVE" });
		mailboxes = nodeMailboxes({
			allow: parseAllowedHosts("127.0.0.1"),
			resolve: async () => [{ address: "127.0.0.1", family: 4 }],
			times: { lookMs: 200 },
		});
	});
	after(async () => {
		await mailboxes?.close();
		await imap?.stop();
		await plain?.stop();
	});

	const describeServer = (user: string, more: Partial<MailServer> = {}): MailServer => ({
		...{ key: user, hostname: "service.example", port: imap.port, tls: "implicit", trust: IMAP_CA },
		login: { user, password: IMAP_PASSWORD },
		...more,
	});

	const open = (server: MailServer, wanted: Partial<WantedMailbox> = {}): Promise<OpenMailbox> =>
		mailboxes.open(server, { owner: "o", name: "INBOX", targets: [], isWritten: true, ...wanted }, NEVER);

	async function use<Result>(
		work: (mailbox: OpenMailbox) => Promise<Result>,
		...given: Parameters<typeof open>
	): Promise<Result> {
		const mailbox = await open(...given);
		try {
			return await work(mailbox);
		} finally {
			mailbox.close();
		}
	}

	const readOne = (mailbox: OpenMailbox, uid: number, maxBytes = 25 * MIB): Promise<ReceivedMail | null> =>
		mailbox.read(uid, { maxBytes }, async (mail) => mail);

	const refuses = (work: Promise<unknown>, message: RegExp) =>
		assert.rejects(work, (error: Error) => {
			assert.match(error.message, message);
			assert.doesNotMatch(error.message, new RegExp(IMAP_PASSWORD));
			return error instanceof MailboxProblem;
		});

	test("are read with TLS from the start, with STARTTLS, and without TLS on a private network", async () => {
		imap.deliver("tls", "From: ada@example.com\r\nSubject: hello\r\n\r\nHi!\r\n");
		for (const [tls, port] of [
			["implicit", imap.port],
			["starttls", imap.plainPort],
			["off", imap.plainPort],
		] as const) {
			const mail = await use((mailbox) => readOne(mailbox, 1), describeServer("tls", { tls, port }));
			assert.equal(mail?.subject, "hello", tls);
			assert.equal(mail?.text, "Hi!\n");
			assert.equal(mail?.from?.address, "ada@example.com");
		}
	});

	test("are not read if the certificate, the login or the mailbox is wrong", async () => {
		const unknown = describeServer("wrong", { trust: undefined });
		await refuses(open(unknown), /no verified TLS connection to service\.example/);
		await refuses(open({ ...unknown, tls: "starttls", port: imap.plainPort }), /no verified TLS connection/);
		const other = describeServer("wrong", { hostname: "other.example" });
		await refuses(open(other), /no verified TLS connection to other\.example/);
		const login = { user: "wrong", password: "no" };
		await refuses(open(describeServer("wrong", { login })), /refused the login/);
		await refuses(open(describeServer("wrong"), { name: "Nowhere" }), /has no such mailbox/);
		await refuses(open(describeServer("wrong"), { targets: ["Nowhere"] }), /no mailbox "Nowhere" to move/);
	});

	test("tell at once that a mail has arrived, or look by themselves without IDLE", async () => {
		for (const server of [imap, plain]) {
			server.deliver("idle", "Subject: first\r\n\r\n");
			await use(
				async (mailbox) => {
					assert.equal(mailbox.lastUid, 1);
					assert.deepEqual(await mailbox.listAfter(mailbox.lastUid, 10), []);
					const startedAt = Date.now();
					const timer = setTimeout(() => server.deliver("idle", "Subject: second\r\n\r\n"), 100);
					let found: readonly number[] = [];
					while (found.length === 0 && Date.now() < startedAt + 20_000) {
						await mailbox.waitForMail(NEVER);
						found = await mailbox.listAfter(mailbox.lastUid, 10);
					}
					clearTimeout(timer);
					assert.deepEqual(found, [2]);
				},
				describeServer("idle", { port: server.port }),
			);
		}
	});

	test("give attachments byte for byte", async () => {
		const bytes = randomBytes(3 * MIB);
		const lines = bytes.toString("base64").replace(/.{76}/g, "$&\r\n");
		imap.deliver(
			"files",
			[
				"From: =?utf-8?Q?Ad=C3=A4?= <ada@example.com>",
				"Content-Type: multipart/mixed; boundary=b",
				"",
				"--b",
				"Content-Type: multipart/alternative; boundary=c",
				"",
				"--c\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nGr=C3=BC=C3=9Fe",
				"--c\r\nContent-Type: text/html\r\n\r\n<p>Hi</p>",
				"--c--",
				"--b",
				"Content-Type: application/pdf; name=x",
				"Content-Disposition: attachment; filename*=utf-8''..%2F..%2Fetc%0D%0A%2Fpasswd.pdf",
				"Content-Transfer-Encoding: base64",
				"",
				lines,
				"--b--",
				"",
			].join("\r\n"),
		);
		const mail = await use((mailbox) => readOne(mailbox, 1), describeServer("files"));
		assert.ok(mail);
		assert.deepEqual(mail.from, { address: "ada@example.com", name: "Adä" });
		assert.equal(mail.text?.trim(), "Grüße");
		assert.equal(mail.html?.trim(), "<p>Hi</p>");
		const [file] = mail.attachments;
		assert.equal(mail.attachments.length, 1);
		assert.equal(file?.type, "application/pdf");
		const hash = (content: Uint8Array) => createHash("sha256").update(content).digest("hex");
		assert.equal(hash(file?.bytes ?? new Uint8Array()), hash(bytes));
		assert.equal(mail.isTruncated, false);
	});

	test("give only the head of a mail that is too large", async () => {
		imap.deliver("large", `From: a@b.example\r\nSubject: large\r\n\r\n${"x".repeat(100_000)}\r\n`);
		const mail = await use((mailbox) => readOne(mailbox, 1, 50_000), describeServer("large"));
		assert.equal(mail?.subject, "large");
		assert.equal(mail?.text, null);
		assert.equal(mail?.isTruncated, true);
		assert.ok((mail?.size ?? 0) > 100_000);
	});

	test("are not held up by 10,000 parts, nor by parts within parts", async (context) => {
		const part = "--b\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nx\r\n";
		imap.deliver(
			"parts",
			`Subject: parts\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${part.repeat(10_000)}`,
		);
		const nested = Array.from(
			{ length: 10_000 },
			(_, depth) => `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n`,
		);
		imap.deliver("parts", `Subject: nested\r\n${nested.join("")}`);
		let [stalledMs, last] = [0, performance.now()];
		const watch = setInterval(() => {
			stalledMs = Math.max(stalledMs, performance.now() - last - 5);
			last = performance.now();
		}, 5);
		const mails = await use(
			async (mailbox) => [await readOne(mailbox, 1), await readOne(mailbox, 2)],
			describeServer("parts"),
		);
		clearInterval(watch);
		assert.deepEqual(
			mails.map((mail) => [mail?.subject, mail?.attachments.length, mail?.isTruncated]),
			[
				["parts", 100, true],
				["nested", 0, true],
			],
		);
		context.diagnostic(`longest stall ${stalledMs.toFixed(0)} ms`);
	});

	test("mark and move mails", async () => {
		imap.createMailbox("moved", "Done");
		for (const nth of [1, 2]) imap.deliver("moved", `Subject: ${nth}\r\n\r\n`);
		await use(
			async (mailbox) => {
				await mailbox.markSeen(1);
				await mailbox.move(2, "Done");
				assert.deepEqual(await mailbox.listAfter(0, 10), [1]);
				assert.equal(await readOne(mailbox, 2), null);
				// A mail that is gone is neither marked nor moved, and nothing fails.
				await mailbox.markSeen(2);
				await mailbox.move(2, "Done");
			},
			describeServer("moved"),
			{ targets: ["Done"] },
		);
		assert.equal(imap.count("moved", "Done"), 1);
	});

	test("have other numbers after the server has lost them", async () => {
		imap.deliver("numbers", "Subject: 1\r\n\r\n");
		const before = await use(async ({ uidValidity }) => uidValidity, describeServer("numbers"));
		// The numbers are seconds.
		await new Promise((resolve) => setTimeout(resolve, 1_100));
		imap.renumber("numbers");
		const after = await use(async ({ uidValidity }) => uidValidity, describeServer("numbers"));
		assert.notEqual(after, before);
	});
});
