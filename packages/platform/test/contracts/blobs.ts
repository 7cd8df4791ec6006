import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { type Blobs, BlobTooLarge } from "../../src/blobs.ts";
import type { ContractCase } from "./contract.ts";

const NO_LIMIT = { maxBytes: Number.MAX_SAFE_INTEGER };
const KEY = "acme/0123456789abcdefABCDEF";
const MIB = 1024 * 1024;

let pattern = new Uint8Array();

/** Bytes that differ at every place of a large blob, so that a swapped or repeated piece is noticed. Not to be written to. */
function patternedBytes(length: number): Uint8Array {
	if (pattern.length < length) {
		pattern = new Uint8Array(length);
		for (let at = 0; at < length; at++) pattern[at] = (at ^ (at >>> 8) ^ (at >>> 16)) & 255;
	}
	return pattern.subarray(0, length);
}

async function* inPieces(bytes: Uint8Array, pieceBytes: number): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

const encode = (text: string) => new TextEncoder().encode(text);
const put = (blobs: Blobs, key: string, text: string) => blobs.put(key, inPieces(encode(text), 3), NO_LIMIT);

async function read(blobs: Blobs, key: string, range?: { start?: number; end?: number }) {
	const found = await blobs.get(key, range);
	return found === null ? null : new Uint8Array(await new Response(found.content).arrayBuffer());
}

async function readText(blobs: Blobs, key: string, range?: { start?: number; end?: number }) {
	const bytes = await read(blobs, key, range);
	return bytes === null ? null : new TextDecoder().decode(bytes);
}

/** Equal without printing megabytes if they are not. */
function assertSameBytes(actual: Uint8Array | null, expected: Uint8Array): void {
	assert.equal(actual?.length, expected.length);
	if (Buffer.compare(actual as Uint8Array, expected) !== 0) assert.fail("a byte differs");
}

