import { encodeNumber } from "../src/encoding.ts";

type Bytes = readonly number[];

const text = (name: string): Bytes => [name.length, ...new TextEncoder().encode(name)];
const list = (entries: readonly Bytes[]): Bytes => [entries.length, ...entries.flat()];
const section = (id: number, body: Bytes): Bytes => [id, ...encodeNumber(body.length), ...body];
const code = (instructions: Bytes): Bytes => [instructions.length + 2, 0, ...instructions, 0x0b];

const FUNCTIONS: Readonly<Record<string, Bytes>> = {
	/** So many rounds of a loop. */
	rounds: [0x03, 0x40, 0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b, 0x20, 0],
	/** So many rounds of a loop with 48 instructions. */
	wideRounds: [0x03, 0x40, ...Array(42).fill(0x01), 0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b, 0x20, 0],
	/** Calls the host. */
	ask: [0x20, 0, 0x10, 0],
	/** Grows memory by so many pages. */
	grow: [0x20, 0, 0x40, 0],
	/** Fills so many bytes with 7. */
	fill: [0x41, 0, 0x41, 7, 0x20, 0, 0xfc, 11, 0, 0x20, 0],
	/** Copies so many bytes from address 8 to 0. */
	copy: [0x41, 0, 0x41, 8, 0x20, 0, 0xfc, 10, 0, 0, 0x20, 0],
	/** Nothing that costs. */
	idle: [0x20, 0],
};

export interface TinyExports {
	readonly memory: WebAssembly.Memory;
	readonly fuel: WebAssembly.Global<bigint>;
	readonly pages: WebAssembly.Global<number>;
	rounds(count: number): number;
	wideRounds(count: number): number;
	ask(value: number): number;
	grow(pages: number): number;
	fill(bytes: number): number;
	copy(bytes: number): number;
	idle(value: number): number;
}

/** A module with functions of one number, to which one more may be added by its instructions. */
export function tinyModule(more: Bytes = FUNCTIONS.idle as Bytes): Uint8Array<ArrayBuffer> {
	const bodies = [...Object.values(FUNCTIONS), more];
	const names = Object.keys(FUNCTIONS);
	return new Uint8Array(
		[
			[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
			section(1, list([[0x60, 1, 0x7f, 1, 0x7f]])),
			section(2, list([[...text("env"), ...text("unused"), 0, 0]])),
			section(3, list(bodies.map(() => [0]))),
			section(4, list([[0x70, 0, 1]])),
			section(5, list([[0, 1]])),
			section(6, list([[0x7f, 1, 0x41, 0, 0x0b]])),
			section(
				7,
				list([[...text("memory"), 2, 0], ...names.map((name, index) => [...text(name), 0, index + 1])]),
			),
			section(10, list(bodies.map(code))),
			section(0, text("a section that only debuggers read")),
		].flat(),
	);
}
