/** The subset of Markdown used in descriptions. Everything else is shown as text. */
export type Inline =
	| { readonly kind: "text" | "code" | "strong"; readonly text: string }
	| { readonly kind: "link"; readonly text: string; readonly href: string };

export type Block =
	| { readonly kind: "paragraph"; readonly inlines: readonly Inline[] }
	| { readonly kind: "list"; readonly items: readonly (readonly Inline[])[] }
	| { readonly kind: "code"; readonly text: string };

export function parseBlocks(markdown: string): Block[] {
	const blocks: Block[] = [];
	// Parts with an odd index are between code fences.
	for (const [index, part] of markdown.split(/^```.*$\n?/m).entries()) {
		if (index % 2 === 1) blocks.push({ kind: "code", text: part.trimEnd() });
		else
			for (const text of part.split(/\n\s*\n/))
				if (text.trim() !== "") blocks.push(...parseProse(text.trim()));
	}
	return blocks;
}

function parseProse(text: string): Block[] {
	const lines = text.split("\n");
	const first = lines.findIndex((line) => ITEM.test(line));
	if (first === -1) return [{ kind: "paragraph", inlines: parseInlines(lines.join(" ")) }];
	const items: string[] = [];
	for (const line of lines.slice(first)) {
		if (ITEM.test(line)) items.push(line.replace(ITEM, ""));
		else items.push(`${items.pop() ?? ""} ${line.trim()}`);
	}
	const list: Block = { kind: "list", items: items.map(parseInlines) };
	return first === 0 ? [list] : [...parseProse(lines.slice(0, first).join("\n")), list];
}

const ITEM = /^\s*(?:[-*]|\d+\.)\s+/;
const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)/g;

function parseInlines(text: string): Inline[] {
	const inlines: Inline[] = [];
	let end = 0;
	for (const match of text.matchAll(INLINE)) {
		const [whole, code, strong, label, href] = match;
		if (match.index > end) inlines.push({ kind: "text", text: text.slice(end, match.index) });
		if (code !== undefined) inlines.push({ kind: "code", text: code });
		else if (strong !== undefined) inlines.push({ kind: "strong", text: strong });
		else if (label !== undefined && href !== undefined) inlines.push({ kind: "link", text: label, href });
		end = match.index + whole.length;
	}
	if (end < text.length) inlines.push({ kind: "text", text: text.slice(end) });
	return inlines;
}

/** The first paragraph without markup, for lists. */
export function buildSummary(markdown: string): string {
	const [first] = parseBlocks(markdown);
	return first?.kind === "paragraph" ? first.inlines.map(({ text }) => text).join("") : "";
}