/** Each case gets a place without blobs. */
export const blobsContract: readonly ContractCase<Blobs>[] = [
	{
		name: "a blob is read as it was written",
		async run(blobs) {
			assert.deepEqual(await put(blobs, KEY, "some bytes"), { size: 10 });
			assert.equal(await readText(blobs, KEY), "some bytes");
			assert.equal(await readText(blobs, KEY), "some bytes");
		},
	},
	{
		name: "a blob may be empty",
		async run(blobs) {
			assert.deepEqual(await put(blobs, KEY, ""), { size: 0 });
			assert.equal(await readText(blobs, KEY), "");
			assert.equal(await readText(blobs, KEY, { start: 0, end: 5 }), "");
		},
	},
	{
		name: "a key that was never written has no blob",
		async run(blobs) {
			assert.equal(await blobs.get(KEY), null);
			assert.equal(await blobs.get(KEY, { start: 1, end: 2 }), null);
			assert.equal(await blobs.get(KEY, { start: 2, end: 2 }), null);
		},
	},
	{
		name: "a blob of many parts is read as it was written, whatever the size of its pieces",
		async run(blobs) {
			const sizes = [11 * MIB + 13, 5 * MIB - 1, 5 * MIB, 5 * MIB + 1];
			for (const [nth, size] of sizes.entries()) {
				const bytes = patternedBytes(size);
				const key = `acme/large${nth}`;
				const pieces = inPieces(bytes, nth % 2 === 0 ? 65_521 : 7 * MIB);
				assert.deepEqual(await blobs.put(key, pieces, NO_LIMIT), { size });
				assertSameBytes(await read(blobs, key), bytes);
			}
		},
	},
	{
		name: "the sender may reuse the memory of a piece once the next one is asked for",
		async run(blobs) {
			const piece = new Uint8Array(100_000);
			async function* reuse() {
				for (let nth = 0; nth < 12; nth++) yield piece.fill(nth);
			}
			await blobs.put(KEY, reuse(), NO_LIMIT);
			const bytes = await read(blobs, KEY);
			assert.deepEqual(
				Array.from({ length: 12 }, (_, nth) => bytes?.[nth * 100_000 + 99_999]),
				Array.from({ length: 12 }, (_, nth) => nth),
			);
		},
	},
	{
		name: "a range is read from its start up to but not including its end",
		async run(blobs) {
			await put(blobs, KEY, "0123456789");
			assert.equal(await readText(blobs, KEY, { start: 2, end: 5 }), "234");
			assert.equal(await readText(blobs, KEY, { start: 7 }), "789");
			assert.equal(await readText(blobs, KEY, { end: 3 }), "012");
			assert.equal(await readText(blobs, KEY, { start: 8, end: 100 }), "89");
		},
	},
	{
		name: "a range without bytes is empty",
		async run(blobs) {
			await put(blobs, KEY, "0123456789");
			for (const range of [
				{ start: 10 },
				{ start: 100, end: 200 },
				{ start: 4, end: 4 },
				{ start: 5, end: 4 },
			]) {
				assert.equal(await readText(blobs, KEY, range), "", JSON.stringify(range));
			}
		},
	},
	{
		name: "a range of a large blob crosses its pieces",
		async run(blobs) {
			const bytes = patternedBytes(6 * MIB);
			await blobs.put(KEY, inPieces(bytes, 65_536), NO_LIMIT);
			const range = { start: 131_071, end: 5 * MIB + 7 };
			assertSameBytes(await read(blobs, KEY, range), bytes.subarray(range.start, range.end));
		},
	},
	{
		name: "a blob that has exactly the allowed size is written",
		async run(blobs) {
			assert.deepEqual(await blobs.put(KEY, inPieces(encode("12345"), 2), { maxBytes: 5 }), { size: 5 });
		},
	},
	{
		name: "a blob that is too large is refused before its content ends, and nothing remains",
		async run(blobs) {
			let taken = 0;
			let hasEnded = false;
			async function* endless() {
				try {
					for (;;) {
						taken++;
						yield new Uint8Array(MIB);
					}
				} finally {
					hasEnded = true;
				}
			}
			await assert.rejects(blobs.put(KEY, endless(), { maxBytes: 12 * MIB }), BlobTooLarge);
			assert.equal(taken, 13);
			assert.equal(hasEnded, true);
			assert.equal(await blobs.get(KEY), null);
			await put(blobs, KEY, "again");
		},
	},
	{
		name: "content that fails rejects with its own error, and nothing remains",
		async run(blobs) {
			for (const size of [3, 6 * MIB]) {
				const failure = new Error("the sender left");
				async function* failing() {
					yield new Uint8Array(size);
					throw failure;
				}
				await assert.rejects(blobs.put(KEY, failing(), NO_LIMIT), (error) => error === failure);
				assert.equal(await blobs.get(KEY), null);
			}
			await put(blobs, KEY, "again");
			assert.equal(await readText(blobs, KEY), "again");
		},
	},
	{
		name: "a blob is not visible before it is complete",
		async run(blobs) {
			async function* looking() {
				yield new Uint8Array(6 * MIB);
				assert.equal(await blobs.get(KEY), null);
				yield encode("end");
			}
			await blobs.put(KEY, looking(), NO_LIMIT);
			assert.equal(await readText(blobs, KEY, { start: 6 * MIB }), "end");
		},
	},
	{
		name: "a deleted blob is gone, and deleting it again is no error",
		async run(blobs) {
			await put(blobs, KEY, "some bytes");
			await blobs.delete(KEY);
			await blobs.delete(KEY);
			assert.equal(await blobs.get(KEY), null);
		},
	},
	{
		name: "keys that differ only in letter case or namespace are different",
		async run(blobs) {
			const keys = ["acme/abc", "acme/Abc", "acme/aBC", "acme/abC", "Acme/abc", "acme/-abc", "other/abc"];
			for (const key of keys) await put(blobs, key, key);
			await blobs.delete("acme/Abc");
			for (const key of keys) assert.equal(await readText(blobs, key), key === "acme/Abc" ? null : key);
		},
	},
	{
		name: "many blobs are written and read at once",
		async run(blobs) {
			const keys = Array.from({ length: 20 }, (_, nth) => `acme/file${nth}`);
			await Promise.all(keys.map((key) => put(blobs, key, key.repeat(100))));
			const texts = await Promise.all(keys.map((key) => readText(blobs, key)));
			assert.deepEqual(
				texts,
				keys.map((key) => key.repeat(100)),
			);
		},
	},
	{
		name: "a stream that is cancelled gives no further bytes",
		async run(blobs) {
			await blobs.put(KEY, inPieces(patternedBytes(2 * MIB), 65_536), NO_LIMIT);
			const found = await blobs.get(KEY);
			const reader = found?.content.getReader();
			assert.equal((await reader?.read())?.done, false);
			await reader?.cancel();
			assert.equal((await reader?.read())?.done, true);
		},
	},
	{
		name: "a stream can be read into memory of the reader",
		async run(blobs) {
			await put(blobs, KEY, "0123456789");
			const reader = (await blobs.get(KEY))?.content.getReader({ mode: "byob" });
			let text = "";
			for (let buffer = new ArrayBuffer(4); ; ) {
				const { value, done } = (await reader?.read(new Uint8Array(buffer))) ?? assert.fail();
				text += new TextDecoder().decode(value);
				if (done) break;
				buffer = value.buffer;
			}
			assert.equal(text, "0123456789");
		},
	},
	{
		name: "a key that could be a path of its own is refused",
		async run(blobs) {
			for (const key of [
				...["", "abc", "/abc", "acme/", "acme/a/b", "../abc", "acme/..", "acme/a.b", "acme/a\0", "acme/a b"],
				...["acme\\abc", "acme/ä", "acme/a\n", `acme/${"a".repeat(65)}`, `${"a".repeat(65)}/abc`],
			]) {
				await assert.rejects(put(blobs, key, "x"), RangeError, JSON.stringify(key));
				await assert.rejects(blobs.get(key), RangeError);
				await assert.rejects(blobs.delete(key), RangeError);
			}
			await put(blobs, `${"A".repeat(64)}/${"Z".repeat(64)}`, "x");
		},
	},
];
