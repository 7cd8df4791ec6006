import { toFileName } from "@tripline/contract/files";
import type { Json } from "@tripline/contract/json";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { FileCall, Files, OpenFile } from "../effects.ts";
import { findTypeBySuffix } from "../file-types.ts";
import type { ReadCall } from "./file-text.ts";
import { OutputRoom } from "./output-room.ts";
import { readZipEntry } from "./zip-content.ts";
import { readZipDirectory, type ZipEntry } from "./zip-directory.ts";
import { matchesPattern } from "./zip-names.ts";

export const MAX_EXTRACTED = 100;
const MAX_TOTAL_MIB = 100;
const MAX_TOTAL_BYTES = MAX_TOTAL_MIB * 1024 * 1024;

interface ZipOptions {
	/** Paths of entries, in which * stands for any characters. Absent: the archive is only listed. */
	readonly extract?: string | readonly string[] | undefined;
}

/** Lists an archive, or makes files of the entries that are chosen. */
export async function parseZip(
	file: OpenFile,
	{ extract }: ZipOptions,
	files: Pick<Files, "create">,
	call: ReadCall & FileCall,
): Promise<Json> {
	const entries = await readZipDirectory(file, call);
	if (extract === undefined) return listEntries(entries, call);
	const chosen = await chooseEntries(entries, typeof extract === "string" ? [extract] : extract, call);
	const extracted: Json[] = [];
	for (const entry of chosen) {
		const name = toFileName(entry.path);
		const content = readZipEntry(file, entry, MAX_TOTAL_BYTES, call);
		const made = await files.create({ name, type: findTypeBySuffix(name) }, content, call);
		extracted.push({ ...describeEntry(entry), file: made });
	}
	return extracted;
}

async function listEntries(entries: readonly ZipEntry[], call: ReadCall): Promise<Json> {
	const room = new OutputRoom("extract what you need by its name");
	const listed: Json[] = [];
	for (const entry of entries) {
		call.meter.spend(20);
		if (call.needsTurn) await call.turn();
		room.take(entry.path.length + 80, entry.path.length + 280);
		listed.push(describeEntry(entry));
	}
	return listed;
}

function describeEntry({ path, size, compressedSize, modified, isFolder }: ZipEntry) {
	return { path, size, compressed_size: compressedSize, modified, folder: isFolder };
}

async function chooseEntries(
	entries: readonly ZipEntry[],
	patterns: readonly string[],
	call: ReadCall,
): Promise<ZipEntry[]> {
	const chosen: ZipEntry[] = [];
	const unused = new Set(patterns.filter((pattern) => !pattern.includes("*")));
	let total = 0;
	for (const entry of entries) {
		if (entry.isFolder) continue;
		let isChosen = false;
		for (const pattern of patterns) {
			call.meter.spend(2 + (entry.path.length * (pattern.includes("*") ? pattern.length : 1)) / 16);
			if (!matchesPattern(entry.path, pattern)) continue;
			isChosen = true;
			unused.delete(pattern);
		}
		if (call.needsTurn) await call.turn();
		if (!isChosen) continue;
		chosen.push(entry);
		total += entry.size;
		if (chosen.length > MAX_EXTRACTED)
			throw new TerminalError(`extract matches more than ${MAX_EXTRACTED} entries; choose fewer`);
		if (total > MAX_TOTAL_BYTES)
			throw new TerminalError(`the entries are larger than ${MAX_TOTAL_MIB} MiB together; choose fewer`);
	}
	for (const path of unused) throw new TerminalError(`the archive has no entry ${path}`);
	return chosen;
}
