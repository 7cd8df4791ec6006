import { encodeInTurns, type Turns } from "./encode.ts";
import type { Table } from "./rows.ts";
import { writeSheet } from "./xlsx-sheet.ts";
import { STYLES_XML } from "./xlsx-styles.ts";
import { escapeAttribute } from "./xlsx-text.ts";
import { writeZip, type ZipEntry } from "./zip.ts";

export interface Sheet {
	readonly name: string;
	readonly table: Table;
	/** For errors, such as `sheets[0].`; empty if there is one sheet. */
	readonly place: string;
}

interface XlsxOptions {
	readonly timezone: string;
	/** The time at which it is made, in milliseconds. */
	readonly time: number;
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const SPREADSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** An Office Open XML workbook: a zip file with a few small parts and one for each sheet. */
export function writeXlsx(
	sheets: readonly Sheet[],
	{ timezone, time }: XlsxOptions,
	call: Turns,
): AsyncIterable<Uint8Array> {
	return writeZip(listParts(), { time });

	function* listParts(): Generator<ZipEntry> {
		yield part("[Content_Types].xml", [renderContentTypes(sheets.length)]);
		yield part("_rels/.rels", [renderRelations([["officeDocument", "xl/workbook.xml"]])]);
		yield part("xl/workbook.xml", [renderWorkbook(sheets)]);
		const targets = sheets.map((_, index): Relation => ["worksheet", `worksheets/sheet${index + 1}.xml`]);
		yield part("xl/_rels/workbook.xml.rels", [renderRelations([...targets, ["styles", "styles.xml"]])]);
		yield part("xl/styles.xml", [STYLES_XML]);
		for (const [index, { table, place }] of sheets.entries()) {
			const options = { timezone, isFirst: index === 0, place, meter: call.meter };
			yield part(`xl/worksheets/sheet${index + 1}.xml`, writeSheet(table, options));
		}
	}

	function part(path: string, xml: Iterable<string>): ZipEntry {
		return { path, content: encodeInTurns(xml, call) };
	}
}

function renderContentTypes(sheets: number): string {
	const parts = Array.from(
		{ length: sheets },
		(_, index) =>
			`<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="${SPREADSHEET}.worksheet+xml"/>`,
	);
	return `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${SPREADSHEET}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${SPREADSHEET}.styles+xml"/>${parts.join("")}</Types>`;
}

type Relation = readonly [type: string, target: string];

function renderRelations(relations: readonly Relation[]): string {
	const rendered = relations.map(
		([type, target], index) =>
			`<Relationship Id="rId${index + 1}" Type="${DOCUMENT}/${type}" Target="${target}"/>`,
	);
	return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${rendered.join("")}</Relationships>`;
}

function renderWorkbook(sheets: readonly Sheet[]): string {
	const rendered = sheets.map(
		({ name }, index) =>
			`<sheet name="${escapeAttribute(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
	);
	return `${XML}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${DOCUMENT}"><sheets>${rendered.join("")}</sheets></workbook>`;
}
