import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { extract } from "./extract.ts";
import type { Manifest } from "./manifest.ts";

/** Reads all of a backup as a restore would, and keeps nothing of it. */
export async function verifyBackup(deps: {
	archive: AsyncIterable<Uint8Array>;
	passphrase: string | null;
	report: (what: string) => void;
}): Promise<Manifest> {
	const folder = await mkdtemp(join(tmpdir(), "tripline-verify-"));
	try {
		return await extract({ ...deps, folder, onFile: (_, __, content) => discard(content) });
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

async function discard(content: AsyncIterable<Uint8Array>): Promise<void> {
	for await (const _ of content);
}
