/** Allows only http and https links, which cannot run scripts. */
export function safeLink(uri: string): string | null {
	if (!URL.canParse(uri)) return null;
	const url = new URL(uri);
	return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
}
