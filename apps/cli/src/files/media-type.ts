import { extname } from "node:path";
import { DEFAULT_FILE_TYPE } from "@tripline/contract/files";

const TYPES: Readonly<Record<string, string>> = {
	avif: "image/avif",
	bmp: "image/bmp",
	css: "text/css",
	csv: "text/csv",
	doc: "application/msword",
	docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	eml: "message/rfc822",
	gif: "image/gif",
	gz: "application/gzip",
	heic: "image/heic",
	htm: "text/html",
	html: "text/html",
	ics: "text/calendar",
	jpeg: "image/jpeg",
	jpg: "image/jpeg",
	json: "application/json",
	jsonl: "application/jsonl",
	log: "text/plain",
	m4a: "audio/mp4",
	md: "text/markdown",
	mov: "video/quicktime",
	mp3: "audio/mpeg",
	mp4: "video/mp4",
	odt: "application/vnd.oasis.opendocument.text",
	ogg: "audio/ogg",
	pdf: "application/pdf",
	png: "image/png",
	ppt: "application/vnd.ms-powerpoint",
	pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
	rtf: "application/rtf",
	svg: "image/svg+xml",
	tar: "application/x-tar",
	tif: "image/tiff",
	tiff: "image/tiff",
	tsv: "text/tab-separated-values",
	txt: "text/plain",
	wav: "audio/wav",
	webm: "video/webm",
	webp: "image/webp",
	xls: "application/vnd.ms-excel",
	xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	xml: "application/xml",
	yaml: "application/yaml",
	yml: "application/yaml",
	zip: "application/zip",
};

/** The media type that the suffix of a name stands for. */
export function guessType(name: string): string {
	const suffix = extname(name).slice(1).toLowerCase();
	return Object.hasOwn(TYPES, suffix) ? (TYPES[suffix] as string) : DEFAULT_FILE_TYPE;
}
