const known = new Map<string, readonly string[]>();
/** There are as many characters as a credential's author likes. */
const MOST_KNOWN = 1_000;

/** Of the same length, whatever stands beside: only İ has a longer form, and only Σ another at the end of a word. */
export const lowered = (text: string): string =>
	text.replaceAll("\u0130", "I").toLowerCase().replaceAll("\u03c2", "\u03c3");

/** All the ways in which one character is commonly written, in small letters. References of HTML are read before. */
export function spellings(character: string): readonly string[] {
	const found = known.get(character);
	if (found !== undefined) return found;
	const made = /[a-z0-9]/i.test(character)
		? [character.toLowerCase()]
		: [...new Set([...raw(character), ...(OTHER[character] ?? []), ...escapes(character)])].map((spelling) =>
				lowered(spelling),
			);
	if (known.size >= MOST_KNOWN) known.clear();
	known.set(character, made);
	return made;
}

/** A text, whose UTF-8 is `hex`, with every character escaped, letters too; or in two bytes each. */
export const escapedThroughout = (text: string, hex: string): string[] => [
	hex.replace(/../g, "%$&"),
	hex.length === text.length * 2 ? hex.replace(/../g, "\\u00$&") : [...text].map(units).join(""),
	text.split("").join("\0"),
];

/** Beside the raw form and the escapes. `-` and `_` are in base64 for URLs what `+` and `/` are elsewhere. */
const OTHER: Readonly<Record<string, readonly string[]>> = {
	'"': ['\\"', '\\\\\\"'],
	"'": ["\\'"],
	"/": ["\\/", "\\\\/", "\\\\\\/", "_"],
	"\\": ["\\\\", "\\\\\\\\"],
	"+": ["-"],
	" ": ["+"],
	"\t": ["\\t", "\\\\t"],
	// What wraps a text may drop its line breaks.
	"\r": ["\\r", "\\\\r", ""],
	"\n": ["\r\n", "\\n", "\\\\n", "\\r\\n", "%0D%0A", ""],
};

/** As text, and as its UTF-8 bytes with one character for each. */
const raw = (character: string): string[] => [character, binary(character)];

const binary = (text: string): string =>
	utf8(text)
		.map((byte) => String.fromCharCode(byte))
		.join("");

function escapes(character: string): string[] {
	const percent = percents(character);
	const unit = units(character);
	return [
		percent,
		percent.replaceAll("%", "%25"),
		percent.replaceAll("%", "%2525"),
		unit,
		unit.replaceAll("\\", "\\\\"),
	];
}

const percents = (character: string) =>
	utf8(character)
		.map((byte) => `%${hex(byte, 2)}`)
		.join("");

const units = (character: string) =>
	Array.from({ length: character.length }, (_, at) => `\\u${hex(character.charCodeAt(at), 4)}`).join("");

const utf8 = (text: string): number[] => [...new TextEncoder().encode(text)];
const hex = (code: number, digits: number) => code.toString(16).padStart(digits, "0");
