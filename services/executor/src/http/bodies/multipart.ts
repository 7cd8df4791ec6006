import { decodeUtf8Part } from "./decode.ts";
import { Delimiter } from "./delimiter.ts";
import { malformed, tooLarge } from "./failures.ts";
import type { MediaType } from "./media-type.ts";
import { type PartHead, parsePartHead } from "./part-head.ts";

/** What a multipart body holds, in the order in which it comes. */
export type PartEvent =
	| { readonly kind: "begin"; readonly head: PartHead }
	/** A piece of the part, as a view of what was pushed. */
	| { readonly kind: "bytes"; readonly bytes: Uint8Array }
	| { readonly kind: "end" };

/** As many as a form can have fields and choices. */
const MAX_PARTS = 1_000;
const MAX_HEAD_BYTES = 8 * 1024;

const CR = 13;
const LF = 10;
const DASH = 45;
const LINE_BREAK = Uint8Array.of(CR, LF);
const HEAD_END = Uint8Array.of(CR, LF, CR, LF);
const NOTHING = new Uint8Array();
const END: PartEvent = { kind: "end" };

/**
 * Parses `multipart/form-data` piece by piece, and strictly: without preamble, and with the closing boundary at the end.
 * Where the pieces end makes no difference. Holds no more than the headers of a part and the length of the boundary.
 */
export class MultipartParser {
	readonly #delimiter: Delimiter;
	#state: "start" | "boundary" | "head" | "content" | "closed" = "start";
	/** Bytes whose meaning depends on those to come. */
	#held: Uint8Array = NOTHING;
	/** Of the held bytes, those that end the headers of the part: a delimiter may begin with them, the content does not. */
	#before = 0;
	readonly #head = new Uint8Array(MAX_HEAD_BYTES + HEAD_END.length);
	#headLength = 0;
	#parts = 0;

	constructor(type: MediaType) {
		const delimiter = Delimiter.create(type.parameters.get("boundary"));
		if (delimiter === null) throw malformed("multipart/form-data needs a boundary of 1 to 70 characters");
		this.#delimiter = delimiter;
	}

	/** What another piece of the body holds. Throws `Failed` if it is malformed or too large. */
	push(piece: Uint8Array): PartEvent[] {
		const events: PartEvent[] = [];
		let rest = piece;
		while (rest.length > 0) rest = this.#step(rest, events);
		return events;
	}

	/** Call it after the last piece. */
	end(): void {
		switch (this.#state) {
			case "closed":
				if (this.#held.length === 1) throw goesOn();
				return;
			case "start":
				throw noBeginning();
			case "head":
				throw malformed("the headers of a part have no end");
			default:
				throw malformed("the multipart body ends without its closing boundary");
		}
	}

	/** Returns the bytes that are left. */
	#step(bytes: Uint8Array, events: PartEvent[]): Uint8Array {
		switch (this.#state) {
			case "start":
				return this.#readStart(bytes);
			case "boundary":
				return this.#readBoundaryEnd(bytes);
			case "head":
				return this.#readHead(bytes, events);
			case "content":
				return this.#readContent(bytes, events);
			case "closed":
				return this.#readEpilogue(bytes);
		}
	}

	/** The first boundary, before which the line break may be missing. */
	#readStart(bytes: Uint8Array): Uint8Array {
		const { bytes: wanted } = this.#delimiter;
		const first = this.#held.length > 0 ? this.#held[0] : bytes[0];
		const begun = first === CR ? wanted : wanted.subarray(LINE_BREAK.length);
		const missing = begun.length - this.#held.length;
		this.#held = join(this.#held, bytes.subarray(0, missing));
		if (this.#held.some((byte, index) => byte !== begun[index])) throw noBeginning();
		if (this.#held.length === begun.length) this.#enter("boundary");
		return bytes.subarray(missing);
	}

	/** Two dashes close the body, a line break begins a part. */
	#readBoundaryEnd(bytes: Uint8Array): Uint8Array {
		const taken = 2 - this.#held.length;
		this.#held = join(this.#held, bytes.subarray(0, taken));
		const [first, second] = this.#held;
		if (this.#held.length === 2) {
			if (first === DASH && second === DASH) this.#enter("closed");
			else if (first === CR && second === LF) this.#enter("head");
			else throw noLineBreak();
		} else if (first !== DASH && first !== CR) throw noLineBreak();
		return bytes.subarray(taken);
	}

