import type { Json } from "@tripline/contract/json";
import { TerminalError } from "@tripline/engine/component";
import { typeOf } from "@tripline/engine/issues";
import { checkHeaderValue } from "../outbound/headers.ts";

const NAME = /^[A-Za-z0-9!#$%&'*+\-.^_`|~]{1,100}$/;

/** Those that say who calls are the auth recipe's; the others are made when the call is sent. */
const REFUSED: ReadonlySet<string> = new Set([
	"accept-encoding",
	"authorization",
	"connection",
	"content-length",
	"cookie",
	"cookie2",
	"expect",
	"host",
	"http2-settings",
	"keep-alive",
	"proxy-authenticate",
	"proxy-authorization",
	"proxy-connection",
	"set-cookie",
	"te",
	"trailer",
	"transfer-encoding",
	"upgrade",
]);

export function headerNameProblem(name: string): string | undefined {
	if (!NAME.test(name)) return "is not a header's name";
	if (REFUSED.has(name.toLowerCase())) return "cannot be set here: an auth recipe or the service sets it";
	return undefined;
}

/** Undefined: it is left out. */
export function headerText(name: string, value: Json | undefined): string | undefined {
	if (value === undefined || value === null) return undefined;
	if (typeof value === "object")
		throw new TerminalError(`the header ${name} must be text, but is ${typeOf(value)}`);
	const text = String(value);
	checkHeaderValue(name, text);
	return text;
}
