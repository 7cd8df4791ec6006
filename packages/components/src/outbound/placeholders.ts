import { fromHex, toHex } from "@tripline/contract/bytes";

/** Texts that stand for credentials until the call that they are meant for. Made for each run. */
export interface Placeholders {
	text(name: string, field?: string): string;
	isIn(text: string): boolean;
	/** Those in the text, in its order. */
	find(text: string): Placeholder[];
	replace(text: string, by: (placeholder: Placeholder) => string): string;
}

export interface Placeholder {
	readonly name: string;
	/** Empty: the credential's only one. */
	readonly field: string;
}

/**
 * Small letters and digits only: such a text stays as it is in JSON, in every part of a URL, in forms and in headers, so
 * a call can be written out first and filled in afterwards.
 */
export function createPlaceholders(): Placeholders {
	const mark = `credential${toHex(crypto.getRandomValues(new Uint8Array(16)))}x`;
	const pattern = new RegExp(`${mark}((?:[0-9a-f]{2})+)x((?:[0-9a-f]{2})*)x`, "g");
	const replace: Placeholders["replace"] = (text, by) =>
		text.includes(mark)
			? text.replace(pattern, (_, name: string, field: string) =>
					by({ name: decoded(name), field: decoded(field) }),
				)
			: text;
	return {
		text: (name, field = "") => `${mark}${encoded(name)}x${encoded(field)}x`,
		isIn: (text) => text.includes(mark),
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

const encoded = (text: string) => toHex(new TextEncoder().encode(text));
const decoded = (hex: string) => new TextDecoder().decode(fromHex(hex));
