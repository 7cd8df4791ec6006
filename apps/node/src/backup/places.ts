import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { bucketBlobs } from "@tripline/platform/blobs.bucket";
import { s3Bucket } from "@tripline/platform/blobs.s3";
import { syncFolder } from "@tripline/platform/file-bytes.node";
import { PlatformUnavailable } from "@tripline/platform/unavailable";
import { DEFAULT_REGION } from "../open-blobs.ts";
import type { Settings } from "../settings.ts";
import { BackupProblem } from "./problem.ts";

/** A folder or a bucket with backups. What else is there is never touched. */
export interface Place {
	/** For messages. */
	readonly name: string;
	/** Oldest first. */
	list(): Promise<StoredBackup[]>;
	/** All of it or nothing. Returns the number of bytes. */
	write(name: string, content: AsyncIterable<Uint8Array>): Promise<number>;
	read(name: string): Promise<AsyncIterable<Uint8Array>>;
	delete(name: string): Promise<void>;
}

export interface StoredBackup {
	readonly name: string;
	readonly bytes: number;
	readonly at: Date;
}

/** Without a dot, which a key in a bucket may not have. */
const NAME = /^tripline-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/;
const SUFFIX = ".backup";
const PART_SUFFIX = ".part";
/** Nobody still writes to one that was not changed for so long. */
const PART_AGE_MS = 86_400_000;
/** 10,000 parts are allowed. */
const PART_BYTES = 16_777_216;
const PART_TIMEOUT_MS = 300_000;
/** Synced so often, the service's own syncs wait only for a little. */
const SYNC_BYTES = 4_194_304;

export const nameBackup = (at: Date): string => `tripline-${at.toISOString().replaceAll(/[:.]/g, "-")}`;

function parseName(name: string): Date | null {
	const [, hour, minute, second, ms] = NAME.exec(name) ?? [];
	const at = new Date(`${hour}:${minute}:${second}.${ms}Z`);
	return Number.isNaN(at.getTime()) ? null : at;
}

/** The place of BACKUP_TO. */
export function openPlace(settings: Settings): Place {
	const { BACKUP_TO: to } = settings;
	if (to === undefined)
		throw new BackupProblem("where should it be? Set BACKUP_TO to a folder or a bucket, or pass --to FOLDER");
	return /^https?:/.test(to) ? bucketPlace(to, settings) : folderPlace(to);
}

export function folderPlace(path: string): Place {
	const folder = resolve(path);
	const toFile = (name: string): string => join(folder, name + SUFFIX);
	return {
		name: folder,
		async list() {
			const found: StoredBackup[] = [];
			for (const file of await readFolder(folder)) {
				const name = file.endsWith(SUFFIX) ? file.slice(0, -SUFFIX.length) : "";
				const at = parseName(name);
				if (at !== null) found.push({ name, at, bytes: (await stat(toFile(name))).size });
			}
			return found.sort(byTime);
		},
		async write(name, content) {
			await mkdir(folder, { recursive: true, mode: 0o700 });
			await removeOldParts(folder);
			const part = toFile(name) + PART_SUFFIX;
			try {
				const bytes = await writeSynced(part, content);
				await rename(part, toFile(name));
				await syncFolder(folder);
				return bytes;
			} catch (error) {
				await rm(part, { force: true });
				throw error;
			}
		},
		read: async (name) => createReadStream(toFile(name)),
		delete: (name) => rm(toFile(name), { force: true }),
	};
}

/** A process that was killed leaves one. */
async function removeOldParts(folder: string): Promise<void> {
	const end = SUFFIX + PART_SUFFIX;
	for (const file of await readFolder(folder)) {
		const path = join(folder, file);
		if (!file.endsWith(end) || parseName(file.slice(0, -end.length)) === null) continue;
		if (Date.now() - (await stat(path)).mtimeMs > PART_AGE_MS) await rm(path, { force: true });
	}
}

async function readFolder(folder: string): Promise<string[]> {
	try {
		return await readdir(folder);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
		throw error;
	}
}

async function writeSynced(path: string, content: AsyncIterable<Uint8Array>): Promise<number> {
	const file = await open(path, "wx", 0o600);
	try {
		let bytes = 0;
		let synced = 0;
		for await (const piece of content) {
			await file.writeFile(piece);
			bytes += piece.length;
			if (bytes - synced < SYNC_BYTES) continue;
			await file.datasync();
			synced = bytes;
		}
		await file.sync();
		return bytes;
	} finally {
		await file.close();
	}
}

function bucketPlace(url: string, settings: Settings): Place {
	const {
		BACKUP_S3_REGION: region = DEFAULT_REGION,
		BACKUP_S3_ACCESS_KEY_ID: accessKeyId = "",
		BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey = "",
	} = settings;
	const bucket = s3Bucket({ url, region, accessKeyId, secretAccessKey, timeoutMs: PART_TIMEOUT_MS });
	const blobs = bucketBlobs(bucket, PART_BYTES);
	const toKey = (name: string): string => `backups/${name}`;
	return {
		name: url,
		list: () =>
			inBucket(async () =>
				(await bucket.list("backups/"))
					.flatMap(({ key, size }) => {
						const name = key.slice("backups/".length);
						const at = parseName(name);
						return at === null ? [] : [{ name, at, bytes: size }];
					})
					.sort(byTime),
			),
		write: (name, content) =>
			inBucket(
				async () => (await blobs.put(toKey(name), content, { maxBytes: Number.POSITIVE_INFINITY })).size,
			),
		read: (name) =>
			inBucket(async () => {
				const found = await blobs.get(toKey(name));
				if (found === null) throw new BackupProblem(`there is no backup ${name} in ${url}`);
				return found.content;
			}),
		delete: (name) => inBucket(() => blobs.delete(toKey(name))),
	};
}

/** The messages of a bucket are about that of files. */
async function inBucket<Answer>(work: () => Promise<Answer>): Promise<Answer> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof PlatformUnavailable)) throw error;
		const message = error.message
			.replace("the bucket that keeps files", "the bucket of BACKUP_TO")
			.replace("FILES_S3_URL", "BACKUP_TO")
			.replaceAll("FILES_S3_", "BACKUP_S3_");
		throw new BackupProblem(message);
	}
}

const byTime = (one: StoredBackup, other: StoredBackup): number => one.at.getTime() - other.at.getTime();