	/** Searches for the empty line after the headers, no further than they may be long. */
	#readHead(bytes: Uint8Array, events: PartEvent[]): Uint8Array {
		const room = this.#head.subarray(this.#headLength);
		const taken = bytes.subarray(0, room.length);
		room.set(taken);
		const from = Math.max(0, this.#headLength - HEAD_END.length + 1);
		const length = this.#headLength + taken.length;
		for (let at = from; at + HEAD_END.length <= length; at++) {
			if (this.#head[at] !== CR || !HEAD_END.every((byte, index) => this.#head[at + index] === byte))
				continue;
			const left = bytes.subarray(at + HEAD_END.length - this.#headLength);
			this.#beginPart(at, events);
			return left;
		}
		if (length === this.#head.length)
			throw tooLarge(`the headers of a part are longer than ${MAX_HEAD_BYTES} bytes or have no end`);
		this.#headLength = length;
		return NOTHING;
	}

	#beginPart(length: number, events: PartEvent[]): void {
		if (++this.#parts > MAX_PARTS) throw tooLarge(`there are more than ${MAX_PARTS} parts`);
		const text = decodeUtf8Part(this.#head.subarray(0, length), "the header of a part");
		events.push({ kind: "begin", head: parsePartHead(text) });
		this.#headLength = 0;
		this.#enter("content");
		this.#held = LINE_BREAK;
		this.#before = LINE_BREAK.length;
	}

	#readContent(bytes: Uint8Array, events: PartEvent[]): Uint8Array {
		const { length } = this.#delimiter;
		const held = this.#held.length;
		if (held === 0) return this.#search(bytes, events);
		// A delimiter that begins in what is held ends within this many bytes.
		const window = join(this.#held, bytes.subarray(0, length - 1));
		const found = this.#delimiter.find(window);
		if (found !== -1 && found < held) {
			this.#emit(window.subarray(0, found), events);
			this.#endPart(events);
			return bytes.subarray(found + length - held);
		}
		const begun = this.#delimiter.findBegun(window);
		if (begun < held) {
			// All bytes are in the window: otherwise the delimiter would have been found or excluded.
			this.#emit(window.subarray(0, begun), events);
			this.#held = window.slice(begun);
			return NOTHING;
		}
		this.#emit(this.#held, events);
		this.#held = NOTHING;
		return bytes;
	}

	#search(bytes: Uint8Array, events: PartEvent[]): Uint8Array {
		const found = this.#delimiter.find(bytes);
		if (found !== -1) {
			this.#emit(bytes.subarray(0, found), events);
			this.#endPart(events);
			return bytes.subarray(found + this.#delimiter.length);
		}
		const begun = this.#delimiter.findBegun(bytes);
		this.#emit(bytes.subarray(0, begun), events);
		// Not by `slice`: that of a Buffer does not copy.
		this.#held = join(bytes.subarray(begun), NOTHING);
		return NOTHING;
	}

	/** Leaves out the end of the headers. */
	#emit(bytes: Uint8Array, events: PartEvent[]): void {
		const content = bytes.subarray(Math.min(this.#before, bytes.length));
		if (bytes.length > 0) this.#before = 0;
		if (content.length > 0) events.push({ kind: "bytes", bytes: content });
	}

	#endPart(events: PartEvent[]): void {
		events.push(END);
		this.#enter("boundary");
	}

	/** After the closing boundary only a line break may follow. */
	#readEpilogue(bytes: Uint8Array): Uint8Array {
		this.#held = join(this.#held, bytes.subarray(0, LINE_BREAK.length + 1));
		if (this.#held.some((byte, index) => byte !== LINE_BREAK[index])) throw goesOn();
		return NOTHING;
	}

	#enter(state: "boundary" | "head" | "content" | "closed"): void {
		this.#state = state;
		this.#held = NOTHING;
		this.#before = 0;
	}
}

/** A copy: what was pushed is valid only until the next push. */
function join(one: Uint8Array, other: Uint8Array): Uint8Array {
	const both = new Uint8Array(one.length + other.length);
	both.set(one);
	both.set(other, one.length);
	return both;
}

const noBeginning = () => malformed("the multipart body does not begin with its boundary");
const noLineBreak = () => malformed("a line break must follow each boundary of the multipart body");
const goesOn = () => malformed("the multipart body goes on after its closing boundary");
