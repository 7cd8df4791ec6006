import { toLower } from "./spellings.ts";

/** A text with its HTML character references decoded, and a mapping of positions to the original text. */
export interface DecodedText {
	readonly text: string;
	/** Map a position to the original text; inside a reference, a start maps before it and an end behind it. */
	mapStart(place: number): number;
	mapEnd(place: number): number;
}

/**
 * References by number or name; the ampersand may be escaped for HTML or JSON. As in browsers, numbers need no
 * semicolon.
 */
const REFERENCE =
	/((?:&|\\u0026)(?:amp;){0,4})(?:#(?:x0*([0-9a-f]{1,6})|0*([0-9]{1,7}));?|([a-z][a-z0-9]{1,8});)/g;

/**
 * Decodes references to the characters in `counting` and leaves others as they are; null if there are none. The text
 * must be in lower case, and so is the result.
 */
export function decodeReferences(text: string, counting: ReadonlySet<string>): DecodedText | null {
	if (!text.includes("&") && !text.includes("\\u0026")) return null;
	const parts: string[] = [];
	let length = 0;
	let done = 0;
	/** Four numbers per reference: start and end in the decoded text, start and end in the original. */
	const places: number[] = [];
	for (const match of text.matchAll(REFERENCE)) {
		const { 1: ampersand = "", 2: hex, 3: decimal, 4: name, index } = match;
		const referenced = name === undefined ? decodeNumber(hex, decimal) : BY_NAME.get(name);
		// What follows `&amp;` may be no reference: `&amp;a0;` is the text `&a0;`.
		const isText = referenced === undefined && ampersand.endsWith("amp;");
		const [reference, character] = isText ? [ampersand, "&"] : [match[0], referenced];
		if (character === undefined || !counting.has(character)) continue;
		parts.push(text.slice(done, index), character);
		const start = length + index - done;
		length = start + character.length;
		done = index + reference.length;
		places.push(start, length, index, done);
	}
	if (places.length === 0) return null;
	parts.push(text.slice(done));
	return {
		text: parts.join(""),
		mapStart: (place) => mapPosition(place, place, 2),
		mapEnd: (place) => mapPosition(place, place - 1, 3),
	};

	/** `within` selects the start or the end of the reference that contains the position. */
	function mapPosition(place: number, touched: number, within: 2 | 3): number {
		let low = 0;
		let high = places.length / 4;
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((places[middle * 4] as number) <= touched) low = middle + 1;
			else high = middle;
		}
		if (low === 0) return place;
		const found = low * 4 - 4;
		const end = places[found + 1] as number;
		const isWithin = touched < end;
		return isWithin ? (places[found + within] as number) : (places[found + 3] as number) + place - end;
	}
}

const MAX_CODE_POINT = 0x10_ff_ff;
const ASCII = Array.from({ length: 0x80 }, (_, code) => toLower(String.fromCharCode(code)));

function decodeNumber(hex: string | undefined, decimal: string | undefined): string | undefined {
	const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
	if (code > MAX_CODE_POINT) return undefined;
	return ASCII[code] ?? toLower(String.fromCodePoint(code));
}

/** U+00A0 to U+00FF, in order; lower case is enough for letters. */
const LATIN_1 =
	"nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml times oslash ugrave uacute ucirc uuml yacute thorn szlig";

const PUNCTUATION: Readonly<Record<string, string>> = {
	...{ "!": "excl", '"': "quot", "#": "num", $: "dollar", "%": "percnt", "&": "amp", "'": "apos" },
	...{ "(": "lpar", ")": "rpar", "*": "ast midast", "+": "plus", ",": "comma", "-": "dash hyphen" },
	...{ ".": "period", "/": "sol", ":": "colon", ";": "semi", "<": "lt", "=": "equals", ">": "gt" },
	...{ "?": "quest", "@": "commat", "[": "lbrack lsqb", "\\": "bsol", "]": "rbrack rsqb", "^": "hat" },
	...{ _: "lowbar underbar", "`": "grave", "{": "lbrace lcub", "|": "verbar vert", "}": "rbrace rcub" },
	...{ "\t": "tab", "\n": "newline", "÷": "divide", ÿ: "yuml" },
};

const BY_NAME: ReadonlyMap<string, string> = new Map([
	...LATIN_1.split(" ").map((name, nth) => [name, toLower(String.fromCharCode(0xa0 + nth))] as const),
	...Object.entries(PUNCTUATION).flatMap(([character, names]) =>
		names.split(" ").map((name) => [name, character] as const),
	),
]);
