import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, rm, stat, statfs } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Blobs } from "@tripline/platform/blobs";
import { lockForBackup } from "../data-lock.ts";
import { refuseMovedFolder } from "../move-marks.ts";
import { openBlobs } from "../open-blobs.ts";
import { type Settings, StartProblem } from "../settings.ts";
import { writeChunks } from "./chunks.ts";
import { countRows, listFiles, withDatabase } from "./database-file.ts";
import { type Entry, writeEntries } from "./entries.ts";
import { BACKED_UP, type DatabaseSummary, MANIFEST_PATH, type Manifest } from "./manifest.ts";
import { nameBackup, type Place } from "./places.ts";
import { BackupProblem } from "./problem.ts";
import { refuseUnfinished } from "./restoring.ts";
import { type Copied, copyDatabases } from "./snapshot.ts";

/** Holds the copies of the databases while an archive is made of them. */
const WORK_FOLDER = "backup-work";
/** For what the service writes meanwhile. */
const SPARE_BYTES = 268_435_456;

export interface Created {
	readonly name: string;
	readonly bytes: number;
	/** How long writers had to wait. */
	readonly pausedMs: number;
	readonly isEncrypted: boolean;
	readonly manifest: Manifest;
}

/** Backs up the data folder of a service that may be running. */
export async function createBackup(deps: {
	settings: Settings;
	version: string;
	place: Place;
	passphrase: string | null;
	report: (what: string) => void;
}): Promise<Created> {
	const { settings, version, place, passphrase, report } = deps;
	const folder = resolve(settings.DATA_DIR);
	await refuseMissing(folder);
	refuseMovedFolder(folder);
	refuseUnfinished(folder);
	const lock = lockForBackup(folder);
	const work = join(folder, WORK_FOLDER);
	try {
		await rm(work, { recursive: true, force: true });
		await requireSpace(folder);
		await mkdir(work, { mode: 0o700 });
		const { at, pausedMs, databases } = await copyDatabases(folder, work, (name, share) =>
			report(`copying ${name}.db: ${Math.floor(share * 100)} %`),
		);
		const summary = { at: at.toISOString(), version };
		const blobs = settings.BACKUP_FILES === "on" ? openBlobs(settings, folder).blobs : null;
		let manifest: Manifest | null = null;
		const entries = listEntries({ summary, databases, blobs, report }, (made) => {
			manifest = made;
		});
		const name = nameBackup(at);
		const bytes = await place.write(name, writeChunks(writeEntries(entries), passphrase));
		if (manifest === null) throw new Error("the archive has no manifest");
		return { name, bytes, pausedMs, isEncrypted: passphrase !== null, manifest };
	} finally {
		await rm(work, { recursive: true, force: true });
		lock.release();
	}
}

async function refuseMissing(folder: string): Promise<void> {
	try {
		await stat(join(folder, "store.db"));
	} catch {
		throw new StartProblem(`there is no store.db in ${folder}: set DATA_DIR to the service's data folder`);
	}
}

/** A full disk would stop the service. */
async function requireSpace(folder: string): Promise<void> {
	let needed = SPARE_BYTES;
	for (const name of BACKED_UP)
		for (const end of [".db", ".db-wal"])
			needed += (await stat(join(folder, name + end)).catch(() => ({ size: 0 }))).size;
	const { bavail, bsize } = await statfs(folder);
	if (bavail * bsize < needed)
		throw new BackupProblem(
			`a backup needs ${needed} bytes on the disk of ${folder} for a while, and ${bavail * bsize} are free`,
		);
}

async function* listEntries(
	deps: {
		summary: { at: string; version: string };
		databases: readonly Copied[];
		blobs: Blobs | null;
		report: (what: string) => void;
	},
	onManifest: (manifest: Manifest) => void,
): AsyncGenerator<Entry> {
	const { summary, databases, blobs, report } = deps;
	const summaries: Record<string, DatabaseSummary> = {};
	for (const { name, path } of databases) {
		report(`archiving ${name}.db`);
		const tables = withDatabase(path, countRows);
		const { size } = await stat(path);
		const hash = createHash("sha256");
		yield { path: `${name}.db`, size, content: hashed(createReadStream(path), hash) };
		summaries[name] = { bytes: size, sha256: hash.digest("hex"), tables };
	}
	const store = databases.find(({ name }) => name === "store");
	let files: Manifest["files"] = null;
	if (blobs !== null && store !== undefined) {
		report("archiving files");
		const missing: string[] = [];
		let count = 0;
		let bytes = 0;
		for (const { key, size } of withDatabase(store.path, (database) => [...listFiles(database)])) {
			const found = await blobs.get(key);
			if (found === null) {
				missing.push(key);
				continue;
			}
			yield { path: `files/${key}`, size, content: found.content };
			count++;
			bytes += size;
		}
		files = { count, bytes, missing };
	}
	const manifest = { ...summary, databases: summaries, files };
	const content = Buffer.from(JSON.stringify(manifest));
	yield { path: MANIFEST_PATH, size: content.length, content: once(content) };
	onManifest(manifest);
}

async function* hashed(
	content: AsyncIterable<Uint8Array>,
	hash: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array> {
	for await (const piece of content) {
		hash.update(piece);
		yield piece;
	}
}

async function* once(content: Uint8Array): AsyncGenerator<Uint8Array> {
	yield content;
}
