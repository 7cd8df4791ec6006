import type { Meter } from "@tripline/engine/meter";
import { renderSpans, type Span } from "./docx-inline.ts";
import {
	type DocxNumberingHandler,
	type DocxStylesHandler,
	type ListPlace,
	readLevel,
} from "./docx-parts.ts";
import { DocxTable } from "./docx-table.ts";
import type { OutputRoom } from "./output-room.ts";
import { findAttribute, type XmlHandler } from "./xml-pieces.ts";

export interface DocxSurroundings {
	readonly styles: DocxStylesHandler;
	readonly numbering: DocxNumberingHandler;
	/** Addresses of links by the id of their relation. */
	readonly links: ReadonlyMap<string, string>;
	readonly room: OutputRoom;
	readonly meter: Meter;
}

interface Paragraph {
	readonly spans: Span[];
	style: string | null;
	list: string | null;
	level: number | null;
	outline: number | null;
}

/** What was deleted, moved away or hidden, and a copy for old programs of what was just read. */
const SKIPPED: ReadonlySet<string> = new Set([
	"del",
	"moveFrom",
	"Fallback",
	"delText",
	"instrText",
	"sdtPr",
]);
const MAX_HEADING = 6;
const UNITS_PER_PARAGRAPH = 60;

/** Converts the body of a document, or its footnotes, to Markdown. */
export class DocxBodyHandler implements XmlHandler {
	/** Blocks of Markdown; those of footnotes by their ids. */
	readonly notes = new Map<string, string>();
	private blocks: { readonly text: string; readonly isListItem: boolean }[] = [];
	private readonly given: DocxSurroundings;
	/** A text box has paragraphs inside a paragraph. */
	private readonly paragraphs: Paragraph[] = [];
	/** Tables may be inside cells. */
	private readonly tables: DocxTable[] = [];
	private readonly counts = new Map<string, number[]>();
	private skipped = 0;
	private skipping = "";
	private runs = 0;
	private isInText = false;
	private isInProperties = false;
	private isBold = false;
	private isItalic = false;
	private isStruck = false;
	private isHidden = false;
	private link: string | null = null;
	private note: string | null = null;

	constructor(given: DocxSurroundings) {
		this.given = given;
	}

	render(): string {
		let text = "";
		this.blocks.forEach((block, at) => {
			const isTight = block.isListItem && this.blocks[at - 1]?.isListItem === true;
			text += (at === 0 ? "" : isTight ? "\n" : "\n\n") + block.text;
		});
		return text;
	}

	open(name: string, attributes: string): void {
		if (this.skipped > 0) {
			if (name === this.skipping) this.skipped++;
			return;
		}
		if (SKIPPED.has(name)) {
			this.skipping = name;
			this.skipped = 1;
			return;
		}
		const find = (attribute: string) => findAttribute(attributes, attribute, this.given.meter);
		const paragraph = this.paragraphs.at(-1);
		switch (name) {
			case "p":
				this.paragraphs.push({ spans: [], style: null, list: null, level: null, outline: null });
				break;
			case "pStyle":
				if (paragraph !== undefined) paragraph.style = find("val") ?? null;
				break;
			case "numId":
				if (paragraph !== undefined) paragraph.list = find("val") ?? null;
				break;
			case "ilvl":
				if (paragraph !== undefined) paragraph.level = readLevel(find("val"));
				break;
			case "outlineLvl":
				if (paragraph !== undefined) paragraph.outline = Number(find("val"));
				break;
			case "r":
				this.runs++;
				this.isBold = this.isItalic = this.isStruck = this.isHidden = false;
				break;
			case "rPr":
				this.isInProperties = true;
				break;
			case "b":
				if (this.isInProperties) this.isBold = isOn(find("val"));
				break;
			case "i":
				if (this.isInProperties) this.isItalic = isOn(find("val"));
				break;
			case "strike":
				if (this.isInProperties) this.isStruck = isOn(find("val"));
				break;
			case "vanish":
				if (this.isInProperties) this.isHidden = isOn(find("val"));
				break;
			case "t":
				this.isInText = true;
				break;
			case "tab":
				if (this.runs > 0) this.add(" ");
				break;
			case "br":
			case "cr": {
				const type = find("type");
				if (this.runs > 0 && type !== "page" && type !== "column") this.add("\n");
				break;
			}
			case "noBreakHyphen":
				this.add("-");
				break;
			case "docPr":
				this.addMarkdown(describeImage(find("descr") ?? find("title") ?? ""));
				break;
			case "pict":
				this.addMarkdown(describeImage(""));
				break;
			case "footnoteReference":
				this.addMarkdown(`[^${cleanId(find("id"))}]`);
				break;
			case "endnoteReference":
				this.addMarkdown(`[^e${cleanId(find("id"))}]`);
				break;
			case "hyperlink": {
				const anchor = find("anchor");
				this.link = this.given.links.get(find("id") ?? "") ?? (anchor === undefined ? null : `#${anchor}`);
				break;
			}
			case "footnote":
			case "endnote":
				this.note =
					find("type") === undefined ? `${name === "endnote" ? "e" : ""}${cleanId(find("id"))}` : null;
				this.blocks = [];
				break;
			case "tbl":
				this.tables.push(new DocxTable());
				break;
			case "tr":
				this.tables.at(-1)?.beginRow();
				break;
			case "tc":
				this.tables.at(-1)?.beginCell();
				break;
			case "gridSpan":
				this.tables.at(-1)?.setSpan(Number(find("val")));
				break;
			case "vMerge":
				if (find("val") !== "restart") this.tables.at(-1)?.continueAbove();
		}
	}

