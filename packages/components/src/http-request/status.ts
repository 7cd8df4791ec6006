import { TerminalError } from "@tripline/engine/terminal-error";
import type { OutboundAnswer } from "../outbound/call.ts";
import { decodeText } from "./answer.ts";

const MAX_SHOWN_LENGTH = 500;
/** Enough bytes for that many characters in any encoding. */
const MAX_SHOWN_BYTES = 4 * MAX_SHOWN_LENGTH;

/** The only 4xx statuses for which a retry may succeed. */
const TEMPORARY = new Set([408, 425, 429]);

/** The status with its name if it has one, such as `404 Not Found`. */
export function describeStatus(status: number): string {
	const name = NAMES.get(status);
	return name === undefined ? String(status) : `${status} ${name}`;
}

/** The error for an unacceptable status; a `TerminalError` if a retry cannot help. */
export function toStatusError(status: number, message: string): Error {
	const isFinal = status >= 400 && status < 500 && !TEMPORARY.has(status);
	return isFinal ? new TerminalError(message) : new Error(message);
}

export function toUnexpectedStatusError(answer: OutboundAnswer): Error {
	const start = readExcerpt(answer);
	const said = `the response was ${describeStatus(answer.status)}`;
	return toStatusError(answer.status, start === "" ? said : `${said}: ${start}`);
}

/** The first characters of the response body, as text. */
export function readExcerpt(answer: OutboundAnswer): string {
	const text = decodeText({ ...answer, body: answer.body.subarray(0, MAX_SHOWN_BYTES) });
	return text.trim().slice(0, MAX_SHOWN_LENGTH).toWellFormed();
}

const NAMES: ReadonlyMap<number, string> = new Map([
	[200, "OK"],
	[201, "Created"],
	[202, "Accepted"],
	[204, "No Content"],
	[206, "Partial Content"],
	[301, "Moved Permanently"],
	[302, "Found"],
	[303, "See Other"],
	[304, "Not Modified"],
	[307, "Temporary Redirect"],
	[308, "Permanent Redirect"],
	[400, "Bad Request"],
	[401, "Unauthorized"],
	[402, "Payment Required"],
	[403, "Forbidden"],
	[404, "Not Found"],
	[405, "Method Not Allowed"],
	[406, "Not Acceptable"],
	[408, "Request Timeout"],
	[409, "Conflict"],
	[410, "Gone"],
	[411, "Length Required"],
	[412, "Precondition Failed"],
	[413, "Content Too Large"],
	[414, "URI Too Long"],
	[415, "Unsupported Media Type"],
	[421, "Misdirected Request"],
	[422, "Unprocessable Content"],
	[423, "Locked"],
	[424, "Failed Dependency"],
	[425, "Too Early"],
	[426, "Upgrade Required"],
	[428, "Precondition Required"],
	[429, "Too Many Requests"],
	[431, "Request Header Fields Too Large"],
	[451, "Unavailable For Legal Reasons"],
	[500, "Internal Server Error"],
	[501, "Not Implemented"],
	[502, "Bad Gateway"],
	[503, "Service Unavailable"],
	[504, "Gateway Timeout"],
	[507, "Insufficient Storage"],
	[529, "Overloaded"],
]);
