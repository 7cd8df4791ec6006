import { DEFAULT_FILE_TYPE, type FileValue } from "@tripline/contract/files";
import type { NodeCall } from "@tripline/engine/component";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { Effects, FileReference, OpenFile } from "../effects.ts";
import { findTypeBySuffix } from "../file-types.ts";
import { isJson, isText, parseMediaType } from "../http-request/answer.ts";
import { createFileMarker } from "../outbound/body.ts";
import { concatParts } from "../outbound/body-pieces.ts";
import type { ChatMessage, Part } from "./chat.ts";
import type { Message } from "./messages.ts";

/** Of all files of a request. Providers accept requests of about 30 MB, and base64 is a third larger. */
const MAX_FILE_BYTES = 20 * 1024 * 1024;
/** Of those that are texts: they are read before the request is sent. */
const MAX_TEXT_BYTES = 5 * 1024 * 1024;
const MAX_FILES = 100;
/** To find out what a file is. */
const START_BYTES = 12;

type Node = Pick<NodeCall<Effects>, "effects" | "meter" | "signal">;

/** Opens the files of the messages. Texts become texts, as each provider takes them. */
export async function readFiles(messages: readonly Message[], node: Node): Promise<ChatMessage[]> {
	const room: Room = { files: MAX_FILES, bytes: MAX_FILE_BYTES, textBytes: MAX_TEXT_BYTES };
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

interface Room {
	files: number;
	bytes: number;
	textBytes: number;
}

async function readFile(reference: FileReference, node: Node, room: Room): Promise<Part> {
	if (--room.files < 0) throw new TerminalError(`the messages have more than ${MAX_FILES} files`);
	const file = await node.effects.files.open(reference, node);
	const { name, size } = file.value;
	room.bytes -= size;
	if (room.bytes < 0) throw createTooLargeError("files", name, MAX_FILE_BYTES);
	const start = await readBytes(file, { end: Math.min(START_BYTES, size) });
	const mediaType = detectMediaType(file.value, start);
	if (!isText(mediaType) && !isJson(mediaType)) {
		return { type: "data", name, mediaType, base64: createFileMarker(), file };
	}
	room.textBytes -= size;
	if (room.textBytes < 0) throw createTooLargeError("texts", name, MAX_TEXT_BYTES);
	node.meter.spendOnText(size);
	return { type: "text", text: `${name}:\n\n${decode(await readBytes(file), name)}` };
}

const createTooLargeError = (what: string, name: string, most: number) =>
	new TerminalError(`the ${what} are too large for a model: with ${name} they have more than ${most} bytes`);

async function readBytes(file: OpenFile, range?: { readonly end: number }): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of file.read(range)) chunks.push(chunk);
	return concatParts(chunks);
}

/** Providers check the content, so what it says counts more than what the sender said. */
function detectMediaType({ name, type }: FileValue, bytes: Uint8Array): string {
	const start = String.fromCharCode(...bytes);
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
