export interface XmlElement {
	readonly name: string;
	/** The text directly in it. */
	readonly text: string;
	readonly children: readonly XmlElement[];
}

const DECLARATION = /^\uFEFF?(?:<\?xml [^<>]*\?>)?\s*/;
const TOKEN = /<(\/?)([A-Za-z][A-Za-z0-9]*)((?:\s+[A-Za-z][\w:.-]*="[^"<]*")*)\s*(\/?)>|([^<]+)/y;
const ENTITY = /&([^;&\s]*;?)/g;
const ENTITIES: Readonly<Record<string, string>> = {
	"amp;": "&",
	"lt;": "<",
	"gt;": ">",
	"quot;": '"',
	"apos;": "'",
};

/**
 * Reads what S3 answers: elements and text. Null for anything else, among it comments, CDATA and document types, which
 * no answer contains.
 */
export function parseS3Xml(text: string): XmlElement | null {
	const document = { name: "", text: "", children: [] as XmlElement[] };
	const open = [document];
	TOKEN.lastIndex = DECLARATION.exec(text)?.[0].length ?? 0;
	while (TOKEN.lastIndex < text.length) {
		const [token, slash, name, attributes, end, characters] = TOKEN.exec(text) ?? [];
		const current = open.at(-1);
		if (token === undefined || current === undefined) return null;
		if (name === undefined) {
			const decoded = decodeEntities(characters ?? "");
			if (decoded === null) return null;
			current.text += decoded;
		} else if (slash === "/") {
			if (current === document || current.name !== name || attributes !== "" || end === "/") return null;
			open.pop();
		} else {
			const element = { name, text: "", children: [] };
			current.children.push(element);
			if (end !== "/") open.push(element);
		}
	}
	const [root, ...others] = document.children;
	const isWhole = open.length === 1 && others.length === 0 && document.text.trim() === "";
	return isWhole && root !== undefined ? root : null;
}

/** The text of the one child that has this name; null if there is none, or there are several. */
export function readChild(element: XmlElement, name: string): string | null {
	const [child, ...others] = element.children.filter((each) => each.name === name);
	return child === undefined || others.length > 0 || child.children.length > 0 ? null : child.text;
}

export const escapeXml = (text: string): string =>
	text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Null if one is unknown. */
function decodeEntities(text: string): string | null {
	let isKnown = true;
	const decoded = text.replace(ENTITY, (_, name: string) => {
		const character = ENTITIES[name] ?? decodeNumber(name);
		isKnown &&= character !== null;
		return character ?? "";
	});
	return isKnown ? decoded : null;
}

function decodeNumber(name: string): string | null {
	const [, hex, decimal] = /^#(?:x([0-9A-Fa-f]{1,6})|([0-9]{1,7}));$/.exec(name) ?? [];
	const code = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal ?? Number.NaN);
	return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : null;
}
