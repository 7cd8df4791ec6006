import { integer, list, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { object, params } from "../schema.ts";

const KINDS = ["card", "iban", "email", "ip", "phone"];

export const redactPersonalData = code({
	id: "redact_personal_data",
	title: "Take out personal data",
	description: `Replaces mail addresses, phone numbers, card numbers, IBANs and IP addresses in a text by placeholders such as \`[email 1]\`. The same value gets the same placeholder, so that the text still makes sense.

Use it before a text goes to a language model, a log or a ticket. Card numbers and IBANs are taken only if their check digits are right; phone numbers need 7 to 15 digits and some sign that they are one (a plus, or spaces, dots or hyphens between groups).

It goes by form: names, street addresses and numbers written in words stay. Do not rely on it alone where the law asks for more.`,
	tags: ["privacy", "text", "llm"],
	params: params(
		{
			text: text("The text", { maxLength: 500_000 }),
			kinds: list({ type: "string", enum: KINDS }, "What to take out; default everything", { minItems: 1 }),
		},
		["text"],
	),
	output: object(
		{
			text: text("The text with placeholders"),
			found: object(
				Object.fromEntries(KINDS.map((kind) => [kind, integer("Different values")])),
				"How many different values of each kind were taken out",
			),
		},
		"The text and what was found",
	),
	code: String.raw`
const digitsOf = (text) => text.replace(/\D/g, "");
const PATTERNS = {
	card: [/(?<![\w+-])\d(?:[ -]?\d){12,18}(?![\w-])/g, (found) => passesLuhn(digitsOf(found)), digitsOf],
	iban: [
		/(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)/g,
		(found) => passesMod97(found.replaceAll(" ", "")),
		(found) => found.replaceAll(" ", ""),
	],
	email: [
		/(?<![\w.+%-])[\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g,
		() => true,
		(found) => found.toLowerCase(),
	],
	ip: [/(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.]*\d)/g, (found) => found.split(".").every((part) => part <= 255), String],
	phone: [/(?<![\w+.:-])(?:\+|\(|\d)[\d ()./-]{5,24}\d(?![\w:-])/g, isPhone, digitsOf],
};
const wanted = input.kinds ?? Object.keys(PATTERNS);
const found = {};
let text = input.text;
for (const kind of Object.keys(PATTERNS)) {
	const seen = new Map();
	if (wanted.includes(kind)) text = redacted(kind, seen);
	found[kind] = seen.size;
}
return { text, found };

function redacted(kind, seen) {
	const [regex, isReal, sameAs] = PATTERNS[kind];
	return text.replace(regex, (value) => {
		if (!isReal(value)) return value;
		const key = sameAs(value);
		if (!seen.has(key)) seen.set(key, seen.size + 1);
		return "[" + kind + " " + seen.get(key) + "]";
	});
}

function isPhone(value) {
	const count = digitsOf(value).length;
	if (count < 7 || count > 15) return false;
	const isDate = /^\d{4}-\d{2}-\d{2}|^\d{1,2}[./]\d{1,2}[./]\d{2,4}/.test(value);
	return !isDate && (value.startsWith("+") || /\d[ ./()-]+\d{2,}/.test(value));
}

function passesLuhn(digits) {
	let sum = 0;
	for (let place = 0; place < digits.length; place++) {
		const digit = Number(digits[digits.length - 1 - place]) * (place % 2 === 1 ? 2 : 1);
		sum += digit > 9 ? digit - 9 : digit;
	}
	return sum % 10 === 0;
}

function passesMod97(iban) {
	let rest = 0;
	for (const character of iban.slice(4) + iban.slice(0, 4)) {
		const value = parseInt(character, 36);
		rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
	}
	return rest === 1;
}
`,
	examples: [
		{
			title: "A message of a customer",
			params: {
				text: "I am ada@example.com (ADA@example.com), call +49 170 1234567. Card 4111 1111 1111 1111, order 4111111111111112.",
			},
			output: {
				text: "I am [email 1] ([email 1]), call [phone 1]. Card [card 1], order 4111111111111112.",
				found: { card: 1, iban: 0, email: 1, ip: 0, phone: 1 },
			},
		},
		{
			title: "Only some kinds",
			params: {
				text: "From 192.0.2.7 at 2026-03-01 10:15: pay DE89 3704 0044 0532 0130 00 to a@b.example",
				kinds: ["iban", "ip"],
			},
			output: {
				text: "From [ip 1] at 2026-03-01 10:15: pay [iban 1] to a@b.example",
				found: { card: 0, iban: 1, email: 0, ip: 1, phone: 0 },
			},
		},
		{
			title: "Nothing personal",
			params: { text: "Version 1.2.3 has 1024 tests." },
			output: {
				text: "Version 1.2.3 has 1024 tests.",
				found: { card: 0, iban: 0, email: 0, ip: 0, phone: 0 },
			},
		},
	],
});
