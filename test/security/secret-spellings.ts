/** Encodings in which a server may echo a text. */
export const ENCODINGS: Readonly<Record<string, (secret: string) => string>> = {
	"as it is": (secret) => secret,
	"in a sentence": (secret) => `the token ${secret}, which you sent, is not valid`,
	"twice without anything between": (secret) => secret + secret,
	"in capital letters": (secret) => secret.toUpperCase(),
	base64: (secret) => base64(secret),
	"base64 after one byte": (secret) => base64(`:${secret}`),
	"base64 after two bytes": (secret) => base64(`a:${secret}`),
	"base64 in the middle": (secret) => base64(`{"token":"${secret}","more":true}`),
	"base64 for URLs": (secret) => Buffer.from(`?>${secret}`).toString("base64url"),
	"base64 of base64": (secret) => base64(base64(secret)),
	"base64 of base64 in the middle": (secret) => base64(`{"sent":"${base64(`user:${secret}`)}"}`),
	"base64 in lines": (secret) => base64(`user:${secret}`),
	hex: (secret) => Buffer.from(secret).toString("hex"),
	"hex in capitals": (secret) => Buffer.from(secret).toString("hex").toUpperCase(),
	"percent signs": (secret) => encodeURIComponent(secret),
	"percent signs throughout": (secret) => escapeRegExp(secret, (code) => `%${hex(code, 2)}`),
	"percent signs twice": (secret) => encodeURIComponent(encodeURIComponent(secret)),
	"a form": (secret) => new URLSearchParams({ token: secret }).toString(),
	JSON: (secret) => JSON.stringify({ token: secret }),
	"JSON in JSON": (secret) => JSON.stringify(JSON.stringify({ token: secret })),
	"JSON with every letter escaped": (secret) => escapeRegExp(secret, (code) => `\\u${hex(code, 4)}`),
	"HTML entities": (secret) => secret.replaceAll(/[^\w-]/g, (character) => `&#${character.charCodeAt(0)};`),
	"HTML entities throughout": (secret) => escapeRegExp(secret, (code) => `&#${code};`),
	"hex HTML entities throughout": (secret) => escapeRegExp(secret, (code) => `&#x${hex(code, 2)};`),
	"named HTML entities": (secret) =>
		secret.replaceAll(/[-_./+=:]/g, (character) => `&${ENTITIES[character] ?? ""};`),
	"HTML entities in HTML": (secret) => escapeRegExp(secret, (code) => `&amp;#${code};`),
	"a URL": (secret) => `https://evil.example/?token=${encodeURIComponent(secret)}#end`,
	"UTF-16": (secret) => Buffer.from(secret, "utf16le").toString("latin1"),
	"UTF-16 the other way": (secret) => Buffer.from(secret, "utf16le").swap16().toString("latin1"),
};

const ENTITIES: Readonly<Record<string, string>> = {
	...{ "-": "dash", _: "lowbar", ".": "period", "/": "sol", "+": "plus", "=": "equals", ":": "colon" },
};

const known = new Map<string, Record<string, Buffer>>();

/** Describes in which encoding the bytes contain the secret, with some context. Null if they do not. */
export function findSecret(bytes: Buffer, secret: string): string | null {
	const all = known.get(secret) ?? listNeedles(secret);
	known.set(secret, all);
	for (const [how, spelled] of Object.entries(all)) {
		const at = bytes.indexOf(spelled);
		if (at === -1) continue;
		const around = bytes.subarray(Math.max(0, at - 160), at + spelled.length + 40).toString("latin1");
		return `${how}: ${around.replaceAll(/[^\x20-\x7e]+/g, ".")}`;
	}
	return null;
}

/** Includes what remains of each encoding inside a longer text. */
function listNeedles(secret: string): Record<string, Buffer> {
	const inBase64 = [0, 1, 2].map((place) => {
		const text = base64("\0".repeat(place) + secret);
		return text.slice(place === 0 ? 0 : 4, -4);
	});
	const texts: Record<string, string> = {
		"as it is": secret,
		"in capitals": secret.toUpperCase(),
		"in JSON": JSON.stringify(secret).slice(1, -1),
		"in base64 at 0": inBase64[0] ?? "",
		"in base64 at 1": inBase64[1] ?? "",
		"in base64 at 2": inBase64[2] ?? "",
		"in base64 in base64": base64(inBase64[0] ?? "").slice(0, -4),
		"in HTML entities": escapeRegExp(secret, (code) => `&#${code};`),
		"in hex HTML entities": escapeRegExp(secret, (code) => `&#x${hex(code, 2)};`),
		"in base64 for URLs": (inBase64[0] ?? "").replaceAll("+", "-").replaceAll("/", "_"),
		"in hex": Buffer.from(secret).toString("hex"),
		"in hex in capitals": Buffer.from(secret).toString("hex").toUpperCase(),
		"with percent signs": encodeURIComponent(secret),
		"with percent signs throughout": escapeRegExp(secret, (code) => `%${hex(code, 2)}`),
		"with every letter escaped": escapeRegExp(secret, (code) => `\\u${hex(code, 4)}`),
		"in a form": new URLSearchParams({ a: secret }).toString().slice(2),
		backwards: [...secret].reverse().join(""),
	};
	return {
		...Object.fromEntries(Object.entries(texts).map(([how, text]) => [how, Buffer.from(text)])),
		"in UTF-16": Buffer.from(secret, "utf16le"),
	};
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0");
const escapeRegExp = (text: string, spell: (code: number) => string): string =>
	Array.from(text, (character) => spell(character.charCodeAt(0))).join("");
