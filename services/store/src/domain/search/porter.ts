type Rule = readonly [suffix: string, replacement: string];

/** Rules by the suffix's last letter, longest first; only the first matching suffix is tried. */
type Rules = ReadonlyMap<string | undefined, readonly Rule[]>;

const groupByLastLetter = (rules: readonly Rule[]): Rules =>
	Map.groupBy(
		rules.toSorted(([one], [other]) => other.length - one.length),
		([suffix]) => suffix.at(-1),
	);

const DOUBLE_SUFFIXES = groupByLastLetter([
	["ational", "ate"],
	["tional", "tion"],
	["enci", "ence"],
	["anci", "ance"],
	["izer", "ize"],
	["bli", "ble"],
	["alli", "al"],
	["entli", "ent"],
	["eli", "e"],
	["ousli", "ous"],
	["ization", "ize"],
	["ation", "ate"],
	["ator", "ate"],
	["alism", "al"],
	["iveness", "ive"],
	["fulness", "ful"],
	["ousness", "ous"],
	["aliti", "al"],
	["iviti", "ive"],
	["biliti", "ble"],
	["logi", "log"],
]);

const DERIVATIONS = groupByLastLetter([
	["icate", "ic"],
	["ative", ""],
	["alize", "al"],
	["iciti", "ic"],
	["ical", "ic"],
	["ful", ""],
	["ness", ""],
]);

const ENDINGS = groupByLastLetter(
	[
		"al",
		"ance",
		"ence",
		"er",
		"ic",
		"able",
		"ible",
		"ant",
		"ement",
		"ment",
		"ent",
		"ion",
		"ou",
		"ism",
		"ate",
		"iti",
		"ous",
		"ive",
		"ize",
	].map((suffix) => [suffix, ""]),
);

/** The Porter stem of an English word in lower-case a to z, with the two changes made in Porter's own programs. */
export function stem(word: string): string {
	if (word.length < 3) return word;
	return stripFinalE(
		replaceSuffix(
			replaceSuffix(
				replaceSuffix(replaceFinalY(stripParticiple(stripPlural(word))), DOUBLE_SUFFIXES, 0),
				DERIVATIONS,
				0,
			),
			ENDINGS,
			1,
		),
	);
}

function stripPlural(word: string): string {
	if (!word.endsWith("s")) return word;
	if (word.endsWith("sses") || word.endsWith("ies")) return word.slice(0, -2);
	return word.endsWith("ss") ? word : word.slice(0, -1);
}

function stripParticiple(word: string): string {
	if (word.endsWith("eed")) return measure(word, word.length - 3) > 0 ? word.slice(0, -1) : word;
	const cut = word.endsWith("ed") ? 2 : word.endsWith("ing") ? 3 : 0;
	if (cut === 0 || !hasVowel(word, word.length - cut)) return word;
	const base = word.slice(0, -cut);
	if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
	if (endsInDoubleConsonant(base)) return /[lsz]$/.test(base) ? base : base.slice(0, -1);
	return measure(base, base.length) === 1 && endsInShortSyllable(base, base.length) ? `${base}e` : base;
}

const replaceFinalY = (word: string): string =>
	word.endsWith("y") && hasVowel(word, word.length - 1) ? `${word.slice(0, -1)}i` : word;

/** Replaces the suffix if the part before it has a measure above `least`. */
function replaceSuffix(word: string, rules: Rules, least: number): string {
	for (const [suffix, replacement] of rules.get(word.at(-1)) ?? []) {
		if (!word.endsWith(suffix)) continue;
		const length = word.length - suffix.length;
		const isCut = measure(word, length) > least && (suffix !== "ion" || /[st]$/.test(word.slice(0, length)));
		return isCut ? word.slice(0, length) + replacement : word;
	}
	return word;
}

function stripFinalE(word: string): string {
	let kept = word;
	if (kept.endsWith("e")) {
		const length = kept.length - 1;
		const syllables = measure(kept, length);
		if (syllables > 1 || (syllables === 1 && !endsInShortSyllable(kept, length))) kept = kept.slice(0, -1);
	}
	return kept.endsWith("ll") && measure(kept, kept.length) > 1 ? kept.slice(0, -1) : kept;
}

function isVowel(word: string, index: number): boolean {
	switch (word[index]) {
		case "a":
		case "e":
		case "i":
		case "o":
		case "u":
			return true;
		case "y":
			return index > 0 && !isVowel(word, index - 1);
		default:
			return false;
	}
}

/** How many times a vowel is followed by a consonant in the first `length` letters. */
function measure(word: string, length: number): number {
	let count = 0;
	let afterVowel = false;
	for (let index = 0; index < length; index++) {
		const vowel = isVowel(word, index);
		if (afterVowel && !vowel) count++;
		afterVowel = vowel;
	}
	return count;
}

function hasVowel(word: string, length: number): boolean {
	for (let index = 0; index < length; index++) if (isVowel(word, index)) return true;
	return false;
}

function endsInDoubleConsonant(word: string): boolean {
	const last = word.length - 1;
	return last > 0 && word[last] === word[last - 1] && !isVowel(word, last);
}

/** Ends in consonant, vowel, consonant, where the last is not w, x or y. */
function endsInShortSyllable(word: string, length: number): boolean {
	const last = length - 1;
	if (last < 2 || isVowel(word, last) || !isVowel(word, last - 1) || isVowel(word, last - 2)) return false;
	return !/[wxy]/.test(word[last] as string);
}
