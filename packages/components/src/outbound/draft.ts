import { MAX_NODE_UNITS, Meter } from "@tripline/engine/meter";
import { TerminalError } from "@tripline/engine/terminal-error";
import { buildBodyPieces } from "./body.ts";
import { isText, type Piece } from "./body-pieces.ts";
import type { OutboundBody, OutboundCall } from "./call.ts";
import { type Email, listEmailTexts } from "./email/message.ts";
import { readHeaders } from "./headers.ts";
import type { Placeholder, Placeholders } from "./placeholders.ts";
import { addQuery, toQueryPairs } from "./query.ts";

/** A serialised call, with placeholders for the credentials' values. */
export interface Draft {
	readonly method: string;
	readonly url: URL;
	readonly headers: Readonly<Record<string, string>>;
	readonly pieces: readonly Piece[] | null;
}

const BODILESS = new Set(["GET", "HEAD"]);
const NEVER = new Set(["CONNECT", "TRACE", "TRACK"]);

export function buildDraft(call: OutboundCall, placeholders: Placeholders): Draft {
	const method = call.method.toUpperCase();
	if (!/^[A-Z]{1,32}$/.test(method) || NEVER.has(method)) {
		throw new TerminalError("the method must be GET, POST, PUT, PATCH, DELETE, HEAD or another HTTP method");
	}
	if (call.body !== undefined && BODILESS.has(method)) {
		throw new TerminalError(`a ${method} request cannot have a body: leave it out, or use POST`);
	}
	if (placeholders.hasAny()) assertFillable(call, placeholders);
	const meter = new Meter(MAX_NODE_UNITS);
	const headers = readHeaders(call.headers, meter);
	const url = buildUrl(call, meter);
	const pieces = call.body === undefined ? null : buildBodyPieces(call.body, headers, meter);
	return { method, url, headers, pieces };
}

/** Lists all placeholders of a draft. */
export function findPlaceholders({ url, headers, pieces }: Draft, placeholders: Placeholders): Placeholder[] {
	if (!placeholders.hasAny()) return [];
	const found = placeholders.find(url.href);
	for (const name in headers) found.push(...placeholders.find(headers[name] ?? ""));
	for (const piece of pieces ?? []) {
		if (isText(piece)) found.push(...placeholders.find(piece.text));
	}
	return found;
}

function buildUrl({ url: text, query }: OutboundCall, meter: Meter): URL {
	const url = URL.parse(text);
	if (url === null || !isHttp(url)) {
		throw new TerminalError("the url must be complete, such as https://api.example.com/items");
	}
	if (url.username !== "" || url.password !== "") {
		throw new TerminalError("the url must not contain a user name or a password: use a credential instead");
	}
	if (url.hash !== "") url.hash = "";
	if (query !== undefined) addQuery(url, toQueryPairs(query, meter));
	return url;
}

export const isHttp = ({ protocol }: URL): boolean => protocol === "https:" || protocol === "http:";

/** An unfilled placeholder would reveal the format of placeholders to the server. */
function assertFillable({ headers, body }: OutboundCall, placeholders: Placeholders): void {
	if (Object.keys(headers ?? {}).some((name) => placeholders.isIn(name.toLowerCase()))) {
		throw new TerminalError("a credential cannot be a header name");
	}
	if (listBase64(body).some((data) => placeholders.isIn(data))) {
		throw new TerminalError("a credential cannot stand in base64 data");
	}
	if (listEmails(body).some((email) => listEmailTexts(email).some(placeholders.isIn))) {
		throw new TerminalError("a credential cannot stand in an e-mail");
	}
}

function listBase64(body: OutboundBody | undefined): string[] {
	if (body?.kind === "base64") return [body.data];
	return body?.kind === "multipart" ? body.parts.map(({ base64 }) => base64 ?? "") : [];
}

function listEmails(body: OutboundBody | undefined): Email<unknown>[] {
	if (body?.kind === "email") return [body.email];
	return body?.kind === "multipart" ? body.parts.flatMap(({ email }) => email ?? []) : [];
}
