/** Letters that Unicode does not decompose, though people type them without the diacritic. */
const PLAIN: Readonly<Record<string, string>> = {
	ß: "ss",
	æ: "ae",
	œ: "oe",
	ø: "o",
	ł: "l",
	đ: "d",
	ð: "d",
	ı: "i",
	ς: "σ",
	ё: "е",
};
const PLAIN_LETTERS = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "g");

/** Combining marks that are optional in these scripts. In others (Devanagari, Thai, kana) a mark changes the word. */
const OPTIONAL_MARKS =
	/([\p{Script=Latin}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+|ـ\p{M}*/gu;

const INVISIBLE = /\p{Cf}/gu;
const ASCII = /^[\0-\x7f]*$/;

/** Normalises text for comparison: removes compatibility forms, case and optional marks. */
export function fold(text: string): string {
	const lower = text.toLowerCase();
	if (ASCII.test(lower)) return lower;
	return lower
		.normalize("NFKD")
		.toLowerCase()
		.replace(INVISIBLE, "")
		.replace(OPTIONAL_MARKS, "$1")
		.normalize("NFC")
		.replace(PLAIN_LETTERS, (letter) => PLAIN[letter] as string);
}
