import { DEFAULT_FILE_TYPE } from "@tripline/contract/files";

const BY_SUFFIX: Readonly<Record<string, string>> = {
	txt: "text/plain",
	log: "text/plain",
	md: "text/markdown",
	csv: "text/csv",
	tsv: "text/tab-separated-values",
	html: "text/html",
	htm: "text/html",
	json: "application/json",
	jsonl: "application/jsonl",
	ndjson: "application/jsonl",
	xml: "application/xml",
	yaml: "application/yaml",
	yml: "application/yaml",
	ics: "text/calendar",
	vcf: "text/vcard",
	eml: "message/rfc822",
	pdf: "application/pdf",
	docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
	zip: "application/zip",
	gz: "application/gzip",
	png: "image/png",
	jpg: "image/jpeg",
	jpeg: "image/jpeg",
	gif: "image/gif",
	webp: "image/webp",
	svg: "image/svg+xml",
	mp3: "audio/mpeg",
	wav: "audio/wav",
	mp4: "video/mp4",
};

/** The media type that the suffix of a file's name stands for. */
export function findTypeBySuffix(name: string): string {
	const suffix = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? "";
	return Object.hasOwn(BY_SUFFIX, suffix) ? (BY_SUFFIX[suffix] as string) : DEFAULT_FILE_TYPE;
}

/** The usual suffix of files of a media type, or null. */
export function findSuffixByType(type: string): string | null {
	const plain = type.split(";", 1)[0]?.trim().toLowerCase();
	return Object.keys(BY_SUFFIX).find((suffix) => BY_SUFFIX[suffix] === plain) ?? null;
}
