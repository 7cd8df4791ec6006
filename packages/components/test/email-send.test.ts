import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { AuthRecipe } from "@tripline/contract/recipes";
import { type Mail, MailProblem, type MailServer, type OutgoingMail } from "@tripline/platform/mail";
import { parseMail } from "../../../test/parse-mail.ts";
import { createRunMail } from "../src/email-send/create.ts";
import { toMailServer } from "../src/email-send/server.ts";
import { mailAuth } from "../src/seeds/auth-mail.ts";
import { memoryFiles } from "./memory-files.ts";
import { listProblems, runForError, runForOutput } from "./run-node.ts";

const FIELDS = { host: "mail.example.com", user: "shop@example.com", password: "hush-hush-hush" };
const NODE = { credential: "mail", from: "Shop <shop@example.com>", to: "ada@example.org", text: "Hello" };

const buildCredential = (fields: Readonly<Record<string, string>> = {}) => ({
	name: "mail",
	key: "ns\nmail\n1",
	recipe: mailAuth.find(({ id }) => id === "smtp") as AuthRecipe,
	fields: { ...FIELDS, ...fields },
});

/** A mail server that keeps what it was sent. */
function openMail(fail?: Error) {
	const sent: { server: MailServer; mail: OutgoingMail; message: string }[] = [];
	const mail: Mail = {
		async send(server, draft) {
			if (fail !== undefined) throw fail;
			const chunks: Uint8Array[] = [];
			for await (const chunk of draft.message.open()) chunks.push(chunk);
			const message = Buffer.concat(chunks).toString("latin1");
			assert.equal(message.length, draft.message.size);
			sent.push({ server, mail: draft, message });
			return { accepted: draft.to, rejected: [], response: `250 ok ${FIELDS.password}` };
		},
		async check() {},
		async close() {},
	};
	return { sent, effects: { mail: createRunMail(mail, async () => buildCredential()) } };
}

async function send(node: Record<string, Json>, input: Record<string, Json> = {}) {
	const { sent, effects } = openMail();
	const output = (await runForOutput("email_send", { ...NODE, ...node }, { input, effects })) as Record<
		string,
		Json
	>;
	const [first] = sent;
	assert.ok(first);
	return { output, ...first, parsed: await parseMail(first.message) };
}

describe("a credential of a mail server", () => {
	test("names the only server that its password goes to, and how TLS starts", () => {
		const { key, ...server } = toMailServer(buildCredential(), "smtp");
		assert.deepEqual(server, {
			hostname: "mail.example.com",
			port: 587,
			tls: "starttls",
			login: { user: FIELDS.user, password: FIELDS.password },
		});
		assert.ok(!key.includes(FIELDS.password));
		const read = (fields: Record<string, string>) => toMailServer(buildCredential(fields), "smtp");
		assert.equal(read({ host: "mail.example.com:465" }).tls, "implicit");
		assert.equal(read({ host: "mail.example.com:2465", tls: "implicit" }).tls, "implicit");
		assert.equal(read({ host: "[::1]:25", tls: "off" }).tls, "off");
		assert.equal(read({ user: "", password: "" }).login, null);
		assert.throws(() => read({ tls: "no" }), /must have starttls, implicit or off/);
		assert.throws(() => read({ password: "" }), /both user and password, or neither/);
		assert.throws(() => read({ host: "a/b" }), /names no host/);
		assert.throws(() => toMailServer(buildCredential(), "imap"), /is not one of a mail server with IMAP/);
	});
});

