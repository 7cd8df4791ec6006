/** Names of U+00A0 to U+00FF, in order. */
const LATIN1 =
	"nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";

const NAMED = new Map<string, string>([
	...LATIN1.split(" ").map((name, at): [string, string] => [name, String.fromCharCode(0xa0 + at)]),
	...Object.entries({
		amp: "&",
		AMP: "&",
		lt: "<",
		LT: "<",
		gt: ">",
		GT: ">",
		quot: '"',
		QUOT: '"',
		apos: "'",
		OElig: "Œ",
		oelig: "œ",
		Scaron: "Š",
		scaron: "š",
		Yuml: "Ÿ",
		fnof: "ƒ",
		circ: "ˆ",
		tilde: "˜",
		ensp: "\u2002",
		emsp: "\u2003",
		thinsp: "\u2009",
		zwnj: "\u200c",
		zwj: "\u200d",
		ndash: "–",
		mdash: "—",
		lsquo: "‘",
		rsquo: "’",
		sbquo: "‚",
		ldquo: "“",
		rdquo: "”",
		bdquo: "„",
		dagger: "†",
		Dagger: "‡",
		bull: "•",
		hellip: "…",
		permil: "‰",
		prime: "′",
		Prime: "″",
		lsaquo: "‹",
		rsaquo: "›",
		euro: "€",
		trade: "™",
		larr: "←",
		uarr: "↑",
		rarr: "→",
		darr: "↓",
		harr: "↔",
		minus: "−",
		infin: "∞",
		ne: "≠",
		le: "≤",
		ge: "≥",
		asymp: "≈",
		check: "✓",
		star: "☆",
		starf: "★",
	}),
]);

/** Browsers read the numbers 128 to 159 as windows-1252. */
const C1 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

const REFERENCE = /&(?:#([0-9]{1,7});?|#[xX]([0-9a-fA-F]{1,6});?|([A-Za-z][A-Za-z0-9]{1,31});)/g;

/** Replaces character references; unknown names are left as they are. */
export const decodeCharacters = (text: string): string =>
	text.includes("&")
		? text.replace(REFERENCE, (whole, decimal?: string, hex?: string, name?: string) =>
				name === undefined
					? decodeNumber(decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal))
					: (NAMED.get(name) ?? whole),
			)
		: text;

function decodeNumber(code: number): string {
	if (code >= 0x80 && code <= 0x9f) return C1[code - 0x80] as string;
	const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
	return isCharacter ? String.fromCodePoint(code) : "\ufffd";
}
