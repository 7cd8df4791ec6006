import type { Bits64 } from "./trace-ids.ts";

const VARINT = 0;
const FIXED_64 = 1;
const LENGTH_DELIMITED = 2;
const UINT_32 = 2 ** 32;
const encoder = new TextEncoder();

/**
 * Writes a message of protocol buffers from its end to its start: so the length of a part is known when its prefix is
 * written. Fields are written in reverse order. The caller makes sure that there is room.
 */
export class ProtobufWriter {
	/** Where the written bytes start. */
	start: number;
	readonly #bytes: Uint8Array;
	readonly #view: DataView;

	constructor(capacity: number) {
		this.start = capacity;
		this.#bytes = new Uint8Array(capacity);
		this.#view = new DataView(this.#bytes.buffer);
	}

	/** What has been written, without a copy. */
	finish(): Uint8Array<ArrayBuffer> {
		return this.#bytes.subarray(this.start) as Uint8Array<ArrayBuffer>;
	}

	/** A half of a surrogate pair is replaced, as it cannot be encoded. */
	writeText(field: number, text: string): void {
		const end = this.start;
		const bytes = this.#bytes;
		let at = end;
		for (let index = text.length - 1; index >= 0; index--) {
			const code = text.charCodeAt(index);
			if (code > 0x7f) {
				const encoded = encoder.encode(text);
				at = end - encoded.length;
				bytes.set(encoded, at);
				break;
			}
			bytes[--at] = code;
		}
		this.start = at;
		this.writePrefix(field, end);
	}

	/** Eight bytes of each. */
	writeBits(field: number, ...parts: readonly Bits64[]): void {
		const end = this.start;
		for (let index = parts.length - 1; index >= 0; index--) {
			const { high, low } = parts[index] as Bits64;
			this.start -= 8;
			this.#view.setInt32(this.start, high);
			this.#view.setInt32(this.start + 4, low);
		}
		this.writePrefix(field, end);
	}

	/** A non-negative integer. */
	writeInteger(field: number, value: number): void {
		this.#writeVarint(value);
		this.#writeTag(field, VARINT);
	}

	/** Milliseconds as nanoseconds, which a number has too few bits for. */
	writeNanoseconds(field: number, milliseconds: number): void {
		const whole = Math.floor(milliseconds);
		const high = Math.floor(whole / UINT_32);
		const low = (whole - high * UINT_32) * 1e6 + Math.floor((milliseconds - whole) * 1e6);
		const carried = Math.floor(low / UINT_32);
		this.start -= 8;
		this.#view.setUint32(this.start, low - carried * UINT_32, true);
		this.#view.setUint32(this.start + 4, high * 1e6 + carried, true);
		this.#writeTag(field, FIXED_64);
	}

	/** Turns what was written since the start was at `end` into a field. */
	writePrefix(field: number, end: number): void {
		this.#writeVarint(end - this.start);
		this.#writeTag(field, LENGTH_DELIMITED);
	}

	#writeTag(field: number, type: number): void {
		this.#writeVarint(8 * field + type);
	}

	#writeVarint(value: number): void {
		if (value < 0x80) {
			this.#bytes[--this.start] = value;
			return;
		}
		let length = 1;
		for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) length++;
		this.start -= length;
		let at = this.start;
		let rest = value;
		for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#bytes[at++] = (rest % 0x80) | 0x80;
		this.#bytes[at] = rest;
	}
}
