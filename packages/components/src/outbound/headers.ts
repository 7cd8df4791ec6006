import type { Meter } from "@tripline/engine/meter";
import { TerminalError } from "@tripline/engine/terminal-error";

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/;
/** ASCII only: the platforms encode other characters differently. */
const VALUE = /^[\t\x20-\x7e]*$/;

export const AUTOMATIC_HEADERS: ReadonlySet<string> = new Set([
	"connection",
	"content-length",
	"cookie2",
	"expect",
	"host",
	"http2-settings",
	"keep-alive",
	"proxy-authenticate",
	"proxy-authorization",
	"proxy-connection",
	"te",
	"trailer",
	"transfer-encoding",
	"upgrade",
]);

/** The cost of sending one header. */
const UNITS_PER_HEADER = 128;

/** Headers by lower-case name. Only names are checked here: values may still hold placeholders. */
export function readHeaders(
	given: Readonly<Record<string, string>> | undefined,
	meter: Meter,
): Record<string, string> {
	const headers: Record<string, string> = { accept: "*/*", "user-agent": "Tripline" };
	const all = given === undefined ? [] : Object.keys(given);
	if (given === undefined || all.length === 0) return headers;
	meter.spend(all.length * UNITS_PER_HEADER);
	const seen = new Set<string>();
	for (const written of all) {
		const value = given[written] as string;
		const name = written.toLowerCase();
		if (!NAME.test(name) || name === "__proto__")
			throw new TerminalError(`${JSON.stringify(written)} cannot be a header name`);
		if (AUTOMATIC_HEADERS.has(name)) {
			throw new TerminalError(`the header ${name} is set automatically: leave it out`);
		}
		if (seen.has(name)) throw new TerminalError(`the header ${name} is set twice`);
		seen.add(name);
		headers[name] = value;
	}
	return headers;
}

/** @param credential Name of the credential that the value comes from. */
export function assertHeaderValue(name: string, value: string, credential?: string): void {
	if (VALUE.test(value)) return;
	const from = credential === undefined ? "" : ` from credential ${JSON.stringify(credential)}`;
	throw new TerminalError(
		`the value of the header ${name}${from} contains a line break, a control character or a non-ASCII character`,
	);
}

export const isHeaderName = (name: string): boolean =>
	NAME.test(name) && !AUTOMATIC_HEADERS.has(name.toLowerCase());
