/** Whether text can be written as it is. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find.
const NEEDS_ESCAPE = /[\x00-\x1f&<>\ud800-\udfff\ufffe\uffff]|_x/;
/** Characters that XML cannot contain, and text that would be read as their code. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find.
const NEEDS_CODE = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g;

/**
 * The `t` element of a cell. What XML cannot contain is written as `_x001F_`, which spreadsheets decode. Line breaks become
 * LF, which is what spreadsheets use.
 */
export function escapeCellText(text: string): string {
	const escaped = NEEDS_ESCAPE.test(text) ? encodeText(text) : text;
	// Without this, readers may drop white space at the ends.
	return text.trim().length === text.length ? `<t>${escaped}</t>` : `<t xml:space="preserve">${escaped}</t>`;
}

const encodeText = (text: string): string =>
	escapeMarkup(text.replace(/\r\n?/g, "\n").replace(NEEDS_CODE, (character) => `_x${toHex(character)}_`));

const escapeMarkup = (text: string): string =>
	text.toWellFormed().replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** For a name that was checked to have no control characters. */
export const escapeAttribute = (text: string): string => escapeMarkup(text).replaceAll('"', "&quot;");

const toHex = (character: string): string =>
	character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
