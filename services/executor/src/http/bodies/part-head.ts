import { malformed } from "./failures.ts";
import { type MediaType, parseMediaType } from "./media-type.ts";

/** The headers of a part of a multipart form. */
export interface PartHead {
	readonly name: string;
	/** Null for a text field. Empty for a file input in which nothing was chosen. */
	readonly filename: string | null;
	readonly type: MediaType | null;
}

const HEADER = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+):[\t ]*(.*)$/s;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a header holds none of them, except tabs.
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/;
const PARAMETER = /[\t ]*;[\t ]*([A-Za-z0-9!#$%&'*+.^_`|~-]+)=(?:"([^"]*)"|([^\s";]+))/y;

export function parsePartHead(text: string): PartHead {
	let disposition: string | undefined;
	let type: MediaType | null = null;
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
				break;
			case "content-transfer-encoding":
				checkEncoding(value);
		}
	}
	return { ...parseDisposition(disposition ?? ""), type };
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

/** `filename*` is ignored, as RFC 7578 forbids it. */
function parseDisposition(text: string): Pick<PartHead, "name" | "filename"> {
	const [kind = ""] = /^form-data(?=[\t ]*(?:;|$))/i.exec(text) ?? [];
	if (kind === "") throw malformed("each part needs the content disposition form-data");
	let name: string | undefined;
	let filename: string | undefined;
	let at = kind.length;
	const end = text.trimEnd().length;
	while (at < end) {
		PARAMETER.lastIndex = at;
		const [all, key = "", quoted, token] = PARAMETER.exec(text) ?? [];
		if (all === undefined) throw malformed("the content disposition of a part is malformed");
		at += all.length;
		const value = unescapeName(quoted ?? token ?? "");
		const lower = key.toLowerCase();
		if ((lower === "name" ? name : lower === "filename" ? filename : undefined) !== undefined)
			throw malformed("the content disposition of a part repeats a parameter");
		if (lower === "name") name = value;
		if (lower === "filename") filename = value;
	}
	if (name === undefined) throw malformed("a part has no name");
	return { name, filename: filename ?? null };
}

const ESCAPES = new Map([
	["%0A", "\n"],
	["%0D", "\r"],
	["%22", '"'],
]);

/** Browsers escape these three characters only; a backslash stands for itself. */
const unescapeName = (text: string): string =>
	text.replaceAll(/%0A|%0D|%22/g, (escaped) => ESCAPES.get(escaped) as string);
