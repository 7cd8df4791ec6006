import type { Dispatcher } from "undici";
import { freeChunk } from "./free-chunk.node.ts";

/** The response is paused while this many bytes wait for their reader. */
const MAX_WAITING_BYTES = 256 * 1024;

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

type Result = IteratorResult<Uint8Array, undefined>;

/** The body of a response between the connection, which pushes, and one reader, which pulls. */
export class ArrivingBody implements AsyncIterableIterator<Uint8Array, undefined> {
	readonly #controller: Pick<Dispatcher.DispatchController, "pause" | "resume">;
	readonly #chunks: Uint8Array[] = [];
	#waitingBytes = 0;
	#reader: { resolve(result: Result): void; reject(error: unknown): void } | null = null;
	#end: { readonly error?: unknown } | null = null;
	#isRead = false;
	readonly #frees: boolean;
	/** The chunk that the reader has. */
	#lent: Uint8Array | null = null;

	/** @param frees Whether the reader is done with a chunk when it asks for the next one. */
	constructor(controller: Pick<Dispatcher.DispatchController, "pause" | "resume">, frees: boolean) {
		this.#controller = controller;
		this.#frees = frees;
	}

	/** Whether the reader has got all of it. */
	get isRead(): boolean {
		return this.#isRead;
	}

	push(chunk: Uint8Array): void {
		if (this.#end !== null) return;
		const reader = this.#reader;
		if (reader !== null) {
			this.#reader = null;
			this.#lent = chunk;
			reader.resolve({ done: false, value: chunk });
			return;
		}
		this.#chunks.push(chunk);
		this.#waitingBytes += chunk.length;
		if (this.#waitingBytes > MAX_WAITING_BYTES) this.#controller.pause();
	}

	end(): void {
		this.#end ??= {};
		if (this.#reader === null) return;
		this.#isRead = true;
		this.#reader.resolve(DONE);
		this.#reader = null;
	}

	/** What waits is dropped: an incomplete body is worth nothing. */
	fail(error: unknown): void {
		this.#end ??= { error };
		this.#chunks.length = 0;
		this.#reader?.reject(error);
		this.#reader = null;
	}

	[Symbol.asyncIterator](): this {
		return this;
	}

	async next(): Promise<Result> {
		if (this.#frees && this.#lent !== null) freeChunk(this.#lent);
		const value = this.#chunks.shift();
		this.#lent = value ?? null;
		if (value !== undefined) {
			this.#waitingBytes -= value.length;
			if (this.#waitingBytes <= MAX_WAITING_BYTES) this.#controller.resume();
			return { done: false, value };
		}
		if (this.#end !== null) {
			if ("error" in this.#end) throw this.#end.error;
			this.#isRead = true;
			return DONE;
		}
		return new Promise((resolve, reject) => {
			this.#reader = { resolve, reject };
		});
	}

	async return(): Promise<Result> {
		this.#end ??= {};
		this.#chunks.length = 0;
		return DONE;
	}
}
