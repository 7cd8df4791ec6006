import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import PostalMime from "postal-mime";
import { parseMail } from "../src/mail-parse.ts";
import type { ParsedMail } from "../src/mailboxes.ts";

const parse = (source: string | Uint8Array<ArrayBuffer>): Promise<ParsedMail> =>
	parseMail(PostalMime, typeof source === "string" ? new TextEncoder().encode(source) : source, true);

const lines = (...parts: readonly string[]): string => parts.join("\r\n");

/** What senders and attackers write, in any order. */
const FRAGMENTS = [
	"Subject: a",
	"Subject: =?utf-8?Q?a=0D=0ABcc:_eve@example.com?=",
	"Subject: =?utf-8?B?////?= =?nonsense?Q?=00?=",
	`Subject: ${"=?utf-8?B?".repeat(50)}`,
	"From: Ada <ada@example.com>",
	'From: "a\\"b" <x@y>, (c(d)) e@f',
	"From: Team: a@b.example, c@d.example;",
	"From:",
	`To: ${"a@b.example,".repeat(500)}`,
	"Date: never",
	"Date: Tue, 17 Nov 2026 10:00:00 +0100",
	"Content-Length: 999999999",
	"Content-Type: multipart/mixed; boundary=b",
	'Content-Type: multipart/mixed; boundary=""',
	"Content-Type: multipart/alternative; boundary=c",
	"Content-Type: text/plain; charset=utf-16",
	"Content-Type: text/html; charset=\u0000",
	"Content-Type: text/plain; charset=x-user-defined; charset=utf-7",
	"Content-Type: message/rfc822",
	"Content-Type: application/octet-stream; name=../../x",
	"Content-Disposition: attachment; filename=../../etc/passwd",
	"Content-Disposition: attachment; filename*0*=utf-8''%0D%0A; filename*1=%00",
	"Content-Transfer-Encoding: base64",
	"Content-Transfer-Encoding: quoted-printable",
	"Content-Transfer-Encoding: 8bit",
	"__proto__: polluted",
	"constructor: x",
	"References: <a> <b>\r\n <c>",
	" folded",
	":",
	"--b",
	"--b--",
	"--c",
	"--",
	"",
	"",
	"=",
	"=0D=0A=00",
	"////",
	"<script>alert(1)</script>",
	"\u0000\u0001\u2028",
	"\ud800",
];

/** Lines of values that a header gave. */
const listLines = (mail: ParsedMail): string[] => [
	mail.subject,
	mail.messageId ?? "",
	mail.inReplyTo ?? "",
	...mail.references,
	...[mail.from ?? [], mail.to, mail.cc, mail.replyTo].flat().flatMap(({ address, name }) => [address, name]),
	...Object.entries(mail.headers).flat(),
	...mail.attachments.flatMap(({ name, type }) => [name ?? "", type]),
];

function assertSound(mail: ParsedMail): void {
	for (const line of listLines(mail)) {
		assert.doesNotMatch(line, /\p{Cc}/u);
		assert.ok(line.isWellFormed());
		assert.ok(line.length <= 2_000);
	}
	for (const text of [mail.text ?? "", mail.html ?? ""])
		assert.ok(text.isWellFormed() && !text.includes("\0"));
	assert.ok(mail.attachments.length <= 100);
	assert.ok(mail.to.length <= 200);
	assert.equal(Object.getPrototypeOf(mail.headers), Object.prototype);
}

describe("mails", () => {
	test("are parsed whatever is wrong with them", async () => {
		const mails = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 40 });
		await fc.assert(
			fc.asyncProperty(mails, async (fragments) => assertSound(await parse(lines(...fragments)))),
			{ numRuns: 300 },
		);
	});

	test("are parsed if they are any bytes", async () => {
		const bytes = fc.uint8Array({ maxLength: 2_000 });
		await fc.assert(
			fc.asyncProperty(bytes, async (source) => assertSound(await parse(new Uint8Array(source)))),
			{ numRuns: 200 },
		);
	});

	test("have attachments that are what was attached", async () => {
		const bytes = fc.uint8Array({ maxLength: 500 });
		await fc.assert(
			fc.asyncProperty(fc.array(bytes, { minLength: 1, maxLength: 5 }), async (contents) => {
				const parts = contents.flatMap((content, nth) => [
					"--b",
					`Content-Disposition: attachment; filename=${nth}.bin`,
					"Content-Transfer-Encoding: base64",
					"",
					Buffer.from(content).toString("base64").replace(/.{76}/g, "$&\r\n"),
				]);
				const mail = await parse(lines("Content-Type: multipart/mixed; boundary=b", "", ...parts, "--b--"));
				assert.deepEqual(
					mail.attachments.map(({ name, bytes: content }) => [name, [...content]]),
					contents.map((content, nth) => [`${nth}.bin`, [...content]]),
				);
			}),
			{ numRuns: 50 },
		);
	});

	test("add nothing to a line by encoded words", async () => {
		const { subject, headers } = await parse("Subject: =?utf-8?Q?a=0D=0ABcc:_eve@example.com?=\r\n\r\n");
		assert.equal(subject, "a Bcc: eve@example.com");
		assert.equal(headers.bcc, undefined);
	});

	test("have of several headers with one name the first, and no prototype of ours", async () => {
		const mail = await parse(
			lines("Authentication-Results: ours", "Authentication-Results: theirs", "__proto__: x", "", ""),
		);
		assert.equal(mail.headers["authentication-results"], "ours");
		assert.deepEqual(Object.keys(mail.headers), ["authentication-results"]);
	});

	test("within mails are attachments", async () => {
		const mail = await parse(
			lines(
				"Content-Type: multipart/mixed; boundary=b",
				"",
				"--b",
				"Content-Type: message/rfc822",
				"",
				"From: eve@example.com",
				"Subject: inner",
				"",
				"inner text",
				"--b--",
			),
		);
		assert.equal(mail.text, null);
		assert.deepEqual(
			mail.attachments.map(({ type }) => type),
			["message/rfc822"],
		);
	});

	test("are parsed only in part if they are nested too deeply or have too large a head", async () => {
		const nested = Array.from(
			{ length: 300 },
			(_, depth) => `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}`,
		);
		const deep = await parse(lines("Subject: deep", ...nested));
		assert.deepEqual([deep.subject, deep.isTruncated], ["deep", true]);
		const wide = await parse(lines("Subject: wide", `X-Long: ${"x".repeat(2_000_000)}`, "", "text"));
		assert.deepEqual([wide.subject, wide.text, wide.isTruncated], ["wide", null, true]);
	});
});
