/** A line of YAML in its parts, as far as one line tells them. */
export interface YamlLine {
	/** Where each `-` of a list stands. */
	readonly dashes: readonly number[];
	/** Where what comes after blanks and dashes begins. */
	readonly column: number;
	readonly key: string | null;
	/** After the key, or all of it where there is none. */
	readonly value: string;
	readonly valueColumn: number;
	/** The value is a block of text on the lines below. */
	readonly isBlock: boolean;
	readonly isEmpty: boolean;
}

const KEY = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#{}[\],"'][^#{}[\]]*?)\s*:(?:\s+|$)/u;
const BLOCK = /^[|>][-+\d]*\s*(?:#.*)?$/;

export function yamlLine(text: string): YamlLine {
	const dashes: number[] = [];
	let column = blanks(text, 0);
	while (/^-(?:\s|$)/.test(text.slice(column))) {
		dashes.push(column);
		column = blanks(text, column + 1);
	}
	const rest = text.slice(column);
	const isEmpty = dashes.length === 0 && (rest === "" || rest.startsWith("#"));
	const match = isEmpty ? null : KEY.exec(rest);
	const valueColumn = column + (match?.[0].length ?? 0);
	const value = text.slice(valueColumn).trimEnd();
	return {
		dashes,
		column,
		key: match?.[1] === undefined ? null : unquoted(match[1]),
		value,
		valueColumn,
		isBlock: match !== null && BLOCK.test(value),
		isEmpty,
	};
}

export function unquoted(text: string): string {
	const inner = text.slice(1, -1);
	if (text.length >= 2 && text.startsWith('"') && text.endsWith('"'))
		return inner.replaceAll(/\\(.)/gu, "$1");
	if (text.length >= 2 && text.startsWith("'") && text.endsWith("'")) return inner.replaceAll("''", "'");
	return text;
}

function blanks(text: string, from: number): number {
	let at = from;
	while (text.charAt(at) === " ") at++;
	return at;
}
