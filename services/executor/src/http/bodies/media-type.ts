/** A content type as sent, in lower case except for the values of its parameters. */
export interface MediaType {
	/** Such as `text/plain`. */
	readonly essence: string;
	readonly parameters: ReadonlyMap<string, string>;
}

/** Longer ones are malformed. */
const MAX_LENGTH = 1_000;
const ESSENCE = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/;
/** A value is a token or quoted. */
const PARAMETER = /[\t ]*;[\t ]*(?:([A-Za-z0-9!#$%&'*+.^_`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s";]+)))?/y;

/** Null if it is not a content type. The first of repeated parameters counts. */
export function parseMediaType(text: string): MediaType | null {
	if (text.length > MAX_LENGTH) return null;
	const end = text.indexOf(";");
	const essence = (end === -1 ? text : text.slice(0, end)).trim().toLowerCase();
	if (!ESSENCE.test(essence)) return null;
	const parameters = new Map<string, string>();
	let at = end === -1 ? text.length : end;
	while (at < text.length) {
		PARAMETER.lastIndex = at;
		const match = PARAMETER.exec(text);
		if (match === null) return text.slice(at).trim() === "" ? { essence, parameters } : null;
		const [, name, quoted, token] = match;
		at = PARAMETER.lastIndex;
		if (name === undefined || parameters.has(name.toLowerCase())) continue;
		parameters.set(name.toLowerCase(), token ?? (quoted as string).replaceAll(/\\(.)/g, "$1"));
	}
	return { essence, parameters };
}
