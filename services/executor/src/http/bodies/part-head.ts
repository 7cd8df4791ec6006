import { tryDecodeUtf8 } from "./decode.ts";
import { malformed } from "./failures.ts";
import { type MediaType, parseMediaType } from "./media-type.ts";

/** The headers of a part of a multipart form. */
export interface PartHead {
	readonly name: string;
	/** Null for a text field. Empty for a file input in which nothing was chosen. */
	readonly filename: string | null;
	readonly type: MediaType | null;
	/** The header as sent. */
	readonly contentType: string | null;
}

const HEADER = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+):[\t ]*(.*)$/s;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a header holds none of them, except tabs.
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/;
const PARAMETER = /[\t ]*;[\t ]*([A-Za-z0-9!#$%&'*+.^_`|~-]+)=(?:"([^"]*)"|([^\s";]+))/y;

export function parsePartHead(text: string): PartHead {
	let disposition: string | undefined;
	let type: MediaType | null = null;
	let contentType: string | null = null;
	for (const line of text.split("\r\n")) {
		const [, header = "", value = ""] = HEADER.exec(line) ?? [];
		if (header === "" || CONTROL.test(value)) throw malformed("a header of a part is malformed");
		switch (header.toLowerCase()) {
			case "content-disposition":
				if (disposition !== undefined) throw malformed("a part has several content dispositions");
				disposition = value;
				break;
			case "content-type":
				type = parsePartType(value);
				contentType = value.trim();
				break;
			case "content-transfer-encoding":
				checkEncoding(value);
		}
	}
	return { ...parseDisposition(disposition ?? ""), type, contentType };
}

function parsePartType(value: string): MediaType {
	const type = parseMediaType(value);
	if (type === null) throw malformed("the content type of a part is malformed");
	if (type.essence.startsWith("multipart/")) throw malformed("a part must not be multipart itself");
	return type;
}

function checkEncoding(value: string): void {
	if (!/^(?:7bit|8bit|binary)\s*$/i.test(value))
		throw malformed("the transfer encoding of a part must be 7bit, 8bit or binary");
}

const KNOWN_PARAMETERS: ReadonlySet<string> = new Set(["name", "filename", "filename*"]);

/** RFC 7578 forbids `filename*`, but some clients send nothing else; where both are sent, it holds the exact name. */
function parseDisposition(text: string): Pick<PartHead, "name" | "filename"> {
	const [kind = ""] = /^form-data(?=[\t ]*(?:;|$))/i.exec(text) ?? [];
	if (kind === "") throw malformed("each part needs the content disposition form-data");
	const found = parseParameters(text, kind.length);
	const name = found.get("name");
	if (name === undefined) throw malformed("a part has no name");
	const filename = found.get("filename");
	const exact = found.get("filename*");
	if (exact !== undefined) return { name: unescapeName(name), filename: decodeExtended(exact) };
	return { name: unescapeName(name), filename: filename === undefined ? null : unescapeName(filename) };
}

/** The known parameters of a content disposition, from a position on. */
function parseParameters(text: string, start: number): ReadonlyMap<string, string> {
	const found = new Map<string, string>();
	const end = text.trimEnd().length;
	let at = start;
	while (at < end) {
		PARAMETER.lastIndex = at;
		const [all, key = "", quoted, token] = PARAMETER.exec(text) ?? [];
		if (all === undefined) throw malformed("the content disposition of a part is malformed");
		at += all.length;
		const name = key.toLowerCase();
		if (!KNOWN_PARAMETERS.has(name)) continue;
		if (found.has(name)) throw malformed("the content disposition of a part repeats a parameter");
		found.set(name, quoted ?? token ?? "");
	}
	return found;
}

/** The file name in the content disposition of a whole body; null if there is none or it is malformed. */
export function findFileName(disposition: string | null): string | null {
	if (disposition === null) return null;
	const [kind = ""] = /^[A-Za-z-]*/.exec(disposition) ?? [];
	try {
		const found = parseParameters(disposition, kind.length);
		const exact = found.get("filename*");
		return exact === undefined ? decodeHeader(found.get("filename") ?? null) : decodeExtended(exact);
	} catch {
		return null;
	}
}

/** A listener reads each byte of a header as a character, but clients send UTF-8. */
function decodeHeader(text: string | null): string | null {
	if (text === null || !/^[\0-\xff]*[\x80-\xff]/.test(text)) return text;
	return tryDecodeUtf8(Uint8Array.from(text, (each) => each.charCodeAt(0))) ?? text;
}

/** A character set, a language and a percent-encoded text (RFC 8187). */
function decodeExtended(value: string): string {
	const [, charset = "", text = ""] = /^([A-Za-z0-9-]+)'[A-Za-z0-9-]*'(.*)$/s.exec(value) ?? [];
	try {
		if (charset.toLowerCase() === "utf-8") return decodeURIComponent(text);
		if (charset.toLowerCase() === "iso-8859-1")
			return text.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, code: string) =>
				String.fromCharCode(Number.parseInt(code, 16)),
			);
	} catch {
		// Not percent-encoded UTF-8.
	}
	throw malformed("the parameter filename* of a part is malformed");
}

const ESCAPES = new Map([
	["%0A", "\n"],
	["%0D", "\r"],
	["%22", '"'],
]);

/** Browsers escape these three characters only; a backslash stands for itself. */
const unescapeName = (text: string): string =>
	text.replaceAll(/%0A|%0D|%22/g, (escaped) => ESCAPES.get(escaped) as string);
