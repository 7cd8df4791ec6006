import { type WrittenEntry, writeZip } from "./zip-writer.ts";

export interface WrittenBook {
	/** The XML of `sheetData` of each sheet, by name. */
	readonly sheets: Readonly<Record<string, string>>;
	/** The XML of each shared text. */
	readonly strings?: readonly string[];
	/** The number formats of the styles 0, 1, … */
	readonly formats?: readonly string[];
	readonly is1904?: boolean;
	readonly more?: readonly WrittenEntry[];
}

export const escapeXml = (text: string): string =>
	text.replace(/[&<>"\r]/g, (character) => `&#${character.charCodeAt(0)};`);

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const relations = (targets: readonly (readonly [type: string, target: string])[]): string =>
	`${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
		.map(([type, target], at) => `<Relationship Id="rId${at}" Type="${TYPES}/${type}" Target="${target}"/>`)
		.join("")}</Relationships>`;

/** Writes workbooks for tests. Shares no code with what it tests. */
export function writeXlsx({ sheets, strings, formats = [], is1904 = false, more = [] }: WrittenBook): Buffer {
	const names = Object.keys(sheets);
	const parts: Record<string, string> = {
		"[Content_Types].xml": "<Types/>",
		"_rels/.rels": relations([["officeDocument", "xl/workbook.xml"]]),
		"xl/workbook.xml": `${HEAD}<workbook ${MAIN} xmlns:r="${TYPES}"><workbookPr${is1904 ? ' date1904="1"' : ""}/><sheets>${names
			.map((name, at) => `<sheet name="${escapeXml(name)}" sheetId="${at + 1}" r:id="rId${at}"/>`)
			.join("")}</sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": relations([
			...names.map((_, at) => ["worksheet", `worksheets/sheet${at + 1}.xml`] as const),
			["styles", "/xl/styles.xml"],
			...(strings === undefined ? [] : [["sharedStrings", "sharedStrings.xml"] as const]),
		]),
		"xl/styles.xml": `${HEAD}<styleSheet ${MAIN}><numFmts>${formats
			.map((code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${escapeXml(code)}"/>`)
			.join("")}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${formats
			.map((_, at) => `<xf numFmtId="${200 + at}"/>`)
			.join("")}</cellXfs></styleSheet>`,
	};
	Object.values(sheets).forEach((data, at) => {
		parts[`xl/worksheets/sheet${at + 1}.xml`] =
			`${HEAD}<worksheet ${MAIN}><sheetData>${data}</sheetData></worksheet>`;
	});
	if (strings !== undefined)
		parts["xl/sharedStrings.xml"] =
			`${HEAD}<sst ${MAIN}>${strings.map((text) => `<si>${text}</si>`).join("")}</sst>`;
	const given = new Set(more.map(({ path }) => path));
	return writeZip([
		...Object.entries(parts)
			.filter(([path]) => !given.has(path))
			.map(([path, content]) => ({ path, content })),
		...more,
	]);
}
