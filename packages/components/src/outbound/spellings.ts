const cache = new Map<string, readonly string[]>();
/** A bound for the cache: credentials may contain any characters. */
const MAX_CACHED = 1_000;

/** Lower case of the same length, independent of context: only İ gets longer, and only Σ differs at the end of a word. */
export const toLower = (text: string): string =>
	text.replaceAll("\u0130", "I").toLowerCase().replaceAll("\u03c2", "\u03c3");

/** All common spellings of one character, in lower case. HTML references are decoded before. */
export function listSpellings(character: string): readonly string[] {
	const found = cache.get(character);
	if (found !== undefined) return found;
	const made = /[a-z0-9]/i.test(character)
		? [character.toLowerCase()]
		: [...new Set([...listRawForms(character), ...(OTHER[character] ?? []), ...listEscapes(character)])].map(
				(spelling) => toLower(spelling),
			);
	if (cache.size >= MAX_CACHED) cache.clear();
	cache.set(character, made);
	return made;
}

/** The text, whose UTF-8 is `hex`, with every character escaped, including letters, or in two bytes each. */
export const escapeAll = (text: string, hex: string): string[] => [
	hex.replace(/../g, "%$&"),
	hex.length === text.length * 2 ? hex.replace(/../g, "\\u00$&") : [...text].map(escapeUnits).join(""),
	text.split("").join("\0"),
];

/** Spellings besides the raw form and the escapes. Base64url has `-` and `_` in place of `+` and `/`. */
const OTHER: Readonly<Record<string, readonly string[]>> = {
	'"': ['\\"', '\\\\\\"'],
	"'": ["\\'"],
	"/": ["\\/", "\\\\/", "\\\\\\/", "_"],
	"\\": ["\\\\", "\\\\\\\\"],
	"+": ["-"],
	" ": ["+"],
	"\t": ["\\t", "\\\\t"],
	// Rewrapping a text may drop its line breaks.
	"\r": ["\\r", "\\\\r", ""],
	"\n": ["\r\n", "\\n", "\\\\n", "\\r\\n", "%0D%0A", ""],
};

/** As text, and as UTF-8 with one character per byte, in which changing the case of the bytes is not enough. */
const listRawForms = (character: string): string[] => [
	character,
	toBinary(character),
	toBinary(character.toLowerCase()),
	toBinary(character.toUpperCase()),
];

const toBinary = (text: string): string =>
	utf8(text)
		.map((byte) => String.fromCharCode(byte))
		.join("");

function listEscapes(character: string): string[] {
	const percent = percentEncode(character);
	const unit = escapeUnits(character);
	return [
		percent,
		percent.replaceAll("%", "%25"),
		percent.replaceAll("%", "%2525"),
		unit,
		unit.replaceAll("\\", "\\\\"),
	];
}

const percentEncode = (character: string) =>
	utf8(character)
		.map((byte) => `%${hex(byte, 2)}`)
		.join("");

const escapeUnits = (character: string) =>
	Array.from({ length: character.length }, (_, at) => `\\u${hex(character.charCodeAt(at), 4)}`).join("");

const utf8 = (text: string): number[] => [...new TextEncoder().encode(text)];
const hex = (code: number, digits: number) => code.toString(16).padStart(digits, "0");
