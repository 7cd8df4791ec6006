/** Only these lead somewhere from a browser, and none of them runs as a script. */
export function safeLink(uri: string): string | null {
	if (!URL.canParse(uri)) return null;
	const url = new URL(uri);
	return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
}
