import { TerminalError } from "@tripline/engine/terminal-error";
import { decodeBase64Text, type Encode, type Piece, plain } from "./body-pieces.ts";
import type { MultipartPart } from "./call.ts";

export function buildMultipartPieces(parts: readonly MultipartPart[], boundary: string): Piece[] {
	const pieces = parts.flatMap((part, index) => buildPartPieces(part, index, boundary));
	return [...pieces, { text: `--${boundary}--\r\n`, encode: plain }];
}

function buildPartPieces(part: MultipartPart, index: number, boundary: string): Piece[] {
	const { name, text, base64, filename, contentType } = part;
	if (text !== undefined && base64 !== undefined) {
		throw new TerminalError(
			`part ${index + 1} of the multipart body has both text and base64: leave one out`,
		);
	}
	const type = contentType ?? (filename === undefined ? undefined : "application/octet-stream");
	const file = filename === undefined ? "" : `; filename="${escapeQuoted(filename)}"`;
	const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escapeQuoted(name)}"${file}\r\n`;
	if (type !== undefined && /[^\t\x20-\x7e]/.test(type)) {
		throw new TerminalError(`part ${index + 1} of the multipart body has an invalid content type`);
	}
	const typeLine = type === undefined ? "" : `Content-Type: ${type}\r\n`;
	const content: Piece =
		base64 === undefined
			? { text: text ?? "", encode: plain }
			: decodeBase64Text(base64, `part ${index + 1} of the multipart body`);
	return [{ text: `${head}${typeLine}\r\n`, encode: escapeQuoted }, content, { text: "\r\n", encode: plain }];
}

/** Escapes as browsers do: a line break or a quote would end the header. */
const escapeQuoted: Encode = (text) =>
	text.replace(/[\r\n"]/g, (character) => (character === '"' ? "%22" : character === "\r" ? "%0D" : "%0A"));
