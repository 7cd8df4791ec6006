import { createReadStream, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { Readable } from "node:stream";
import { toFileName } from "@tripline/contract/files";
import { CliProblem } from "../command.ts";
import type { Io } from "../io.ts";
import { folderProblem, unreadableProblem } from "../text-file.ts";

/** A file on this machine that is to be sent. */
export interface LocalFile {
	/** As it was given, for messages. */
	readonly path: string;
	readonly name: string;
	/** Undefined for a pipe. */
	readonly size: number | undefined;
	/** Reads it from the beginning. */
	open(): ReadableStream<Uint8Array>;
}

/** Finds a file before anything is sent, so that a wrong path is reported first. */
export function findLocalFile(io: Io, path: string): LocalFile {
	const absolute = resolve(io.cwd, path);
	const found = readStats(absolute, path);
	if (found.isDirectory()) throw folderProblem(path);
	if (found.isSocket() || found.isBlockDevice()) throw new CliProblem(`${path} is not a file`);
	const size = found.isFile() ? found.size : undefined;
	return {
		path,
		name: toFileName(basename(absolute)),
		size,
		// A file that grows meanwhile, such as a log, is sent up to the size that was announced.
		open: () =>
			size === 0
				? (new Blob([]).stream() as ReadableStream<Uint8Array>)
				: (Readable.toWeb(
						createReadStream(absolute, size === undefined ? {} : { end: size - 1 }),
					) as ReadableStream<Uint8Array>),
	};
}

function readStats(absolute: string, path: string) {
	try {
		return statSync(absolute);
	} catch (error) {
		throw unreadableProblem(path, error);
	}
}
