import { type Html, html, type Piece } from "@tripline/web/docs/html";

/** Inline: code, bold, italic, a link. No part can contain its own end, so that a search for one ends at the next. */
const INLINE =
	/`([^`\n]+)`|\*\*([^*\s](?:[^*\n]*[^*\s])?)\*\*|\*([^*\s](?:[^*\n]*[^*\s])?)\*|_([^_\s](?:[^_\n]*[^_\s])?)_|\[([^[\]\n]+)\]\(([^()\s]+)\)/g;
const ITEM = /^\s{0,3}(?:[-*+]|(\d{1,3})[.)])\s+(.*)$/;
const HEADING = /^#{1,6}\s+(.*)$/;

/** A small part of Markdown, as markup: everything else is shown as it is written. */
export function renderMarkdown(text: string): Html {
	const blocks: Piece[] = [];
	let lines: string[] = [];
	let items: Piece[] = [];
	let isNumbered = false;
	const endParagraph = () => {
		if (lines.length > 0) blocks.push(html`<p>${joinLines(lines)}</p>\n`);
		lines = [];
	};
	const endList = () => {
		if (items.length > 0) blocks.push(isNumbered ? html`<ol>${items}</ol>\n` : html`<ul>${items}</ul>\n`);
		items = [];
	};
	for (const line of text.split(/\r?\n/)) {
		const [item, number, content = ""] = ITEM.exec(line) ?? [];
		const heading = HEADING.exec(line)?.[1];
		if (item !== undefined) {
			endParagraph();
			if (items.length > 0 && isNumbered !== (number !== undefined)) endList();
			isNumbered = number !== undefined;
			items.push(html`<li>${renderInline(content)}</li>`);
		} else if (line.trim() === "" || heading !== undefined) {
			endParagraph();
			endList();
			if (heading !== undefined) blocks.push(html`<h2>${renderInline(heading)}</h2>\n`);
		} else {
			endList();
			lines.push(line);
		}
	}
	endParagraph();
	endList();
	return html`${blocks}`;
}

const joinLines = (lines: readonly string[]): Piece =>
	lines.map((line, index) => [index > 0 && html`<br>`, renderInline(line)]);

function renderInline(text: string): Piece {
	const pieces: Piece[] = [];
	let end = 0;
	for (const match of text.matchAll(INLINE)) {
		const [whole, code, bold, italic, underlined, label, address] = match;
		pieces.push(
			text.slice(end, match.index),
			renderMatch(whole, { code, bold, italic: italic ?? underlined, label, address }),
		);
		end = match.index + whole.length;
	}
	pieces.push(text.slice(end));
	return pieces;
}

function renderMatch(
	whole: string,
	{
		code,
		bold,
		italic,
		label,
		address,
	}: Partial<Record<"code" | "bold" | "italic" | "label" | "address", string | undefined>>,
): Piece {
	if (code !== undefined) return html`<code>${code}</code>`;
	if (bold !== undefined) return html`<strong>${bold}</strong>`;
	if (italic !== undefined) return html`<em>${italic}</em>`;
	if (label === undefined || address === undefined || !isWebAddress(address)) return whole;
	return html`<a href="${address}" rel="noreferrer noopener" target="_blank">${label}</a>`;
}

const isWebAddress = (address: string): boolean => /^https?:\/\//i.test(address) && URL.canParse(address);
