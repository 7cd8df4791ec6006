import type { Meter } from "@tripline/engine/meter";
import { decodeCharacters } from "./html-characters.ts";

/** `start` and `end` are where the tag is in the text. */
export interface HtmlSink {
	text(text: string): void;
	/** The content of a script, style or other raw element that shows no text. */
	source?(text: string): void;
	open(name: string, attributes: ReadonlyMap<string, string>, start: number, end: number): void;
	close(name: string, start: number, end: number): void;
}

/** Elements whose content is raw text up to their end tag. */
const RAW = new Set([
	"iframe",
	"noembed",
	"noframes",
	"noscript",
	"script",
	"style",
	"template",
	"textarea",
	"title",
]);
/** The raw elements whose text is visible. */
const READ = new Set(["textarea", "title"]);

const SPACE = " \t\n\f\r";
const isSpace = (character: string | undefined) => character !== undefined && SPACE.includes(character);
const isLetter = (character: string | undefined) => character !== undefined && /^[A-Za-z]$/.test(character);

/** Accepts any text and reads it in one pass: unclosed constructs extend to the end. */
export function readHtml(html: string, meter: Meter, sink: HtmlSink): void {
	let at = 0;
	while (at < html.length) {
		meter.spend(32);
		const bracket = indexOr("<", at, html.length);
		const next = html[bracket + 1];
		if (isLetter(next)) {
			emit(at, bracket);
			at = bracket + 1;
			readStartTag(bracket);
		} else if (next === "/" && isLetter(html[bracket + 2])) {
			emit(at, bracket);
			at = bracket + 2;
			const name = readName();
			readAttributes();
			sink.close(name, bracket, Math.min(at, html.length));
		} else if (next === "!" || next === "?" || next === "/") {
			emit(at, bracket);
			at = html.startsWith("<!--", bracket) ? findAfter("-->", bracket + 2) : findAfter(">", bracket + 2);
		} else {
			emit(at, Math.min(bracket + 1, html.length));
			at = bracket + 1;
		}
	}

	function readStartTag(start: number): void {
		const name = readName();
		const attributes = readAttributes();
		sink.open(name, attributes, start, Math.min(at, html.length));
		if (!RAW.has(name)) return;
		const end = findRawEnd(name);
		if (READ.has(name)) emit(at, end);
		else if (end > at) sink.source?.(html.slice(at, end));
		at = end;
	}

	/** Where the raw element's end tag begins. */
	function findRawEnd(name: string): number {
		for (let end = html.indexOf("</", at); end !== -1; end = html.indexOf("</", end + 2)) {
			const afterName = end + 2 + name.length;
			const follows = html[afterName];
			const isEnd = follows === undefined || follows === ">" || follows === "/" || isSpace(follows);
			if (isEnd && html.slice(end + 2, afterName).toLowerCase() === name) return end;
		}
		return html.length;
	}

	function readName(): string {
		const start = at;
		while (at < html.length && html[at] !== ">" && html[at] !== "/" && !isSpace(html[at])) at++;
		return html.slice(start, at).toLowerCase();
	}

	/** Reads up to and including the tag's end. */
	function readAttributes(): Map<string, string> {
		const attributes = new Map<string, string>();
		for (;;) {
			while (html[at] === "/" || isSpace(html[at])) at++;
			if (at >= html.length || html[at] === ">") break;
			meter.spend(10);
			const name = readAttributeName();
			const value = readAttributeValue();
			if (!attributes.has(name)) attributes.set(name, value);
		}
		at++;
		return attributes;
	}

	function readAttributeName(): string {
		const start = at++;
		while (at < html.length && !"=>/".includes(html[at] as string) && !isSpace(html[at])) at++;
		return html.slice(start, at).toLowerCase();
	}

	function readAttributeValue(): string {
		while (isSpace(html[at])) at++;
		if (html[at] !== "=") return "";
		at++;
		while (isSpace(html[at])) at++;
		const quote = html[at];
		const isQuoted = quote === '"' || quote === "'";
		const start = isQuoted ? at + 1 : at;
		if (isQuoted) at = indexOr(quote, start, html.length);
		else while (at < html.length && html[at] !== ">" && !isSpace(html[at])) at++;
		const value = decodeCharacters(html.slice(start, at));
		if (isQuoted) at++;
		return value;
	}

	function emit(start: number, end: number): void {
		if (end > start) sink.text(decodeCharacters(html.slice(start, end)));
	}

	function findAfter(what: string, from: number): number {
		return indexOr(what, from, html.length) + what.length;
	}

	function indexOr(what: string, from: number, fallback: number): number {
		const found = html.indexOf(what, from);
		return found === -1 ? fallback : found;
	}
}
