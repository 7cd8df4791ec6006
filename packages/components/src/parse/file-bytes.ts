import { TerminalError } from "@tripline/engine/terminal-error";
import type { OpenFile } from "../effects.ts";

/** Reads a small part of a file. */
export async function readBytes(
	file: OpenFile,
	start: number,
	end: number,
): Promise<Uint8Array<ArrayBuffer>> {
	const bytes = new Uint8Array(Math.max(0, end - start));
	let at = 0;
	for await (const piece of file.read({ start, end })) {
		bytes.set(piece.subarray(0, bytes.length - at), at);
		at += piece.length;
	}
	if (at < bytes.length) throw new TerminalError("the file is cut off");
	return bytes;
}
