import { choice, flag, integer, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { params } from "../schema.ts";

export const slugify = code({
	id: "slugify",
	title: "Slug of a text",
	description: `Makes a short name for addresses, files and pages out of any text: \`Über uns & mehr\` becomes \`uber-uns-mehr\`.

Use it for page names, file names, branch names and ids that people can read. Accents are taken off Latin letters; other scripts stay as they are unless \`ascii\` is set. A slug is cut at a word where that is possible. A text without any letter or digit has no slug: the node fails.`,
	tags: ["text", "url", "naming"],
	params: params(
		{
			text: text("What to name", { maxLength: 10_000 }),
			separator: choice(["-", "_", "."], "What stands between words", { default: "-" }),
			max_length: integer("Characters at most", { minimum: 1, maximum: 200, default: 80 }),
			ascii: flag("Leave out every letter that is not a to z after its accents are taken off", {
				default: false,
			}),
		},
		["text"],
	),
	output: text("The slug"),
	code: String.raw`
const LETTERS = { "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ð": "d", "đ": "d", "ł": "l", "þ": "th", "ı": "i" };
const plain = input.text
	.normalize("NFKD")
	.replace(/(\p{Script=Latin})[\u0300-\u036f]+/gu, "$1")
	.normalize("NFC")
	.toLowerCase()
	.replace(/[ßæœøðđłþı]/g, (letter) => LETTERS[letter])
	.replace(/['’]/g, "");
const words = plain.split(input.ascii ? /[^a-z0-9]+/ : /[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== "");
if (words.length === 0) throw new Error("text has no letter or digit to make a slug of");
let slug = "";
for (const word of words) {
	const longer = slug === "" ? word : slug + input.separator + word;
	if ([...longer].length > input.max_length) break;
	slug = longer;
}
return slug === "" ? [...words[0]].slice(0, input.max_length).join("") : slug;
`,
	examples: [
		{
			title: "Accents, a ligature and punctuation",
			params: { text: "Crème Brûlée: l'œuvre & the “Straße” №5" },
			output: "creme-brulee-loeuvre-the-strasse-no5",
		},
		{
			title: "Other scripts stay",
			params: { text: "東京 2026 — Отчёт" },
			output: "東京-2026-отчёт",
		},
		{
			title: "Cut at a word",
			params: { text: "The quick brown fox jumps", max_length: 17, separator: "_" },
			output: "the_quick_brown",
		},
		{
			title: "Nothing to make a slug of",
			params: { text: "?!" },
			error: "text has no letter or digit to make a slug of",
		},
	],
});