describe("email_send", () => {
	test("sends text, HTML and files to all recipients, and shows blind copies to nobody", async () => {
		const { files, add } = memoryFiles();
		const bytes = new Uint8Array(100_000).map((_, index) => index * 7);
		const report = add("Bericht März.pdf", "application/pdf", bytes);
		const { sent, effects } = openMail();
		const node = {
			...NODE,
			...{
				to: ["Ada Lovelace <ada@example.org>", "bob@example.org"],
				cc: "cleo@example.org, ada@example.org",
			},
			...{ bcc: ["dora@example.org"], reply_to: "help@example.com", subject: "März: {{input.month}}" },
			...{ html: "<p>Hello</p>", attachments: ["{{input.report}}"] },
			headers: { "Auto-Submitted": "auto-generated", "X-Shop": "1" },
		};
		const input = { month: "三月", report: { ...report } };
		const output = await runForOutput("email_send", node, { input, effects: { ...effects, files } });
		const [{ mail, message } = assert.fail()] = sent;
		assert.equal(mail.from, "shop@example.com");
		assert.deepEqual(mail.to, ["ada@example.org", "bob@example.org", "cleo@example.org", "dora@example.org"]);
		assert.doesNotMatch(message, /dora|bcc/i);
		const parsed = await parseMail(message);
		assert.equal(parsed.subject, "März: 三月");
		assert.equal(parsed.text?.trim(), "Hello");
		assert.equal(parsed.html?.trim(), "<p>Hello</p>");
		assert.deepEqual(
			parsed.to?.map(({ address }) => address),
			["ada@example.org", "bob@example.org"],
		);
		const [attached = assert.fail()] = parsed.attachments;
		assert.deepEqual([attached.filename, attached.mimeType], ["Bericht März.pdf", "application/pdf"]);
		assert.deepEqual(attached.bytes, bytes);
		assert.match(message, /^Auto-Submitted: auto-generated\r$/m);
		assert.deepEqual(output, {
			message_id: parsed.messageId as string,
			accepted: [...mail.to],
			rejected: [],
			response: "250 ok [redacted]",
		});
	});

	test("the id is the same for each attempt, and has the sender's domain", async () => {
		const [one, two] = [await send({}), await send({ subject: "Again" })];
		assert.match(String(one.output.message_id), /^<[0-9a-f]{40}@example\.com>$/);
		assert.equal(one.output.message_id, two.output.message_id);
		assert.match(one.message, /^Date: \w{3}, \d{2} \w{3} \d{4} \d\d:\d\d:\d\d \+0000\r$/m);
	});

	test("an answer belongs to its thread", async () => {
		const { parsed } = await send({ in_reply_to: "<1@example.org>" });
		assert.deepEqual([parsed.inReplyTo, parsed.references], ["<1@example.org>", "<1@example.org>"]);
		const thread = await send({
			in_reply_to: "<2@a.example>",
			references: ["<1@a.example>", "<2@a.example>"],
		});
		assert.equal(thread.parsed.references, "<1@a.example> <2@a.example>");
	});

	test("international domains are sent as ASCII", async () => {
		const { mail } = await send({ to: "Jürgen <j@bücher.example>, k@例え.テスト" });
		assert.deepEqual(mail.to, ["j@xn--bcher-kva.example", "k@xn--r8jz45g.xn--zckzah"]);
	});

	const hostile: [name: string, node: Record<string, Json>, message: RegExp][] = [
		["CR and LF in the subject", { subject: "{{input.x}}" }, /subject must be one line/],
		["CR and LF in a recipient", { to: "{{input.x}}" }, /to must be one line/],
		["CR and LF in the sender", { from: "{{input.x}}" }, /from must be one line/],
		["CR and LF in reply_to", { reply_to: "{{input.x}}" }, /reply_to must be one line/],
		["CR and LF in the thread", { in_reply_to: "{{input.x}}" }, /must be ids of messages/],
		["CR and LF in references", { references: ["{{input.x}}"] }, /must be ids of messages/],
		["CR and LF in a header", { headers: { "X-A": "{{input.x}}" } }, /must be one line of ASCII/],
		["NUL in a recipient", { to: "{{input.nul}}" }, /to must be one line/],
		[
			"a change of writing direction in a name",
			{ to: "{{input.bidi}} <a@example.org>" },
			/to must be one line/,
		],
		[
			"a change of writing direction in the subject",
			{ subject: "{{input.bidi}}" },
			/subject must be one line/,
		],
		["parameters of the envelope", { to: "<a@example.org> NOTIFY=NEVER" }, /address 1 is not like/],
		["two addresses in one", { to: "a@example.org> <b@example.org" }, /address 1 is not like/],
		["a local part with spaces", { to: "a b@example.org" }, /address 1 is not like/],
		["a quoted local part", { to: '"a b"@example.org' }, /address 1 is not like/],
		["dots at the end of a local part", { to: "a.@example.org" }, /address 1 is not like/],
		["an empty label", { to: "a@example..org" }, /address 1 is not like/],
		["a label with a hyphen at its end", { to: "a@example-.org" }, /address 1 is not like/],
		["a domain in brackets", { to: "a@[127.0.0.1]" }, /address 1 is not like/],
		["a domain that is a URL", { to: "a@例え/x?y" }, /address 1 is not like/],
		["a long local part", { to: `${"a".repeat(65)}@example.org` }, /address 1 is not like/],
		["no recipient", { to: [] }, /has no recipient/],
		["two senders", { from: "a@example.com, b@example.com" }, /from must be one address/],
		[
			"too many recipients",
			{
				to: Array.from({ length: 60 }, (_, n) => `t${n}@example.org`),
				cc: Array.from({ length: 60 }, (_, n) => `c${n}@example.org`).join(),
			},
			/has 120 recipients, and may have at most 100/,
		],
	];
	for (const [name, node, message] of hostile) {
		test(`refuses ${name}`, async () => {
			const { sent, effects } = openMail();
			const input = { x: "a@example.org\r\nBcc: eve@example.org", nul: "a\0@example.org", bidi: "gpj\u202e" };
			assert.match(await runForError("email_send", { ...NODE, ...node }, { input, effects }), message);
			assert.deepEqual(sent, []);
		});
	}

	test("refuses headers that say who sent a mail, and what it is", () => {
		for (const name of [
			"Bcc",
			"From",
			"DKIM-Signature",
			"Received",
			"Content-Type",
			"Return-Path",
			"X-A\r\nBcc",
		])
			assert.notDeepEqual(listProblems("email_send", { ...NODE, headers: { [name]: "x" } }), [], name);
		assert.notDeepEqual(listProblems("email_send", { ...NODE, headers: { "X-A": "1", "x-a": "2" } }), []);
		assert.deepEqual(listProblems("email_send", { ...NODE, headers: { "List-Id": "x" } }), []);
	});

	test("refuses a mail that is too large, before anything is sent", async () => {
		const { files, add } = memoryFiles();
		const input = { file: { ...add("a.bin", "application/octet-stream", new Uint8Array(28 * 1024 * 1024)) } };
		const { sent, effects } = openMail();
		const node = { ...NODE, attachments: ["{{input.file}}"] };
		const error = await runForError("email_send", node, { input, effects: { ...effects, files } });
		assert.match(error, /may have at most 37748736/);
		assert.deepEqual(sent, []);
	});

	test("never tells the password", async () => {
		for (const fail of [
			new Error(`535 ${FIELDS.password}`),
			new MailProblem(btoa(`\0u\0${FIELDS.password}`)),
		]) {
			const { effects } = openMail(fail);
			const error = await runForError("email_send", NODE, { effects });
			assert.match(error, /\[redacted\]/);
			assert.ok(!error.includes(FIELDS.password));
		}
	});

	test("needs a recipient and a text", () => {
		assert.notDeepEqual(
			listProblems("email_send", { credential: "mail", from: "a@example.com", text: "x" }),
			[],
		);
		assert.notDeepEqual(
			listProblems("email_send", { credential: "mail", from: "a@example.com", to: "b@c.d" }),
			[],
		);
	});
});
