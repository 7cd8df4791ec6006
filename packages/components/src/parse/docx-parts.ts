import type { Meter } from "@tripline/engine/meter";
import { findAttribute, type XmlHandler } from "./xml-pieces.ts";

/** What a style means for the text. */
export interface ParagraphStyle {
	/** From 1; absent if it is no heading. */
	readonly heading?: number;
	readonly list?: ListPlace;
}

export interface ListPlace {
	/** The number of the list; 0 for none. */
	readonly list: string;
	readonly level: number;
}

interface StyleDraft {
	basedOn?: string;
	heading?: number;
	list?: string;
	level?: number;
}

const MAX_DEFINITIONS = 20_000;
const MAX_LEVEL = 8;
const MAX_ANCESTORS = 20;

/** Reads which paragraph styles are headings or lists. */
export class DocxStylesHandler implements XmlHandler {
	private readonly styles = new Map<string, StyleDraft>();
	private current: StyleDraft | null = null;
	private readonly meter: Meter;

	constructor(meter: Meter) {
		this.meter = meter;
	}

	find(id: string): ParagraphStyle {
		const found: StyleDraft = {};
		let style = this.styles.get(id);
		for (let depth = 0; style !== undefined && depth < MAX_ANCESTORS; depth++) {
			this.meter.spend(10);
			if (style.heading !== undefined) found.heading ??= style.heading;
			if (style.list !== undefined) found.list ??= style.list;
			if (style.level !== undefined) found.level ??= style.level;
			style = style.basedOn === undefined ? undefined : this.styles.get(style.basedOn);
		}
		return {
			...(found.heading !== undefined && { heading: found.heading }),
			...(found.list !== undefined && { list: { list: found.list, level: found.level ?? 0 } }),
		};
	}

	open(name: string, attributes: string): void {
		const find = (attribute: string) => findAttribute(attributes, attribute, this.meter);
		if (name === "style") {
			this.current = {};
			if (this.styles.size < MAX_DEFINITIONS) this.styles.set(find("styleId") ?? "", this.current);
		}
		if (this.current === null) return;
		const value = find("val") ?? "";
		if (name === "name") {
			const heading = /^heading ([1-9])$/i.exec(value)?.[1] ?? (/^title$/i.test(value) ? "1" : undefined);
			if (heading !== undefined) this.current.heading = Number(heading);
		} else if (name === "basedOn") this.current.basedOn = value;
		else if (name === "outlineLvl") this.current.heading = readLevel(value) + 1;
		else if (name === "numId") this.current.list = value;
		else if (name === "ilvl") this.current.level = readLevel(value);
	}

	close(name: string): void {
		if (name === "style") this.current = null;
	}

	text(): void {}
}

/** Reads which lists are numbered, by list and level. */
export class DocxNumberingHandler implements XmlHandler {
	private readonly abstract = new Map<string, Map<number, string>>();
	private readonly lists = new Map<string, string>();
	private levels: Map<number, string> | null = null;
	private level = 0;
	private list: string | null = null;
	private readonly meter: Meter;

	constructor(meter: Meter) {
		this.meter = meter;
	}

	isNumbered({ list, level }: ListPlace): boolean {
		const format = this.abstract.get(this.lists.get(list) ?? "")?.get(level) ?? "bullet";
		return format !== "bullet" && format !== "none";
	}

	open(name: string, attributes: string): void {
		const find = (attribute: string) => findAttribute(attributes, attribute, this.meter) ?? "";
		if (name === "abstractNum" && this.abstract.size < MAX_DEFINITIONS) {
			this.levels = new Map();
			this.abstract.set(find("abstractNumId"), this.levels);
		} else if (name === "lvl") this.level = readLevel(find("ilvl"));
		else if (name === "numFmt") this.levels?.set(this.level, find("val"));
		else if (name === "num") this.list = find("numId");
		else if (name === "abstractNumId" && this.list !== null && this.lists.size < MAX_DEFINITIONS)
			this.lists.set(this.list, find("val"));
	}

	close(name: string): void {
		if (name === "abstractNum") this.levels = null;
		if (name === "num") this.list = null;
	}

	text(): void {}
}

/** Between 0 and 8, whatever is written. */
export function readLevel(text: string | undefined): number {
	const level = Number(text);
	return Number.isInteger(level) ? Math.min(Math.max(level, 0), MAX_LEVEL) : 0;
}

const MAX_TITLE_CHARACTERS = 1000;

/** Reads the title among a document's properties. */
export class TitleHandler implements XmlHandler {
	title = "";
	private isInTitle = false;

	open(name: string): void {
		if (name === "title") this.isInTitle = true;
	}

	close(name: string): void {
		if (name === "title") this.isInTitle = false;
	}

	text(text: string): void {
		if (this.isInTitle) this.title = (this.title + text).slice(0, MAX_TITLE_CHARACTERS);
	}
}
