/**
 * The part of the WebAssembly binary format that one function over one memory needs. The kernel is generated with it,
 * so that its bytes have readable source and need no extra build tool.
 */
export type Code = readonly number[];

export const I32 = 0x7f;
export const V128 = 0x7b;

const EMPTY = 0x40;
const PAGE_BYTES = 65_536;

export const get = (local: number): Code => [0x20, ...encodeUnsigned(local)];
export const set = (local: number, value: Code): Code => [...value, 0x21, ...encodeUnsigned(local)];
export const i32 = (value: number): Code => [0x41, ...encodeSigned(value)];
export const loop = (...body: Code[]): Code => [0x03, EMPTY, ...body.flat(), 0x0b];
export const when = (condition: Code, ...body: Code[]): Code => [
	...condition,
	0x04,
	EMPTY,
	...body.flat(),
	0x0b,
];
/** Jumps to the start of the `depth`-th enclosing loop, counted from the innermost. */
export const repeatIf = (depth: number, condition: Code): Code => [
	...condition,
	0x0d,
	...encodeUnsigned(depth),
];

export const addI32 = (a: Code, b: Code): Code => [...a, ...b, 0x6a];
export const subI32 = (a: Code, b: Code): Code => [...a, ...b, 0x6b];
export const andI32 = (a: Code, b: Code): Code => [...a, ...b, 0x71];
export const lessI32 = (a: Code, b: Code): Code => [...a, ...b, 0x49];

export const mulF32 = (a: Code, b: Code): Code => [...a, ...b, 0x94];
export const loadF32 = (at: Code): Code => [...at, 0x2a, 0, 0];
export const storeF32 = (at: Code, value: Code): Code => [...at, ...value, 0x38, 0, 0];
export const toF32 = (value: Code): Code => [...value, 0xb2];

export const zeroes: Code = encodeSimd(12, ...new Array<number>(16).fill(0));
export const loadV128 = (at: Code, offset = 0): Code => [
	...at,
	...encodeSimd(0, 0, ...encodeUnsigned(offset)),
];
export const addI32x4 = (a: Code, b: Code): Code => [...a, ...b, ...encodeSimd(174)];
/** Multiplies eight pairs of 16-bit integers and adds adjacent products. */
export const dotI16x8 = (a: Code, b: Code): Code => [...a, ...b, ...encodeSimd(186)];
export const lowerI8x16 = (a: Code): Code => [...a, ...encodeSimd(135)];
export const upperI8x16 = (a: Code): Code => [...a, ...encodeSimd(136)];
export const laneI32x4 = (a: Code, lane: number): Code => [...a, ...encodeSimd(27, lane)];

/** A module with one exported memory and one exported function without results. */
export function buildModule(spec: {
	readonly name: string;
	readonly memoryBytes: number;
	readonly parameters: readonly number[];
	readonly locals: readonly number[];
	readonly body: readonly Code[];
}): Uint8Array<ArrayBuffer> {
	const locals = spec.locals.map((type) => [1, type]);
	const code = [...encodeList(locals), ...spec.body.flat(), 0x0b];
	return Uint8Array.from([
		...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
		...encodeSection(1, encodeList([[0x60, ...encodeList(spec.parameters.map((type) => [type])), 0]])),
		...encodeSection(3, encodeList([[0]])),
		...encodeSection(5, encodeList([[0, ...encodeUnsigned(Math.ceil(spec.memoryBytes / PAGE_BYTES))]])),
		...encodeSection(
			7,
			encodeList([
				[...encodeText("memory"), 2, 0],
				[...encodeText(spec.name), 0, 0],
			]),
		),
		...encodeSection(10, encodeList([[...encodeUnsigned(code.length), ...code]])),
	]);
}

function encodeSimd(operation: number, ...immediates: number[]): Code {
	return [0xfd, ...encodeUnsigned(operation), ...immediates];
}

const encodeSection = (id: number, content: Code): Code => [
	id,
	...encodeUnsigned(content.length),
	...content,
];
const encodeList = (items: readonly Code[]): Code => [...encodeUnsigned(items.length), ...items.flat()];
const encodeText = (value: string): Code =>
	encodeList([...value].map((character) => [character.charCodeAt(0)]));

function encodeUnsigned(value: number): number[] {
	return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...encodeUnsigned(value >>> 7)];
}

function encodeSigned(value: number): number[] {
	const low = value & 0x7f;
	const rest = value >> 7;
	const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
	return isLast ? [low] : [low | 0x80, ...encodeSigned(rest)];
}
