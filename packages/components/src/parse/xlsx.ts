import type { Json } from "@tripline/contract/json";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { OpenFile } from "../effects.ts";
import type { ReadCall } from "./file-text.ts";
import { OfficePackage } from "./office-package.ts";
import { OutputRoom } from "./output-room.ts";
import { type ListedSheet, StringsHandler, StylesHandler, WorkbookHandler } from "./xlsx-parts.ts";
import { readRange } from "./xlsx-range.ts";
import { SheetHandler, type SheetOptions, type Workbook } from "./xlsx-sheet.ts";

interface XlsxOptions extends Pick<SheetOptions, "header" | "limit" | "offset"> {
	/** A name, or a number from 1; `*` for all sheets. */
	readonly sheet?: string | number | undefined;
	/** Such as `B2:D100`. */
	readonly range?: string | undefined;
}

/** Uncompressed. */
const MAX_MIB = { workbook: 4, styles: 16, strings: 128, sheet: 256 };
const ALL = "*";
const MAX_LISTED = 20;

/** The rows of a sheet, or of all sheets by their names. */
export async function parseXlsx(file: OpenFile, options: XlsxOptions, call: ReadCall): Promise<Json> {
	const { sheet: wanted = 1, header, limit, offset } = options;
	const range = readRange(options.range);
	const { meter } = call;
	const office = await OfficePackage.open(file, call);
	const main = await office.findMain();
	const listed = new WorkbookHandler(meter);
	if (!(await office.read(main, listed, MAX_MIB.workbook))) throw createMissingError(main);
	const relations = await office.readRelations(main);
	const findPart = (matches: (relation: (typeof relations)[number]) => boolean): string | undefined =>
		relations.find((relation) => !relation.isExternal && matches(relation))?.target;

	const sheets = listed.sheets.flatMap((sheet) => {
		const path = findPart(({ id, type }) => id === sheet.relation && type === "worksheet");
		return path === undefined ? [] : [{ ...sheet, path }];
	});
	const chosen = wanted === ALL ? sheets : [chooseSheet(sheets, wanted)];

	const styles = new StylesHandler(meter);
	const stylesPath = findPart(({ type }) => type === "styles");
	if (stylesPath !== undefined) await office.read(stylesPath, styles, MAX_MIB.styles);
	const strings = new StringsHandler();
	const stringsPath = findPart(({ type }) => type === "sharedStrings");
	if (stringsPath !== undefined) await office.read(stringsPath, strings, MAX_MIB.strings);
	const workbook: Workbook = { strings: strings.strings, kinds: styles.kinds, is1904: listed.is1904 };

	const room = new OutputRoom("read fewer rows at a time with offset and limit, or fewer columns with range");
	const rows: [string, Json][] = [];
	for (const { name, path } of chosen) {
		const handler = new SheetHandler(workbook, { header, limit, offset, range }, room, meter);
		if (!(await office.read(path, handler, MAX_MIB.sheet))) throw createMissingError(path);
		rows.push([name, handler.rows]);
	}
	return wanted === ALL ? Object.fromEntries(rows) : (rows[0]?.[1] ?? []);
}

function chooseSheet<Sheet extends ListedSheet>(sheets: readonly Sheet[], wanted: string | number): Sheet {
	const found = typeof wanted === "number" ? sheets[wanted - 1] : sheets.find(({ name }) => name === wanted);
	if (found !== undefined) return found;
	const names = sheets.slice(0, MAX_LISTED).map(({ name }) => name);
	throw new TerminalError(`there is no sheet ${wanted}; the workbook has ${names.join(", ") || "none"}`);
}

const createMissingError = (path: string): TerminalError =>
	new TerminalError(`the workbook refers to ${path}, which is missing`);
