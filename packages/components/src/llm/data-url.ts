/** The content of a base64 data URL, or null for any other URL. */
export function parseDataUrl(url: string): { mediaType: string; base64: string } | null {
	if (!/^data:/i.test(url)) return null;
	const mediaType = url.slice("data:".length, url.indexOf(";")).toLowerCase();
	return { mediaType, base64: url.slice(url.indexOf(",") + 1) };
}
