import { crc32, deflateRawSync } from "node:zlib";

export interface WrittenEntry {
	readonly path: string | Uint8Array;
	readonly content: Uint8Array | string;
	readonly stored?: boolean;
	/** What is written in place of the truth. */
	readonly lies?: {
		readonly size?: number;
		readonly crc?: number;
		readonly method?: number;
		readonly flags?: number;
		/** In the local header only. */
		readonly localPath?: string;
		/** Where the directory says that the entry begins. */
		readonly start?: number;
		/** In place of the compressed content. */
		readonly data?: Uint8Array;
	};
}

/** Writes zip archives for tests, also wrong ones. Shares no code with what it tests. */
export function writeZip(entries: readonly WrittenEntry[]): Buffer {
	const local: Buffer[] = [];
	const directory: Buffer[] = [];
	let at = 0;
	for (const { path, content, stored = false, lies = {} } of entries) {
		const name = Buffer.from(path as string);
		const bytes = Buffer.from(content as string);
		const data = lies.data ?? (stored ? bytes : deflateRawSync(bytes));
		const common = Buffer.alloc(26);
		common.writeUInt16LE(20, 0);
		common.writeUInt16LE(lies.flags ?? 0x800, 2);
		common.writeUInt16LE(lies.method ?? (stored ? 0 : 8), 4);
		common.writeUInt16LE((8 << 11) | (30 << 5), 6);
		common.writeUInt16LE(((2026 - 1980) << 9) | (3 << 5) | 2, 8);
		common.writeUInt32LE(lies.crc ?? crc32(bytes), 10);
		common.writeUInt32LE(data.length, 14);
		common.writeUInt32LE(lies.size ?? bytes.length, 18);
		common.writeUInt16LE(name.length, 22);
		const localName = Buffer.from(lies.localPath ?? (path as string));
		const localCommon = Buffer.from(common);
		localCommon.writeUInt16LE(localName.length, 22);
		const header = Buffer.concat([Buffer.from("PK\x03\x04"), localCommon, localName, data]);
		const tail = Buffer.alloc(14);
		tail.writeUInt32LE(lies.start ?? at, 10);
		directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00"), common, tail, name]));
		local.push(header);
		at += header.length;
	}
	const central = Buffer.concat(directory);
	const end = Buffer.alloc(22);
	end.write("PK\x05\x06", "latin1");
	end.writeUInt16LE(Math.min(entries.length, 0xffff), 8);
	end.writeUInt16LE(Math.min(entries.length, 0xffff), 10);
	end.writeUInt32LE(central.length, 12);
	end.writeUInt32LE(at, 16);
	return Buffer.concat([...local, central, end]);
}
