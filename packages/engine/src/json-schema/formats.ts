import type { Json } from "@tripline/contract/json";
import * as z from "zod";

/** Formats that are checked; any other says only what is meant. */
const FORMATS: Readonly<Record<string, () => z.ZodStringFormat>> = {
	email: () => z.email({ error: "must be an e-mail address" }),
	uri: () => z.url({ error: "must be a URL" }),
	uuid: () => z.guid({ error: "must be a UUID" }),
	"date-time": () => z.iso.datetime({ offset: true, error: "must be a time such as 2026-01-31T09:30:00Z" }),
	date: () => z.iso.date({ error: "must be a date such as 2026-01-31" }),
	duration: () => z.iso.duration({ error: "must be a duration such as PT15M" }),
	hostname: () => z.hostname({ error: "must be a host name" }),
	ipv4: () => z.ipv4({ error: "must be an IPv4 address" }),
	ipv6: () => z.ipv6({ error: "must be an IPv6 address" }),
};

export function formatted(format: Json | undefined): z.ZodString {
	const type = z.string();
	if (typeof format !== "string" || !Object.hasOwn(FORMATS, format)) return type;
	return type.check((FORMATS[format] as () => z.ZodStringFormat)());
}
