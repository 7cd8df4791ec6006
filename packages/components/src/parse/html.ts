import type { Meter } from "@tripline/engine/meter";
import { BLOCKS } from "./html-elements.ts";
import { createTableReader } from "./html-tables.ts";
import { readHtml } from "./html-tokens.ts";
import { ReadableText } from "./readable-text.ts";

// A type, not an interface: an interface is not assignable to Json.
type HtmlPage = {
	title: string;
	text: string;
	links: { href: string; text: string }[];
	headings: { level: number; text: string }[];
	/** Rows of cells. */
	tables: string[][][];
};

const HEADING = /^h[1-6]$/;

/** Extracts the visible content of a page. Scripts are not run; links are left as written. */
export function parseHtml(html: string, meter: Meter): HtmlPage {
	meter.spendOnText(32 * html.length);
	const page = new ReadableText();
	const links: { href: string; text: ReadableText }[] = [];
	const headings: { level: number; text: ReadableText }[] = [];
	const tables = createTableReader();
	const titles: ReadableText[] = [];
	let isInTitle = false;
	let link: ReadableText | null = null;
	let heading: ReadableText | null = null;

	readHtml(html, meter, {
		text(text) {
			if (isInTitle) {
				titles.at(-1)?.add(text);
				return;
			}
			for (const target of [page, link, heading, tables.cell()]) {
				if (target === null) continue;
				meter.spend(12 + text.length / 16);
				target.add(text);
			}
		},
		open(name, attributes) {
			separate(name);
			tables.open(name);
			if (name === "title") {
				isInTitle = true;
				titles.push(new ReadableText());
			} else if (name === "a") {
				link = null;
				const href = attributes.get("href");
				if (href === undefined) return;
				link = new ReadableText();
				links.push({ href: href.trim(), text: link });
			} else if (HEADING.test(name)) {
				heading = new ReadableText();
				headings.push({ level: Number(name[1]), text: heading });
			}
		},
		close(name) {
			separate(name);
			tables.close(name);
			if (name === "title") isInTitle = false;
			else if (name === "a") link = null;
			else if (HEADING.test(name)) heading = null;
		},
	});

	const read = <Item extends { text: ReadableText }>(item: Item) => ({ ...item, text: item.text.read() });
	return {
		title: titles[0]?.read() ?? "",
		text: page.read(),
		links: links.map(read),
		headings: headings.map(read).filter(({ text }) => text !== ""),
		tables: tables.read(),
	};

	function separate(name: string): void {
		if (BLOCKS.has(name)) {
			page.separate("\n");
			for (const target of [link, heading, tables.cell()]) target?.separate(" ");
		} else if (name === "td" || name === "th") page.separate(" ");
	}
}
