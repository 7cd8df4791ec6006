import { TerminalError } from "@tripline/engine/terminal-error";
import type { OpenFile } from "../effects.ts";
import { readBytes } from "./file-bytes.ts";
import type { ReadCall } from "./file-text.ts";
import { decodeZipName } from "./zip-names.ts";

/** What the archive's directory says about an entry. Nothing of it is known to be true. */
export interface ZipEntry {
	readonly path: string;
	readonly nameBytes: Uint8Array;
	readonly isFolder: boolean;
	/** Uncompressed. */
	readonly size: number;
	readonly compressedSize: number;
	readonly crc: number;
	readonly method: number;
	readonly isEncrypted: boolean;
	/** Local time without a zone; null if there is none. */
	readonly modified: string | null;
	/** Where its local header begins. */
	readonly start: number;
}

const MAX_ENTRIES = 65_535;
const MAX_DIRECTORY_BYTES = 16 * 1024 * 1024;
const UNITS_PER_ENTRY = 120;

const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const LOCATOR_BYTES = 20;
const ZIP64_END_BYTES = 56;
const HEADER_BYTES = 46;
export const LOCAL_HEADER_BYTES = 30;
const [END, LOCATOR, ZIP64_END, HEADER] = [0x06054b50, 0x07064b50, 0x06064b50, 0x02014b50];
const [MAX_16, MAX_32] = [0xffff, 0xffffffff];
const ZIP64_FIELD = 0x0001;

interface Place {
	readonly count: number;
	readonly start: number;
	readonly size: number;
}

/** Reads the directory at the end of an archive. Entries whose bytes overlap, as in archives made to explode, are refused. */
export async function readZipDirectory(file: OpenFile, call: ReadCall): Promise<ZipEntry[]> {
	const place = await findDirectory(file);
	const { count, size } = place;
	if (count > MAX_ENTRIES) throw new TerminalError(`the archive has more than ${MAX_ENTRIES} entries`);
	if (size > MAX_DIRECTORY_BYTES) throw new TerminalError("the archive's directory is larger than 16 MiB");
	const bytes = await readBytes(file, place.start, place.start + size);
	const view = createView(bytes);
	const entries: ZipEntry[] = [];
	for (let at = 0, number = 0; number < count; number++) {
		call.meter.spend(UNITS_PER_ENTRY);
		if (call.needsTurn) await call.turn();
		if (at + HEADER_BYTES > size || view.getUint32(at, true) !== HEADER)
			throw createZipError("its directory is damaged");
		const [nameLength, extraLength, commentLength] = [28, 30, 32].map((place) =>
			view.getUint16(at + place, true),
		) as [number, number, number];
		const next = at + HEADER_BYTES + nameLength + extraLength + commentLength;
		if (next > size) throw createZipError("its directory is damaged");
		call.meter.spend(nameLength / 4 + extraLength / 8);
		entries.push(readEntry(bytes.subarray(at, next), nameLength, extraLength));
		at = next;
	}
	await assertApart(entries, place.start, call);
	return entries;
}

async function findDirectory(file: OpenFile): Promise<Place> {
	const { size } = file.value;
	const from = Math.max(0, size - END_BYTES - MAX_COMMENT_BYTES);
	const tail = await readBytes(file, from, size);
	const view = createView(tail);
	for (let at = tail.length - END_BYTES; at >= 0; at--) {
		if (view.getUint32(at, true) !== END) continue;
		if (at + END_BYTES + view.getUint16(at + 20, true) !== tail.length) continue;
		const place = (await findZip64(file, from + at)) ?? {
			count: view.getUint16(at + 10, true),
			size: view.getUint32(at + 12, true),
			start: view.getUint32(at + 16, true),
			end: from + at,
		};
		if (![0, MAX_16].includes(view.getUint16(at + 4, true)))
			throw createZipError("it is one of several volumes");
		if (place.start + place.size !== place.end)
			throw createZipError("its directory is not where it should be");
		return place;
	}
	throw createZipError("it has no directory at its end; it may be cut off");
}

