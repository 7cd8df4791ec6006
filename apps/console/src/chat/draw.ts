import { type Block, type Inline, type Item, parseMarkdown } from "./markdown.ts";

type Child = Node | string;

/** An element with attributes and children. Texts stay texts: nothing here parses HTML. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
	tag: Tag,
	attributes: Readonly<Record<string, string>> = {},
	...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
	element.append(...children);
	return element;
}

export const drawMarkdown = (text: string): Node[] => parseMarkdown(text).map(drawBlock);

function drawBlock(block: Block): Node {
	switch (block.kind) {
		case "code":
			return make("pre", { tabindex: "0" }, make("code", {}, block.text));
		case "rule":
			return make("hr");
		case "list":
			return drawList(block.items, block.isNumbered);
		case "table":
			return make("div", { class: "wide", tabindex: "0" }, make("table", {}, ...block.rows.map(drawRow)));
		case "heading":
			return make("h3", {}, ...drawLines(block.lines));
		case "quote":
			return make("blockquote", {}, ...drawLines(block.lines));
		case "paragraph":
			return make("p", {}, ...drawLines(block.lines));
	}
}

function drawList(items: readonly Item[], isNumbered: boolean): Node {
	return make(
		isNumbered ? "ol" : "ul",
		{},
		...items.map(({ level, inlines }) => make("li", { class: `level-${level}` }, ...inlines.map(drawInline))),
	);
}

const drawRow = (cells: readonly (readonly Inline[])[], index: number): Node =>
	make("tr", {}, ...cells.map((cell) => make(index === 0 ? "th" : "td", {}, ...cell.map(drawInline))));

const drawLines = (lines: readonly (readonly Inline[])[]): Child[] =>
	lines.flatMap((line, index) => [...(index === 0 ? [] : [make("br")]), ...line.map(drawInline)]);

function drawInline(inline: Inline): Child {
	switch (inline.kind) {
		case "text":
			return inline.text;
		case "link":
			return make("a", { href: inline.href, rel: "noreferrer noopener", target: "_blank" }, inline.text);
		default:
			return make(inline.kind, {}, inline.text);
	}
}
