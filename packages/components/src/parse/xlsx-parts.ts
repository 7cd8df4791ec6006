import type { Meter } from "@tripline/engine/meter";
import { TerminalError } from "@tripline/engine/terminal-error";
import { findBuiltInKind, findNumberKind, type NumberKind } from "./xlsx-dates.ts";
import { findAttribute, type XmlHandler } from "./xml-pieces.ts";

export interface ListedSheet {
	readonly name: string;
	readonly relation: string;
}

const MAX_SHEETS = 1_000;

/** Reads the list of sheets and the date system of `workbook.xml`. */
export class WorkbookHandler implements XmlHandler {
	readonly sheets: ListedSheet[] = [];
	is1904 = false;
	private readonly meter: Meter;

	constructor(meter: Meter) {
		this.meter = meter;
	}

	open(name: string, attributes: string): void {
		const find = (attribute: string) => findAttribute(attributes, attribute, this.meter);
		if (name === "workbookPr") this.is1904 = ["1", "true"].includes(find("date1904") ?? "");
		if (name !== "sheet") return;
		if (this.sheets.length === MAX_SHEETS)
			throw new TerminalError(`the workbook has more than ${MAX_SHEETS} sheets`);
		this.sheets.push({ name: find("name") ?? "", relation: find("id") ?? "" });
	}

	close(): void {}
	text(): void {}
}

const MAX_STYLES = 65_536;

/** Reads what kind of number each style of `styles.xml` shows. */
export class StylesHandler implements XmlHandler {
	/** By the number of a style. */
	readonly kinds: NumberKind[] = [];
	private readonly custom = new Map<string, NumberKind>();
	private isInCellStyles = false;
	private readonly meter: Meter;

	constructor(meter: Meter) {
		this.meter = meter;
	}

	open(name: string, attributes: string): void {
		if (name === "cellXfs") this.isInCellStyles = true;
		if (name === "numFmt" && this.custom.size < MAX_STYLES) {
			const code = findAttribute(attributes, "formatCode", this.meter) ?? "";
			this.meter.spend(20 + code.length / 4);
			this.custom.set(findAttribute(attributes, "numFmtId", this.meter) ?? "", findNumberKind(code));
		}
		if (name === "xf" && this.isInCellStyles && this.kinds.length < MAX_STYLES) {
			const id = findAttribute(attributes, "numFmtId", this.meter) ?? "";
			this.kinds.push(this.custom.get(id) ?? findBuiltInKind(Number(id)));
		}
	}

	close(name: string): void {
		if (name === "cellXfs") this.isInCellStyles = false;
	}

	text(): void {}
}

/** They are held while a sheet is read. */
const MAX_STRINGS_BYTES = 32 * 1024 * 1024;
const STRING_BYTES = 40;

/** Reads the texts of `sharedStrings.xml`, to which cells refer by number. */
export class StringsHandler implements XmlHandler {
	readonly strings: string[] = [];
	private current = "";
	private isInText = false;
	/** How a text is pronounced is not part of it. */
	private isInPhonetics = false;
	private room = MAX_STRINGS_BYTES;

	open(name: string): void {
		if (name === "si") this.current = "";
		else if (name === "rPh") this.isInPhonetics = true;
		else if (name === "t") this.isInText = !this.isInPhonetics;
	}

	close(name: string): void {
		if (name === "t") this.isInText = false;
		else if (name === "rPh") this.isInPhonetics = false;
		else if (name === "si") this.strings.push(this.takeCurrent());
	}

	text(text: string): void {
		if (this.isInText) this.current += text;
	}

	private takeCurrent(): string {
		this.room -= STRING_BYTES + this.current.length;
		if (this.room < 0)
			throw new TerminalError(`the workbook's texts are larger than ${MAX_STRINGS_BYTES / 1024 / 1024} MiB`);
		return decodeEscapes(this.current);
	}
}

const ESCAPE = /_x([0-9A-Fa-f]{4})_/g;

/** Office writes characters that XML does not allow as `_x0007_`. */
export const decodeEscapes = (text: string): string =>
	text.includes("_x")
		? text.replace(ESCAPE, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))).toWellFormed()
		: text;
