import { choice, flag, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { object, orNull, params } from "../schema.ts";

export const checkNumber = code({
	id: "check_number",
	title: "Check an IBAN, card, ISBN or EAN",
	description: `Checks the form and the check digits of a number that people type: an IBAN (with the length of its country), a payment card (Luhn), an ISBN (10 or 13), an EAN/GTIN bar code (8, 12, 13 or 14 digits), or an LEI.

Use it on forms and imported lists to find typing errors early. Spaces and hyphens do not matter. A valid number is well formed; whether the account, card or book exists is not known. A number that is not valid is an answer with a \`reason\`, no failure.`,
	tags: ["validation", "money", "forms"],
	params: params(
		{
			kind: choice(["iban", "card", "isbn", "ean", "lei"], "What the number is"),
			number: text("The number", { maxLength: 100 }),
		},
		["kind", "number"],
	),
	output: object(
		{
			valid: flag("Whether form and check digits are right"),
			number: text("The number without spaces and hyphens, in capital letters"),
			formatted: text("As people write it"),
			reason: orNull(text("Why it is not valid; null if it is")),
			detail: orNull(text("iban: the country's code; card: the brand; isbn: the ISBN-13; else null")),
		},
		"The verdict",
	),
	code: String.raw`
const IBAN_LENGTHS = {
	AD: 24, AE: 23, AL: 28, AT: 20, AZ: 28, BA: 20, BE: 16, BG: 22, BH: 22, BR: 29, BY: 28, CH: 21, CR: 22, CY: 28,
	CZ: 24, DE: 22, DJ: 27, DK: 18, DO: 28, EE: 20, EG: 29, ES: 24, FI: 18, FK: 18, FO: 18, FR: 27, GB: 22, GE: 22,
	GI: 23, GL: 18, GR: 27, GT: 28, HR: 21, HU: 28, IE: 22, IL: 23, IQ: 23, IS: 26, IT: 27, JO: 30, KW: 30, KZ: 20,
	LB: 28, LC: 32, LI: 21, LT: 20, LU: 20, LV: 21, LY: 25, MC: 27, MD: 24, ME: 22, MK: 19, MN: 20, MR: 27, MT: 31,
	MU: 30, NI: 28, NL: 18, NO: 15, OM: 23, PK: 24, PL: 28, PS: 29, PT: 25, QA: 29, RO: 24, RS: 22, RU: 33, SA: 24,
	SC: 31, SD: 18, SE: 24, SI: 19, SK: 24, SM: 27, SO: 23, ST: 25, SV: 28, TL: 23, TN: 24, TR: 26, UA: 29, VA: 22,
	VG: 24, XK: 20,
};
const BRANDS = [
	["Visa", /^4/, [13, 16, 19]],
	["Mastercard", /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
	["American Express", /^3[47]/, [15]],
	["Discover", /^(?:6011|64[4-9]|65)/, [16, 19]],
	["JCB", /^35(?:2[89]|[3-8])/, [16, 19]],
	["Diners Club", /^3(?:0[0-5]|[68])/, [14]],
	["UnionPay", /^62/, [16, 17, 18, 19]],
];
const WRONG_DIGITS = "the check digits are wrong: is there a typing error?";
const CHECKS = { iban, card, isbn, ean, lei };
const number = input.number.normalize("NFKC").replace(/[\s\-‐‑–]/g, "").toUpperCase();
const { reason = null, detail = null, formatted = number } = CHECKS[input.kind]();
return { valid: reason === null, number, formatted, reason, detail };

function iban() {
	const formatted = number.replace(/.{4}(?=.)/g, "$& ");
	if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(number)) {
		return { reason: "an IBAN is a country's code, two digits, then letters and digits", formatted };
	}
	const country = number.slice(0, 2);
	if (!Object.hasOwn(IBAN_LENGTHS, country)) return { reason: country + " is no country with IBANs", formatted };
	const length = IBAN_LENGTHS[country];
	if (number.length !== length) {
		return { reason: "an IBAN of " + country + " has " + length + " characters, not " + number.length, formatted, detail: country };
	}
	const reason = mod97(number.slice(4) + number.slice(0, 4)) === 1 ? null : WRONG_DIGITS;
	return { reason, formatted, detail: country };
}

function card() {
	const formatted = /^3[47]/.test(number)
		? number.replace(/^(.{4})(.{1,6})(.*)$/, "$1 $2 $3").trim()
		: number.replace(/.{4}(?=.)/g, "$& ");
	if (!/^\d{12,19}$/.test(number)) return { reason: "a card number has 12 to 19 digits", formatted };
	const brand = BRANDS.find(([, start, lengths]) => start.test(number) && lengths.includes(number.length));
	const digits = [...number].reverse().map(Number);
	const sum = digits.reduce((total, digit, place) => {
		const value = place % 2 === 1 ? digit * 2 : digit;
		return total + (value > 9 ? value - 9 : value);
	}, 0);
	return { reason: sum % 10 === 0 ? null : WRONG_DIGITS, detail: brand?.[0] ?? null, formatted };
}

function isbn() {
	if (/^\d{9}[\dX]$/.test(number)) {
		const sum = [...number].reduce((total, digit, place) => total + (digit === "X" ? 10 : Number(digit)) * (10 - place), 0);
		const start = "978" + number.slice(0, 9);
		return sum % 11 === 0 ? { detail: start + checkDigit(start) } : { reason: WRONG_DIGITS };
	}
	if (!/^97[89]\d{10}$/.test(number)) {
		return { reason: "an ISBN has 10 digits (the last may be X), or 13 that begin with 978 or 979" };
	}
	return isGtin(number) ? { detail: number } : { reason: WRONG_DIGITS };
}

function ean() {
	if (!/^(?:\d{8}|\d{12}|\d{13}|\d{14})$/.test(number)) return { reason: "an EAN or GTIN has 8, 12, 13 or 14 digits" };
	return isGtin(number) ? {} : { reason: WRONG_DIGITS };
}

function lei() {
	if (!/^[A-Z0-9]{18}\d{2}$/.test(number)) return { reason: "an LEI has 18 letters and digits, then two digits" };
	return mod97(number) === 1 ? {} : { reason: WRONG_DIGITS };
}

function isGtin(digits) {
	return checkDigit(digits.slice(0, -1)) === Number(digits.at(-1));
}

function checkDigit(digits) {
	const sum = [...digits].reverse().reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 3 : 1), 0);
	return (10 - (sum % 10)) % 10;
}

function mod97(text) {
	let rest = 0;
	for (const character of text) {
		const value = parseInt(character, 36);
		rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
	}
	return rest;
}
`,
	examples: [
		{
			title: "An IBAN",
			params: { kind: "iban", number: "de89 3704 0044 0532 0130 00" },
			output: {
				valid: true,
				number: "DE89370400440532013000",
				formatted: "DE89 3704 0044 0532 0130 00",
				reason: null,
				detail: "DE",
			},
		},
		{
			title: "A typing error in a card's number",
			params: { kind: "card", number: "4111-1111-1111-1112" },
			output: {
				valid: false,
				number: "4111111111111112",
				formatted: "4111 1111 1111 1112",
				reason: "the check digits are wrong: is there a typing error?",
				detail: "Visa",
			},
		},
		{
			title: "An old ISBN, with its new form",
			params: { kind: "isbn", number: "0-8044-2957-X" },
			output: {
				valid: true,
				number: "080442957X",
				formatted: "080442957X",
				reason: null,
				detail: "9780804429573",
			},
		},
		{
			title: "Too short for its country",
			params: { kind: "iban", number: "FR76 3000" },
			output: {
				valid: false,
				number: "FR763000",
				formatted: "FR76 3000",
				reason: "an IBAN of FR has 27 characters, not 8",
				detail: "FR",
			},
		},
	],
});
