import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { redactor } from "../../src/outbound/redact.ts";
import { redactContent } from "../../src/outbound/redact-content.ts";

const SMALL = { window: 3_000, margin: 1_500 };

async function* cutAt(bytes: Uint8Array, sizes: readonly number[]) {
	let at = 0;
	for (let index = 0; at < bytes.length; index++) {
		const size = sizes[index % sizes.length] ?? 1;
		yield bytes.slice(at, at + size);
		at += size;
	}
}

async function redactChunks(values: string[], bytes: Uint8Array, sizes: readonly number[]) {
	const chunks: Uint8Array[] = [];
	for await (const chunk of redactContent(cutAt(bytes, sizes), redactor(values), SMALL))
		chunks.push(new Uint8Array(chunk));
	return Buffer.concat(chunks);
}

const VALUE = "t0k3n/välue+1";
const SPELLED = [
	VALUE,
	VALUE.toUpperCase(),
	JSON.stringify(VALUE).replaceAll("/", "\\/"),
	encodeURIComponent(VALUE),
	Buffer.from(VALUE).toString("base64"),
	Buffer.from(`x${VALUE}`).toString("base64url"),
	Buffer.from(VALUE).toString("hex"),
	[...VALUE].map((one) => `&#${one.codePointAt(0)};`).join(""),
];

/** How much shorter a replacement may be than what it replaces. */
const CHANGED = Math.max(...SPELLED.map((each) => Buffer.byteLength(each)));

const spelled = fc.constantFrom(...SPELLED);
const filler = fc.oneof(
	fc.string({ unit: "grapheme", maxLength: 40 }),
	fc.integer({ min: 0, max: 2_000 }).map((length) => "lorem ipsum &amp; ".repeat(200).slice(0, length)),
	fc.constantFrom("𝒳".repeat(700), "日本語".repeat(300)),
);
const sizes = fc.array(fc.integer({ min: 1, max: 4_000 }), { minLength: 1, maxLength: 5 });

/** Neighbouring replacements may be one or several, depending on where the content was cut. */
const joinReplacements = (bytes: Uint8Array) =>
	Buffer.from(bytes)
		.toString("latin1")
		.replace(/(?:\[redacted\])+/g, "[redacted]");

describe("redaction of content in chunks", () => {
	test("gives the same as redaction of the whole, wherever chunks and windows end", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.tuple(filler, spelled), { maxLength: 12 }),
				filler,
				sizes,
				async (parts, end, cuts) => {
					const bytes = Buffer.from(
						`${parts.map(([text, value]) => `${text} ${value} `).join("")}${end}`.toWellFormed(),
					);
					const whole = redactor([VALUE]).bytes(bytes);
					assert.equal(joinReplacements(await redactChunks([VALUE], bytes, cuts)), joinReplacements(whole));
				},
			),
			{ numRuns: 200 },
		);
	});

	test("gives the same line by line, and yields a line before the next one arrives", async () => {
		const line = fc
			.tuple(filler, spelled, filler)
			.map(([before, value, after]) => `${before} ${value} ${after}`.toWellFormed().replace(/[\r\n]/g, " "));
		await fc.assert(
			fc.asyncProperty(fc.array(line, { maxLength: 12 }), sizes, async (lines, cuts) => {
				const bytes = Buffer.from(
					lines.map((each, index) => each + (index % 2 === 0 ? "\n" : "\r\n")).join(""),
				);
				const chunks: Uint8Array[] = [];
				let [given, got] = [0, 0];
				async function* content() {
					for await (const chunk of cutAt(bytes, cuts)) {
						given += chunk.length;
						yield chunk;
						assert.ok(got >= bytes.subarray(0, given).lastIndexOf(10) + 1 - CHANGED * lines.length);
					}
				}
				for await (const chunk of redactContent(content(), redactor([VALUE]), { ...SMALL, byLine: true })) {
					got += chunk.length;
					chunks.push(new Uint8Array(chunk));
				}
				const whole = redactor([VALUE]).bytes(bytes);
				assert.equal(joinReplacements(Buffer.concat(chunks)), joinReplacements(whole));
			}),
			{ numRuns: 200 },
		);
	});

	test("leaves binary content unchanged, except for the values in it", async () => {
		const noise = fc.uint8Array({ maxLength: 3_000 });
		await fc.assert(
			fc.asyncProperty(noise, noise, sizes, async (before, after, cuts) => {
				const edge = Uint8Array.of(255);
				const given = Buffer.concat([before, edge, Buffer.from(VALUE), edge, after]);
				const expected = Buffer.concat([before, edge, Buffer.from("[redacted]"), edge, after]);
				assert.deepEqual(await redactChunks([VALUE], given, cuts), expected);
			}),
			{ numRuns: 200 },
		);
	});

	test("leaves content without values unchanged, byte for byte", async () => {
		await fc.assert(
			fc.asyncProperty(fc.uint8Array({ maxLength: 9_000 }), sizes, async (bytes, cuts) => {
				assert.deepEqual(await redactChunks(["another-value"], bytes, cuts), Buffer.from(bytes));
			}),
		);
	});

	test("treats a short value as a word only, also where a window ends", async () => {
		for (let length = 1_480; length < 1_520; length++) {
			const text = `${"-".repeat(length)}xp4ss1 ${"-".repeat(1_600)} p4ss1 p4ss12`;
			const clean = await redactChunks(["p4ss1"], Buffer.from(text), [length + 3, 700]);
			assert.equal(clean.toString(), text.replace(" p4ss1 p4ss12", " [redacted] p4ss12"));
		}
	});

	test("holds a bounded amount of content that does not end", async () => {
		let given = 0;
		async function* endless() {
			for (;;) {
				given += 10_000;
				yield new Uint8Array(10_000).fill(97);
			}
		}
		let got = 0;
		for await (const chunk of redactContent(endless(), redactor([VALUE]))) {
			got += chunk.length;
			assert.ok(given - got < 400_000, String(given - got));
			if (got > 5_000_000) break;
		}
	});
});
