import { encodeQueryText } from "@tripline/contract/query-text";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { StreamedBody } from "@tripline/platform/http";
import { isText, joinPieces, type Piece } from "./body-pieces.ts";
import type { Draft } from "./draft.ts";
import { assertHeaderValue } from "./headers.ts";
import type { Placeholder, Placeholders } from "./placeholders.ts";
import { encodePathSegment } from "./query.ts";

/** A call as it is sent, without its authorization. */
export interface WrittenCall {
	readonly method: string;
	readonly url: URL;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array | string | StreamedBody | null;
	/** Names of the headers that contain a credential's value. */
	readonly filledHeaders: ReadonlySet<string>;
	readonly isBodyFilled: boolean;
}

interface FieldValue {
	readonly value: string;
	readonly isSecret: boolean;
}

type LookUp = (placeholder: Placeholder) => FieldValue;

const NONE: ReadonlySet<string> = new Set();

/** For a draft without placeholders. */
export function toWrittenCall({ method, url, headers, pieces }: Draft): WrittenCall {
	for (const name in headers) assertHeaderValue(name, headers[name] ?? "");
	return {
		method,
		url,
		headers,
		body: pieces === null ? null : joinPieces(pieces),
		filledHeaders: NONE,
		isBodyFilled: false,
	};
}

/** Replaces the placeholders with values, each encoded for its place. */
export function fill(draft: Draft, placeholders: Placeholders, lookUp: LookUp): WrittenCall {
	const put = (text: string, encode: (value: string) => string) =>
		placeholders.replace(text, (placeholder) => encode(lookUp(placeholder).value));
	const headers: Record<string, string> = Object.create(null);
	for (const [name, text] of Object.entries(draft.headers)) headers[name] = put(text, (value) => value);
	const fillPiece = (piece: Piece): Piece =>
		isText(piece) ? { ...piece, text: put(piece.text, piece.encode) } : piece;
	const isFilled = (piece: Piece) => isText(piece) && placeholders.isIn(piece.text);
	const filled = toWrittenCall({
		method: draft.method,
		url: fillUrl(draft.url, placeholders, lookUp),
		headers,
		pieces: draft.pieces?.map(fillPiece) ?? null,
	});
	return {
		...filled,
		filledHeaders: new Set(
			Object.keys(headers).filter((name) => placeholders.isIn(draft.headers[name] ?? "")),
		),
		isBodyFilled: draft.pieces?.some(isFilled) ?? false,
	};
}

function fillUrl(url: URL, placeholders: Placeholders, lookUp: LookUp): URL {
	const host = placeholders.replace(url.host, (placeholder) => toHostPart(lookUp(placeholder)));
	const filled = URL.parse(`${url.protocol}//${host}`);
	if (filled === null)
		throw new TerminalError("the credential's field does not give a valid host in the url");
	filled.pathname = placeholders.replace(url.pathname, (placeholder) =>
		encodePathSegment(lookUp(placeholder).value),
	);
	filled.search = placeholders.replace(url.search, (placeholder) =>
		encodeQueryText(lookUp(placeholder).value),
	);
	return filled;
}

/** DNS servers see host names, so a host must not contain a secret. */
function toHostPart({ value, isSecret }: FieldValue): string {
	if (isSecret) throw new TerminalError("a credential's secret cannot be part of the url's host");
	if (/^(?:[\w.-]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?$/.test(value)) return value;
	throw new TerminalError("the credential's field in the url's host is not a valid host name");
}
