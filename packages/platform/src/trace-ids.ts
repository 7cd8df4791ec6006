/** 64 bits of an id, as two signed integers: making and reading texts would cost more than the rest of a span. */
export class Bits64 {
	readonly high: number;
	readonly low: number;

	constructor(high: number, low: number) {
		this.high = high;
		this.low = low;
	}

	/** Ids are no secrets: they have to be unique. */
	static random(): Bits64 {
		return new Bits64((Math.random() * 2 ** 32) | 0, (Math.random() * 2 ** 32) | 0);
	}

	/** Of 16 hexadecimal digits. */
	static parse(digits: string): Bits64 {
		return new Bits64(Number.parseInt(digits.slice(0, 8), 16) | 0, Number.parseInt(digits.slice(8), 16) | 0);
	}

	/** 16 hexadecimal digits. */
	toString(): string {
		return toHex(this.high) + toHex(this.low);
	}
}

const DIGITS_BY_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

const toHex = (word: number): string =>
	`${DIGITS_BY_BYTE[word >>> 24]}${DIGITS_BY_BYTE[(word >>> 16) & 0xff]}${DIGITS_BY_BYTE[(word >>> 8) & 0xff]}${DIGITS_BY_BYTE[word & 0xff]}`;

/** 128 bits that all spans of a trace have in common. */
export class TraceId {
	readonly first: Bits64;
	readonly second: Bits64;
	#text: string | null = null;

	constructor(first: Bits64, second: Bits64) {
		this.first = first;
		this.second = second;
	}

	static random(): TraceId {
		return new TraceId(Bits64.random(), Bits64.random());
	}

	/** Of 32 hexadecimal digits. */
	static parse(digits: string): TraceId {
		return new TraceId(Bits64.parse(digits.slice(0, 16)), Bits64.parse(digits.slice(16)));
	}

	/** 32 hexadecimal digits. */
	toString(): string {
		this.#text ??= `${this.first}${this.second}`;
		return this.#text;
	}
}
