import { toHex } from "@tripline/contract/bytes";
import { TerminalError } from "@tripline/engine/component";
import { type Encode, fromBase64Text, type Piece, plain } from "./body-pieces.ts";
import type { OutboundBody } from "./call.ts";
import { formPairs } from "./form.ts";
import { multipartPieces } from "./multipart.ts";

/** The body written out, placeholders still in it. Sets the content type, unless the caller did. */
export function bodyPieces(body: OutboundBody, headers: Record<string, string>): Piece[] {
	switch (body.kind) {
		case "json":
			headers["content-type"] ??= "application/json";
			return [{ text: JSON.stringify(body.value), encode: inJson }];
		case "form":
			headers["content-type"] ??= "application/x-www-form-urlencoded";
			return [{ text: formText(formPairs(body.fields)), encode: inForm }];
		case "text":
			headers["content-type"] ??= body.contentType ?? "text/plain;charset=UTF-8";
			return [{ text: body.text, encode: plain }];
		case "base64":
			headers["content-type"] ??= body.contentType ?? "application/octet-stream";
			return [fromBase64Text(body.data, "the body")];
		case "multipart": {
			const boundary = `tripline-${toHex(crypto.getRandomValues(new Uint8Array(16)))}`;
			headers["content-type"] = multipartType(headers["content-type"] ?? "multipart/form-data", boundary);
			return multipartPieces(body.parts, boundary);
		}
	}
}

const formText = (values: [string, string][]): string => new URLSearchParams(values).toString();
const inForm: Encode = (value) => formText([["", value]]).slice(1);
const inJson: Encode = (value) => JSON.stringify(value).slice(1, -1);

function multipartType(given: string, boundary: string): string {
	if (/^multipart\/[\w.+-]+$/i.test(given)) return `${given}; boundary=${boundary}`;
	throw new TerminalError(
		"the content-type of a multipart body is multipart/form-data: leave the header out",
	);
}
