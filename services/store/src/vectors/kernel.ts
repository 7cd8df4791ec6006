import { splitStored } from "./quantise.ts";
import {
	addI32,
	addI32x4,
	andI32,
	buildModule,
	type Code,
	dotI16x8,
	get,
	I32,
	i32,
	laneI32x4,
	lessI32,
	loadF32,
	loadV128,
	loop,
	lowerI8x16,
	mulF32,
	repeatIf,
	set,
	storeF32,
	subI32,
	toF32,
	upperI8x16,
	V128,
	when,
	zeroes,
} from "./wasm.ts";

/** The cosine similarity of the stored vector `query` to each stored vector in the contiguous `vectors`. */
export type Kernel = (query: Uint8Array, vectors: Uint8Array) => Float32Array;

/** Vectors with more dimensions use the plain loop. */
const MAX_DIMENSIONS = 8_192;

const QUERY_START = 0;
const VECTORS_START = MAX_DIMENSIONS * 2;
const VECTORS_BYTES = 128 * 1024;
const SCORES_START = VECTORS_START + VECTORS_BYTES;
const MEMORY_BYTES = SCORES_START + VECTORS_BYTES;

/** SIMD, 16 dimensions at a time, if the runtime compiles WebAssembly; Workers does not and uses a plain loop. */
export function createKernel(): Kernel {
	return simdKernel() ?? plainKernel;
}

export const plainKernel: Kernel = (query, vectors) => {
	const { scale, bytes } = splitStored(query);
	const scores = new Float32Array(vectors.length / query.length);
	const values = new Int8Array(vectors.buffer, vectors.byteOffset, vectors.length);
	const scales = new DataView(vectors.buffer, vectors.byteOffset, vectors.length);
	const dimensions = bytes.length;
	for (let index = 0; index < scores.length; index++) {
		const start = index * query.length;
		const first = start + query.length - dimensions;
		let sum = 0;
		for (let at = 0; at < dimensions; at++) sum += (values[first + at] as number) * (bytes[at] as number);
		scores[index] = Math.fround(Math.fround(sum) * scales.getFloat32(start, true)) * scale;
	}
	return scores;
};

/** The part of the WebAssembly API used here; its types exist only in the DOM library. */
interface WebAssemblyApi {
	readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
	readonly Instance: new (
		module: object,
	) => {
		readonly exports: {
			readonly memory: { readonly buffer: ArrayBuffer };
			scan(vectors: number, count: number, dimensions: number, query: number, scores: number): void;
		};
	};
}

export function simdKernel(): Kernel | null {
	const { WebAssembly: api } = globalThis as unknown as { WebAssembly?: WebAssemblyApi };
	if (api === undefined) return null;
	try {
		const { memory, scan } = new api.Instance(new api.Module(buildKernelModule())).exports;
		return wrapScan(memory.buffer, scan);
	} catch {
		return null;
	}
}

type Scan = InstanceType<WebAssemblyApi["Instance"]>["exports"]["scan"];

function wrapScan(memory: ArrayBuffer, scan: Scan): Kernel {
	const area = new Uint8Array(memory, VECTORS_START, VECTORS_BYTES);
	const results = new Float32Array(memory, SCORES_START);
	return (query, vectors) => {
		const { scale, bytes } = splitStored(query);
		if (bytes.length > MAX_DIMENSIONS) return plainKernel(query, vectors);
		placeQuery(new Int16Array(memory, QUERY_START, MAX_DIMENSIONS), bytes);
		const scores = new Float32Array(vectors.length / query.length);
		const perPass = Math.floor(VECTORS_BYTES / query.length);
		for (let start = 0; start < scores.length; start += perPass) {
			const count = Math.min(perPass, scores.length - start);
			area.set(vectors.subarray(start * query.length, (start + count) * query.length));
			scan(VECTORS_START, count, bytes.length, QUERY_START, SCORES_START);
			for (let index = 0; index < count; index++) scores[start + index] = (results[index] as number) * scale;
		}
		return scores;
	};
}

/**
 * Dimensions are compared 16 at a time. A remainder is compared as the vector's last 16, where the query has zeroes for
 * those already counted; bytes before a vector of fewer than 16 dimensions are multiplied by zero too.
 */
function placeQuery(place: Int16Array, query: Int8Array): void {
	const whole = query.length & -16;
	place.set(query.subarray(0, whole));
	if (whole === query.length) return;
	place.fill(0, whole, whole + 16);
	place.set(query.subarray(whole), whole + 16 - (query.length - whole));
}

const [VECTOR, COUNT, DIMENSIONS, QUERY, SCORE, AT, QUERY_AT, END, LOWER, UPPER, CHUNK] = [
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
] as const;

const addChunk: Code = [
	...set(LOWER, addI32x4(get(LOWER), dotI16x8(lowerI8x16(get(CHUNK)), loadV128(get(QUERY_AT))))),
	...set(UPPER, addI32x4(get(UPPER), dotI16x8(upperI8x16(get(CHUNK)), loadV128(get(QUERY_AT), 16)))),
];
const sumOfLanes: Code = [0, 1, 2, 3]
	.map((lane) => laneI32x4(get(LOWER), lane))
	.reduce((sum, lane) => addI32(sum, lane));

/** Writes the dot product times the vector's scale for each vector. There must be at least one vector. */
export const buildKernelModule = (): Uint8Array<ArrayBuffer> =>
	buildModule({
		name: "scan",
		memoryBytes: MEMORY_BYTES,
		parameters: [I32, I32, I32, I32, I32],
		locals: [I32, I32, I32, V128, V128, V128],
		body: [
			loop(
				set(AT, addI32(get(VECTOR), i32(4))),
				set(END, addI32(get(AT), andI32(get(DIMENSIONS), i32(-16)))),
				set(QUERY_AT, get(QUERY)),
				set(LOWER, zeroes),
				set(UPPER, zeroes),
				when(
					lessI32(get(AT), get(END)),
					loop(
						set(CHUNK, loadV128(get(AT))),
						addChunk,
						set(AT, addI32(get(AT), i32(16))),
						set(QUERY_AT, addI32(get(QUERY_AT), i32(32))),
						repeatIf(0, lessI32(get(AT), get(END))),
					),
				),
				when(
					andI32(get(DIMENSIONS), i32(15)),
					set(CHUNK, loadV128(subI32(addI32(get(VECTOR), get(DIMENSIONS)), i32(12)))),
					addChunk,
				),
				set(LOWER, addI32x4(get(LOWER), get(UPPER))),
				storeF32(get(SCORE), mulF32(toF32(sumOfLanes), loadF32(get(VECTOR)))),
				set(VECTOR, addI32(addI32(get(VECTOR), get(DIMENSIONS)), i32(4))),
				set(SCORE, addI32(get(SCORE), i32(4))),
				set(COUNT, subI32(get(COUNT), i32(1))),
				repeatIf(0, get(COUNT)),
			),
		],
	});
