// The records of PKWARE's APPNOTE.TXT, sections 4.3 to 4.5.

const STORED = 0;
const DEFLATED = 8;
const VERSION = 20;
const ZIP64_VERSION = 45;
/** Names are UTF-8. */
const UTF8 = 0x0800;
/** Sizes and checksum follow the content. */
const SIZES_FOLLOW = 0x0008;
const ZIP64_FIELD = 1;
const MADE_ON_UNIX = 3 << 8;
/** A regular file that all may read, and its owner may write. */
const FILE_MODE = 0o100644 << 16;

/** What the directory says of an entry. */
export interface WrittenEntry {
	readonly name: Uint8Array;
	readonly isStored: boolean;
	readonly isZip64: boolean;
	readonly crc32: number;
	readonly size: number;
	readonly compressedSize: number;
	readonly offset: number;
}

export function buildLocalHeader(
	name: Uint8Array,
	stamp: number,
	isZip64: boolean,
	stored: { readonly size: number; readonly crc32: number } | undefined,
): Uint8Array {
	const size = stored?.size ?? 0;
	const record = new Fields(30 + name.length + (isZip64 ? 20 : 0));
	record.u32(0x04034b50).u16(isZip64 ? ZIP64_VERSION : VERSION);
	record.u16(UTF8 | (stored === undefined ? SIZES_FOLLOW : 0)).u16(stored === undefined ? DEFLATED : STORED);
	record.u32(stamp).u32(stored?.crc32 ?? 0);
	record.u32(isZip64 ? 0xffff_ffff : size).u32(isZip64 ? 0xffff_ffff : size);
	record
		.u16(name.length)
		.u16(isZip64 ? 20 : 0)
		.bytes(name);
	if (isZip64) record.u16(ZIP64_FIELD).u16(16).u64(size).u64(size);
	return record.content;
}

export function buildDescriptor({ crc32, size, compressedSize }: Sizes, isZip64: boolean): Uint8Array {
	const record = new Fields(isZip64 ? 24 : 16).u32(0x08074b50).u32(crc32);
	if (isZip64) return record.u64(compressedSize).u64(size).content;
	return record.u32(compressedSize).u32(size).content;
}

type Sizes = Pick<WrittenEntry, "crc32" | "size" | "compressedSize">;

export function buildDirectoryEntry(entry: WrittenEntry, stamp: number, zip64From: number): Uint8Array {
	const { name, isStored, crc32, size, compressedSize, offset } = entry;
	// An entry whose own header is in the zip64 format stays in it.
	const isZip64 = entry.isZip64 || offset >= zip64From;
	const record = new Fields(46 + name.length + (isZip64 ? 28 : 0));
	record.u32(0x02014b50).u16(MADE_ON_UNIX | ZIP64_VERSION);
	record.u16(isZip64 ? ZIP64_VERSION : VERSION).u16(UTF8 | (isStored ? 0 : SIZES_FOLLOW));
	record.u16(isStored ? STORED : DEFLATED).u32(stamp);
	record.u32(crc32).u32(isZip64 ? 0xffff_ffff : compressedSize);
	record
		.u32(isZip64 ? 0xffff_ffff : size)
		.u16(name.length)
		.u16(isZip64 ? 28 : 0);
	record.u16(0).u16(0).u16(0).u32(FILE_MODE);
	record.u32(isZip64 ? 0xffff_ffff : offset).bytes(name);
	if (isZip64) record.u16(ZIP64_FIELD).u16(24).u64(size).u64(compressedSize).u64(offset);
	return record.content;
}

export function buildEnd(
	entries: number,
	directory: { readonly start: number; readonly end: number },
	zip64From: { readonly bytes: number; readonly entries: number },
): Uint8Array {
	const { start, end } = directory;
	const isZip64 = entries >= zip64From.entries || end >= zip64From.bytes;
	const record = new Fields(22 + (isZip64 ? 76 : 0));
	if (isZip64) {
		record
			.u32(0x06064b50)
			.u64(44)
			.u16(MADE_ON_UNIX | ZIP64_VERSION)
			.u16(ZIP64_VERSION);
		record
			.u32(0)
			.u32(0)
			.u64(entries)
			.u64(entries)
			.u64(end - start)
			.u64(start);
		record.u32(0x07064b50).u32(0).u64(end).u32(1);
	}
	const shown = isZip64 ? 0xffff : entries;
	record.u32(0x06054b50).u16(0).u16(0).u16(shown).u16(shown);
	return record
		.u32(isZip64 ? 0xffff_ffff : end - start)
		.u32(isZip64 ? 0xffff_ffff : start)
		.u16(0).content;
}

/** The fields of a record, in order, with the lowest byte first. */
class Fields {
	readonly content: Uint8Array;
	readonly #view: DataView;
	#at = 0;

	constructor(length: number) {
		this.content = new Uint8Array(length);
		this.#view = new DataView(this.content.buffer);
	}

	u16(value: number): this {
		this.#view.setUint16(this.#at, value, true);
		this.#at += 2;
		return this;
	}

	u32(value: number): this {
		this.#view.setUint32(this.#at, value, true);
		this.#at += 4;
		return this;
	}

	u64(value: number): this {
		this.#view.setBigUint64(this.#at, BigInt(value), true);
		this.#at += 8;
		return this;
	}

	bytes(value: Uint8Array): this {
		this.content.set(value, this.#at);
		this.#at += value.length;
		return this;
	}
}

/** UTC, in steps of two seconds; the format begins in 1980. */
export function toDosTime(ms: number): number {
	const date = new Date(ms);
	const year = Math.min(Math.max(date.getUTCFullYear() - 1980, 0), 127);
	const day = (year << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
	const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
	return ((day << 16) | time) >>> 0;
}
