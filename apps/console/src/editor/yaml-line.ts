/** The parts of a YAML line, as far as they can be read from that line alone. */
export interface YamlLine {
	/** Columns of the `-` list markers. */
	readonly dashes: readonly number[];
	/** Column of the first character after spaces and dashes. */
	readonly column: number;
	readonly key: string | null;
	/** The text after the key, or the whole line if there is no key. */
	readonly value: string;
	readonly valueColumn: number;
	/** The value is a block scalar on the following lines. */
	readonly isBlock: boolean;
	readonly isEmpty: boolean;
}

const KEY = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#{}[\],"'][^#{}[\]]*?)\s*:(?:\s+|$)/u;
const BLOCK = /^[|>][-+\d]*\s*(?:#.*)?$/;

export function parseYamlLine(text: string): YamlLine {
	const dashes: number[] = [];
	let column = skipBlanks(text, 0);
	while (/^-(?:\s|$)/.test(text.slice(column))) {
		dashes.push(column);
		column = skipBlanks(text, column + 1);
	}
	const rest = text.slice(column);
	const isEmpty = dashes.length === 0 && (rest === "" || rest.startsWith("#"));
	const match = isEmpty ? null : KEY.exec(rest);
	const valueColumn = column + (match?.[0].length ?? 0);
	const value = text.slice(valueColumn).trimEnd();
	return {
		dashes,
		column,
		key: match?.[1] === undefined ? null : unquote(match[1]),
		value,
		valueColumn,
		isBlock: match !== null && BLOCK.test(value),
		isEmpty,
	};
}

export function unquote(text: string): string {
	const inner = text.slice(1, -1);
	if (text.length >= 2 && text.startsWith('"') && text.endsWith('"'))
		return inner.replaceAll(/\\(.)/gu, "$1");
	if (text.length >= 2 && text.startsWith("'") && text.endsWith("'")) return inner.replaceAll("''", "'");
	return text;
}

function skipBlanks(text: string, from: number): number {
	let at = from;
	while (text.charAt(at) === " ") at++;
	return at;
}
