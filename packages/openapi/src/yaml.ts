import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Meter } from "@tripline/engine/meter";
import { DescriptionProblem } from "./problem.ts";

/** The reader recurses for every level. */
const MAX_DEPTH = 200;
/** A line is looked at a few times. */
const LINE_UNITS = 20;
const CHARACTERS_PER_UNIT = 1;

/** YAML that this reader leaves to a complete one, such as tags, merges and keys that are not texts. */
export class UnusualYaml extends Error {
	readonly line: number;

	constructor(line: number, what: string) {
		super(`line ${line} has ${what}`);
		this.line = line;
	}
}

/**
 * Reads the YAML that descriptions are written in, about seven times as fast as a complete parser, which keeps every
 * comment and position. It reads YAML 1.2 with the core schema, and gives up at what it does not know.
 */
export function readPlainYaml(text: string, meter: Meter): Json {
	return new Reader(text, meter).readDocument();
}

interface Line {
	/** Number of the line, from 1. */
	readonly number: number;
	readonly indent: number;
	/** Where the text starts and ends in the source, without the line break. */
	readonly start: number;
	readonly end: number;
}

class Reader {
	readonly #text: string;
	readonly #meter: Meter;
	readonly #anchors = new Map<string, Json>();
	/** The current line: not blank and no comment; null at the end. */
	#line: Line | null = null;
	/** Where the line after the current one starts. */
	#next = 0;
	#number = 0;
	#depth = 0;

