import type { Json } from "@tripline/contract/json";
import { describeType } from "@tripline/engine/issues";
import { TerminalError } from "@tripline/engine/terminal-error";
import { AUTOMATIC_HEADERS, assertHeaderValue, isHeaderName } from "../outbound/headers.ts";

/** Headers that identify the caller are set by the auth recipe only. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
	...AUTOMATIC_HEADERS,
	"accept-encoding",
	"authorization",
	"cookie",
	"set-cookie",
]);

export function findHeaderNameProblem(name: string): string | undefined {
	if (RESERVED_HEADERS.has(name.toLowerCase()))
		return "cannot be set here: it is set by the auth recipe or by the service";
	return isHeaderName(name) ? undefined : "is not a valid header name";
}

/** The header's value, or undefined if it is omitted. */
export function toHeaderText(name: string, value: Json | undefined): string | undefined {
	if (value === undefined || value === null) return undefined;
	if (typeof value === "object")
		throw new TerminalError(`the header ${name} must be text, but is ${describeType(value)}`);
	const text = String(value);
	assertHeaderValue(name, text);
	return text;
}
