import type { Pointer, QuickJs } from "./exports.ts";

/** What user code may reach. Only numbers and strings cross the boundary, never host objects. */
export interface Host {
	/** Unix milliseconds. */
	now(): number;
	/** Called periodically while code computes; throws to stop it. */
	poll(): void;
	/** Returns whether there is room for more lines. */
	log(line: Pointer): boolean;
	skip(): void;
	/** Returns a promise in the engine for the answer. */
	ask(text: string): Pointer;
}

/** The engine's memory has no room for a value that the host passes in or requests. */
export class OutOfMemory extends Error {
	override readonly name = "OutOfMemory";
}

interface Place {
	readonly at: Pointer;
	readonly length: number;
}

/**
 * One instance of the engine with its memory and the operations on it. Allocations are never freed one by one: the
 * memory is reset as a whole.
 */
export class Engine {
	readonly quickJs: QuickJs;
	/** The current user of the engine. */
	host: Host | null = null;

	constructor(module: WebAssembly.Module) {
		this.quickJs = new WebAssembly.Instance(module, this.#imports()).exports as QuickJs;
	}

	/** All of its memory. Do not keep a reference: growing memory replaces the buffer. */
	get bytes(): Uint8Array<ArrayBuffer> {
		return new Uint8Array(this.quickJs.memory.buffer);
	}

	get #words(): DataView {
		return new DataView(this.quickJs.memory.buffer);
	}

	allocate(length: number): Pointer {
		const at = this.quickJs.wasm_malloc(length);
		if (at === 0) throw new OutOfMemory();
		return at;
	}

	/** Writes zero-terminated UTF-8. */
	writeText(text: string): Place {
		const encoded = encoder.encode(text);
		const at = this.allocate(encoded.length + 1);
		const { bytes } = this;
		bytes.set(encoded, at);
		bytes[at + encoded.length] = 0;
		return { at, length: encoded.length };
	}

	newText(text: string): Pointer {
		const { at, length } = this.writeText(text);
		return this.quickJs.qjs_new_string(at, length);
	}

	/** The location of a string as UTF-8. */
	locateText(value: Pointer): Place {
		const out = this.allocate(4);
		const at = this.quickJs.qjs_get_string_len(value, out);
		if (at === 0) throw new OutOfMemory();
		return { at, length: this.#words.getUint32(out, true) };
	}

	decode({ at, length }: Place, maxBytes = Number.POSITIVE_INFINITY): string {
		return decoder.decode(new Uint8Array(this.quickJs.memory.buffer, at, Math.min(length, maxBytes)));
	}

	readText(value: Pointer, maxBytes?: number): string {
		return this.decode(this.locateText(value), maxBytes);
	}

	evaluate(code: string, file: Pointer): Pointer {
		const { at, length } = this.writeText(code);
		return this.quickJs.qjs_eval(at, length, file, 0);
	}

	call(callee: Pointer, self: Pointer, ...values: readonly Pointer[]): Pointer {
		const list = this.allocate(4 * values.length + 4);
		const words = this.#words;
		for (const [index, value] of values.entries()) words.setUint32(list + 4 * index, value, true);
		return this.quickJs.qjs_call(callee, self, values.length, list);
	}

	newPromise(): { readonly promise: Pointer; readonly resolve: Pointer } {
		const out = this.allocate(8);
		const promise = this.quickJs.qjs_new_promise(out, out + 4);
		return { promise, resolve: this.#words.getUint32(out, true) };
	}

	#imports() {
		return {
			env: {
				host_call: (name: Pointer, _length: number, _self: Pointer, count: number, values: Pointer) =>
					this.#hostCall(this.bytes[name] ?? 0, count === 0 ? 0 : this.#words.getUint32(values, true)),
				host_interrupt: () => {
					this.host?.poll();
					return 0;
				},
				// The time zone is UTC on every machine.
				host_get_timezone_offset: () => 0,
				host_promise_rejection: rejectCall,
				host_module_normalize: rejectCall,
				host_module_load: rejectCall,
			},
			wasi_snapshot_preview1: {
				clock_time_get: (_clock: number, _precision: bigint, at: Pointer) => {
					this.#words.setBigUint64(at, BigInt(this.host?.now() ?? 0) * 1_000_000n, true);
					return 0;
				},
				// Called during set-up for the stack canary of the C code.
				random_get: (at: Pointer, length: number) => {
					crypto.getRandomValues(this.bytes.subarray(at, at + length));
					return 0;
				},
				fd_write: () => BAD_FILE,
				fd_close: () => BAD_FILE,
				fd_fdstat_get: () => BAD_FILE,
				fd_seek: () => BAD_FILE,
			},
		};
	}

	#hostCall(initial: number, value: Pointer): Pointer {
		const { quickJs, host } = this;
		if (host === null) return rejectCall();
		switch (String.fromCharCode(initial)) {
			case "l":
				return quickJs.qjs_new_number(host.log(value) ? 1 : 0);
			case "s":
				host.skip();
				return quickJs.qjs_get_undefined();
			case "r": {
				const [low = 0, high = 0] = crypto.getRandomValues(new Uint32Array(2));
				return quickJs.qjs_new_number(low + (high >>> 11) * 2 ** 32);
			}
			case "a":
				return host.ask(this.readText(value));
			default:
				return rejectCall();
		}
	}
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const BAD_FILE = 8;

function rejectCall(): never {
	throw new Error("the engine called a host function that is not available");
}
