import { type Bytes, concatBytes, encodeNumber, prefixLength } from "./encoding.ts";
import {
	BLOCK,
	CALL,
	CALL_INDIRECT,
	END,
	IF,
	LOOP,
	MEMORY_COPY,
	MEMORY_FILL,
	MEMORY_GROW,
	Reader,
	readInstruction,
} from "./instructions.ts";

/** WebAssembly indexes: the number of imported functions, two globals and three functions. */
export type Places = Readonly<Record<"imported" | "fuel" | "pages" | "copy" | "fill" | "grow", number>>;

const HOST_CALL_COST = 32;
const BYTES_PER_FUEL_SHIFT = 5;

/**
 * The cost of a loop iteration by its instructions, without those of nested loops; a call counts as several. So a
 * millisecond costs about the same for any loop. A large loop is a dispatch loop, such as an interpreter's: it executes
 * only a few of its instructions, and the work that it dispatches is charged separately.
 */
function computeIterationCost({ instructions, calls }: Loop): number {
	const weight = instructions + 11 * calls;
	return weight > 2000 ? 1 : Math.min(10, Math.max(1, Math.round(weight / 24)));
}

interface Loop {
	instructions: number;
	calls: number;
	/** The index of its charge in `parts`. */
	readonly place: number;
}

/** The code section. `atStart` is the cost per call of some functions, by their index in it. */
export function meterCode(
	body: Uint8Array,
	places: Places,
	atStart: ReadonlyMap<number, number>,
): Uint8Array {
	const reader = new Reader(body);
	const functions = Array.from({ length: reader.readNumber() }, (_, index) =>
		meterFunction(reader.take(reader.readNumber()), places, atStart.get(index) ?? 0),
	);
	const helpers = [
		encodeCopyOrFill(places, MEMORY_COPY),
		encodeCopyOrFill(places, MEMORY_FILL),
		encodeGrow(places),
	];
	const all = [...functions, ...helpers].map(prefixLength);
	return concatBytes([encodeNumber(all.length), ...all]);
}

function meterFunction(body: Uint8Array, places: Places, atStart: number): Uint8Array {
	const helpers = new Map([
		[MEMORY_COPY, places.copy],
		[MEMORY_FILL, places.fill],
		[MEMORY_GROW, places.grow],
	]);
	const reader = skipLocals(body);
	const parts: Bytes[] = [body.subarray(0, reader.at), encodeCharge(places, encodeConstant(atStart))];
	/** For each open block, the enclosing loop. */
	const around: (Loop | null)[] = [];
	let loop: Loop | null = null;
	let from = reader.at;
	while (reader.at < body.length) {
		const start = reader.at;
		const opcode = readInstruction(reader);
		if (loop !== null) {
			loop.instructions += 1;
			if (opcode === CALL || opcode === CALL_INDIRECT) loop.calls += 1;
		}
		if (opcode === BLOCK || opcode === IF) around.push(loop);
		else if (opcode === END) {
			const outer = around.pop() ?? null;
			if (loop !== null && loop !== outer)
				parts[loop.place] = encodeCharge(places, encodeConstant(computeIterationCost(loop)));
			loop = outer;
		} else if (opcode === LOOP) {
			around.push(loop);
			loop = { instructions: 0, calls: 0, place: parts.push(body.subarray(from, reader.at), []) - 1 };
			from = reader.at;
		} else if (opcode === CALL && new Reader(body, start + 1).readNumber() < places.imported) {
			parts.push(body.subarray(from, start), encodeCharge(places, encodeConstant(HOST_CALL_COST)));
			from = start;
		} else if (helpers.has(opcode)) {
			parts.push(body.subarray(from, start), [CALL, ...encodeNumber(helpers.get(opcode) ?? 0)]);
			from = reader.at;
		}
	}
	return concatBytes([...parts, body.subarray(from)]);
}

function skipLocals(body: Uint8Array): Reader {
	const reader = new Reader(body);
	for (let left = reader.readNumber(); left > 0; left--) {
		reader.skipNumber();
		reader.readByte();
	}
	return reader;
}

/** fuel -= amount; if (fuel < 0) unreachable; */
function encodeCharge({ fuel }: Places, amount: Bytes): Bytes {
	if (amount.length === 0) return [];
	const global = encodeNumber(fuel);
	return concatBytes([
		[0x23, ...global], // global.get
		amount,
		[0x7d], // i64.sub
		[0x24, ...global], // global.set
		[0x23, ...global, 0x42, 0, 0x53], // global.get, i64.const 0, i64.lt_s
		[IF, 0x40, 0x00, END], // if, unreachable, end
	]);
}

/** i64.const of a small amount; empty for 0. */
function encodeConstant(amount: number): number[] {
	if (amount > 0x3f) throw new Error(`${amount} is too much to charge at once`);
	return amount === 0 ? [] : [0x42, amount];
}

/** (to, from or value, length): charges for the length, then executes the instruction. */
function encodeCopyOrFill(places: Places, opcode: number): Uint8Array {
	// local.get 2, i32.const, i32.shr_u, i64.extend_i32_u
	const amount = [0x20, 2, 0x41, BYTES_PER_FUEL_SHIFT, 0x76, 0xad];
	const instruction = [opcode >> 8, opcode & 0xff, ...(opcode === MEMORY_COPY ? [0, 0] : [0])];
	return concatBytes([[0], encodeCharge(places, amount), [0x20, 0, 0x20, 1, 0x20, 2], instruction, [END]]);
}

/** (pages): returns -1, as for full memory, if the memory would exceed `pages`. */
function encodeGrow({ pages }: Places): Uint8Array {
	return concatBytes([
		[0, 0x20, 0], // local.get 0
		[0x23, ...encodeNumber(pages), 0x3f, 0, 0x6b], // global.get, memory.size, i32.sub
		[0x4a, IF, 0x7f, 0x41, 0x7f, 0x05, 0x20, 0, 0x40, 0, END, END], // i32.gt_s, if, i32.const -1, else, memory.grow
	]);
}
