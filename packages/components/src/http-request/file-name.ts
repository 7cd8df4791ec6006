import { toFileName } from "@tripline/contract/files";
import type { OutboundHead } from "../outbound/call.ts";

/** The name that the response gives its body, else the last segment of its address. */
export const pickFileName = ({ headers, url }: Pick<OutboundHead, "headers" | "url">): string =>
	toFileName(parseDispositionName(headers["content-disposition"] ?? "") ?? findLastSegment(url));

/** `filename*` (RFC 8187) wins over `filename`, as in browsers. Undefined if there is neither. */
function parseDispositionName(header: string): string | undefined {
	let plain: string | undefined;
	for (const [, name = "", quoted, token = ""] of header.matchAll(PARAMETER)) {
		if (name.toLowerCase() === "filename*") {
			const decoded = decodeExtended(token);
			if (decoded !== undefined) return decoded;
		} else plain ??= readUtf8(quoted === undefined ? token : quoted.replace(/\\(.)/g, "$1"));
	}
	return plain;
}

const PARAMETER = /;\s*(filename\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/gi;

function decodeExtended(text: string): string | undefined {
	const [, charset = "", encoded = ""] = /^([\w-]+)'[^']*'(.*)$/.exec(text) ?? [];
	try {
		if (/^utf-8$/i.test(charset)) return decodeURIComponent(encoded);
	} catch {
		return undefined;
	}
	if (!/^iso-8859-1$/i.test(charset)) return undefined;
	return encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
		String.fromCharCode(Number.parseInt(hex, 16)),
	);
}

/** Many servers send UTF-8 where a header should be ASCII; it arrives with one character per byte. */
function readUtf8(text: string): string {
	if (!/^[\0-\xff]*[\x80-\xff][\0-\xff]*$/.test(text)) return text;
	try {
		return strictUtf8.decode(Uint8Array.from(text, (character) => character.charCodeAt(0)));
	} catch {
		return text;
	}
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

function findLastSegment(url: string): string {
	const segment =
		URL.parse(url)
			?.pathname.split("/")
			.findLast((part) => part !== "") ?? "";
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}
