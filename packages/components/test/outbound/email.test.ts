import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fromBase64 } from "@tripline/contract/bytes";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { OpenFile } from "../../src/open-file.ts";
import { joinPieces } from "../../src/outbound/body-pieces.ts";
import { buildMessage, type Email, encodeMessage } from "../../src/outbound/email/message.ts";
import { FAKE_CALL, memoryFiles } from "../memory-files.ts";

const { add, files } = memoryFiles();
const open = (name: string, type: string, bytes: Uint8Array | string) =>
	files.open(add(name, type, bytes), FAKE_CALL);

type Pieces = Parameters<typeof joinPieces>[0];

async function readAll(pieces: Pieces): Promise<string> {
	const body = joinPieces(pieces);
	if (typeof body === "string") return body;
	if (body instanceof Uint8Array) return Buffer.from(body).toString("latin1");
	const chunks: Uint8Array[] = [];
	for await (const chunk of body.open()) chunks.push(new Uint8Array(chunk));
	const whole = Buffer.concat(chunks);
	assert.equal(whole.length, body.size);
	return whole.toString("latin1");
}

/** The message with `B1`, `B2` and so on for its boundaries. */
async function write(email: Partial<Email<OpenFile>>): Promise<string> {
	const message = await readAll(buildMessage({ attachments: [], ...email }));
	const boundaries = [...new Set(message.match(/tripline-[0-9a-f]{32}/g) ?? [])];
	return boundaries.reduce((text, one, index) => text.replaceAll(one, `B${index + 1}`), message);
}

const lines = (...all: readonly string[]) => all.join("\r\n");
const encoded = (text: string) => Buffer.from(text).toString("base64");
const TEXT = ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64", ""];
const HTML = ["Content-Type: text/html; charset=utf-8", "Content-Transfer-Encoding: base64", ""];

describe("an e-mail", () => {
	test("of text has its headers and its text as base64, with CRLF at the ends of lines", async () => {
		const message = await write({
			from: ["Ada <ada@example.com>"],
			to: ["bob@example.com", 'carol@example.com, "Dan, PhD" <dan@example.com>'],
			reply_to: ["help@example.com"],
			subject: "Invoice 7",
			in_reply_to: "<1@mail.example.com>",
			references: "<0@mail.example.com>  <1@mail.example.com>",
			text: "Hello\nBob\r\n",
		});
		assert.equal(
			message,
			lines(
				'From: "Ada" <ada@example.com>',
				"To: bob@example.com,",
				" carol@example.com,",
				' "Dan, PhD" <dan@example.com>',
				"Reply-To: help@example.com",
				"Subject: Invoice 7",
				"In-Reply-To: <1@mail.example.com>",
				"References: <0@mail.example.com>",
				" <1@mail.example.com>",
				"MIME-Version: 1.0",
				...TEXT,
				encoded("Hello\r\nBob\r\n"),
			),
		);
	});

	test("of text and HTML offers both, the preferred one last", async () => {
		assert.equal(
			await write({ text: "Hi", html: "<p>Hi" }),
			lines(
				"MIME-Version: 1.0",
				'Content-Type: multipart/alternative; boundary="B1"',
				"",
				"--B1",
				...TEXT,
				encoded("Hi"),
				"--B1",
				...HTML,
				encoded("<p>Hi"),
				"--B1--",
				"",
			),
		);
	});

	test("with files has them as attachments of lines of 76 characters", async () => {
		const bytes = Buffer.from(Array.from({ length: 3_001 }, (_, at) => (at * 7) % 256));
		const picture = await open("chart.png", "image/png", bytes);
		const message = await open("größe'.eml", "message/rfc822", "");
		const written = await write({ text: "See", attachments: [picture, message] });
		const folded = bytes.toString("base64").match(/.{1,76}/g) ?? [];
		assert.equal(
			written,
			lines(
				"MIME-Version: 1.0",
				'Content-Type: multipart/mixed; boundary="B1"',
				"",
				"--B1",
				...TEXT,
				encoded("See"),
				"--B1",
				"Content-Type: image/png",
				"Content-Disposition: attachment;",
				' filename="chart.png"',
				"Content-Transfer-Encoding: base64",
				"",
				...folded,
				"--B1",
				"Content-Type: application/octet-stream",
				"Content-Disposition: attachment;",
				" filename*=UTF-8''gr%C3%B6%C3%9Fe%27.eml",
				"Content-Transfer-Encoding: base64",
				"",
				"",
				"--B1--",
				"",
			),
		);
	});

	test("has the long name of a file in sections that end with whole characters", async () => {
		const name = `${"ü".repeat(100)}.pdf`;
		const written = await write({ attachments: [await open(name, "application/pdf", "x")] });
		const sections = [...written.matchAll(/^ filename\*(\d+)\*=(.*?);?\r$/gm)];
		assert.deepEqual(
			sections.map(([, index]) => Number(index)),
			sections.map((_, index) => index),
		);
		const value = sections.map(([, , section]) => section).join("");
		assert.equal(decodeURIComponent(value.replace("UTF-8''", "")), name);
	});

	test("has names and subjects that are not ASCII, or long, as encoded words of whole characters", async () => {
		const subject = `Größe 😀 ${"長".repeat(100)}`;
		const written = await write({ subject, to: ["Jürgen <j@example.com>"] });
		assert.ok(written.includes(`To: =?UTF-8?B?${encoded("Jürgen")}?= <j@example.com>\r\n`));
		const words = [...written.slice(written.indexOf("Subject")).matchAll(/=\?UTF-8\?B\?([^?]*)\?=/g)];
		assert.equal(words.map(([, word]) => Buffer.from(word ?? "", "base64").toString()).join(""), subject);
		assert.ok(written.split("\r\n").every((line) => line.length <= 76));
		assert.match(await write({ subject: "=?x" }), /^Subject: =\?UTF-8\?B\?/m);
		assert.match(await write({ subject: "x".repeat(70) }), /^Subject: =\?UTF-8\?B\?/m);
	});

	test("as base64 is the same message", async () => {
		const file = await open("a.bin", "application/x", Buffer.alloc(5_000, 7));
		for (const attachments of [[], [file]]) {
			const pieces = buildMessage({ text: "Größe", attachments });
			const bytes = fromBase64(await readAll([encodeMessage(pieces)]));
			assert.equal(Buffer.from(bytes ?? []).toString("latin1"), await readAll(pieces));
		}
	});
});

