/** A part of a paragraph with the same look. */
export interface Span {
	/** A line break is `\n`. */
	text: string;
	readonly isBold: boolean;
	readonly isItalic: boolean;
	readonly isStruck: boolean;
	/** Address of a link. */
	readonly link: string | null;
	/** Markdown already, such as a reference to a footnote. */
	readonly isMarkdown?: boolean;
}

const SPECIAL = /[\\`*[\]]|<(?=[A-Za-z/!])|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|~~/gu;
/** What would begin a heading, a list, a quotation or a numbered list. */
const LINE_START = /^(#{1,6}(?=\s|$)|[-+](?=\s|$)|>)/;
const NUMBER_START = /^(\d{1,9})([.)])(?=\s|$)/;
const LINK_SCHEME = /^(?:https?:|mailto:|tel:|#)/i;

/** Renders spans as Markdown. Line breaks become `breaks`. */
export function renderSpans(spans: readonly Span[], breaks: string): string {
	let markdown = "";
	for (let at = 0; at < spans.length; ) {
		const { link } = spans[at] as Span;
		let end = at;
		while (end < spans.length && spans[end]?.link === link) end++;
		const text = spans.slice(at, end).map(renderSpan).join("");
		markdown += link !== null && text.trim() !== "" ? renderLink(text, link) : text;
		at = end;
	}
	// By lines, because patterns for space around line breaks take quadratic time.
	return markdown
		.trim()
		.split("\n")
		.map((line) => line.trim().replace(LINE_START, "\\$1").replace(NUMBER_START, "$1\\$2"))
		.join(breaks);
}

function renderSpan({ text, isBold, isItalic, isStruck, isMarkdown = false }: Span): string {
	if (isMarkdown) return text;
	const words = text.trim();
	if (words === "") return text;
	const marks = `${isStruck ? "~~" : ""}${isBold ? "**" : ""}${isItalic ? "*" : ""}`;
	const escaped = words.replace(SPECIAL, "\\$&");
	if (marks === "") return text.replace(words, () => escaped);
	// Marks must touch the words that they mark.
	const start = text.indexOf(words);
	const after = text.slice(start + words.length);
	return text.slice(0, start) + marks + escaped + [...marks].reverse().join("") + after;
}

function renderLink(text: string, link: string): string {
	if (!LINK_SCHEME.test(link)) return text;
	const address = link.replace(/[\s<>]/g, encodeURIComponent);
	return `[${text.trim()}](${/[()]/.test(address) ? `<${address}>` : address})${text.endsWith(" ") ? " " : ""}`;
}
