import type { Meter } from "@tripline/engine/meter";

const REFERENCE = /(?:#([0-9]{1,7})|#x([0-9A-Fa-f]{1,6})|(amp|lt|gt|apos|quot));/y;
const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", apos: "'", quot: '"' };
/** Characters that XML 1.0 does not allow. */
export const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

export const REFERENCE_RULE = "& must begin &amp; &lt; &gt; &apos; &quot; or the number of a character";

/** Replaces the five predefined entities and numbers of characters; `fail` gets the place of any other `&`. */
export function decodeReferences(raw: string, fail: (at: number) => never, meter: Meter): string {
	let decoded = "";
	let from = 0;
	for (let ampersand = raw.indexOf("&"); ampersand !== -1; ampersand = raw.indexOf("&", from)) {
		meter.spend(10);
		REFERENCE.lastIndex = ampersand + 1;
		const found = REFERENCE.exec(raw);
		const character = found === null ? null : decodeCharacter(found);
		if (found === null || character === null) return fail(ampersand);
		decoded += raw.slice(from, ampersand) + character;
		from = ampersand + 1 + found[0].length;
	}
	return from === 0 ? raw : decoded + raw.slice(from);
}

function decodeCharacter([, decimal, hex, named]: RegExpExecArray): string | null {
	if (named !== undefined) return NAMED[named] ?? null;
	const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
	if (code > 0x10ffff) return null;
	const character = String.fromCodePoint(code);
	return FORBIDDEN.test(character) ? null : character;
}
