import type { Json } from "@tripline/contract/json";
import * as z from "zod";

interface Format {
	/** Returns the text, or undefined if it does not have this format. */
	read(text: string): string | undefined;
	readonly message: string;
}

const createFormat = (pattern: RegExp, message: string): Format => ({
	read: (text) => (pattern.test(text) ? text : undefined),
	message,
});

/** Formats that are checked; all others are annotations only. */
const FORMATS: Readonly<Record<string, Format>> = {
	email: createFormat(z.regexes.email, "must be an e-mail address"),
	uri: { read: readUrl, message: "must be a URL" },
	uuid: createFormat(z.regexes.guid, "must be a UUID"),
	"date-time": createFormat(
		z.regexes.datetime({ offset: true }),
		"must be a time such as 2026-01-31T09:30:00Z",
	),
	date: createFormat(z.regexes.date, "must be a date such as 2026-01-31"),
	duration: createFormat(z.regexes.duration, "must be a duration such as PT15M"),
	hostname: createFormat(z.regexes.hostname, "must be a host name"),
	ipv4: createFormat(z.regexes.ipv4, "must be an IPv4 address"),
	ipv6: {
		read: (text) => (z.core.isValidIPv6(text) ? text : undefined),
		message: "must be an IPv6 address",
	},
};

/** The URL parser ignores surrounding white space, and tabs and line breaks anywhere. */
function readUrl(text: string): string | undefined {
	const trimmed = text.trim();
	return URL.canParse(trimmed) ? z.core.stripTabAndNewline(trimmed) : undefined;
}

export const findFormat = (format: Json | undefined): Format | undefined =>
	typeof format === "string" && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
