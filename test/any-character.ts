import fc from "fast-check";

const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Any character of Unicode, as the unit of a random text. The same as fast-check's `binary`, which first builds a table
 * of all of them and takes a second of every process.
 */
export const anyCharacter = fc.nat(0x10ffff - SURROGATES.count).map(
	(index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count),
	(character) => {
		const code = typeof character === "string" ? (character.codePointAt(0) ?? -1) : -1;
		if (code < 0 || String.fromCodePoint(code) !== character) throw new Error("not one character");
		if (code >= SURROGATES.first && code < SURROGATES.first + SURROGATES.count)
			throw new Error("a surrogate");
		return code < SURROGATES.first ? code : code - SURROGATES.count;
	},
);
