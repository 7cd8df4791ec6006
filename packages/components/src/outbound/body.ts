import { toHex } from "@tripline/contract/bytes";
import { formatJson } from "@tripline/engine/expressions/text-size";
import type { Meter } from "@tripline/engine/meter";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { OpenFile } from "../open-file.ts";
import { decodeBase64Text, type Encode, type Piece, plain } from "./body-pieces.ts";
import type { OutboundBody } from "./call.ts";
import { encodeFile } from "./email/base64-file.ts";
import { buildMessage, encodeMessage, spendOnEmail } from "./email/message.ts";
import { toFormPairs } from "./form.ts";
import { buildMultipartPieces } from "./multipart.ts";

/** A large value that is referenced many times is small in memory but huge as JSON. */
const JSON_BODY = { characters: 8 * 1024 * 1024, depth: 128 };

/** Serialises the body with its placeholders. Sets the content type unless the caller did. */
export function buildBodyPieces(body: OutboundBody, headers: Record<string, string>, meter: Meter): Piece[] {
	switch (body.kind) {
		case "json":
			headers["content-type"] ??= "application/json";
			return insertFiles(formatJson(body.value, "the body", meter, JSON_BODY), body.files);
		case "form":
			headers["content-type"] ??= "application/x-www-form-urlencoded";
			return [{ text: encodeForm(toFormPairs(body.fields, meter)), encode: encodeFormValue }];
		case "text":
			headers["content-type"] ??= body.contentType ?? "text/plain;charset=UTF-8";
			return [{ text: body.text, encode: plain }];
		case "base64":
			headers["content-type"] ??= body.contentType ?? "application/octet-stream";
			return [decodeBase64Text(body.data, "the body")];
		case "file":
			headers["content-type"] ??= body.contentType ?? body.file.value.type;
			return [{ file: body.file }];
		case "email": {
			headers["content-type"] ??= body.encoding === "base64" ? "text/plain" : "message/rfc822";
			spendOnEmail(body.email, meter);
			const message = buildMessage(body.email);
			return body.encoding === "base64" ? [encodeMessage(message)] : message;
		}
		case "multipart": {
			const boundary = `tripline-${toHex(crypto.getRandomValues(new Uint8Array(16)))}`;
			headers["content-type"] = buildMultipartType(
				headers["content-type"] ?? "multipart/form-data",
				boundary,
			);
			for (const { text = "", base64 = "", email } of body.parts) {
				meter.spendOnText(16 * (text.length + base64.length));
				if (email !== undefined) spendOnEmail(email, meter);
			}
			return buildMultipartPieces(body.parts, boundary);
		}
	}
}

/** Nobody can guess it, so no text contains it by intent or by chance. */
export const createFileMarker = (): string => `file-${toHex(crypto.getRandomValues(new Uint8Array(16)))}`;

const FILE_MARKER = /file-[0-9a-f]{32}/g;

/** Replaces the markers of files by their base64, which is written while the body is sent. */
function insertFiles(text: string, files: ReadonlyMap<string, OpenFile> | undefined): Piece[] {
	const pieces: Piece[] = [];
	let done = 0;
	for (const { 0: marker, index } of files === undefined ? [] : text.matchAll(FILE_MARKER)) {
		const file = files?.get(marker);
		if (file === undefined) continue;
		pieces.push({ text: text.slice(done, index), encode: encodeJsonValue });
		pieces.push({ file: encodeFile(file, "one line") });
		done = index + marker.length;
	}
	return [...pieces, { text: text.slice(done), encode: encodeJsonValue }];
}

const encodeForm = (values: [string, string][]): string => new URLSearchParams(values).toString();
const encodeFormValue: Encode = (value) => encodeForm([["", value]]).slice(1);
const encodeJsonValue: Encode = (value) => JSON.stringify(value).slice(1, -1);

function buildMultipartType(given: string, boundary: string): string {
	if (/^multipart\/[\w.+-]+$/i.test(given)) return `${given}; boundary=${boundary}`;
	throw new TerminalError(
		"the content-type of a multipart body must be a type such as multipart/form-data: leave the header out",
	);
}
