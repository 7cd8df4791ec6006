export const FORMATS = ["text", "html", "json", "jsonl", "csv", "tsv", "xlsx", "zip", "base64"] as const;
export type Format = (typeof FORMATS)[number];

/** The parameter that holds the content, and the options that each format has. */
export const USES: Readonly<Record<Format, { content: readonly string[]; options: readonly string[] }>> = {
	text: { content: ["text"], options: [] },
	html: { content: ["text"], options: [] },
	json: { content: ["data"], options: ["indent"] },
	jsonl: { content: ["rows"], options: [] },
	csv: { content: ["rows"], options: ["columns", "header", "delimiter", "formulas", "bom"] },
	tsv: { content: ["rows"], options: ["columns", "header", "formulas", "bom"] },
	xlsx: { content: ["rows", "sheets"], options: ["columns", "header", "timezone"] },
	zip: { content: ["files"], options: ["compress"] },
	base64: { content: ["base64"], options: [] },
};
export const CONTENT = ["text", "data", "rows", "sheets", "files", "base64"] as const;

/** Formats by the suffix of the name, and the type of text that has another suffix. */
const BY_SUFFIX: Readonly<Record<string, Format>> = {
	html: "html",
	htm: "html",
	json: "json",
	jsonl: "jsonl",
	ndjson: "jsonl",
	csv: "csv",
	tsv: "tsv",
	xlsx: "xlsx",
	zip: "zip",
};

/** Text that is not one of the formats, by suffix. */
const TEXT_TYPES: Readonly<Record<string, string>> = {
	csv: "text/csv",
	tsv: "text/tab-separated-values",
	json: "application/json",
	jsonl: "application/jsonl",
	ndjson: "application/jsonl",
	md: "text/markdown",
	xml: "application/xml",
	svg: "image/svg+xml",
	ics: "text/calendar",
	vcf: "text/vcard",
	css: "text/css",
	js: "text/javascript",
	yaml: "application/yaml",
	yml: "application/yaml",
};

const BYTE_TYPES: Readonly<Record<string, string>> = {
	pdf: "application/pdf",
	png: "image/png",
	jpg: "image/jpeg",
	jpeg: "image/jpeg",
	gif: "image/gif",
	webp: "image/webp",
	mp3: "audio/mpeg",
	mp4: "video/mp4",
	gz: "application/gzip",
	docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
};

const TYPES: Readonly<Record<Format, string>> = {
	text: "text/plain",
	html: "text/html",
	json: "application/json",
	jsonl: "application/jsonl",
	csv: "text/csv",
	tsv: "text/tab-separated-values",
	xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	zip: "application/zip",
	base64: "application/octet-stream",
};

/** The content that only one format has. */
const BY_CONTENT: Readonly<Record<string, Format>> = {
	data: "json",
	sheets: "xlsx",
	files: "zip",
	base64: "base64",
};

/** What the name and the content tell; undefined if they do not. */
export function findFormat(name: string, content: string | undefined): Format | undefined {
	const bySuffix = BY_SUFFIX[findSuffix(name)];
	if (content === undefined) return bySuffix;
	if (content === "text") return bySuffix === "html" ? "html" : "text";
	if (content !== "rows") return BY_CONTENT[content];
	return bySuffix !== undefined && USES[bySuffix].content.includes("rows") ? bySuffix : undefined;
}

/** The format that programs will expect of a file with this name and that others could not be read as. */
export function findBinaryFormat(name: string): Format | undefined {
	const format = BY_SUFFIX[findSuffix(name)];
	return format === "xlsx" || format === "zip" ? format : undefined;
}

/** The media type; text is always UTF-8. */
export function findType(format: Format, name: string): string {
	const suffix = findSuffix(name);
	const special =
		format === "text" ? TEXT_TYPES[suffix] : format === "base64" ? findByteType(suffix) : undefined;
	const type = special ?? TYPES[format];
	return type.startsWith("text/") ? `${type}; charset=utf-8` : type;
}

function findByteType(suffix: string): string | undefined {
	const format = BY_SUFFIX[suffix];
	return BYTE_TYPES[suffix] ?? (format === undefined ? undefined : TYPES[format]);
}

const findSuffix = (name: string): string => /\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
