import type { NewFile, OpenFile } from "@tripline/components/effects";
import { Failed } from "@tripline/contract/failures";
import type { FileKey, FileRecord, FileRecordPage } from "@tripline/contract/file-records";
import { FILE_ID_BYTES, type FileValue, type StoredFile } from "@tripline/contract/files";
import { randomToken } from "@tripline/contract/ids";
import { type Blobs, BlobTooLarge, type ByteRange } from "@tripline/platform/blobs";
import { toIsoTime } from "@tripline/platform/clock";
import { type Log, toErrorFields } from "@tripline/platform/log";
import { PlatformUnavailable } from "@tripline/platform/unavailable";
import type { StoreClient } from "@tripline/store/client";
import type { ExecutorSettings } from "../settings.ts";

/** The files of all namespaces: their bytes in blobs, what is known about them in the store. Knows no rights of runs. */
export interface StoredFiles {
	/** Whether there is a place for bytes. On Workers without a bucket there is none. */
	readonly isAvailable: boolean;
	/**
	 * Writes a file with its retention. Throws `Failed`: `too_large` past `maxBytes` (or the service's limit for a file) or
	 * when the namespace's files would be too large together, `unavailable` without a place for bytes. Then, and if the
	 * content fails, nothing remains.
	 */
	write(
		owner: string,
		file: NewFile & { readonly executionId: string | null },
		content: AsyncIterable<Uint8Array>,
		options: { readonly maxBytes: number },
	): Promise<FileValue>;
	/** Null if there is none, or it has expired. */
	find(owner: string, id: string): Promise<StoredFile | null>;
	/** The owner of a file; null if there is none, or it has expired. For callers who proved that they may open it. */
	findOwner(id: string): Promise<string | null>;
	/** Null if there is none, or it has expired. The bytes are read only when `read` is called. */
	open(owner: string, id: string): Promise<OpenFile | null>;
	/** Null if the bytes are gone. */
	readBytes(owner: string, id: string, range?: ByteRange): Promise<ReadableStream<Uint8Array> | null>;
	/** Newest first. */
	listNewest(owner: string, query: ListQuery & { readonly isUnkept: boolean }): Promise<FilePage<StoredFile>>;
	/** By name. */
	listKept(owner: string, query: ListQuery & KeptNames): Promise<FilePage<KeptFile>>;
	/** Keeps a file beyond its retention; null if there is none. A file that had the name before expires. */
	keep(owner: string, id: string, name: string): Promise<StoredFile | null>;
	/** The first of these files that is not kept. */
	findUnkept(owner: string, ids: readonly string[]): Promise<StoredFile | null>;
	/** Deletes files with their bytes, such as those of a refused request. Returns how many there were. */
	delete(owner: string, ids: readonly string[]): Promise<number>;
	/** Deletes a kept file with its bytes. False if there is none of that name. */
	deleteKept(owner: string, name: string): Promise<boolean>;
	/** Keeps the files while these runs have not ended. */
	hold(owner: string, ids: readonly string[], executionIds: readonly string[]): Promise<void>;
	/** Deletes the bytes of a bounded number of files that expired, or that an ended process left. Returns how many. */
	sweep(): Promise<number>;
	/** Lets the sweep find what the process before this one was writing. Only if that process has ended. */
	expireUnfinished(): Promise<void>;
}

interface ListQuery {
	readonly limit: number;
	readonly cursor?: string | undefined;
}

interface KeptNames {
	/** Only the file of exactly this name. */
	readonly name?: string | undefined;
	readonly prefix?: string | undefined;
}

type KeptFile = StoredFile & { readonly kept_as: string; readonly kept_at: string };

interface FilePage<File> {
	readonly files: readonly File[];
	readonly next_cursor: string | null;
}

/** Doubled as the bytes arrive, so that a small file reserves little and a large one needs few calls. */
const FIRST_RESERVATION_BYTES = 262_144;
/** A sender at the slowest speed that is allowed needs more room within the hour after which a file counts as left. */
const MAX_RESERVATION_BYTES = 16 * 1024 * 1024;
const HOUR_MS = 60 * 60_000;
/** On Workers' free plan, 50 calls per invocation: each file is one. */
const FILES_PER_SWEEP = 30;

