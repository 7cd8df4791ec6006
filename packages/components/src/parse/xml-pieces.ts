import type { Meter } from "@tripline/engine/meter";
import { TerminalError } from "@tripline/engine/terminal-error";
import { decodeReferences } from "./xml-references.ts";

/** Names are without their prefix. */
export interface XmlHandler {
	/** `attributes` as written; see `findAttribute`. Called for an empty element too. */
	open(name: string, attributes: string): void;
	close(name: string): void;
	/** Decoded; the text of an element may come in several parts. */
	text(text: string): void;
	/** Nothing more is needed. */
	readonly isDone?: boolean;
}

/** Of a tag or a text between tags. */
const MAX_TOKEN_CHARACTERS = 1024 * 1024;
const MAX_DEPTH = 256;
const UNITS_PER_TAG = 6;
const UNITS_PER_CHARACTER = 1 / 16;
const [TAG_END, QUOTE, APOSTROPHE, SLASH, EXCLAMATION, QUESTION] = [62, 34, 39, 47, 33, 63];

/**
 * Reads XML in pieces of any length, as programs write it: it finds what is not nested properly and refuses document types,
 * but does not check names and characters.
 */
export class XmlPieces {
	private readonly handler: XmlHandler;
	private readonly meter: Meter;
	/** The part's name in errors. */
	private readonly part: string;
	private readonly open: string[] = [];
	private pending = "";
	/** Looking at an incomplete token again is only worth it once there is twice as much of it. */
	private tryAgainAt = 0;

	constructor(handler: XmlHandler, part: string, meter: Meter) {
		this.handler = handler;
		this.part = part;
		this.meter = meter;
	}

	/** The last piece may be empty. */
	read(piece: string, isLast: boolean): void {
		const text = this.pending === "" ? piece : this.pending + piece;
		this.pending = text;
		if (!isLast && text.length < this.tryAgainAt) return;
		let at = 0;
		while (at < text.length && !this.handler.isDone) {
			const next = text.charCodeAt(at) === 60 ? this.readMarkup(text, at) : this.readText(text, at, isLast);
			if (next === -1) break;
			at = next;
		}
		if (this.handler.isDone) return;
		this.pending = text.slice(at);
		if (this.pending.length > MAX_TOKEN_CHARACTERS) throw this.createError("a tag or text is too long");
		this.tryAgainAt = Math.min(2 * this.pending.length, MAX_TOKEN_CHARACTERS);
		if (isLast && (this.pending !== "" || this.open.length > 0)) throw this.createError("it ends too early");
	}

	/** These return the place behind what was read, or -1 if it is incomplete. */
	private readText(text: string, at: number, isLast: boolean): number {
		const found = text.indexOf("<", at);
		if (found === -1 && !isLast) return -1;
		const end = found === -1 ? text.length : found;
		this.meter.spend(1 + (end - at) * UNITS_PER_CHARACTER);
		if (this.open.length > 0) this.handler.text(this.decode(text.slice(at, end)));
		return end;
	}

	private readMarkup(text: string, at: number): number {
		switch (text.charCodeAt(at + 1)) {
			case EXCLAMATION:
				return this.readDeclaration(text, at);
			case QUESTION:
				return skipBehind(text, "?>", at);
			case SLASH:
				return this.readEndTag(text, at);
			default:
				return this.readStartTag(text, at);
		}
	}

	private readDeclaration(text: string, at: number): number {
		if (text.startsWith("<!--", at)) return skipBehind(text, "-->", at + 4);
		if (text.startsWith("<![CDATA[", at)) {
			const end = skipBehind(text, "]]>", at);
			if (end === -1) return -1;
			this.meter.spend(1 + (end - at) * UNITS_PER_CHARACTER);
			if (this.open.length > 0) this.handler.text(text.slice(at + "<![CDATA[".length, end - 3));
			return end;
		}
		if (text.length - at < "<![CDATA[".length) return -1;
		throw this.createError("a document type (<!DOCTYPE>) is not supported");
	}

	private readEndTag(text: string, at: number): number {
		const end = text.indexOf(">", at);
		if (end === -1) return -1;
		this.meter.spend(UNITS_PER_TAG);
		const name = text.slice(at + 2, end).trimEnd();
		if (this.open.pop() !== name) throw this.createError("elements are not nested properly");
		this.handler.close(toLocalName(name));
		return end + 1;
	}

	private readStartTag(text: string, at: number): number {
		const end = findTagEnd(text, at + 1);
		if (end === -1) return -1;
		this.meter.spend(UNITS_PER_TAG + (end - at) * UNITS_PER_CHARACTER);
		const isEmpty = text.charCodeAt(end - 1) === SLASH;
		let nameEnd = at + 1;
		const last = isEmpty ? end - 1 : end;
		while (nameEnd < last && text.charCodeAt(nameEnd) > 32) nameEnd++;
		const name = text.slice(at + 1, nameEnd);
		const local = toLocalName(name);
		this.handler.open(local, text.slice(nameEnd, last));
		if (isEmpty) this.handler.close(local);
		else if (this.open.push(name) > MAX_DEPTH)
			throw this.createError(`elements nest deeper than ${MAX_DEPTH} levels`);
		return end + 1;
	}

	private decode(raw: string): string {
		const fail = (): never => {
			throw this.createError("it uses an entity that is not supported");
		};
		const text = raw.includes("\r") ? raw.replace(/\r\n?/g, "\n") : raw;
		return raw.includes("&") ? decodeReferences(text, fail, this.meter) : text;
	}

	private createError(what: string): TerminalError {
		return new TerminalError(`${this.part} in the file is not readable XML: ${what}`);
	}
}

/** The value of an attribute by its name without prefix. */
export function findAttribute(attributes: string, name: string, meter: Meter): string | undefined {
	for (let at = 0; ; ) {
		const equals = attributes.indexOf("=", at);
		if (equals === -1) return undefined;
		let quoteAt = equals + 1;
		while (attributes.charCodeAt(quoteAt) <= 32) quoteAt++;
		const quote = attributes[quoteAt];
		if (quote !== '"' && quote !== "'") return undefined;
		const end = attributes.indexOf(quote, quoteAt + 1);
		if (end === -1) return undefined;
		if (endsWithName(attributes, at, equals, name)) {
			const raw = attributes.slice(quoteAt + 1, end);
			return raw.includes("&") ? decodeReferences(raw, () => failOnEntity(), meter) : raw;
		}
		at = end + 1;
	}
}

/** Whether the text from `from` to `to` is this name, with any prefix and with space around it. */
function endsWithName(text: string, from: number, to: number, name: string): boolean {
	let end = to;
	while (end > from && text.charCodeAt(end - 1) <= 32) end--;
	const start = end - name.length;
	if (start < from || !text.startsWith(name, start)) return false;
	return start === from || text.charCodeAt(start - 1) <= 32 || text[start - 1] === ":";
}

function failOnEntity(): never {
	throw new TerminalError("the file uses an XML entity that is not supported");
}

function findTagEnd(text: string, from: number): number {
	let quote = 0;
	for (let at = from; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (quote !== 0) {
			if (code === quote) quote = 0;
		} else if (code === TAG_END) return at;
		else if (code === QUOTE || code === APOSTROPHE) quote = code;
	}
	return -1;
}

function skipBehind(text: string, what: string, from: number): number {
	const found = text.indexOf(what, from);
	return found === -1 ? -1 : found + what.length;
}

function toLocalName(name: string): string {
	const colon = name.indexOf(":");
	return colon === -1 ? name : name.slice(colon + 1);
}
