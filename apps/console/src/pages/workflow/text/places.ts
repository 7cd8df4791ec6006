const NAME_LINE = /^((?:name|"name"|'name')\s*:)(?:\s+(.*))?$/;

/** The workflow's name in its text; null if it cannot be read without a YAML parser. */
export function findName(text: string): string | null {
	for (const line of text.split("\n")) {
		const value = NAME_LINE.exec(line)?.[2];
		if (value !== undefined) return parseScalar(value) || null;
	}
	return null;
}

/** The text with another name; unchanged if it has no line for it. */
export function replaceName(text: string, name: string): string {
	const lines = text.split("\n");
	const at = lines.findIndex((line) => NAME_LINE.exec(line)?.[2] !== undefined);
	const [, key] = NAME_LINE.exec(lines[at] ?? "") ?? [];
	if (key === undefined) return text;
	return lines.with(at, `${key} ${renderScalar(name)}`).join("\n");
}

/** A text as a YAML scalar on one line. */
function renderScalar(text: string): string {
	const isPlain =
		/^[\p{L}][\p{L}\p{N} _-]*$/u.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
	return isPlain && text === text.trim() ? text : JSON.stringify(text);
}

/** The text with another credential of a node; null if the node is not written in a way that lines can tell. */
export function replaceCredential(text: string, node: string, credential: string): string | null {
	const lines = text.split("\n");
	const at = (findNodeLine(text, node) ?? 0) - 1;
	const line = lines[at] ?? "";
	if (parseKey(line) !== node) return null;
	const setting = `credential: ${renderScalar(credential)}`;
	const [, before, flow] = /^(.*?:\s+)(\{.*\}\s*(?:#.*)?)$/.exec(line) ?? [];
	if (before !== undefined && flow !== undefined) {
		const next = /[{,]\s*credential\s*:/.test(flow)
			? flow.replace(
					/([{,]\s*)credential\s*:\s*(?:"[^"]*"|'[^']*'|[^,}]*[^,}\s])/,
					(_, start) => start + setting,
				)
			: flow.replace(/([{,]\s*component\s*:\s*[^,}]*[^,}\s])/, (found) => `${found}, ${setting}`);
		return next === flow ? null : lines.with(at, before + next).join("\n");
	}
	if (!/:\s*(?:#.*)?$/.test(line)) return null;
	const depth = line.search(/\S/);
	const end = lines.findIndex((each, index) => index > at && /\S/.test(each) && each.search(/\S/) <= depth);
	const children = lines.slice(at + 1, end < 0 ? lines.length : end);
	const indent = children.find((each) => parseKey(each) !== null)?.search(/\S/) ?? -1;
	if (indent <= depth) return null;
	const find = (key: string) =>
		children.findIndex((each) => each.search(/\S/) === indent && parseKey(each) === key);
	const written = " ".repeat(indent) + setting;
	const old = find("credential");
	if (old >= 0) return lines.with(at + 1 + old, written).join("\n");
	const component = find("component");
	return component < 0 ? null : lines.toSpliced(at + 2 + component, 0, written).join("\n");
}

/**
 * The line (1-based) that defines a node: its key in `config`, its `id` in a list of nodes, or else the first triplet
 * that names it. Uses line patterns, so that it works while the text does not compile.
 */
export function findNodeLine(text: string, id: string): number | null {
	const lines = text.split("\n");
	const config = lines.findIndex((line) => /^config\s*:/.test(line));
	let depth: number | null = null;
	for (const [index, line] of config < 0 ? [] : lines.slice(config + 1).entries()) {
		if (/^[^\s#]/.test(line)) break;
		const key = parseKey(line);
		const indent = line.search(/\S/);
		if (key === null) continue;
		depth ??= indent;
		if (indent === depth && key === id) return config + index + 2;
	}
	const listed = lines.findIndex((line) => parseScalar(/\bid\s*:\s*([^,}]+)/.exec(line)?.[1] ?? "") === id);
	if (listed >= 0) return listed + 1;
	const named = lines.findIndex((line) => splitTriplet(line).includes(id));
	return named < 0 ? null : named + 1;
}

/** The key of a line such as `  name: …`. A node may have any name that is a valid YAML key. */
function parseKey(line: string): string | null {
	const [, doubled, single, plain] =
		/^\s+(?:("(?:[^"\\]|\\.)*")|('(?:[^']|'')*')|([^\s#'"{[][^#]*?))\s*:(?:\s|$)/.exec(line) ?? [];
	const key = doubled ?? single ?? plain;
	return key === undefined ? null : parseScalar(key);
}

function splitTriplet(line: string): readonly string[] {
	const parts = parseScalar(line.replace(/^\s*-\s+/, "")).split(">>");
	return parts.length === 3 ? [parts[0] ?? "", parts[2] ?? ""].map((part) => part.trim()) : [];
}

/** The value of a YAML scalar on one line, without its comment. */
function parseScalar(given: string): string {
	const text = given.trim();
	const doubled = /^"(?:[^"\\]|\\.)*"/.exec(text)?.[0];
	if (doubled !== undefined) return parseQuoted(doubled);
	const single = /^'((?:[^']|'')*)'/.exec(text)?.[1];
	if (single !== undefined) return single.replaceAll("''", "'");
	return text.replace(/(?:^|\s)#.*$/, "").trim();
}

function parseQuoted(text: string): string {
	try {
		return String(JSON.parse(text));
	} catch {
		return text.slice(1, -1);
	}
}
