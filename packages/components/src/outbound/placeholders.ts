import { fromHex, toHex } from "@tripline/contract/bytes";

/** Texts that stand for credentials until the call is sent. Created for each run. */
export interface Placeholders {
	text(name: string, field?: string): string;
	/** Whether there are any to look for. */
	hasAny(): boolean;
	isIn(text: string): boolean;
	/** The placeholders in the text, in order. */
	find(text: string): Placeholder[];
	replace(text: string, by: (placeholder: Placeholder) => string): string;
}

export interface Placeholder {
	readonly name: string;
	/** Empty if the credential has only one. */
	readonly field: string;
}

/**
 * A placeholder has only lower-case letters and digits: no encoding of JSON, URLs, forms or headers changes it, so a
 * call can be serialised first and filled in afterwards. If none was created, nothing is searched.
 */
export function createPlaceholders(): Placeholders {
	let prefix: string | null = null;
	const isIn = (text: string) => prefix !== null && text.includes(prefix);
	const replace: Placeholders["replace"] = (text, by) =>
		isIn(text)
			? text.replace(new RegExp(`${prefix}${NAME_AND_FIELD}`, "g"), (_, name: string, field: string) =>
					by({ name: decodeHex(name), field: decodeHex(field) }),
				)
			: text;
	return {
		text(name, field = "") {
			prefix ??= `${PREFIX}${toHex(crypto.getRandomValues(new Uint8Array(16)))}x`;
			return `${prefix}${encodeHex(name)}x${encodeHex(field)}x`;
		},
		hasAny: () => prefix !== null,
		isIn,
		find(text) {
			const found: Placeholder[] = [];
			replace(text, (placeholder) => {
				found.push(placeholder);
				return "";
			});
			return found;
		},
		replace,
	};
}

/** The text without the placeholders of any run, for a reader who must not pass them on. */
export const hidePlaceholders = (text: string): string => replaceAny(text, () => "(credential)");

/** The text with the templates that gave the placeholders of any run. */
export const namePlaceholders = (text: string): string => replaceAny(text, writeTemplate);

export const writeTemplate = ({ name, field }: Placeholder): string =>
	`{{credential.${name}${field === "" ? "" : `.${field}`}}}`;

const replaceAny = (text: string, by: (placeholder: Placeholder) => string): string =>
	text.includes(PREFIX)
		? text.replace(ANY_PLACEHOLDER, (_, name: string, field: string) =>
				by({ name: decodeHex(name), field: decodeHex(field) }),
			)
		: text;

const PREFIX = "credential";
const NAME_AND_FIELD = "((?:[0-9a-f]{2})+)x((?:[0-9a-f]{2})*)x";
const ANY_PLACEHOLDER = new RegExp(`${PREFIX}[0-9a-f]{32}x${NAME_AND_FIELD}`, "g");

const encodeHex = (text: string) => toHex(new TextEncoder().encode(text));
const decodeHex = (hex: string) => new TextDecoder().decode(fromHex(hex));