describe("an e-mail cannot be given further headers or recipients", () => {
	const refused: [email: Partial<Email<OpenFile>>, message: RegExp][] = [
		[{ subject: "Hi\r\nBcc: eve@example.com" }, /^subject must be one line/],
		[{ subject: "Hi\u2028x" }, /^subject must be one line/],
		[{ subject: "\ud800" }, /^subject contains a lone surrogate/],
		[{ to: ["a@example.com\nBcc: eve@example.com"] }, /^to must be one line/],
		[{ to: ["Ada\r <a@example.com>"] }, /^to must be one line/],
		[{ to: ["a@example.com> , <eve@example.com"] }, /^to: address 1 is not like/],
		[{ to: ["Ada <a@example.com> <eve@example.com>"] }, /^to: address 1 is not like/],
		[{ cc: ["a@example.com", "nobody"] }, /^cc: address 2 is not like/],
		[{ cc: ["jürgen@example.com"] }, /^cc: address 1 is not like/],
		[{ in_reply_to: "<a@b>\r\nBcc: <eve@example.com>" }, /^in_reply_to must be ids/],
		[{ subject: "x".repeat(1_001) }, /^subject must be at most 1000 characters/],
		[{ to: Array(2_001).fill("a@b.c") }, /^to must be at most 2000 addresses/],
		[{ to: ["x".repeat(100_001)] }, /^to must be at most 100000 characters/],
		[{ references: "<a@b> ".repeat(4_000) }, /^references must be at most 20000 characters/],
		[{ references: "a@b" }, /^references must be ids/],
	];
	for (const [email, message] of refused)
		test(JSON.stringify(email).slice(0, 60), async () => {
			await assert.rejects(write(email), (error) => {
				assert.ok(error instanceof TerminalError);
				assert.match(error.message, message);
				return true;
			});
		});

	test("a file's name and type stay within their header", async () => {
		const file = await open("a.txt", "text/plain", "x");
		const value = { ...file.value, name: 'a"\r\nBcc: eve@example.com', type: "text/plain\r\nX: y" };
		const written = await write({ attachments: [{ ...file, value }] });
		assert.doesNotMatch(written, /^(?:Bcc|X):/m);
		assert.match(written, /^Content-Type: application\/octet-stream\r$/m);
	});
});