export function storedFiles(deps: {
	readonly blobs: Blobs | null;
	readonly store: StoreClient;
	readonly log: Log;
	readonly settings: Pick<ExecutorSettings, "maxFileBytes" | "maxFilesBytes" | "fileRetentionHours">;
	/** Unix milliseconds. */
	readonly startedAt: number;
}): StoredFiles {
	const { blobs, log, settings } = deps;
	const records = deps.store.files;
	const retention_ms = settings.fileRetentionHours * HOUR_MS;

	return {
		isAvailable: blobs !== null,
		write,
		find,
		findOwner: async (id) => (blobs === null ? null : ((await records.get(id))?.owner_id ?? null)),
		async open(owner, id) {
			const file = await find(owner, id);
			if (file === null) return null;
			const { name, type, size } = file;
			return { value: { $file: id, name, type, size }, read: (range) => readPieces(owner, id, range) };
		},
		readBytes,
		listNewest: async (owner_id, { isUnkept, ...query }) =>
			toPage(await records.listNewest({ owner_id, unkept: isUnkept ? "true" : "false", ...query }), toFile),
		listKept: async (owner_id, query) => toPage(await records.listKept({ owner_id, ...query }), toKept),
		keep: async (owner_id, id, name) =>
			toFileOrNull(await records.keep({ owner_id, id, name, retention_ms })),
		findUnkept: async (owner, ids) => toFileOrNull(await records.findUnkept(owner, ids)),
		delete: async (owner_id, ids) =>
			ids.length === 0 ? 0 : deleteMarked(await records.mark({ owner_id, ids: [...ids] })),
		deleteKept: async (owner_id, kept_as) =>
			(await deleteMarked(await records.mark({ owner_id, kept_as }))) > 0,
		async hold(owner_id, ids, executionIds) {
			if (ids.length === 0 || executionIds.length === 0) return;
			await records.hold({ owner_id, ids: [...ids], execution_ids: [...executionIds] });
		},
		sweep: async () => (blobs === null ? 0 : deleteMarked(await records.sweep(FILES_PER_SWEEP))),
		expireUnfinished: () => records.expirePending(deps.startedAt),
	};

	async function find(owner: string, id: string): Promise<StoredFile | null> {
		return blobs === null ? null : toFileOrNull(await records.get(id, owner));
	}

	/** The row comes first and is removed last, so that no bytes are ever without a row. */
	async function write(
		owner_id: string,
		{ name, type, executionId }: NewFile & { readonly executionId: string | null },
		content: AsyncIterable<Uint8Array>,
		options: { readonly maxBytes: number },
	): Promise<FileValue> {
		if (blobs === null) throw noPlace();
		const id = randomToken(FILE_ID_BYTES);
		const key = { owner_id, id };
		const maxBytes = Math.min(options.maxBytes, settings.maxFileBytes);
		const max_total = settings.maxFilesBytes;
		const bytes = FIRST_RESERVATION_BYTES;
		const reserved = await records.reserve({
			...key,
			name,
			type,
			execution_id: executionId,
			bytes,
			max_total,
		});
		if (reserved === 0) throw isFull(max_total);
		try {
			const { size } = await blobs.put(toBlobKey(key), reserveAsRead(key, reserved, content), { maxBytes });
			await records.commit({ ...key, size, retention_ms });
			return { $file: id, name, type, size };
		} catch (error) {
			await discard(key);
			throw toFailed(error, maxBytes);
		}
	}

	async function* reserveAsRead(
		key: FileKey,
		first: number,
		content: AsyncIterable<Uint8Array>,
	): AsyncGenerator<Uint8Array> {
		let reserved = first;
		let size = 0;
		for await (const piece of content) {
			size += piece.length;
			while (size > reserved) {
				const more = {
					...key,
					bytes: Math.max(Math.min(reserved, MAX_RESERVATION_BYTES), size - reserved),
					max_total: settings.maxFilesBytes,
				};
				const before = reserved;
				reserved = await records.extend(more);
				if (reserved === before) throw isFull(settings.maxFilesBytes);
			}
			yield piece;
		}
	}

	/**
	 * Also if there is no row any more: a sweep may have removed it before the bytes were complete. A failure here is left
	 * to the sweep, because the error that led to it is the one to report.
	 */
	async function discard(key: FileKey): Promise<void> {
		try {
			await records.mark({ owner_id: key.owner_id, ids: [key.id] });
			await deleteMarked([key]);
		} catch (error) {
			log("warn", "an unfinished file is left to the sweep", toErrorFields(error));
		}
	}

	/** Returns how many were deleted. What could not be deleted is found again by the sweep. */
	async function deleteMarked(marked: readonly FileKey[]): Promise<number> {
		if (blobs === null || marked.length === 0) return marked.length;
		const deleted: FileKey[] = [];
		for (const key of marked) {
			try {
				// A backup may list a file that was marked since, so its bytes must stay until they are copied.
				if (blobs.isHeld?.() === true) break;
				await blobs.delete(toBlobKey(key));
				deleted.push(key);
			} catch (error) {
				log("error", "the bytes of a file could not be deleted", toErrorFields(error));
			}
		}
		if (deleted.length > 0) await records.remove(deleted);
		return marked.length;
	}

	async function readBytes(
		owner_id: string,
		id: string,
		range?: ByteRange,
	): Promise<ReadableStream<Uint8Array> | null> {
		return (await blobs?.get(toBlobKey({ owner_id, id }), range))?.content ?? null;
	}

	async function* readPieces(owner: string, id: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
		const content = await readBytes(owner, id, range);
		if (content === null) throw new Failed({ kind: "not_found", message: "file not found" });
		yield* content;
	}
}

const toBlobKey = ({ owner_id, id }: FileKey): string => `${owner_id}/${id}`;

const toFileOrNull = (record: FileRecord | null): StoredFile | null =>
	record === null ? null : toFile(record);

function toFile(record: FileRecord): StoredFile {
	const { owner_id: _owner, kept_at: _kept, created_at, expires_at, ...file } = record;
	return {
		...file,
		created_at: toIsoTime(created_at),
		expires_at: expires_at === null ? null : toIsoTime(expires_at),
	};
}

const toKept = (record: FileRecord): KeptFile => ({
	...toFile(record),
	kept_as: record.kept_as ?? "",
	kept_at: toIsoTime(record.kept_at ?? 0),
});

const toPage = <File>(
	{ files, next_cursor }: FileRecordPage,
	convert: (record: FileRecord) => File,
): FilePage<File> => ({ files: files.map(convert), next_cursor });

function toFailed(error: unknown, maxBytes: number): unknown {
	if (error instanceof BlobTooLarge)
		return new Failed({ kind: "too_large", message: `the file is larger than ${maxBytes} bytes` });
	if (error instanceof PlatformUnavailable)
		return new Failed({ kind: "unavailable", message: error.message, retryAfterSeconds: 60 });
	return error;
}

const noPlace = (): Failed =>
	new Failed({
		kind: "unavailable",
		message: "this service has no place for files: bind an R2 bucket as FILES",
		retryAfterSeconds: 3600,
	});

const isFull = (max: number): Failed =>
	new Failed({
		kind: "too_large",
		message: `the files of this namespace would be larger than ${max} bytes together: delete some, or raise MAX_FILES_BYTES`,
	});
