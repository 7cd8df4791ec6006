/** The characters 128 to 255 of code page 437, which names have if they are not UTF-8. */
const CODE_PAGE_437 =
	"ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

/** Many programs write UTF-8 without saying so, so the flag only matters for what is not UTF-8. */
export function decodeZipName(bytes: Uint8Array, isUtf8: boolean): string {
	try {
		return new TextDecoder("utf-8", { fatal: !isUtf8, ignoreBOM: true }).decode(bytes);
	} catch {
		return Array.from(bytes, (byte) =>
			byte < 128 ? String.fromCharCode(byte) : CODE_PAGE_437.charAt(byte - 128),
		).join("");
	}
}

/** Whether a text matches a pattern in which * stands for any characters. */
export function matchesPattern(text: string, pattern: string): boolean {
	let [at, place] = [0, 0];
	let star = -1;
	let retryAt = 0;
	while (at < text.length) {
		if (pattern[place] === "*") {
			star = place++;
			retryAt = at;
		} else if (pattern[place] === text[at]) {
			at++;
			place++;
		} else if (star !== -1) {
			place = star + 1;
			at = ++retryAt;
		} else return false;
	}
	while (pattern[place] === "*") place++;
	return place === pattern.length;
}
