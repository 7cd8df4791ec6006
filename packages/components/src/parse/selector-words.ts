export const SPACE = /[ \t\r\n\f]*/y;
export const COMBINATOR = /[ \t\r\n\f]*([>+~])[ \t\r\n\f]*|[ \t\r\n\f]+/y;
export const IDENTIFIER =
	/(?:--|-?(?:[A-Za-z_\u0080-\uffff]|\\[0-9A-Fa-f]{1,6}[ \t\r\n\f]?|\\[^0-9A-Fa-f\r\n\f]))(?:[A-Za-z0-9_\-\u0080-\uffff]|\\[0-9A-Fa-f]{1,6}[ \t\r\n\f]?|\\[^0-9A-Fa-f\r\n\f])*/y;
/** What may follow `#`, which may begin with a digit. */
export const NAME = /(?:[A-Za-z0-9_\-\u0080-\uffff]|\\[0-9A-Fa-f]{1,6}[ \t\r\n\f]?|\\[^0-9A-Fa-f\r\n\f])+/y;
export const STRING = /"((?:[^"\\\r\n\f]|\\[\s\S])*)"|'((?:[^'\\\r\n\f]|\\[\s\S])*)'/y;
export const OPERATOR = /[~|^$*]?=/y;
export const FLAG = /[iIsS](?![A-Za-z0-9_-])/y;
export const NTH =
	/(even)|(odd)|([+-]?[0-9]{0,9})n(?:[ \t\r\n\f]*([+-])[ \t\r\n\f]*([0-9]{1,9}))?|([+-]?[0-9]{1,9})/iy;

const ESCAPE = /\\(?:([0-9A-Fa-f]{1,6})[ \t\r\n\f]?|(\r\n|[\s\S]))/g;

/** Replaces the escapes of CSS, such as `\:` and `\31 `. */
export const decodeEscapes = (text: string): string =>
	text.includes("\\")
		? text.replace(ESCAPE, (_, hex?: string, character = "") =>
				hex === undefined
					? /[\r\n\f]/.test(character)
						? ""
						: character
					: decodeNumber(Number.parseInt(hex, 16)),
			)
		: text;

const decodeNumber = (code: number): string =>
	code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? "\ufffd" : String.fromCodePoint(code);
