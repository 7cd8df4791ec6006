import { fromBase64 } from "@tripline/contract/bytes";
import { type FileValue, toFileName } from "@tripline/contract/files";
import type { Json } from "@tripline/contract/json";
import type { NodeCall } from "@tripline/engine/component";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { Effects } from "../effects.ts";
import { findTypeBySuffix } from "../file-types.ts";
import type { OutboundAnswer } from "../outbound/call.ts";

/** Decoded at a time, so that a large file does not hold up others. A multiple of four. */
const CHUNK_LENGTH = 262_144;

/** Makes a file of base64 in a JSON response. Its name gives its type. */
export async function createContentFile(
	node: Pick<NodeCall<Effects>, "effects" | "meter" | "signal">,
	filename: string | undefined,
	content: Json | undefined,
	redact: OutboundAnswer["redact"],
): Promise<FileValue> {
	if (typeof content !== "string") throw new TerminalError(NO_CONTENT);
	const name = toFileName(filename ?? "");
	const decoded = decodeBase64(content, NO_CONTENT);
	const file = { name, type: findTypeBySuffix(name) };
	return node.effects.files.create(file, redact?.(decoded) ?? decoded, node);
}

const NO_CONTENT = "the response holds no file as base64";

/** The bytes of base64 in chunks; throws a `TerminalError` with `problem` if it is not base64. */
export async function* decodeBase64(content: string, problem: string): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < content.length; at += CHUNK_LENGTH) {
		const bytes = fromBase64(content.slice(at, at + CHUNK_LENGTH));
		if (bytes === null) throw new TerminalError(problem);
		yield bytes;
	}
}
