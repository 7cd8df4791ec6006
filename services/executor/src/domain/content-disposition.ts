/**
 * The header of RFC 6266. A name comes from whoever sent the file, so the plain form keeps only characters that no reader
 * takes for a quote, an escape or the end; the extended form (RFC 8187) has the name as it is.
 */
export function buildDisposition(kind: "attachment" | "inline", name: string): string {
	const plain = name.replace(/[^\x20-\x7e]|["%\\]/gu, "_");
	const header = `${kind}; filename="${plain}"`;
	return plain === name ? header : `${header}; filename*=UTF-8''${encodeValue(name)}`;
}

/** Beyond `encodeURIComponent`, what RFC 8187 does not allow. */
const encodeValue = (name: string): string =>
	encodeURIComponent(name.toWellFormed()).replace(
		/['()*]/g,
		(character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
	);
