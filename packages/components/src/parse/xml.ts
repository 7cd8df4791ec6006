import { type Json, MAX_JSON_DEPTH, nestsTooDeep } from "@tripline/contract/json";
import type { Meter } from "@tripline/engine/meter";
import { TerminalError } from "@tripline/engine/terminal-error";
import { describePosition } from "./place.ts";
import { decodeReferences, FORBIDDEN, REFERENCE_RULE } from "./xml-references.ts";

interface Element {
	readonly name: string;
	readonly start: number;
	readonly attributes: Map<string, string>;
	readonly children: Map<string, Json[]>;
	text: string;
}

const NAME_START =
	":A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}\\u{200D}\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}";
const NAME = new RegExp(
	`[${NAME_START}][${NAME_START}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}]*`,
	"uy",
);
const SPACE = /[ \t\n]+/y;
const DECLARATION =
	/<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(["'])1\.[0-9]\1(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(["'])[A-Za-z][A-Za-z0-9._-]*\2)?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(["'])(?:yes|no)\3)?[ \t\n]*\?>/y;
const MANY_PARTS = 100;
const UNITS_PER_PART = 60;

/**
 * Parses well-formed XML 1.0 without a document type, so only XML's five predefined entities exist.
 * An element becomes its text, or an object: attributes as `@name`, children by name (a list if repeated), text as `#text`.
 */
