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

const URL_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@";

/** Any path of a URL; fast-check's `webPath` and `webUrl` need the same table. */
export const anyPath = fc
	.array(
		fc.string({
			unit: fc.oneof(
				{ weight: 10, arbitrary: fc.constantFrom(...URL_CHARACTERS) },
				{ weight: 1, arbitrary: anyCharacter.map(percentEncode) },
			),
		}),
	)
	.map((segments) => segments.map((segment) => `/${segment}`).join(""));

function percentEncode(character: string): string {
	const encoded = encodeURIComponent(character);
	return encoded === character ? `%${character.charCodeAt(0).toString(16)}` : encoded;
}
