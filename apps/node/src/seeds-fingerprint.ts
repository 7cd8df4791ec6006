import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

/** Where the bundled recipes are in a checkout. */
export const SEEDS_FOLDER = new URL("../../../packages/components/src/seeds/", import.meta.url);
/** All that they import from other folders. */
export const SHARED_WITH_SEEDS = ["../schema-words.ts"];

/** Changes whenever the bundled recipes change, so that a start need not load them to know. */
export async function readSeedsFingerprint(folder = SEEDS_FOLDER): Promise<string> {
	const hash = createHash("sha256");
	const names = await readdir(folder).catch(() => null);
	// In the package there is no such folder, but the names of its files contain hashes of their contents.
	if (names === null) return hash.update((await readdir(import.meta.dirname)).sort().join()).digest("hex");
	for (const name of [...SHARED_WITH_SEEDS, ...names.sort()])
		hash.update(`${name}\n`).update(await readFile(new URL(name, folder)));
	return hash.digest("hex");
}
