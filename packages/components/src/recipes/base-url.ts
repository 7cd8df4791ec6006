interface BaseUrl {
	/** With its port if that is not the usual one; null: a field of the credential says it. */
	readonly host: string | null;
	/** Ends without a slash; may hold templates. */
	readonly text: string;
}

const FIELD = /\{\{\s*credential\.[A-Za-z0-9_]+\s*\}\}/g;
/** Stands for a field while the rest is read; fits a host and a path. */
const STAND_IN = "f1e2l3d";

/** Where a recipe's calls go, or what is wrong with it. */
export function readBaseUrl(text: string): BaseUrl | { readonly problem: string } {
	const plain = text.replaceAll(FIELD, STAND_IN);
	if (plain.includes("{") || plain.includes("}"))
		return { problem: "takes {{credential.field}} and nothing else in braces" };
	if (!/^https?:\/\/[^\\?#@\s]+$/i.test(plain))
		return { problem: "must be an address such as https://api.example.com/v1, without user, query and #" };
	const url = URL.canParse(plain) ? new URL(plain) : null;
	if (url === null) return { problem: "is not an address" };
	if (url.protocol === "http:" && !isLocal(url.hostname))
		return { problem: "must start with https:// (http:// is for localhost and IP addresses)" };
	if (url.pathname.replace(/\/$/, "") !== plain.replace(/^https?:\/\/[^/]+/i, "").replace(/\/$/, ""))
		return { problem: "holds characters or dots that a path cannot" };
	return { host: url.host.includes(STAND_IN) ? null : url.host, text: text.replace(/\/+$/, "") };
}

const isLocal = (host: string): boolean =>
	host === "localhost" ||
	host.endsWith(".localhost") ||
	host.startsWith("[") ||
	/^\d+(?:\.\d+){3}$/.test(host);
