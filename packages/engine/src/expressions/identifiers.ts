const START = /^[\p{ID_Start}_]$/u;
const PART = /^[\p{ID_Continue}_]$/u;
const WHOLE = /^[\p{ID_Start}_][\p{ID_Continue}_]*$/u;

export const isIdentifier = (text: string): boolean => WHOLE.test(text);

/** The end of the identifier that starts at `from`, in any script; `from` itself if none starts there. */
export function identifierEnd(text: string, from: number): number {
	let at = from;
	while (at < text.length) {
		const code = text.codePointAt(at) as number;
		if (!(at === from ? startsIdentifier(code) : continuesIdentifier(code))) break;
		at += code > 0xffff ? 2 : 1;
	}
	return at;
}

function startsIdentifier(code: number): boolean {
	if (code < 0x80) return isLetter(code);
	return START.test(String.fromCodePoint(code));
}

export function continuesIdentifier(code: number): boolean {
	if (code < 0x80) return isLetter(code) || (code >= 48 && code <= 57);
	return PART.test(String.fromCodePoint(code));
}

function isLetter(code: number): boolean {
	return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
}
