import assert from "node:assert/strict";
import { crc32, inflateRawSync } from "node:zlib";

export interface ZipMember {
	readonly path: string;
	readonly isStored: boolean;
	readonly bytes: Buffer;
}

/** Reads a zip file by its directory, and checks that every local header agrees with it. Without zip64. */
export function readZip(content: Uint8Array): ZipMember[] {
	const zip = Buffer.from(content);
	const end = zip.length - 22;
	assert.equal(zip.readUInt32LE(end), 0x06054b50, "the end of the directory");
	const count = zip.readUInt16LE(end + 10);
	const members: ZipMember[] = [];
	let at = zip.readUInt32LE(end + 16);
	assert.equal(at + zip.readUInt32LE(end + 12), end, "the directory ends where its end begins");
	for (let index = 0; index < count; index++) {
		assert.equal(zip.readUInt32LE(at), 0x02014b50, "an entry of the directory");
		const method = zip.readUInt16LE(at + 10);
		const [checksum, compressed, size] = [16, 20, 24].map((field) => zip.readUInt32LE(at + field));
		const name = zip.subarray(at + 46, at + 46 + zip.readUInt16LE(at + 28));
		const local = zip.readUInt32LE(at + 42);
		assert.equal(zip.readUInt32LE(local), 0x04034b50, "a local header");
		assert.equal(zip.readUInt16LE(local + 8), method);
		const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
		assert.deepEqual(zip.subarray(local + 30, local + 30 + name.length), name);
		const data = zip.subarray(start, start + (compressed ?? 0));
		const bytes = method === 0 ? data : inflateRawSync(data);
		assert.equal(bytes.length, size);
		assert.equal(crc32(bytes), checksum);
		members.push({ path: name.toString(), isStored: method === 0, bytes });
		at += 46 + name.length + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
	}
	assert.equal(at, end);
	return members;
}
