import { statfs } from "node:fs/promises";
import { LOW_DISK_BYTES, MIN_DISK_BYTES } from "@tripline/contract/status";
import { type Check, fail, findReason, ok, warn } from "./check.ts";

const MIB = 2 ** 20;

export interface Disk {
	readonly free_bytes: number;
	readonly total_bytes: number;
}

export type ReadDisk = (folder: string) => Promise<Disk>;

/** The space that this user can use. */
export async function readDisk(folder: string): Promise<Disk> {
	const { bavail, blocks, bsize } = await statfs(folder);
	return { free_bytes: bavail * bsize, total_bytes: blocks * bsize };
}

const rateDisk = ({ free_bytes }: Disk): Check["status"] => {
	if (free_bytes < MIN_DISK_BYTES) return "problem";
	return free_bytes < LOW_DISK_BYTES ? "warning" : "ok";
};

export async function checkDisk(folder: string, read: ReadDisk): Promise<Check> {
	try {
		const disk = await read(folder);
		const message = `${formatBytes(disk.free_bytes)} of ${formatBytes(disk.total_bytes)} are free for ${folder}`;
		const status = rateDisk(disk);
		if (status === "ok") return ok("disk", message);
		const fix = "delete what is not needed, or enlarge the disk: the service refuses writes when it is full";
		return (status === "problem" ? fail : warn)("disk", message, fix);
	} catch (error) {
		return warn("disk", `the space for ${folder} cannot be read (${findReason(error)})`, "check the folder");
	}
}

function formatBytes(bytes: number): string {
	const gib = bytes / (1024 * MIB);
	return gib >= 1 ? `${gib.toFixed(1)} GiB` : `${Math.round(bytes / MIB)} MiB`;
}
