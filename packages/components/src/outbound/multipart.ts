import { TerminalError } from "@tripline/engine/terminal-error";
import { decodeBase64Text, type Encode, type Piece, plain } from "./body-pieces.ts";
import type { MultipartPart } from "./call.ts";
import { buildMessage } from "./email/message.ts";

export function buildMultipartPieces(parts: readonly MultipartPart[], boundary: string): Piece[] {
	const pieces = parts.flatMap((part, index) => buildPartPieces(part, index, boundary));
	return [...pieces, { text: `--${boundary}--\r\n`, encode: plain }];
}

function buildPartPieces(part: MultipartPart, index: number, boundary: string): Piece[] {
	const { name, text, base64, file, email } = part;
	const [content, another] = Object.entries({ text, base64, file, email })
		.filter(([, value]) => value !== undefined)
		.map(([kind]) => kind);
	if (another !== undefined) {
		throw new TerminalError(
			`part ${index + 1} of the multipart body has both ${content} and ${another}: leave one out`,
		);
	}
	const filename = part.filename ?? file?.value.name;
	const type = part.contentType ?? file?.value.type ?? findDefaultType(part, filename);
	const named = filename === undefined ? "" : `; filename="${escapeQuoted(filename)}"`;
	const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escapeQuoted(name)}"${named}\r\n`;
	if (type !== undefined && /[^\t\x20-\x7e]/.test(type)) {
		throw new TerminalError(`part ${index + 1} of the multipart body has an invalid content type`);
	}
	const typeLine = type === undefined ? "" : `Content-Type: ${type}\r\n`;
	return [
		{ text: `${head}${typeLine}\r\n`, encode: escapeQuoted },
		...buildContent(part, index),
		{ text: "\r\n", encode: plain },
	];
}

function findDefaultType({ email }: MultipartPart, filename: string | undefined): string | undefined {
	if (email !== undefined) return "message/rfc822";
	return filename === undefined ? undefined : "application/octet-stream";
}

function buildContent({ text = "", base64, file, email }: MultipartPart, index: number): readonly Piece[] {
	if (file !== undefined) return [{ file }];
	if (email !== undefined) return buildMessage(email);
	if (base64 === undefined) return [{ text, encode: plain }];
	return [decodeBase64Text(base64, `part ${index + 1} of the multipart body`)];
}

/** Escapes as browsers do: a line break or a quote would end the header. */
const escapeQuoted: Encode = (text) =>
	text.replace(/[\r\n"]/g, (character) => (character === '"' ? "%22" : character === "\r" ? "%0D" : "%0A"));
