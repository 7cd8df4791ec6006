/** Encodes all but the unreserved characters of RFC 3986, for a name or a value in a query. */
export const encodeQueryText = (text: string): string =>
	encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, percentEncode);

const percentEncode = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
