/** Parts of host names that say nothing about the service. */
const COMMON = new Set(["www", "mcp", "api", "com", "org", "net", "io", "dev", "app", "ai", "co"]);

/** A name for a server that is not taken, from its host; empty if the address has none. */
export function proposeName(url: string, taken: readonly string[]): string {
	const host = URL.parse(url)?.hostname ?? "";
	if (host === "") return "";
	const isAddress = /^[\d.]+$|^\[/.test(host);
	const part = isAddress ? undefined : host.split(".").findLast((each) => !COMMON.has(each));
	const name = (part ?? "server").replace(/[^a-z0-9_-]+/g, "_").slice(0, 60);
	for (let number = 1; ; number++) {
		const numbered = number === 1 ? name : `${name}_${number}`;
		if (!taken.includes(numbered)) return numbered;
	}
}
