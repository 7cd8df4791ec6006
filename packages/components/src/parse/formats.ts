import type { FileValue } from "@tripline/contract/files";
import { TerminalError } from "@tripline/engine/terminal-error";

export const FORMATS = [
	"json",
	"jsonl",
	"csv",
	"tsv",
	"xml",
	"html",
	"ics",
	"xlsx",
	"docx",
	"pdf",
	"zip",
] as const;
export type Format = (typeof FORMATS)[number];

/** Formats whose files are not text. */
export const BINARY_FORMATS: readonly Format[] = ["xlsx", "docx", "pdf", "zip"];
const TEXT_FORMATS = FORMATS.filter((format) => !BINARY_FORMATS.includes(format));

const MIB = 1024 * 1024;
/** The largest file that is read in each format. Those of 4 MiB are parsed in one piece, the others in many. */
const MAX_FILE_MIB: Readonly<Record<Format, number>> = {
	json: 4,
	jsonl: 100,
	csv: 100,
	tsv: 100,
	xml: 4,
	html: 4,
	ics: 4,
	xlsx: 32,
	docx: 32,
	pdf: 32,
	zip: 100,
};

/** The formats that use a parameter. */
const USED_BY: Readonly<Record<string, readonly Format[]>> = {
	text: TEXT_FORMATS,
	encoding: TEXT_FORMATS,
	delimiter: ["csv"],
	header: ["csv", "tsv", "xlsx"],
	offset: ["csv", "tsv", "jsonl", "xlsx"],
	limit: ["csv", "tsv", "jsonl", "xlsx"],
	select: ["html"],
	sheet: ["xlsx"],
	range: ["xlsx"],
	pages: ["pdf"],
	extract: ["zip"],
};

/** The parameters among these that a format does not use. */
export function listUnused(format: Format, given: Readonly<Record<string, unknown>>): string[] {
	return Object.keys(USED_BY).filter((name) => given[name] !== undefined && !USED_BY[name]?.includes(format));
}

export const describeUnused = (format: Format): string => `is not used by ${format}; leave it out`;

const BY_SUFFIX: Readonly<Record<string, Format>> = {
	json: "json",
	jsonl: "jsonl",
	ndjson: "jsonl",
	csv: "csv",
	tsv: "tsv",
	tab: "tsv",
	xml: "xml",
	html: "html",
	htm: "html",
	xhtml: "html",
	ics: "ics",
	xlsx: "xlsx",
	xlsm: "xlsx",
	docx: "docx",
	docm: "docx",
	pdf: "pdf",
	zip: "zip",
};
const OFFICE = "application/vnd.openxmlformats-officedocument";
const BY_TYPE: Readonly<Record<string, Format>> = {
	"application/json": "json",
	"text/json": "json",
	"application/jsonl": "jsonl",
	"application/x-jsonlines": "jsonl",
	"application/x-ndjson": "jsonl",
	"text/csv": "csv",
	"text/tab-separated-values": "tsv",
	"application/xml": "xml",
	"text/xml": "xml",
	"text/html": "html",
	"application/xhtml+xml": "html",
	"text/calendar": "ics",
	[`${OFFICE}.spreadsheetml.sheet`]: "xlsx",
	[`${OFFICE}.wordprocessingml.document`]: "docx",
	"application/pdf": "pdf",
	"application/zip": "zip",
	"application/x-zip-compressed": "zip",
};
/** Formats that people expect to be read, and what to do instead. */
const OLD_FORMATS: Readonly<Record<string, string>> = {
	xls: "xlsx",
	xlsb: "xlsx",
	ods: "xlsx",
	doc: "docx",
	odt: "docx",
};

/** By the name's suffix, else by the media type: browsers send wrong types more often than people name files wrongly. */
export function detectFormat({ name, type }: Pick<FileValue, "name" | "type">): Format {
	const suffix = /\.([a-z]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? "";
	const media = type.split(";")[0]?.trim().toLowerCase() ?? "";
	const found = lookUp(BY_SUFFIX, suffix) ?? lookUp(BY_TYPE, media) ?? detectByStructure(media);
	if (found !== undefined) return found;
	const instead = lookUp(OLD_FORMATS, suffix);
	throw new TerminalError(
		instead === undefined
			? `neither the name nor the type of ${name} (${type}) says its format; set format`
			: `${suffix} files cannot be read; save the file as ${instead}`,
	);
}

/** By the suffix of a media type, such as `application/rss+xml`. */
function detectByStructure(media: string): Format | undefined {
	return media.endsWith("+json") ? "json" : media.endsWith("+xml") ? "xml" : undefined;
}

const lookUp = <Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined =>
	Object.hasOwn(table, name) ? table[name] : undefined;

export function assertReadableSize(format: Format, size: number): void {
	const most = MAX_FILE_MIB[format];
	if (size > most * MIB) {
		throw new TerminalError(
			`the file has ${(size / MIB).toFixed(1)} MiB; as ${format}, files of at most ${most} MiB are read`,
		);
	}
}
