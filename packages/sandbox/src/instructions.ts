/** Reads the WebAssembly binary format. */
export class Reader {
	readonly bytes: Uint8Array;
	at: number;

	constructor(bytes: Uint8Array, at = 0) {
		this.bytes = bytes;
		this.at = at;
	}

	readByte(): number {
		const value = this.bytes[this.at];
		if (value === undefined) throw new Error("the module ends too early");
		this.at += 1;
		return value;
	}

	/** Unsigned LEB128 of up to 32 bits. */
	readNumber(): number {
		let value = 0;
		for (let shift = 0; shift < 35; shift += 7) {
			const readByte = this.readByte();
			value += (readByte & 0x7f) * 2 ** shift;
			if (readByte < 0x80) return value;
		}
		throw new Error(`a number at ${this.at} is too long`);
	}

	/** A number of any width whose value does not matter. */
	skipNumber(): void {
		while (this.readByte() >= 0x80);
	}

	take(length: number): Uint8Array {
		if (this.at + length > this.bytes.length) throw new Error("the module ends too early");
		this.at += length;
		return this.bytes.subarray(this.at - length, this.at);
	}
}

export const BLOCK = 0x02;
export const LOOP = 0x03;
export const IF = 0x04;
export const END = 0x0b;
export const CALL = 0x10;
export const CALL_INDIRECT = 0x11;
export const MEMORY_GROW = 0x40;
export const MEMORY_COPY = 0xfc0a;
export const MEMORY_FILL = 0xfc0b;
const BULK = 0xfc;

/**
 * The immediates of an opcode: n = a number, b = a byte, v = a list of numbers. Instructions that change tables or drop
 * segments are excluded, so that memory and globals are the only state, and so are later extensions (vectors, exceptions).
 */
const IMMEDIATES = buildTable([
	...listRange(0x00, 0x01, ""), // unreachable, nop
	...listRange(0x02, 0x04, "n"), // block, loop, if
	[0x05, ""], // else
	[0x0b, ""], // end
	...listRange(0x0c, 0x0d, "n"), // br, br_if
	[0x0e, "vn"], // br_table
	[0x0f, ""], // return
	[0x10, "n"], // call
	[0x11, "nn"], // call_indirect
	...listRange(0x1a, 0x1b, ""), // drop, select
	[0x1c, "v"], // select with types
	...listRange(0x20, 0x25, "n"), // local.*, global.*, table.get
	...listRange(0x28, 0x3e, "nn"), // loads and stores
	...listRange(0x3f, 0x40, "n"), // memory.size, memory.grow
	...listRange(0x41, 0x42, "n"), // i32.const, i64.const
	[0x43, "bbbb"], // f32.const
	[0x44, "bbbbbbbb"], // f64.const
	...listRange(0x45, 0xc4, ""), // comparisons, arithmetic, conversions
	[0xd0, "n"], // ref.null
	[0xd1, ""], // ref.is_null
	[0xd2, "n"], // ref.func
]);

/** The same for opcodes with the prefix 0xfc. */
const BULK_IMMEDIATES = buildTable([
	...listRange(0, 7, ""), // saturating conversions
	[10, "nn"], // memory.copy
	[11, "n"], // memory.fill
	[16, "n"], // table.size
]);

function listRange(from: number, to: number, immediates: string): [number, string][] {
	return Array.from({ length: to - from + 1 }, (_, index) => [from + index, immediates]);
}

function buildTable(entries: readonly (readonly [number, string])[]): readonly (string | undefined)[] {
	const all = new Array<string | undefined>(256).fill(undefined);
	for (const [opcode, immediates] of entries) all[opcode] = immediates;
	return all;
}

/**
 * Skips one instruction and returns its opcode. An unknown one is an error, because nothing after it could be read.
 */
export function readInstruction(reader: Reader): number {
	const first = reader.readByte();
	const isBulk = first === BULK;
	const second = isBulk ? reader.readNumber() : 0;
	const opcode = isBulk ? first * 256 + second : first;
	const immediates = isBulk ? BULK_IMMEDIATES[second] : IMMEDIATES[first];
	if (immediates === undefined) throw new Error(`unknown instruction ${opcode.toString(16)} at ${reader.at}`);
	for (let index = 0; index < immediates.length; index++) skip(reader, immediates[index]);
	return opcode;
}

function skip(reader: Reader, kind: string | undefined): void {
	if (kind === "n") reader.skipNumber();
	else if (kind === "b") reader.readByte();
	else for (let left = reader.readNumber(); left > 0; left--) reader.skipNumber();
}
