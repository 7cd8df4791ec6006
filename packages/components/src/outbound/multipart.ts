import { TerminalError } from "@tripline/engine/terminal-error";
import { decodeBase64Text, type Encode, type Piece, plain } from "./body-pieces.ts";
import type { MultipartPart } from "./call.ts";

export function buildMultipartPieces(parts: readonly MultipartPart[], boundary: string): Piece[] {
	const pieces = parts.flatMap((part, index) => buildPartPieces(part, index, boundary));
	return [...pieces, { text: `--${boundary}--\r\n`, encode: plain }];
}

function buildPartPieces(part: MultipartPart, index: number, boundary: string): Piece[] {
	const { name, text, base64, file } = part;
	const [content, another] = [["text", text] as const, ["base64", base64] as const, ["file", file] as const]
		.filter(([, value]) => value !== undefined)
		.map(([kind]) => kind);
	if (another !== undefined) {
		throw new TerminalError(
			`part ${index + 1} of the multipart body has both ${content} and ${another}: leave one out`,
		);
	}
	const filename = part.filename ?? file?.value.name;
	const type =
		part.contentType ?? file?.value.type ?? (filename === undefined ? undefined : "application/octet-stream");
	const named = filename === undefined ? "" : `; filename="${escapeQuoted(filename)}"`;
	const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escapeQuoted(name)}"${named}\r\n`;
	if (type !== undefined && /[^\t\x20-\x7e]/.test(type)) {
		throw new TerminalError(`part ${index + 1} of the multipart body has an invalid content type`);
	}
	const typeLine = type === undefined ? "" : `Content-Type: ${type}\r\n`;
	return [
		{ text: `${head}${typeLine}\r\n`, encode: escapeQuoted },
		buildContent(part, index),
		{ text: "\r\n", encode: plain },
	];
}

function buildContent({ text = "", base64, file }: MultipartPart, index: number): Piece {
	if (file !== undefined) return { file };
	if (base64 === undefined) return { text, encode: plain };
	return decodeBase64Text(base64, `part ${index + 1} of the multipart body`);
}

/** Escapes as browsers do: a line break or a quote would end the header. */
const escapeQuoted: Encode = (text) =>
	text.replace(/[\r\n"]/g, (character) => (character === '"' ? "%22" : character === "\r" ? "%0D" : "%0A"));
