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
	let mark: string | null = null;
	const isIn = (text: string) => mark !== null && text.includes(mark);
	const replace: Placeholders["replace"] = (text, by) =>
		isIn(text)
			? text.replace(new RegExp(`${mark}${NAME_AND_FIELD}`, "g"), (_, name: string, field: string) =>
					by({ name: decoded(name), field: decoded(field) }),
				)
			: text;
	return {
		text(name, field = "") {
			mark ??= `credential${toHex(crypto.getRandomValues(new Uint8Array(16)))}x`;
			return `${mark}${encoded(name)}x${encoded(field)}x`;
		},
		hasAny: () => mark !== null,
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

const NAME_AND_FIELD = "((?:[0-9a-f]{2})+)x((?:[0-9a-f]{2})*)x";

const encoded = (text: string) => toHex(new TextEncoder().encode(text));
const decoded = (hex: string) => new TextDecoder().decode(fromHex(hex));
