import { type FileValue, isFileValue, toFileName } from "@tripline/contract/files";
import type { Json } from "@tripline/contract/json";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { Effects, FileCall, OpenFile } from "../effects.ts";
import { isObject } from "../schemas.ts";
import { updateCrc32 } from "./crc32.ts";
import type { Turns } from "./encode.ts";
import { writeZip, type ZipEntry } from "./zip.ts";
import { ZipPaths } from "./zip-paths.ts";

interface ZipOptions {
	/** Default: only files that are not compressed already. */
	readonly compress: boolean | undefined;
	/** The time at which it is made, in milliseconds. */
	readonly time: number;
}

type Call = Turns & FileCall & { readonly effects: Pick<Effects, "files"> };

const UNITS_PER_FILE = 400;
/** Types of which nothing is saved by compressing them again, which takes three times as long. */
const COMPRESSED =
	/^(?:image\/(?:jpeg|png|gif|webp|avif|heic)|video\/|audio\/(?:mpeg|mp4|ogg|webm|aac)|application\/(?:zip|gzip|vnd\.openxmlformats-officedocument\.))/i;
/** For the checksum; compression is not computed on this thread, or counted by the platform. */
const UNITS_PER_BYTE = 1 / 8;

/** A zip file of files that the run may open. */
export function zipFiles(
	given: readonly Json[],
	{ compress, time }: ZipOptions,
	call: Call,
): AsyncIterable<Uint8Array> {
	const members = given.map(readMember);
	return writeZip(listEntries(), { time });

	async function* listEntries(): AsyncGenerator<ZipEntry> {
		const paths = new ZipPaths();
		// Paths that were chosen come first, so that a name that was not gives way to them.
		for (const [index, { path }] of members.entries())
			if (path !== undefined) paths.reserve(path, `files[${index}].path`);
		for (const { file, path } of members) {
			call.meter.spend(UNITS_PER_FILE);
			const open = await call.effects.files.open(file, call);
			const content = readInTurns(open);
			const { name, type, size } = open.value;
			const isStored = compress === undefined ? COMPRESSED.test(type) : !compress;
			yield {
				path: path ?? paths.choose(toFileName(name)),
				size,
				content,
				...(isStored && { stored: { size, crc32: await sum(open) } }),
			};
		}
	}

	async function sum(open: OpenFile): Promise<number> {
		let crc32 = 0;
		for await (const piece of readInTurns(open)) crc32 = updateCrc32(crc32, piece);
		return crc32;
	}

	async function* readInTurns(open: OpenFile): AsyncGenerator<Uint8Array> {
		for await (const piece of open.read()) {
			call.meter.spend(1 + piece.length * UNITS_PER_BYTE);
			yield piece;
			if (call.needsTurn) await call.turn();
		}
	}
}

interface Member {
	readonly file: FileValue;
	readonly path: string | undefined;
}

function readMember(given: Json, index: number): Member {
	if (isFileValue(given)) return { file: given, path: undefined };
	const { file, path, ...others } = isObject(given) ? given : {};
	const isMember = isFileValue(file) && (path === undefined || typeof path === "string");
	if (!isMember || Object.keys(others).length > 0)
		throw new TerminalError(`files[${index}] must be a file, or an object with a file and its path`);
	return { file, path: path as string | undefined };
}
