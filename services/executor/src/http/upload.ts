import type { NewFile } from "@tripline/components/effects";
import type { FileValue } from "@tripline/contract/files";
import { ANONYMOUS } from "@tripline/contract/partner-keys";
import type { StoredFiles } from "../files/stored-files.ts";
import type { ExecutorSettings } from "../settings.ts";
import { CollectedBytes } from "./bodies/collected-bytes.ts";
import { tooLarge } from "./bodies/failures.ts";
import type { Target } from "./target.ts";

/** Of the files of one request, for callers without the tenant's credential, unless the trigger sets `max_bytes`. */
const DEFAULT_FILES_BYTES = 10 * 1024 * 1024;
/** Enough to recognise a format. */
const START_BYTES = 16;

export interface UploadedFile {
	/** The name of the form's field; null for a body that is a file as a whole. */
	readonly field: string | null;
	readonly value: FileValue;
	/** Its first bytes. */
	readonly start: Uint8Array;
}

/** How large the files of a request may be together. */
export function chooseMaxFilesBytes(
	{ maxFileBytes }: Pick<ExecutorSettings, "maxFileBytes">,
	isOwners: boolean | undefined,
	maxBytes: number | undefined,
): number {
	const given = maxBytes !== undefined && Number.isFinite(maxBytes) ? maxBytes : null;
	return Math.min(given ?? (isOwners === true ? maxFileBytes : DEFAULT_FILES_BYTES), maxFileBytes);
}

/** The files of one request. They belong to its run; if there is none, they are deleted before the answer. */
export class Upload {
	readonly executionId: string;
	readonly files: UploadedFile[] = [];
	readonly #stored: Pick<StoredFiles, "write" | "delete">;
	readonly #owner: string;
	readonly #maxBytes: number;
	#size = 0;
	#hasRun = false;

	constructor(
		stored: Pick<StoredFiles, "write" | "delete">,
		{ namespace }: Pick<Target, "namespace">,
		options: { readonly executionId: string; readonly maxBytes: number },
	) {
		this.#stored = stored;
		this.#owner = namespace ?? ANONYMOUS;
		this.#maxBytes = options.maxBytes;
		this.executionId = options.executionId;
	}

	get ids(): readonly string[] {
		return this.files.map(({ value }) => value.$file);
	}

	async write(field: string | null, file: NewFile, content: AsyncIterable<Uint8Array>): Promise<FileValue> {
		const start = new CollectedBytes();
		const value = await this.#stored.write(
			this.#owner,
			{ ...file, executionId: this.executionId },
			this.#watch(content, start),
			{ maxBytes: this.#maxBytes },
		);
		this.files.push({ field, value, start: start.bytes });
		return value;
	}

	/** The run has started or was accepted: the files are its own. */
	setRun(): void {
		this.#hasRun = true;
	}

	/** Reads the files of a request; if that fails, those that were written are deleted. */
	async keepIfRead<Result>(read: () => Promise<Result>): Promise<Result> {
		try {
			return await read();
		} catch (error) {
			await this.#discard();
			throw error;
		}
	}

	/** Does what follows the upload. Without a run the files are deleted, whether it answers or fails. */
	async settle<Result>(proceed: () => Promise<Result>): Promise<Result> {
		try {
			return await proceed();
		} finally {
			if (!this.#hasRun) await this.#discard();
		}
	}

	/** Files that cannot be deleted now expire; the answer says what was wrong with the request. */
	async #discard(): Promise<void> {
		if (this.files.length > 0) await this.#stored.delete(this.#owner, this.ids).catch(() => {});
	}

	async *#watch(content: AsyncIterable<Uint8Array>, start: CollectedBytes): AsyncGenerator<Uint8Array> {
		for await (const piece of content) {
			this.#size += piece.length;
			if (this.#size > this.#maxBytes)
				throw tooLarge(`the files of a request must be at most ${this.#maxBytes} bytes together`);
			if (start.length < START_BYTES) start.add(piece.subarray(0, START_BYTES - start.length));
			yield piece;
		}
	}
}
