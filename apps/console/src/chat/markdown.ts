/** The part of Markdown that a chat shows. Everything else, such as HTML and images, is shown as text. */
export type Inline =
	| { readonly kind: "text" | "code" | "strong" | "em" | "del"; readonly text: string }
	| { readonly kind: "link"; readonly text: string; readonly href: string };

export type Block =
	| { readonly kind: "paragraph" | "heading" | "quote"; readonly lines: readonly (readonly Inline[])[] }
	| { readonly kind: "list"; readonly isNumbered: boolean; readonly items: readonly Item[] }
	| { readonly kind: "table"; readonly rows: readonly (readonly (readonly Inline[])[])[] }
	| { readonly kind: "code"; readonly text: string }
	| { readonly kind: "rule" };

export interface Item {
	/** How far it is indented: 0 to 3. */
	readonly level: number;
	readonly inlines: readonly Inline[];
}

const FENCE = /^\s{0,3}(?:```|~~~)/;
const HEADING = /^\s{0,3}#{1,6}\s+(.*)$/;
const RULE = /^\s{0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/;
const QUOTE = /^\s{0,3}>\s?(.*)$/;
const ITEM = /^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;
const TABLE_LINE = /^\s*\|?\s*:?-{1,}:?\s*(?:\|\s*:?-{1,}:?\s*)*\|?\s*$/;
const SPACES_PER_LEVEL = 2;
const MAX_LEVEL = 3;
/** Beyond it a text is shown as it is: it would take long to draw. */
const MAX_LENGTH = 200_000;

/** No part can contain its own end, so that a search for one ends at the next. */
const INLINE =
	/`([^`\n]+)`|\*\*([^*\s](?:[^*\n]*[^*\s])?)\*\*|~~([^~\n]+)~~|\*([^*\s](?:[^*\n]*[^*\s])?)\*|\b_([^_\s](?:[^_\n]*[^_\s])?)_\b|(?<!!)\[([^[\]\n]+)\]\(([^()\s]+)\)|(https?:\/\/[^\s<>"'`()[\]]*[^\s<>"'`()[\].,;:!?*_])/g;

export function parseMarkdown(text: string): Block[] {
	if (text.length > MAX_LENGTH) return [{ kind: "code", text }];
	const lines = text.replaceAll("\r\n", "\n").split("\n");
	const blocks: Block[] = [];
	let at = 0;
	while (at < lines.length) at = readBlock(lines, at, blocks);
	return blocks;
}

/** Adds the block that begins at a line, and returns the line after it. */
function readBlock(lines: readonly string[], at: number, blocks: Block[]): number {
	const line = lines[at] as string;
	if (line.trim() === "") return at + 1;
	if (FENCE.test(line)) {
		const end = findEnd(lines, at + 1, (each) => FENCE.test(each));
		blocks.push({ kind: "code", text: lines.slice(at + 1, end).join("\n") });
		return end + 1;
	}
	const heading = HEADING.exec(line)?.[1];
	if (heading !== undefined) {
		blocks.push({ kind: "heading", lines: [parseInlines(heading)] });
		return at + 1;
	}
	if (RULE.test(line)) {
		blocks.push({ kind: "rule" });
		return at + 1;
	}
	if (QUOTE.test(line)) {
		const end = findEnd(lines, at, (each) => !QUOTE.test(each));
		const quoted = lines.slice(at, end).map((each) => parseInlines(QUOTE.exec(each)?.[1] ?? ""));
		blocks.push({ kind: "quote", lines: quoted });
		return end;
	}
	if (ITEM.test(line)) {
		const isNumbered = ITEM.exec(line)?.[2] !== undefined;
		const end = findEnd(lines, at, (each) => !ITEM.test(each));
		blocks.push({ kind: "list", isNumbered, items: lines.slice(at, end).map(parseItem) });
		return end;
	}
	if (line.includes("|") && TABLE_LINE.test(lines[at + 1] ?? "")) {
		const end = findEnd(lines, at + 2, (each) => !each.includes("|"));
		blocks.push({ kind: "table", rows: [line, ...lines.slice(at + 2, end)].map(parseRow) });
		return end;
	}
	const end = findEnd(lines, at + 1, isBlockStart);
	blocks.push({ kind: "paragraph", lines: lines.slice(at, end).map(parseInlines) });
	return end;
}

const isBlockStart = (line: string): boolean =>
	line.trim() === "" || [FENCE, HEADING, RULE, QUOTE, ITEM].some((start) => start.test(line));

function findEnd(lines: readonly string[], from: number, isEnd: (line: string) => boolean): number {
	let end = from;
	while (end < lines.length && !isEnd(lines[end] as string)) end++;
	return end;
}

function parseItem(line: string): Item {
	const [, indent = "", , text = ""] = ITEM.exec(line) ?? [];
	const level = Math.min(MAX_LEVEL, Math.floor(indent.length / SPACES_PER_LEVEL));
	return { level, inlines: parseInlines(text) };
}

const parseRow = (line: string): readonly (readonly Inline[])[] =>
	line
		.trim()
		.replace(/^\||\|$/g, "")
		.split("|")
		.map((cell) => parseInlines(cell.trim()));

function parseInlines(text: string): Inline[] {
	const inlines: Inline[] = [];
	let end = 0;
	for (const match of text.matchAll(INLINE)) {
		if (match.index > end) inlines.push({ kind: "text", text: text.slice(end, match.index) });
		inlines.push(toInline(match));
		end = match.index + match[0].length;
	}
	if (end < text.length) inlines.push({ kind: "text", text: text.slice(end) });
	return inlines;
}

function toInline([whole, code, strong, del, em, underlined, label, address, bare]: RegExpExecArray): Inline {
	if (code !== undefined) return { kind: "code", text: code };
	if (strong !== undefined) return { kind: "strong", text: strong };
	if (del !== undefined) return { kind: "del", text: del };
	const emphasis = em ?? underlined;
	if (emphasis !== undefined) return { kind: "em", text: emphasis };
	const href = address ?? bare ?? "";
	return isLinked(href) ? { kind: "link", text: label ?? href, href } : { kind: "text", text: whole };
}

const isLinked = (address: string): boolean =>
	/^(?:https?:\/\/|mailto:)/i.test(address) && URL.canParse(address);
