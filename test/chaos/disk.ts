import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SIZE = "600m";
const CHUNK_BYTES = 1 << 20;
/** The user as whom PostgreSQL runs. */
const NOBODY = 65534;

/** A file system of its own for the data of PostgreSQL, which can be filled up. */
export interface SmallDisk {
	readonly folder: string;
	fill(): void;
	free(): void;
	unmount(): void;
}

/** Null where a file system cannot be mounted, because that needs root on Linux. */
export function mountSmallDisk(): SmallDisk | null {
	if (process.platform !== "linux" || process.getuid?.() !== 0) return null;
	const folder = mkdtempSync(join(tmpdir(), "tripline-disk-"));
	try {
		const options = `size=${SIZE},uid=${NOBODY},gid=${NOBODY},mode=0700`;
		execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], { stdio: "ignore" });
	} catch {
		rmdirSync(folder);
		return null;
	}
	const filler = join(folder, "filler");
	return {
		folder,
		fill() {
			const file = openSync(filler, "w");
			const chunk = Buffer.alloc(CHUNK_BYTES);
			try {
				for (;;) writeSync(file, chunk);
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
			} finally {
				closeSync(file);
			}
		},
		free: () => rmSync(filler, { force: true }),
		unmount() {
			execFileSync("umount", ["-l", folder]);
			rmdirSync(folder);
		},
	};
}
