import type { NewFile } from "@tripline/components/effects";
import { type FileValue, toFileName, toFileType } from "@tripline/contract/files";
import { CollectedBytes } from "./collected-bytes.ts";
import { tooLarge } from "./failures.ts";
import { checkFieldName, FieldCollector, type FieldValue, type FileFields } from "./fields.ts";
import type { MediaType } from "./media-type.ts";
import { MultipartParser, type PartEvent } from "./multipart.ts";
import type { PartHead } from "./part-head.ts";
import { decodePartText } from "./part-text.ts";

export interface FilePartsOptions {
	/** Of all text fields together. */
	readonly maxTextBytes: number;
	/** Whether a file of this field is kept; others are read and dropped. */
	wants?(field: string): boolean;
	/** Writes a file; it must read the content to its end or throw. */
	write(field: string, file: NewFile, content: AsyncIterable<Uint8Array>): Promise<FileValue>;
}

const MAX_FILES = 100;

/** Reads a multipart form whose files are written as they come. Null if there is no body at all. */
export async function readFileParts(
	body: AsyncIterable<Uint8Array>,
	type: MediaType,
	options: FilePartsOptions,
): Promise<FileFields | null> {
	const parser = new MultipartParser(type);
	const pieces = body[Symbol.asyncIterator]();
	try {
		return await new PartReader(pieces, parser, options).readAll();
	} finally {
		await pieces.return?.();
	}
}

class PartReader {
	readonly #pieces: AsyncIterator<Uint8Array>;
	readonly #parser: MultipartParser;
	readonly #options: FilePartsOptions;
	readonly #collector = new FieldCollector<FieldValue>();
	#events: readonly PartEvent[] = [];
	#read = 0;
	#isEmpty = true;
	#textBytes = 0;
	#files = 0;

	constructor(pieces: AsyncIterator<Uint8Array>, parser: MultipartParser, options: FilePartsOptions) {
		this.#pieces = pieces;
		this.#parser = parser;
		this.#options = options;
	}

	async readAll(): Promise<FileFields | null> {
		for (;;) {
			const event = await this.#next();
			if (event === null) return this.#isEmpty ? null : this.#collector.fields;
			if (event.kind !== "begin") continue;
			const { head } = event;
			checkFieldName(head.name);
			const value = await (head.filename === null ? this.#readText(head) : this.#readFile(head));
			if (value !== null) this.#collector.add(head.name, value);
		}
	}

	async #readText(head: PartHead): Promise<string> {
		const collected = new CollectedBytes();
		for await (const piece of this.#readContent()) {
			this.#textBytes += piece.length;
			if (this.#textBytes > this.#options.maxTextBytes)
				throw tooLarge(`the fields that are no files are larger than ${this.#options.maxTextBytes} bytes`);
			collected.add(piece);
		}
		return decodePartText(head, collected.bytes);
	}

	/** Null if nothing was chosen in a file input, which sends an empty part, or if nobody wants the file. */
	async #readFile({ name, filename, contentType }: PartHead): Promise<FileValue | null> {
		const content = this.#readContent();
		const first = await content.next();
		if (filename === "" && first.done) return null;
		if (++this.#files > MAX_FILES) throw tooLarge(`there are more than ${MAX_FILES} files`);
		if (this.#options.wants?.(name) === false) {
			while (!(await content.next()).done);
			return null;
		}
		const file = { name: toFileName(filename ?? ""), type: toFileType(contentType) };
		return this.#options.write(name, file, prepend(first, content));
	}

	/** The bytes of the part that has begun. */
	async *#readContent(): AsyncGenerator<Uint8Array, void> {
		for (;;) {
			const event = await this.#next();
			if (event?.kind !== "bytes") return;
			yield event.bytes;
		}
	}

	/** Null at the end of the body. */
	async #next(): Promise<PartEvent | null> {
		while (this.#read === this.#events.length) {
			const { done, value } = await this.#pieces.next();
			if (done === true) {
				if (!this.#isEmpty) this.#parser.end();
				return null;
			}
			this.#isEmpty &&= value.length === 0;
			this.#events = this.#parser.push(value);
			this.#read = 0;
		}
		return this.#events[this.#read++] as PartEvent;
	}
}

/** A content whose first piece was already read. */
export async function* prepend(
	first: IteratorResult<Uint8Array, void>,
	rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
	if (first.done) return;
	yield first.value;
	yield* rest;
}
