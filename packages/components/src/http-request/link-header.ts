/** Finds the URL of the next page in a Link header (RFC 8288), or null. Runs in linear time. */
export function findNextLink(header: string | undefined): string | null {
	if (header === undefined) return null;
	for (const { target, rel } of parseLinks(header)) {
		if (rel.toLowerCase().split(/\s+/).includes("next")) return target;
	}
	return null;
}

function* parseLinks(header: string): Generator<{ target: string; rel: string }> {
	for (let at = header.indexOf("<"); at !== -1; at = header.indexOf("<", at)) {
		const close = header.indexOf(">", at);
		if (close === -1) return;
		const { rel, end } = readParams(header, close + 1);
		yield { target: header.slice(at + 1, close).trim(), rel };
		at = end;
	}
}

/** Reads the first `rel` of one link, and where the link ends: at a comma outside quotes. */
function readParams(header: string, start: number): { rel: string; end: number } {
	let rel: string | null = null;
	let at = start;
	while (at < header.length && header[at] !== ",") {
		if (header[at] !== ";") {
			at++;
			continue;
		}
		const nameEnd = findEnd(header, at + 1, "=;,");
		const name = header
			.slice(at + 1, nameEnd)
			.trim()
			.toLowerCase();
		at = nameEnd;
		if (header[at] !== "=") continue;
		const value = readValue(header, at + 1);
		if (name === "rel") rel ??= value.text;
		at = value.end;
	}
	return { rel: rel ?? "", end: at };
}

function readValue(header: string, start: number): { text: string; end: number } {
	let at = start;
	while (header[at] === " " || header[at] === "\t") at++;
	if (header[at] !== '"') {
		const end = findEnd(header, at, ";,");
		return { text: header.slice(at, end).trim(), end };
	}
	let text = "";
	for (at++; at < header.length && header[at] !== '"'; at++) {
		if (header[at] === "\\") at++;
		text += header[at] ?? "";
	}
	return { text, end: at + 1 };
}

function findEnd(header: string, start: number, stops: string): number {
	let at = start;
	while (at < header.length && !stops.includes(header[at] as string)) at++;
	return at;
}