	close(name: string): void {
		if (this.skipped > 0) {
			if (name === this.skipping) this.skipped--;
			return;
		}
		switch (name) {
			case "p":
				this.endParagraph();
				break;
			case "r":
				this.runs--;
				break;
			case "rPr":
				this.isInProperties = false;
				break;
			case "t":
				this.isInText = false;
				break;
			case "hyperlink":
				this.link = null;
				break;
			case "footnote":
			case "endnote":
				if (this.note !== null)
					this.notes.set(
						this.note,
						this.render()
							.split("\n")
							.map((line) => line.trim())
							.join(" "),
					);
				break;
			case "tc":
				this.tables.at(-1)?.endCell();
				break;
			case "tbl":
				this.endTable();
		}
	}

	text(text: string): void {
		if (this.isInText && this.skipped === 0) this.add(text);
	}

	private add(text: string): void {
		const spans = this.paragraphs.at(-1)?.spans;
		if (spans === undefined || this.isHidden) return;
		this.given.room.take(text.length, 2 * text.length);
		const { isBold, isItalic, isStruck, link } = this;
		const last = spans.at(-1);
		const isSame =
			last !== undefined &&
			last.isMarkdown !== true &&
			last.isBold === isBold &&
			last.isItalic === isItalic &&
			last.isStruck === isStruck &&
			last.link === link;
		if (isSame) last.text += text;
		else {
			this.given.room.take(0, 100);
			spans.push({ text, isBold, isItalic, isStruck, link });
		}
	}

	private addMarkdown(text: string): void {
		if (this.isHidden) return;
		this.given.room.take(text.length, 100 + text.length);
		this.paragraphs
			.at(-1)
			?.spans.push({ text, isBold: false, isItalic: false, isStruck: false, link: null, isMarkdown: true });
	}

	private endParagraph(): void {
		const paragraph = this.paragraphs.pop();
		this.given.meter.spend(UNITS_PER_PARAGRAPH);
		if (paragraph === undefined) return;
		const characters = paragraph.spans.reduce((sum, { text }) => sum + text.length, 0);
		this.given.meter.spend(paragraph.spans.length * 20 + characters / 2);
		const table = this.tables.at(-1);
		if (table !== undefined) {
			table.addText(renderSpans(paragraph.spans, "<br>"));
			return;
		}
		const style = paragraph.style === null ? {} : this.given.styles.find(paragraph.style);
		const heading = paragraph.outline === null ? style.heading : paragraph.outline + 1;
		if (heading !== undefined && heading >= 1 && heading <= 9) {
			const plain = paragraph.spans.map((span) => ({ ...span, isBold: false, isItalic: false }));
			const text = renderSpans(plain, " ");
			this.addBlock(text === "" ? "" : `${"#".repeat(Math.min(heading, MAX_HEADING))} ${text}`, false);
			return;
		}
		const list = paragraph.list ?? style.list?.list ?? "0";
		const text = renderSpans(paragraph.spans, "  \n");
		if (list === "0" || text === "") this.addBlock(text, false);
		else this.addItem(text, { list, level: paragraph.level ?? style.list?.level ?? 0 });
	}

	private addItem(text: string, place: ListPlace): void {
		const { list, level } = place;
		const counts = this.counts.get(list) ?? [];
		this.counts.set(list, counts);
		counts.length = level + 1;
		counts[level] = (counts[level] ?? 0) + 1;
		const mark = this.given.numbering.isNumbered(place) ? `${counts[level]}.` : "-";
		const indent = "    ".repeat(level);
		this.addBlock(`${indent}${mark} ${text.replaceAll("\n", `\n${indent}    `)}`, true);
	}

	private endTable(): void {
		const table = this.tables.pop();
		if (table === undefined) return;
		const outer = this.tables.at(-1);
		if (outer === undefined) this.addBlock(table.render(), false);
		else outer.addText(table.render().replaceAll("\n", " "));
	}

	private addBlock(text: string, isListItem: boolean): void {
		if (text === "") return;
		this.given.room.take(2, 64 + text.length);
		this.blocks.push({ text, isListItem });
	}
}

const isOn = (value: string | undefined): boolean => value !== "0" && value !== "false" && value !== "none";

const cleanId = (id: string | undefined): string => (id ?? "").replace(/[^0-9A-Za-z-]/g, "").slice(0, 20);

const MAX_DESCRIPTION_CHARACTERS = 300;

function describeImage(description: string): string {
	const words = description
		.slice(0, MAX_DESCRIPTION_CHARACTERS)
		.replace(/[\s[\]\\]+/g, " ")
		.trim();
	return words === "" ? "[image]" : `[image: ${words}]`;
}
