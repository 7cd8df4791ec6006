import { Engine } from "./engine.ts";
import type { Pointer } from "./exports.ts";
import { FUNCTIONS, HOST_FUNCTIONS, SETUP } from "./setup.ts";

/**
 * A snapshot of an engine's memory after set-up, optionally with compiled code but before any user code has run, and
 * the addresses that the host uses.
 */
export interface Image {
	/** The memory that is not zero. */
	readonly parts: readonly Part[];
	readonly pages: number;
	readonly functions: Readonly<Record<(typeof FUNCTIONS)[number], Pointer>>;
	/** The value `undefined`. */
	readonly nothing: Pointer;
	/** The file name of user code in stack traces. */
	readonly file: Pointer;
	/** The compiled function, and the fuel that compiling it cost. */
	readonly compiled: { readonly main: Pointer; readonly fuel: bigint } | null;
}

interface Part {
	readonly at: Pointer;
	readonly bytes: Uint8Array;
}

export const CODE_FILE = "code";
export const PAGE_BYTES = 65_536;

/** The linker puts the C stack below all data, so that a stack overflow traps. This is the upper end of the stack. */
const DATA_START = 1_048_576;
/**
 * The stack starts here instead and grows downwards, so that less memory must be reset after each run. The memory
 * between the two addresses is never used.
 */
const STACK_START = 262_144;
/**
 * The part of that stack that user code may use: about 250 nested calls. Some engine functions use more of the host's
 * stack than of this one, so the limit is low enough that the host's stack never overflows.
 */
const MAX_STACK_BYTES = 65_536;
/** The first garbage collection runs at this size, because scanning everything that set-up created is slow. */
const GC_THRESHOLD_BYTES = 1_048_576;
const SETUP_PAGES = 64;
const BLOCK_BYTES = 4096;
/** Free memory that is enough for most code, because an engine whose memory grew is not reused. */
const ROOM_BYTES = 512 * 1024;

/** Sets up an engine, which takes several milliseconds. */
export function buildImage(module: WebAssembly.Module): Image {
	const engine = new Engine(module);
	const { quickJs } = engine;
	quickJs.fuel.value = BigInt(Number.MAX_SAFE_INTEGER);
	quickJs.pages.value = SETUP_PAGES;
	if (quickJs.__stack_pointer.value !== DATA_START)
		throw new Error("the engine's stack is not at the expected address");
	quickJs.__stack_pointer.value = STACK_START;
	quickJs._initialize();
	if (quickJs.qjs_init() !== 0) throw new Error("the engine could not be started");
	quickJs.qjs_set_max_stack_size(MAX_STACK_BYTES);
	quickJs.qjs_set_gc_threshold(GC_THRESHOLD_BYTES);
	quickJs.qjs_set_interrupt_handler(1);
	const nothing = quickJs.qjs_get_undefined();
	const setUp = engine.evaluate(SETUP, engine.writeText("sandbox").at);
	const offered = HOST_FUNCTIONS.map((name) => {
		const { at, length } = engine.writeText(name);
		return quickJs.qjs_new_host_function(at, length, 1);
	});
	const made = engine.call(setUp, nothing, ...offered);
	if (quickJs.qjs_is_exception(made)) {
		throw new Error(`the engine could not be set up: ${engine.readText(quickJs.qjs_get_exception())}`);
	}
	const functions = Object.fromEntries(
		FUNCTIONS.map((name) => [name, quickJs.qjs_get_prop_string(made, engine.writeText(name).at)]),
	) as Image["functions"];
	const file = engine.writeText(CODE_FILE).at;
	quickJs.wasm_free(engine.allocate(ROOM_BYTES));
	if (quickJs.__stack_pointer.value !== STACK_START) throw new Error("the engine's stack has moved");
	const { bytes } = engine;
	const pages = bytes.length / PAGE_BYTES;
	return { parts: listParts(bytes), pages, functions, nothing, file, compiled: null };
}

/** The image of an engine in which code was compiled but nothing has run; null if its memory grew. */
export function captureCode(engine: Engine, image: Image, compiled: Image["compiled"]): Image | null {
	const { bytes } = engine;
	return bytes.length > image.pages * PAGE_BYTES ? null : { ...image, parts: listParts(bytes), compiled };
}

/** The stack is skipped: it holds nothing useful while no code runs. */
function listParts(memory: Uint8Array<ArrayBuffer>): Part[] {
	const parts: Part[] = [];
	for (let at = DATA_START; at < memory.length; at += BLOCK_BYTES) {
		const start = at;
		while (at < memory.length && !isZero(memory, at)) at += BLOCK_BYTES;
		if (at > start) parts.push({ at: start, bytes: memory.slice(start, at) });
	}
	return parts;
}

function isZero(memory: Uint8Array<ArrayBuffer>, block: Pointer): boolean {
	const words = new Int32Array(memory.buffer, block, BLOCK_BYTES / 4);
	for (let index = 0; index < words.length; index++) {
		if (words[index] !== 0) return false;
	}
	return true;
}

/** Creates an engine in the state after set-up, in about a tenth of a millisecond. */
export function createEngine(module: WebAssembly.Module, image: Image): Engine {
	const engine = new Engine(module);
	const missing = image.pages - engine.bytes.length / PAGE_BYTES;
	if (missing > 0) engine.quickJs.memory.grow(missing);
	resetEngine(engine, image);
	return engine;
}

/**
 * Resets every byte and every global to the state after set-up, so that nothing of the code that ran is left. The
 * memory must have the size of the image, because it cannot shrink.
 */
export function resetEngine(engine: Engine, image: Image): void {
	const { bytes, quickJs } = engine;
	bytes.fill(0, 0, STACK_START);
	let done = DATA_START;
	for (const part of image.parts) {
		bytes.fill(0, done, part.at);
		bytes.set(part.bytes, part.at);
		done = part.at + part.bytes.length;
	}
	bytes.fill(0, done);
	quickJs.__stack_pointer.value = STACK_START;
	quickJs.fuel.value = 0n;
	quickJs.pages.value = 0;
	engine.host = null;
}
