import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { syncFolder } from "@tripline/platform/file-bytes.node";
import { lockDataFolder } from "../data-lock.ts";
import { prepareDataFolder } from "../databases.ts";
import { masterKeyPath } from "../master-key.ts";
import { openBlobs } from "../open-blobs.ts";
import { type Settings, StartProblem } from "../settings.ts";
import { extract } from "./extract.ts";
import type { Manifest } from "./manifest.ts";
import { getRestoring } from "./restoring.ts";

export interface Restored {
	readonly folder: string;
	readonly manifest: Manifest;
	/** Where the earlier content is now. */
	readonly movedTo: string | null;
	/** Null if a setting has the key. */
	readonly missingKey: string | null;
}

interface Deps {
	readonly settings: Settings;
	readonly archive: AsyncIterable<Uint8Array>;
	readonly passphrase: string | null;
	/** Moves what is in the folder into a new folder there. */
	readonly movesAside: boolean;
	report(what: string): void;
}

/** Not data: the operator puts the keys there before or after, and locks stay. */
const MAY_BE_THERE = /^(?:keys|restoring|(?:service|backup)\.lock(?:-journal)?|before-restore-.*)$/;

/** Restores into the data folder of the settings, in which there must be no data. */
export async function restoreBackup(deps: Deps): Promise<Restored> {
	const { settings } = deps;
	const folder = prepareDataFolder(settings.DATA_DIR);
	const lock = lockDataFolder(folder);
	try {
		const present = readdirSync(folder).filter((name) => !MAY_BE_THERE.test(name));
		if (present.length > 0 && !deps.movesAside)
			throw new StartProblem(
				`${folder} is not empty (${present.slice(0, 3).join(", ")}): restore into another folder with --to, or pass --move-aside`,
			);
		const restoring = getRestoring(folder);
		rmSync(restoring, { recursive: true, force: true });
		mkdirSync(restoring, { mode: 0o700 });
		await syncFolder(folder);
		const manifest = await extractInto(restoring, deps);
		// Only now, so that a damaged backup changes nothing.
		const movedTo = present.length > 0 ? moveAside(folder, present) : null;
		for (const name of readdirSync(restoring)) renameSync(join(restoring, name), join(folder, name));
		await syncFolder(folder);
		rmSync(restoring, { recursive: true });
		await syncFolder(folder);
		const key = masterKeyPath(settings, folder);
		const missingKey = settings.MASTER_KEY === undefined && !existsSync(key) ? key : null;
		return { folder, manifest, movedTo, missingKey };
	} finally {
		lock.release();
	}
}

async function extractInto(
	folder: string,
	{ settings, archive, passphrase, report }: Deps,
): Promise<Manifest> {
	try {
		// Files are in this folder too, unless a setting says where else.
		const { blobs } = openBlobs(settings, folder);
		return await extract({
			...{ archive, passphrase, folder, report },
			async onFile(key, size, content) {
				// An interrupted restore may have written a part of it.
				await blobs.delete(key);
				await blobs.put(key, content, { maxBytes: size });
			},
		});
	} catch (error) {
		rmSync(folder, { recursive: true });
		throw error;
	}
}

/** Into the same folder, because it may be a volume, and without the keys, which the restored data needs. */
function moveAside(folder: string, names: readonly string[]): string {
	const aside = join(folder, `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`);
	mkdirSync(aside, { mode: 0o700 });
	for (const name of names) renameSync(join(folder, name), join(aside, name));
	return aside;
}