	constructor(text: string, meter: Meter) {
		this.#text = text.startsWith("\ufeff") ? text.slice(1) : text;
		this.#meter = meter;
		if (this.#text.includes("\r")) this.#text = this.#text.replaceAll("\r\n", "\n");
	}

	readDocument(): Json {
		this.#advance();
		if (this.#line !== null && this.#peek() === "---") this.#advance();
		const value = this.#line === null ? null : this.#readNode(-1);
		if (this.#line !== null && this.#peek() === "...") this.#advance();
		if (this.#line !== null) throw this.#unusual("text at an unexpected place");
		return value;
	}

	/** The text of the current line, without its indentation. */
	#peek(): string {
		const { start, end } = this.#line as Line;
		return this.#text.slice(start, end);
	}

	/** Goes to the next line that is not blank and no comment. */
	#advance(): void {
		for (;;) {
			const line = this.#readLine();
			this.#line = line;
			if (line === null) return;
			if (line.start < line.end && this.#text[line.start] !== "#") break;
		}
		if (this.#peek().startsWith("\t")) throw this.#unusual("a tab as indentation");
	}

	/** The next line, blank ones included. */
	#readLine(): Line | null {
		const from = this.#next;
		if (from >= this.#text.length) return null;
		let end = this.#text.indexOf("\n", from);
		if (end === -1) end = this.#text.length;
		this.#next = end + 1;
		let start = from;
		while (start < end && this.#text.charCodeAt(start) === SPACE) start++;
		const indent = start - from;
		while (end > start && isBlank(this.#text.charCodeAt(end - 1))) end--;
		this.#meter.spend(LINE_UNITS + (end - from) / CHARACTERS_PER_UNIT);
		return { number: ++this.#number, indent, start, end };
	}

	#unusual(what: string): UnusualYaml {
		return new UnusualYaml(this.#line?.number ?? this.#number, what);
	}

	/** A block that is indented more than its parent. */
	#readNode(parent: number): Json {
		const line = this.#line;
		if (line === null || line.indent <= parent) return null;
		return this.#readBlock(line.indent, this.#peek(), parent);
	}

	/** The value whose text starts the current line, or follows a dash in it. `indent` is that of its first character. */
	#readBlock(indent: number, text: string, parent: number): Json {
		if (++this.#depth > MAX_DEPTH)
			throw new DescriptionProblem(`line ${this.#line?.number} nests deeper than ${MAX_DEPTH} levels`);
		try {
			if (text === "-" || text.startsWith("- ")) return this.#readSequence(indent, text);
			if (text.startsWith("? ") || text === "?") throw this.#unusual("a complex key");
			if (findKey(text) !== null) return this.#readMapping(indent, text);
			return this.#readValue(text, parent);
		} finally {
			this.#depth--;
		}
	}

	#readSequence(indent: number, first: string): Json[] {
		const items: Json[] = [];
		let text = first;
		for (;;) {
			const rest = text.slice(1);
			const inner = trimStart(rest);
			if (inner === "" || inner.startsWith("#")) {
				this.#advance();
				items.push(this.#readNode(indent));
			} else items.push(this.#readInline(inner, indent, indent + 1 + rest.length - inner.length));
			if (this.#line === null || this.#line.indent < indent) return items;
			text = this.#peek();
			if (this.#line.indent > indent) throw this.#unusual("an unexpected indentation");
			if (text !== "-" && !text.startsWith("- ")) return items;
		}
	}

	/** What follows a dash: another block may start there. */
	#readInline(text: string, parent: number, indent: number): Json {
		const anchor = ANCHOR.exec(text);
		if (anchor !== null) throw this.#unusual("an anchor in a list");
		return this.#readBlock(indent, text, parent);
	}

	#readMapping(indent: number, first: string): JsonObject {
		const object: JsonObject = {};
		let text = first;
		for (;;) {
			const key = findKey(text);
			if (key === null) throw this.#unusual("text where a key is expected");
			const { name, end } = key;
			if (name === "<<" || text.startsWith("*") || text.startsWith("&") || text.startsWith("!"))
				throw this.#unusual("a merge, an anchor or a tag at a key");
			if (name === "__proto__") throw new DescriptionProblem(PROTO);
			if (Object.hasOwn(object, name))
				throw new DescriptionProblem(`line ${this.#line?.number} has the key ${quote(name)} a second time`);
			object[name] = this.#readEntry(trimStart(text.slice(end)), indent);
			if (this.#line === null || this.#line.indent < indent) return object;
			if (this.#line.indent > indent) throw this.#unusual("an unexpected indentation");
			text = this.#peek();
			if (text === "-" || text.startsWith("- ") || (indent === 0 && text === "...")) return object;
		}
	}

	/** What follows a key and its colon. */
	#readEntry(text: string, indent: number): Json {
		if (text === "" || text.startsWith("#")) {
			this.#advance();
			return this.#readBelow(indent);
		}
		const anchor = ANCHOR.exec(text);
		if (anchor === null) return this.#readValue(text, indent);
		const [whole, name = ""] = anchor;
		const rest = text.slice(whole.length);
		let value: Json;
		if (rest === "" || rest.startsWith("#")) {
			this.#advance();
			value = this.#readBelow(indent);
		} else value = this.#readValue(rest, indent);
		this.#anchors.set(name, value);
		return value;
	}

	/** A list may be at the indentation of its key. */
	#readBelow(indent: number): Json {
		const line = this.#line;
		if (line?.indent === indent) {
			const text = this.#peek();
			if (text === "-" || text.startsWith("- ")) return this.#readBlock(indent, text, indent - 1);
		}
		return this.#readNode(indent);
	}

	/** A scalar or a flow collection. The lines that continue it are indented more than `parent`. */
	#readValue(text: string, parent: number): Json {
		const first = text[0] as string;
		switch (first) {
			case "|":
			case ">":
				return this.#readBlockText(text, parent);
			case '"':
			case "'":
				return this.#readQuoted(text, parent);
			case "[":
			case "{":
				return this.#readFlow(text, parent);
			case "*": {
				const name = /^\*([^\s,[\]{}]+)(?:[ \t]+#.*)?$/.exec(text)?.[1];
				if (name === undefined || !this.#anchors.has(name)) throw this.#unusual("an alias of nothing");
				this.#advance();
				return this.#anchors.get(name) as Json;
			}
			case "!":
			case "&":
			case "%":
			case "@":
			case "`":
			case "]":
			case "}":
			case ",":
				throw this.#unusual(`a value that starts with ${first}`);
			default:
				return this.#readPlain(text, parent);
		}
	}

	/** An unquoted text, which may go on in lines that are indented more. */
	#readPlain(text: string, parent: number): Json {
		if (/^[-?:](?:\t|$)/.test(text)) throw this.#unusual("an unusual indicator");
		const [first, isCut] = dropComment(text);
		if (/:(?=[ \t]|$)/.test(first)) throw this.#unusual("a colon inside an unquoted text");
		let blanks = 0;
		let joined = first;
		let goesOn = !isCut;
		for (;;) {
			const line = this.#readLine();
			this.#line = line;
			if (line === null) break;
			if (line.start === line.end) {
				blanks++;
				continue;
			}
			if (this.#text[line.start] === "#") {
				goesOn = false;
				continue;
			}
			if (line.indent <= parent) break;
			if (!goesOn) throw this.#unusual("text after a comment");
			if (this.#text[line.start] === "\t") throw this.#unusual("a tab as indentation");
			const [more, cut] = dropComment(this.#peek());
			if (/:(?=[ \t]|$)/.test(more)) throw this.#unusual("a colon inside an unquoted text");
			joined += blanks > 0 ? "\n".repeat(blanks) + more : ` ${more}`;
			blanks = 0;
			goesOn = !cut;
		}
		if (this.#line !== null && this.#text[this.#line.start] === "\t")
			throw this.#unusual("a tab as indentation");
		return joined === first ? toScalar(first) : joined;
	}

	/** `|` keeps line breaks, `>` joins lines. */
	#readBlockText(head: string, parent: number): string {
		const match = /^([|>])(?:([+-])([1-9])?|([1-9])([+-])?)?(?:[ \t]+#.*)?$/.exec(head);
		if (match === null) throw this.#unusual("an unknown block indicator");
		if (parent < 0) throw this.#unusual("a block text as the whole document");
		const isFolded = match[1] === ">";
		const chomp = match[2] ?? match[5] ?? "";
		const given = match[3] ?? match[4];
		let indent = given === undefined ? 0 : Math.max(0, parent) + Number(given);
		const lines: string[] = [];
		for (;;) {
			const from = this.#next;
			const line = this.#readLine();
			this.#line = line;
			if (line === null) break;
			const lineEnd = this.#next - 1;
			// A tab is part of the text.
			const isEmpty = line.start === lineEnd;
			if (isEmpty) {
				// A line of spaces beyond the indentation keeps those.
				lines.push(indent > 0 ? this.#text.slice(Math.min(from + indent, lineEnd), lineEnd) : "");
				continue;
			}
			if (indent === 0) {
				if (line.indent <= parent) break;
				indent = line.indent;
			}
			if (line.indent < indent) break;
			lines.push(this.#text.slice(from + indent, lineEnd));
		}
		while (
			this.#line !== null &&
			(this.#line.start === this.#line.end || this.#text[this.#line.start] === "#")
		)
			this.#advance();
		if (this.#line !== null && this.#line.indent > parent && indent > 0 && this.#line.indent > indent)
			throw this.#unusual("an unexpected indentation");
		let last = lines.length;
		while (last > 0 && lines[last - 1] === "") last--;
		const body = isFolded ? foldLines(lines.slice(0, last)) : lines.slice(0, last).join("\n");
		if (chomp === "-") return body;
		if (chomp === "+") return body + "\n".repeat(lines.length - last + (last > 0 ? 1 : 0));
		return last === 0 ? "" : `${body}\n`;
	}

	/** A text in quotes, possibly over several lines. */
	#readQuoted(text: string, parent: number): string {
		const pieces = [text];
		let end = findQuoteEnd(text, text[0] as string, 1);
		while (end === -1) {
			const line = this.#readLine();
			this.#line = line;
			if (line === null) throw this.#unusual("a quote that is not closed");
			if (line.start < line.end && line.indent <= parent) throw this.#unusual("a quoted text at the margin");
			pieces.push(this.#peek());
			end = findQuoteEnd(this.#peek(), text[0] as string, 0);
		}
		const last = pieces.pop() as string;
		const rest = trim(last.slice(end + 1));
		if (rest !== "" && !rest.startsWith("#")) throw this.#unusual("text after a closing quote");
		this.#advance();
		const whole = [...pieces, last.slice(0, end + 1)].join("\n");
		return readQuotedText(whole, () => this.#unusual("an unknown escape"));
	}

	/** `[a, b]` or `{a: b}`, possibly over several lines. */
	#readFlow(text: string, parent: number): Json {
		let whole = text;
		for (let lines = 0; ; lines++) {
			const flow = new Flow(whole, this.#meter, (what) => this.#unusual(what), this.#depth);
			const value = flow.read();
			if (value !== undefined) {
				const rest = trim(whole.slice(flow.at));
				if (rest !== "" && !rest.startsWith("#")) throw this.#unusual("text after a closing bracket");
				this.#advance();
				return value;
			}
			if (lines === MAX_FLOW_LINES) throw this.#unusual("brackets over many lines");
			const before = this.#line?.number ?? 0;
			this.#advance();
			if (this.#line === null) throw this.#unusual("a bracket that is not closed");
			if (this.#line.indent <= parent && !/^[\]}]/.test(this.#peek()))
				throw this.#unusual("brackets at the margin");
			if (/[ \t]#/.test(whole)) throw this.#unusual("a comment inside brackets");
			// A blank line is a line break in an unquoted text, and else a space.
			const isNext = (this.#line as Line).number === before + 1;
			whole += `${isNext ? " " : "\n"}${this.#peek()}`;
		}
	}
}

/** Each further line reads the collection again. */
const MAX_FLOW_LINES = 60;

class Flow {
	at = 0;
	readonly #text: string;
	readonly #meter: Meter;
	readonly #unusual: (what: string) => Error;
	#depth: number;

	constructor(text: string, meter: Meter, unusual: (what: string) => Error, depth: number) {
		this.#text = text;
		this.#meter = meter;
		this.#unusual = unusual;
		this.#depth = depth;
	}

	/** Undefined if the text ends before the collection does. */
	read(): Json | undefined {
		this.#meter.spend(4);
		this.#skip();
		const first = this.#text[this.at];
		if (first === undefined) return undefined;
		if (first === "[" || first === "{") {
			if (++this.#depth > MAX_DEPTH) throw new DescriptionProblem(`nests deeper than ${MAX_DEPTH} levels`);
			this.at++;
			const value = first === "[" ? this.#list() : this.#object();
			this.#depth--;
			return value;
		}
		if (first === '"' || first === "'") return this.#quoted();
		return this.#plain();
	}

	#skip(): void {
		while (isFlowBlank(this.#text[this.at])) this.at++;
		if (this.#text[this.at] === "#") throw this.#unusual("a comment inside brackets");
	}

	#list(): Json[] | undefined {
		const items: Json[] = [];
		for (;;) {
			this.#skip();
			if (this.#text[this.at] === "]") {
				this.at++;
				return items;
			}
			const item = this.read();
			if (item === undefined) return undefined;
			items.push(item);
			this.#skip();
			const next = this.#text[this.at];
			if (next === undefined) return undefined;
			if (next === ",") this.at++;
			else if (next !== "]") throw this.#unusual("an unusual list in brackets");
		}
	}

	#object(): JsonObject | undefined {
		const object: JsonObject = {};
		for (;;) {
			this.#skip();
			const first = this.#text[this.at];
			if (first === "}") {
				this.at++;
				return object;
			}
			if (first === "[" || first === "{" || first === "?") throw this.#unusual("a complex key");
			const isQuoted = first === '"' || first === "'";
			const start = this.at;
			const key = isQuoted ? this.#quoted() : this.#plain();
			if (key === undefined) return undefined;
			this.#skip();
			const colon = this.#text[this.at];
			if (colon === undefined) return undefined;
			if (colon !== ":") throw this.#unusual("a key without a value");
			const name = isQuoted ? (key as string) : trim(this.#text.slice(start, this.at));
			if (name === "<<") throw this.#unusual("a merge");
			if (name === "__proto__") throw new DescriptionProblem(PROTO);
			if (Object.hasOwn(object, name)) throw this.#unusual("a key that is there twice");
			this.at++;
			this.#skip();
			const next = this.#text[this.at];
			if (next === undefined) return undefined;
			const value = next === "," || next === "}" ? null : this.read();
			if (value === undefined) return undefined;
			object[name] = value;
			this.#skip();
			const end = this.#text[this.at];
			if (end === undefined) return undefined;
			if (end === ",") this.at++;
			else if (end !== "}") throw this.#unusual("an unusual map in brackets");
		}
	}

	#quoted(): string | undefined {
		const end = findQuoteEnd(this.#text, this.#text[this.at] as string, this.at + 1);
		if (end === -1) throw this.#unusual("a quoted text over several lines in brackets");
		const text = readQuotedText(this.#text.slice(this.at, end + 1), () => this.#unusual("an unknown escape"));
		this.#meter.spendOnText(text.length * 4);
		this.at = end + 1;
		return text;
	}

	#plain(): Json | undefined {
		const first = this.#text[this.at] as string;
		if (/[&*!|>%@`,]/.test(first)) throw this.#unusual(`a value that starts with ${first}`);
		FLOW_END.lastIndex = this.at;
		const end = FLOW_END.exec(this.#text)?.index;
		if (end === undefined) return undefined;
		let last = end;
		while (last > this.at && isFlowBlank(this.#text[last - 1])) last--;
		const text = this.#text.slice(this.at, last);
		if (text.includes("\n")) throw this.#unusual("an unquoted text over several lines in brackets");
		this.#meter.spendOnText(text.length * 4);
		if (text === "" || text.includes(" #")) throw this.#unusual("an empty value in brackets");
		this.at = end;
		return toScalar(text);
	}
}

const FLOW_END = /[,[\]{}]|:(?=[ \t\n,[\]{}]|$)/g;
const isFlowBlank = (letter: string | undefined): boolean =>
	letter === " " || letter === "\t" || letter === "\n";
const SPACE = 0x20;
const TAB = 0x09;
const isBlank = (code: number): boolean => code === SPACE || code === TAB;
/** Unlike those of JavaScript, these leave spaces that are part of a text in YAML, such as a no-break space. */
function trimEnd(text: string): string {
	let end = text.length;
	while (end > 0 && isBlank(text.charCodeAt(end - 1))) end--;
	return text.slice(0, end);
}

function trimStart(text: string): string {
	let start = 0;
	while (start < text.length && isBlank(text.charCodeAt(start))) start++;
	return text.slice(start);
}

const trim = (text: string): string => trimStart(trimEnd(text));

const ANCHOR = /^&([^\s,[\]{}]+)(?:[ \t]+|$)/;
const PROTO = 'must not contain the key "__proto__"';
const quote = (name: string): string => JSON.stringify(name.slice(0, 80));

/** The key at the start of a line and where the text after its colon starts; null if there is none. */
function findKey(text: string): { readonly name: string; readonly end: number } | null {
	const first = text[0];
	if (first === '"' || first === "'") {
		const end = findQuoteEnd(text, first, 1);
		if (end === -1) return null;
		const [colon = ""] = /^[ \t]*:(?=[ \t]|$)/.exec(text.slice(end + 1, end + 40)) ?? [];
		if (colon === "") return null;
		const name = readQuotedText(
			text.slice(0, end + 1),
			() => new UnusualYaml(0, "an unknown escape in a key"),
		);
		return { name, end: end + 1 + colon.length };
	}
	if (first === "[" || first === "{" || first === "|" || first === ">") return null;
	for (let at = text.indexOf(":"); at !== -1; at = text.indexOf(":", at + 1)) {
		const next = text.charCodeAt(at + 1);
		if (at + 1 < text.length && !isBlank(next)) continue;
		const name = trimEnd(text.slice(0, at));
		return name.includes(" #") ? null : { name, end: at + 1 };
	}
	return null;
}

/** Cuts a comment off an unquoted text. */
function dropComment(text: string): readonly [text: string, isCut: boolean] {
	const at = text.search(/[ \t]#/);
	return at === -1 ? [trimEnd(text), false] : [trimEnd(text.slice(0, at)), true];
}

/** The position of the closing quote, or -1. */
function findQuoteEnd(text: string, quote: string, start: number): number {
	for (let at = start; at < text.length; at++) {
		const letter = text[at];
		if (letter === "\\" && quote === '"') at++;
		else if (letter === quote) {
			if (quote === "'" && text[at + 1] === "'") at++;
			else return at;
		}
	}
	return -1;
}

const ESCAPES: Readonly<Record<string, string>> = {
	"0": "\0",
	a: "\x07",
	b: "\b",
	t: "\t",
	"\t": "\t",
	n: "\n",
	v: "\v",
	f: "\f",
	r: "\r",
	e: "\x1b",
	" ": " ",
	'"': '"',
	"/": "/",
	"\\": "\\",
	N: "\x85",
	_: "\xa0",
	L: "\u2028",
	P: "\u2029",
};

function readQuotedText(source: string, unusual: () => Error): string {
	const inner = source.slice(1, -1);
	if (source[0] === "'") return foldQuoted(inner.replaceAll("''", "'"));
	if (!inner.includes("\\")) return foldQuoted(inner);
	// An escaped line break joins two lines without a space; it must not be folded as a plain one.
	const folded = foldQuoted(inner.replace(/\\\n[ \t]*/g, "\\\u0000"));
	return folded.replace(
		/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g,
		(_, x?: string, u?: string, long?: string, letter = "") => {
			const code = x ?? u ?? long;
			if (code !== undefined) {
				const point = Number.parseInt(code, 16);
				if (point > 0x10ffff) throw unusual();
				return String.fromCodePoint(point);
			}
			if (letter === "\u0000") return "";
			const text = ESCAPES[letter];
			if (text === undefined) throw unusual();
			return text;
		},
	);
}

/** One line break becomes a space, more become one fewer. */
const foldQuoted = (text: string): string =>
	text.includes("\n")
		? text.replace(/[ \t]*\n[ \t\n]*/g, (breaks) => {
				const count = breaks.split("\n").length - 1;
				return count === 1 ? " " : "\n".repeat(count - 1);
			})
		: text;

/** Joins lines as `>` does: lines that are indented more keep their breaks. */
function foldLines(lines: readonly string[]): string {
	let text = "";
	let wasIndented = false;
	let breaks = 0;
	let isFirst = true;
	for (const line of lines) {
		if (line === "") {
			breaks++;
			continue;
		}
		const isIndented = line.startsWith(" ") || line.startsWith("\t");
		if (isFirst) text = "\n".repeat(breaks) + line;
		else if (isIndented || wasIndented) text += "\n".repeat(breaks + 1) + line;
		else text += breaks === 0 ? ` ${line}` : "\n".repeat(breaks) + line;
		isFirst = false;
		wasIndented = isIndented;
		breaks = 0;
	}
	return text;
}

/** An unquoted text as the core schema of YAML 1.2 reads it. */
function toScalar(text: string): Json {
	const first = text.charCodeAt(0);
	// Most texts start with a letter that no number, null or boolean starts with.
	if (first > 0x39 && !/^[~nNtTfF]/.test(text)) return text;
	if (/^(?:null|Null|NULL|~)$/.test(text)) return null;
	if (/^(?:true|True|TRUE)$/.test(text)) return true;
	if (/^(?:false|False|FALSE)$/.test(text)) return false;
	if (/^[-+]?[0-9]+$/.test(text)) return Number(text);
	if (/^0o[0-7]+$/.test(text)) return Number.parseInt(text.slice(2), 8);
	if (/^0x[0-9a-fA-F]+$/.test(text)) return Number.parseInt(text.slice(2), 16);
	if (/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(text)) return Number(text);
	return text;
}