export function parseXml(given: string, meter: Meter): Json {
	meter.spendOnText(16 * given.length);
	const text = given.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
	const forbidden = text.search(FORBIDDEN);
	if (forbidden !== -1) throw createError(forbidden, "a character that XML does not allow");

	const open: Element[] = [];
	let root = null as { name: string; value: Json } | null;
	let at = match(DECLARATION, 0)?.[0].length ?? 0;
	while (at < text.length) {
		meter.spend(40);
		if (text[at] !== "<") readText();
		else if (text.startsWith("<!--", at)) skipComment();
		else if (text.startsWith("<![CDATA[", at)) readCdata();
		else if (text.startsWith("<!", at))
			throw createError(at, "a document type (<!DOCTYPE>) is not supported");
		else if (text.startsWith("<?", at)) skipInstruction();
		else if (text[at + 1] === "/") readEndTag();
		else readStartTag();
	}
	const unclosed = open.at(-1);
	if (unclosed !== undefined) throw createError(unclosed.start, `<${unclosed.name}> is never closed`);
	if (root === null) throw createError(0, "there is no element");
	const value = { [root.name]: root.value };
	if (nestsTooDeep(JSON.stringify(value)))
		throw createError(0, `as JSON it nests deeper than ${MAX_JSON_DEPTH} levels`);
	return value;

	function readText(): void {
		const end = orEnd(text.indexOf("<", at));
		const raw = text.slice(at, end);
		const current = open.at(-1);
		if (current !== undefined) {
			const closing = raw.indexOf("]]>");
			if (closing !== -1) throw createError(at + closing, "]]> is not allowed in text; write ]]&gt;");
			current.text += decode(raw, at);
		} else if (raw.trim() !== "") throw createError(at, "text outside the root element");
		at = end;
	}

	function readCdata(): void {
		const current = open.at(-1);
		if (current === undefined) throw createError(at, "text outside the root element");
		const end = text.indexOf("]]>", at);
		if (end === -1) throw createError(at, "<![CDATA[ is never closed");
		current.text += text.slice(at + "<![CDATA[".length, end);
		at = end + 3;
	}

	function skipComment(): void {
		const end = text.indexOf("--", at + 4);
		if (end === -1) throw createError(at, "<!-- is never closed");
		if (text[end + 2] !== ">") throw createError(end, "-- is not allowed in a comment");
		at = end + 3;
	}

	function skipInstruction(): void {
		const target = readName(at + 2);
		if (target.toLowerCase() === "xml")
			throw createError(at, "<?xml …?> is wrong, or not at the very beginning");
		const end = text.indexOf("?>", at + 2 + target.length);
		if (end === -1) throw createError(at, "<? is never closed");
		at = end + 2;
	}

	function readStartTag(): void {
		const start = at;
		const name = readName(at + 1);
		if (open.length === 0 && root !== null) throw createError(at, "there must be only one root element");
		if (open.length >= MAX_JSON_DEPTH)
			throw createError(at, `elements nest deeper than ${MAX_JSON_DEPTH} levels`);
		at += 1 + name.length;
		const element = { name, start, attributes: readAttributes(), children: new Map(), text: "" };
		if (text.startsWith("/>", at)) {
			at += 2;
			close(element);
		} else if (text[at] === ">") {
			at++;
			open.push(element);
		} else
			throw createError(at, at < text.length ? "expected an attribute, > or />" : `<${name} is never closed`);
	}

	function readAttributes(): Map<string, string> {
		const attributes = new Map<string, string>();
		for (;;) {
			const isSpaced = skipSpace();
			meter.spend(32);
			if (at >= text.length || text[at] === ">" || text[at] === "/") return attributes;
			const start = at;
			if (!isSpaced) throw createError(at, "expected a space before the attribute");
			const name = readName(at);
			if (attributes.has(name)) throw createError(at, `the attribute ${name} is set twice`);
			at += name.length;
			skipSpace();
			if (text[at] !== "=") throw createError(at, `expected = after the attribute ${name}`);
			at++;
			skipSpace();
			attributes.set(name, readAttributeValue(start, name));
		}
	}

	function readAttributeValue(start: number, name: string): string {
		const quote = text[at];
		if (quote !== '"' && quote !== "'") throw createError(at, `the value of ${name} must be in quotes`);
		const end = text.indexOf(quote, at + 1);
		if (end === -1) throw createError(start, `the value of ${name} is never closed`);
		const raw = text.slice(at + 1, end);
		const bracket = raw.indexOf("<");
		if (bracket !== -1) throw createError(at + 1 + bracket, "< is not allowed in a value; write &lt;");
		const value = decode(raw.replace(/[\t\n]/g, " "), at + 1);
		at = end + 1;
		return value;
	}

	function readEndTag(): void {
		const name = readName(at + 2);
		const current = open.pop();
		if (current?.name !== name) {
			throw createError(
				at,
				current ? `</${name}> where </${current.name}> is expected` : `</${name}> closes nothing`,
			);
		}
		const start = at;
		at += 2 + name.length;
		skipSpace();
		if (text[at] !== ">") throw createError(start, `</${name} is never closed`);
		at++;
		close(current);
	}

	function close(element: Element): void {
		const parts = element.attributes.size + element.children.size;
		// With this many keys the engine stores the object as a hash table.
		if (parts > MANY_PARTS) meter.spend(parts * UNITS_PER_PART);
		const value = toValue(element);
		const parent = open.at(-1);
		if (parent === undefined) root = { name: element.name, value };
		else {
			const siblings = parent.children.get(element.name);
			if (siblings === undefined) parent.children.set(element.name, [value]);
			else siblings.push(value);
		}
	}

	function decode(raw: string, offset: number): string {
		const fail = (place: number): never => {
			throw createError(offset + place, REFERENCE_RULE);
		};
		return decodeReferences(raw, fail, meter);
	}

	function readName(offset: number): string {
		const name = match(NAME, offset)?.[0];
		if (name === undefined) throw createError(offset, "expected a name");
		return name;
	}

	function skipSpace(): boolean {
		const space = match(SPACE, at)?.[0] ?? "";
		at += space.length;
		return space !== "";
	}

	function match(pattern: RegExp, offset: number): RegExpExecArray | null {
		pattern.lastIndex = offset;
		return pattern.exec(text);
	}

	function orEnd(index: number): number {
		return index === -1 ? text.length : index;
	}

	function createError(offset: number, what: string): TerminalError {
		return new TerminalError(`not XML, ${describePosition(text, offset)}: ${what}`);
	}
}

function toValue({ attributes, children, text }: Element): Json {
	if (attributes.size === 0 && children.size === 0) return text;
	const own = children.size === 0 ? text : text.trim();
	const parts: [string, Json][] = [];
	for (const [name, value] of attributes) parts.push([`@${name}`, value]);
	for (const [name, values] of children)
		parts.push([name, values.length === 1 ? (values[0] as Json) : values]);
	if (own !== "") parts.push(["#text", own]);
	return Object.fromEntries(parts);
}
