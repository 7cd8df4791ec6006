import { toBase64 } from "@tripline/contract/bytes";
import { DEFAULT_FILE_TYPE, type FileValue } from "@tripline/contract/files";
import type { NodeCall } from "@tripline/engine/component";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { Effects } from "../effects.ts";
import { findTypeBySuffix } from "../file-types.ts";
import { isJson, isText, parseMediaType } from "../http-request/answer.ts";
import { concatParts } from "../outbound/body-pieces.ts";
import type { ChatMessage, Part } from "./chat.ts";
import type { Message } from "./messages.ts";

/** Of all files of a request. In base64 they are a third larger, and a request may have 8 MiB. */
const MAX_FILE_BYTES = 5 * 1024 * 1024;
const MAX_FILES = 100;
/** Per character of base64, relative to reading one. */
const BASE64_COST = 4;

type Node = Pick<NodeCall<Effects>, "effects" | "meter" | "signal">;

/** Reads the files of the messages. Texts become texts, as each provider takes them. */
export async function readFiles(messages: readonly Message[], node: Node): Promise<ChatMessage[]> {
	const room = { files: MAX_FILES, bytes: MAX_FILE_BYTES };
	const read: ChatMessage[] = [];
	for (const { content = "", ...message } of messages) {
		if (typeof content === "string") {
			read.push({ ...message, content });
			continue;
		}
		const parts: Part[] = [];
		for (const part of content)
			parts.push(part.type === "file" ? await readFile(part.file, node, room) : part);
		read.push({ ...message, content: parts });
	}
	return read;
}

async function readFile(
	reference: Pick<FileValue, "$file">,
	node: Node,
	room: { files: number; bytes: number },
): Promise<Part> {
	if (--room.files < 0) throw new TerminalError(`the messages have more than ${MAX_FILES} files`);
	const file = await node.effects.files.open(reference, node);
	const { name, size } = file.value;
	room.bytes -= size;
	if (room.bytes < 0) {
		throw new TerminalError(
			`the files are too large for a model: with ${name} they have more than ${MAX_FILE_BYTES} bytes`,
		);
	}
	const chunks: Uint8Array[] = [];
	for await (const chunk of file.read()) chunks.push(chunk);
	const bytes = concatParts(chunks);
	node.meter.spendOnText(BASE64_COST * size);
	const mediaType = detectMediaType(file.value, bytes);
	if (isText(mediaType) || isJson(mediaType))
		return { type: "text", text: `${name}:\n\n${decode(bytes, name)}` };
	return { type: "data", name, mediaType, base64: toBase64(bytes) };
}

/** Providers check the content, so what it says counts more than what the sender said. */
function detectMediaType({ name, type }: FileValue, bytes: Uint8Array): string {
	const start = String.fromCharCode(...bytes.subarray(0, 12));
	const found = SIGNATURES.find(([pattern]) => pattern.test(start));
	if (found !== undefined) return found[1];
	const given = parseMediaType(type);
	return given === DEFAULT_FILE_TYPE ? findTypeBySuffix(name) : given;
}

const SIGNATURES: readonly (readonly [RegExp, string])[] = [
	[/^\x89PNG/, "image/png"],
	[/^\xff\xd8\xff/, "image/jpeg"],
	[/^GIF8/, "image/gif"],
	[/^RIFF.{4}WEBP/s, "image/webp"],
	[/^%PDF-/, "application/pdf"],
];

function decode(bytes: Uint8Array, name: string): string {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		throw new TerminalError(`${name} is not a text in UTF-8`);
	}
}
