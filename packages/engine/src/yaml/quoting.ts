/** Hints show no longer lines, and longer ones are not searched. */
const MAX_LINE_LENGTH = 400;
const MAX_SHOWN_LENGTH = 120;

export interface Line {
	/** Offset into the source. */
	readonly start: number;
	readonly text: string;
}

/** A value as it was written, without quotes around it. */
export interface Value {
	/** The key with its colon, or the dash of a list; empty if neither is known. */
	readonly key: string;
	/** Offset into the source. */
	readonly start: number;
	readonly text: string;
}

export function readLine(text: string, offset: number): Line {
	const start = offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
	const end = text.indexOf("\n", start);
	const limit = Math.min(end === -1 ? text.length : end, start + MAX_LINE_LENGTH);
	return { start, text: text.slice(start, limit).trimEnd() };
}

const BLOCK_VALUE =
	/^(\s*(?:- +)*)((?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'{[#:,&*!|>%@`-][^:#]*) *:(?= |$))? *(.*)$/s;

/** The value of a line that is not inside brackets. */
export function findBlockValue({ start, text }: Line): Value {
	const [, before = "", key = "", value = ""] = BLOCK_VALUE.exec(text) ?? [];
	return { key: key || before.trim(), start: start + text.length - value.length, text: value };
}

/** The value inside brackets that contains the offset, or starts there. `from` is where the search for its key starts. */
export function findFlowValue(text: string, from: number, offset: number): Value {
	const line = readLine(text, offset);
	const begin = Math.max(from, line.start);
	let item = begin;
	let value = begin;
	for (let at = begin; at < offset; at++) {
		if (text[at] === ",") {
			item = at + 1;
			value = item;
		} else if (text[at] === ":" && text[at + 1] === " " && value === item) value = at + 1;
	}
	const key = text.slice(item, value).trim();
	while (text[value] === " ") value++;
	const end = findFlowEnd(text, value, line.start + line.text.length);
	return { key, start: value, text: text.slice(value, end).trim() };
}

/** The comma or bracket that ends the value, or the end of the line. */
function findFlowEnd(text: string, start: number, limit: number): number {
	const open: string[] = [];
	for (let at = start; at < limit; at++) {
		const letter = text[at] as string;
		if (letter === '"' || letter === "'") {
			const close = text.indexOf(letter, at + 1);
			if (close !== -1 && close < limit) at = close;
		} else if (Object.hasOwn(CLOSERS, letter)) open.push(CLOSERS[letter] as string);
		else if (letter === "," && open.length === 0) return at;
		else if (")]}".includes(letter) && open.pop() !== letter) return at;
	}
	return limit;
}

const CLOSERS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** A hint that shows the value in quotes. */
export function suggestQuotes({ key, text }: Value, meant = text): string {
	const quoted = `${key === "" ? "" : `${key} `}${quoteYaml(meant)}`;
	return quoted.length > MAX_SHOWN_LENGTH ? "Put the whole value in quotes" : `Quote it: ${quoted}`;
}

const quoteYaml = (text: string): string =>
	/["\\]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;
