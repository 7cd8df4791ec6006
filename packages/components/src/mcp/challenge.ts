/** What a Bearer challenge (RFC 6750, RFC 9728) of an MCP server says. */
export interface Challenge {
	readonly resourceMetadata: string | null;
	readonly scope: string | null;
	/** Such as `insufficient_scope`. */
	readonly error: string | null;
}

const MAX_LENGTH = 8_192;
/** A scheme, or a parameter with its value. */
const PART =
	/[\s,]*([\w!#$%&'*+.^`|~-]+)(?:[ \t]*=[ \t]*(?:"((?:[^"\\]|\\[\x20-\x7e])*)"|([^\s",]*)))?(?=[\s,]|$)/y;

/** Reads the header WWW-Authenticate, in which other schemes may stand beside Bearer. Null without a Bearer challenge. */
export function parseChallenge(header: string | null): Challenge | null {
	if (header === null || header.length > MAX_LENGTH) return null;
	let params: Map<string, string> | null = null;
	PART.lastIndex = 0;
	for (let part = PART.exec(header); part !== null; part = PART.exec(header)) {
		const [text, name = "", quoted, plain] = part;
		if (!text.includes("=")) {
			if (params !== null) break;
			if (name.toLowerCase() === "bearer") params = new Map();
		} else params?.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "");
	}
	if (params === null) return null;
	return {
		resourceMetadata: params.get("resource_metadata") ?? null,
		scope: params.get("scope") ?? null,
		error: params.get("error") ?? null,
	};
}
