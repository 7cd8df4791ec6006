interface BaseUrl {
	/** With its port unless it is the default; null if it comes from a field of the credential. */
	readonly host: string | null;
	/** Without a trailing slash; may contain templates. */
	readonly text: string;
}

const FIELD = /\{\{\s*credential\.[A-Za-z0-9_]+\s*\}\}/g;
/** Replaces a field while the rest is parsed; valid in a host and in a path. */
const STAND_IN = "f1e2l3d";

/** Parses a recipe's base URL, or returns its problem. */
export function readBaseUrl(text: string): BaseUrl | { readonly problem: string } {
	const plain = text.replaceAll(FIELD, STAND_IN);
	if (plain.includes("{") || plain.includes("}"))
		return { problem: "allows only {{credential.field}} in braces" };
	if (!/^https?:\/\/[^\\?#@\s]+$/i.test(plain))
		return { problem: "must be a URL such as https://api.example.com/v1, without user, query and #" };
	const url = URL.canParse(plain) ? new URL(plain) : null;
	if (url === null) return { problem: "is not a valid URL" };
	if (url.protocol === "http:" && !isLocal(url.hostname))
		return { problem: "must start with https:// (http:// is allowed only for localhost and IP addresses)" };
	if (url.pathname.replace(/\/$/, "") !== plain.replace(/^https?:\/\/[^/]+/i, "").replace(/\/$/, ""))
		return { problem: "contains characters or dot segments that are not allowed in a path" };
	return { host: url.host.includes(STAND_IN) ? null : url.host, text: text.replace(/\/+$/, "") };
}

const isLocal = (host: string): boolean =>
	host === "localhost" ||
	host.endsWith(".localhost") ||
	host.startsWith("[") ||
	/^\d+(?:\.\d+){3}$/.test(host);
