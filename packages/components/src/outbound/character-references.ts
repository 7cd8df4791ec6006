import { lowered } from "./spellings.ts";

/** A text whose character references of HTML are read, and where each place of it was before. */
export interface Unreferenced {
	readonly text: string;
	/** The place in the text as it was given: of a start before the reference that it lies in, of an end behind it. */
	startOf(place: number): number;
	endOf(place: number): number;
}

/**
 * By number or by name, itself escaped for HTML or its ampersand for JSON or not. As browsers do, numbers are read
 * without a semicolon too.
 */
const REFERENCE =
	/(?:&|\\u0026)(?:amp;){0,4}(?:#(?:x0*([0-9a-f]{1,6})|0*([0-9]{1,7}));?|([a-z][a-z0-9]{1,8});)/g;

/**
 * Null where there are none that count: the others are left as they are. The text must be in small letters, and what is
 * read is so as well.
 */
export function withoutReferences(text: string, counting: ReadonlySet<string>): Unreferenced | null {
	const parts: string[] = [];
	let length = 0;
	let done = 0;
	/** Of each reference, four numbers: start and end as it is read, start and end as it was given. */
	const places: number[] = [];
	for (const { 0: reference, 1: hex, 2: decimal, 3: name, index } of text.matchAll(REFERENCE)) {
		const character = name === undefined ? numbered(hex, decimal) : BY_NAME.get(name);
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
		startOf: (place) => originOf(place, place, 2),
		endOf: (place) => originOf(place, place - 1, 3),
	};

	/** `within`: the side of the reference that counts for a place that lies in one. */
	function originOf(place: number, touched: number, within: 2 | 3): number {
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

const MOST_CODE = 0x10_ff_ff;
const ASCII = Array.from({ length: 0x80 }, (_, code) => lowered(String.fromCharCode(code)));

function numbered(hex: string | undefined, decimal: string | undefined): string | undefined {
	const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
	if (code > MOST_CODE) return undefined;
	return ASCII[code] ?? lowered(String.fromCodePoint(code));
}

/** U+00A0 to U+00FF, in order; of capital and small letters one will do. */
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
	...LATIN_1.split(" ").map((name, nth) => [name, lowered(String.fromCharCode(0xa0 + nth))] as const),
	...Object.entries(PUNCTUATION).flatMap(([character, names]) =>
		names.split(" ").map((name) => [name, character] as const),
	),
]);
