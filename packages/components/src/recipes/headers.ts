import type { Json } from "@tripline/contract/json";
import { TerminalError } from "@tripline/engine/component";
import { typeOf } from "@tripline/engine/issues";
import { checkHeaderValue, isHeaderName, SET_BY_THE_CALL } from "../outbound/headers.ts";

/** Headers that identify the caller are set by the auth recipe only. */
const REFUSED: ReadonlySet<string> = new Set([
	...SET_BY_THE_CALL,
	"accept-encoding",
	"authorization",
	"cookie",
	"set-cookie",
]);

export function headerNameProblem(name: string): string | undefined {
	if (REFUSED.has(name.toLowerCase()))
		return "cannot be set here: it is set by the auth recipe or by the service";
	return isHeaderName(name) ? undefined : "is not a valid header name";
}

/** The header's value, or undefined if it is omitted. */
export function headerText(name: string, value: Json | undefined): string | undefined {
	if (value === undefined || value === null) return undefined;
	if (typeof value === "object")
		throw new TerminalError(`the header ${name} must be text, but is ${typeOf(value)}`);
	const text = String(value);
	checkHeaderValue(name, text);
	return text;
}
