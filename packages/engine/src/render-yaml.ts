import type { Json } from "@tripline/contract/json";
import { DOCUMENT_FIELDS, type WorkflowDocument } from "./decompile.ts";

const WIDTH = 100;
const MIN_WIDTH = 20;
const STEP = "  ";
/** Deeper values are written as JSON, which is valid YAML: otherwise most of the text would be indentation. */
const MAX_LEVELS = 20;
/** Longer keys need the explicit `? key` form. */
const MAX_SIMPLE_KEY_LENGTH = 1024;

/** Characters that are invisible, or that an editor may change, are escaped. */
const UNSEEN = /[^\P{Cc}\n]|[\p{Zl}\p{Zp}\u{feff}]/u;
const UNSEEN_IN_JSON = /[\p{Cc}\p{Zl}\p{Zp}\u{feff}]/gu;
const UNSEEN_SPACE = /^\s|[ \t](?:\n|$)/;
/** Folding preserves only single spaces between words. */
const FOLDABLE = /^\S+(?: \S+)+$/;
/** Unquoted, it would not be parsed as a string, or would end early. */
const NEEDS_QUOTES =
	/^[\s,[\]{}#&*!|>'"%@`]|^[?-](?:\s|$)|^(?:---|\.\.\.)|\n|:(?:\s|$)|\s#|\s$|^(?:~|null|true|false|[-+]?\.inf|\.nan|0o[0-7]+|0x[\da-f]+|[-+]?(?:\.\d+|\d+\.?\d*)(?:e[-+]?\d+)?)?$/i;

/** A fast path for most keys. */
const WORD = /^(?!(?:null|true|false)$)[a-z_][a-z_0-9]*$/i;

type Fields = { readonly [name: string]: Json };

/**
 * Writes a workflow document as a person would; reading it gives the same document. The YAML library takes ten times as
 * long, because it creates a node object for every value first.
 */
export function renderYaml(workflow: WorkflowDocument): string {
	const writer = new Writer();
	const fields = DOCUMENT_FIELDS.filter((name) => workflow[name] !== undefined).map((name) => [
		name,
		workflow[name],
	]);
	writer.writeObject(Object.fromEntries(fields) as Fields, "", "", 0);
	return writer.text;
}

class Writer {
	readonly #lines: string[] = [];

	get text(): string {
		return `${this.#lines.join("\n")}\n`;
	}

	/** `start` is the prefix of the first line, `indent` that of the others. */
	writeObject(writeObject: Fields, start: string, indent: string, level: number): void {
		let before = start;
		for (const key of Object.keys(writeObject)) {
			const value = writeObject[key] as Json;
			const name = renderKey(key);
			if (name.length > MAX_SIMPLE_KEY_LENGTH) {
				this.#lines.push(`${before}? ${name}`);
				this.#value(value, `${indent}: `, indent + STEP, level + 1);
			} else if (isBlock(value, level + 1)) {
				this.#lines.push(`${before}${name}:`);
				this.#block(value, indent + STEP, indent + STEP, level + 1);
			} else this.#value(value, `${before}${name}: `, indent + STEP, level + 1);
			before = indent;
		}
	}

	#list(list: readonly Json[], start: string, indent: string, level: number): void {
		let before = start;
		for (const value of list) {
			this.#value(value, `${before}- `, indent + STEP, level + 1);
			before = indent;
		}
	}

	#block(value: Json[] | Fields, start: string, indent: string, level: number): void {
		if (Array.isArray(value)) this.#list(value, start, indent, level);
		else this.writeObject(value, start, indent, level);
	}

	#value(value: Json, start: string, indent: string, level: number): void {
		if (typeof value === "string") this.#text(value, start, indent);
		else if (isBlock(value, level)) this.#block(value, start, indent, level);
		else this.#lines.push(start + renderPlain(value));
	}

	#text(text: string, start: string, indent: string): void {
		if (UNSEEN.test(text)) this.#lines.push(start + renderJson(text));
		else if (text.includes("\n")) this.#manyLines(text, start, indent);
		else if (start.length + text.length > WIDTH && FOLDABLE.test(text)) {
			this.#lines.push(`${start}>-`);
			const width = Math.max(MIN_WIDTH, WIDTH - indent.length);
			for (const line of foldLines(text, width)) this.#lines.push(indent + line);
		} else this.#lines.push(start + renderLine(text));
	}

	#manyLines(text: string, start: string, indent: string): void {
		if (UNSEEN_SPACE.test(text)) {
			this.#lines.push(start + renderJson(text));
			return;
		}
		const lines = text.split("\n");
		const ending = lines.at(-1) !== "" ? "-" : lines.at(-2) !== "" ? "" : "+";
		if (ending !== "-") lines.pop();
		this.#lines.push(`${start}|${ending}`);
		for (const line of lines) this.#lines.push(line === "" ? "" : indent + line);
	}
}

function isBlock(value: Json, level: number): value is Json[] | { [key: string]: Json } {
	return typeof value === "object" && value !== null && level <= MAX_LEVELS && !isEmpty(value);
}

function isEmpty(value: Json[] | Fields): boolean {
	if (Array.isArray(value)) return value.length === 0;
	for (const _ in value) return false;
	return true;
}

function renderKey(key: string): string {
	if (WORD.test(key)) return key;
	return UNSEEN.test(key) ? renderJson(key) : renderLine(key);
}

function renderLine(text: string): string {
	if (!NEEDS_QUOTES.test(text)) return text;
	const isClearer = text.includes('"') && !text.includes("'") && !text.includes("\n");
	return isClearer ? `'${text}'` : renderJson(text);
}

/** A value that is not a string, on one line. */
function renderPlain(value: Exclude<Json, string>): string {
	if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value);
	if (isEmpty(value)) return Array.isArray(value) ? "[]" : "{}";
	return renderJson(value);
}

const renderJson = (value: Json): string => JSON.stringify(value).replace(UNSEEN_IN_JSON, escapeCharacter);

const escapeCharacter = (character: string): string =>
	`\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Lines of up to `width` characters, unless a single word is longer. */
function* foldLines(text: string, width: number): Generator<string> {
	let from = 0;
	while (text.length - from > width) {
		let to = text.lastIndexOf(" ", from + width);
		if (to <= from) to = text.indexOf(" ", from + width);
		if (to === -1) break;
		yield text.slice(from, to);
		from = to + 1;
	}
	yield text.slice(from);
}
