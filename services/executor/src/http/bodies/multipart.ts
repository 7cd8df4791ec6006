import { decodeUtf8Part } from "./decode.ts";
import { malformed, tooLarge } from "./failures.ts";
import type { MediaType } from "./media-type.ts";
import { type PartHead, parsePartHead } from "./part-head.ts";

/** A part of a multipart form. Its bytes are a view of the body. */
export interface Part extends PartHead {
	readonly bytes: Uint8Array;
}

const MAX_PARTS = 100;
const MAX_HEAD_BYTES = 8 * 1024;
/** The characters of RFC 2046; a boundary must not end with a space. */
const BOUNDARY = /^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/;

const CR = 13;
const LF = 10;
const DASH = 45;

const encoder = new TextEncoder();

/** Parses `multipart/form-data` strictly: without preamble, and with the closing boundary at the end. */
export function parseMultipart(body: Uint8Array, type: MediaType): Part[] {
	const boundary = type.parameters.get("boundary");
	if (boundary === undefined || !BOUNDARY.test(boundary))
		throw malformed("multipart/form-data needs a boundary of 1 to 70 characters");
	/** Also separates the first part, before which the line break may be missing. */
	const delimiter = encoder.encode(`\r\n--${boundary}`);
	const parts: Part[] = [];
	let at = findStart(body, delimiter);
	while (!isClosing(body, at)) {
		if (parts.length >= MAX_PARTS) throw tooLarge(`there are more than ${MAX_PARTS} parts`);
		const headStart = skipLineBreak(body, at);
		const headEnd = findHeadEnd(body, headStart);
		const head = parsePartHead(decodeUtf8Part(body.subarray(headStart, headEnd), "the header of a part"));
		// The line break that ends the head may also begin the delimiter of an empty part.
		const end = findDelimiter(body, headEnd + 2, delimiter);
		if (end === -1) throw malformed("the multipart body ends without its closing boundary");
		parts.push({ ...head, bytes: body.subarray(Math.min(headEnd + 4, end), end) });
		at = end + delimiter.length;
	}
	return parts;
}

/** The position after the first boundary. */
function findStart(body: Uint8Array, delimiter: Uint8Array): number {
	if (matchesAt(body, 0, delimiter.subarray(2))) return delimiter.length - 2;
	if (matchesAt(body, 0, delimiter)) return delimiter.length;
	throw malformed("the multipart body does not begin with its boundary");
}

/** After the closing boundary only a line break may follow. */
function isClosing(body: Uint8Array, at: number): boolean {
	if (body[at] !== DASH || body[at + 1] !== DASH) return false;
	const left = body.length - at - 2;
	if (left === 0 || (left === 2 && body[at + 2] === CR && body[at + 3] === LF)) return true;
	throw malformed("the multipart body goes on after its closing boundary");
}

function skipLineBreak(body: Uint8Array, at: number): number {
	if (body[at] === CR && body[at + 1] === LF) return at + 2;
	throw malformed("a line break must follow each boundary of the multipart body");
}

/** The position of the empty line after the headers, without searching further than they may be long. */
function findHeadEnd(body: Uint8Array, start: number): number {
	const most = Math.min(body.length - 3, start + MAX_HEAD_BYTES);
	for (let at = start; at < most; at++) {
		if (body[at] === CR && body[at + 1] === LF && body[at + 2] === CR && body[at + 3] === LF) return at;
	}
	if (most < body.length - 3)
		throw tooLarge(`the headers of a part are longer than ${MAX_HEAD_BYTES} bytes or have no end`);
	throw malformed("the headers of a part have no end");
}

/** Linear: the delimiter holds only one carriage return, its first byte, so that no comparison overlaps another. */
function findDelimiter(body: Uint8Array, start: number, delimiter: Uint8Array): number {
	for (let at = start; at <= body.length - delimiter.length; at++) {
		if (body[at] === CR && matchesAt(body, at, delimiter)) return at;
	}
	return -1;
}

function matchesAt(body: Uint8Array, at: number, wanted: Uint8Array): boolean {
	if (at + wanted.length > body.length) return false;
	for (let index = 0; index < wanted.length; index++) {
		if (body[at + index] !== wanted[index]) return false;
	}
	return true;
}