async function findZip64(file: OpenFile, end: number): Promise<(Place & { readonly end: number }) | null> {
	if (end < LOCATOR_BYTES) return null;
	const locator = createView(await readBytes(file, end - LOCATOR_BYTES, end));
	if (locator.getUint32(0, true) !== LOCATOR) return null;
	const at = toNumber(locator.getBigUint64(8, true));
	if (at + ZIP64_END_BYTES > end) throw createZipError("its directory is damaged");
	const view = createView(await readBytes(file, at, at + ZIP64_END_BYTES));
	if (view.getUint32(0, true) !== ZIP64_END) throw createZipError("its directory is damaged");
	return {
		count: toNumber(view.getBigUint64(32, true)),
		size: toNumber(view.getBigUint64(40, true)),
		start: toNumber(view.getBigUint64(48, true)),
		end: at,
	};
}

function readEntry(header: Uint8Array, nameLength: number, extraLength: number): ZipEntry {
	const view = createView(header);
	const flags = view.getUint16(8, true);
	const nameBytes = header.subarray(HEADER_BYTES, HEADER_BYTES + nameLength);
	const extra = header.subarray(HEADER_BYTES + nameLength, HEADER_BYTES + nameLength + extraLength);
	const large = readZip64Field(extra);
	const enlarge = (value: number): number => (value === MAX_32 ? large() : value);
	const path = decodeZipName(nameBytes, (flags & 0x800) !== 0);
	return {
		path,
		nameBytes,
		isFolder: path.endsWith("/"),
		isEncrypted: (flags & 0x2041) !== 0,
		method: view.getUint16(10, true),
		modified: readModified(view.getUint16(12, true), view.getUint16(14, true)),
		crc: view.getUint32(16, true),
		// In the order in which the field of large numbers has them.
		size: enlarge(view.getUint32(24, true)),
		compressedSize: enlarge(view.getUint32(20, true)),
		start: enlarge(view.getUint32(42, true)),
	};
}

/** Gives the numbers that do not fit into 32 bits, one after the other. */
function readZip64Field(extra: Uint8Array): () => number {
	const view = createView(extra);
	for (let at = 0; at + 4 <= extra.length; ) {
		const length = view.getUint16(at + 2, true);
		const end = Math.min(at + 4 + length, extra.length);
		if (view.getUint16(at, true) === ZIP64_FIELD) {
			let place = at + 4;
			return () => {
				if (place + 8 > end) throw createZipError("its directory is damaged");
				place += 8;
				return toNumber(view.getBigUint64(place - 8, true));
			};
		}
		at = end;
	}
	return () => MAX_32;
}

/** MS-DOS time: two seconds are the smallest step. */
function readModified(time: number, date: number): string | null {
	const [year, month, day] = [1980 + (date >> 9), (date >> 5) & 15, date & 31];
	const [hour, minute, second] = [time >> 11, (time >> 5) & 63, (time & 31) * 2];
	if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return null;
	const [mm, dd, hh, mi, ss] = [month, day, hour, minute, second].map((part) =>
		String(part).padStart(2, "0"),
	);
	return `${year}-${mm}-${dd}T${hh}:${mi}:${ss}`;
}

async function assertApart(
	entries: readonly ZipEntry[],
	directoryStart: number,
	call: ReadCall,
): Promise<void> {
	call.meter.spend(entries.length * Math.log2(entries.length + 2));
	if (call.needsTurn) await call.turn();
	const ordered = entries.toSorted((one, other) => one.start - other.start);
	ordered.forEach(({ start, nameBytes, compressedSize }, index) => {
		const end = ordered[index + 1]?.start ?? directoryStart;
		if (start + LOCAL_HEADER_BYTES + nameBytes.length + compressedSize > end)
			throw createZipError("entries overlap each other or its directory");
	});
}

export const createView = (bytes: Uint8Array): DataView =>
	new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const createZipError = (what: string): TerminalError =>
	new TerminalError(`not a readable zip archive: ${what}`);

function toNumber(value: bigint): number {
	if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw createZipError("its directory is damaged");
	return Number(value);
}
