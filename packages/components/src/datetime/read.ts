import { parseTime } from "@tripline/engine/expressions/dates";
import { TerminalError } from "@tripline/engine/terminal-error";
import { toInstant } from "./zone.ts";

const HAS_OFFSET = /(?:Z|[+-]\d\d:?\d\d)$/;
/** The format of mail, feeds and HTTP headers (RFC 5322). */
const MAIL =
	/^(?:[A-Z][a-z]{2}, )?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d\d:\d\d(?::\d\d)?) (?:GMT|UTC?|([+-]\d{4}))$/;
const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

/** Reads a time as Unix milliseconds. A time without an offset is local time in the zone. */
export function readTime(name: string, value: string | number, zone: string): number {
	const text = typeof value === "string" ? (mailToIso(value) ?? value) : value;
	const time = parseTime(text);
	if (time === null) {
		throw new TerminalError(
			`${name} is not a time: use a format such as 2026-03-29, 2026-03-29T01:30:00Z, Sun, 29 Mar 2026 01:30:00 GMT or Unix seconds`,
		);
	}
	return typeof text === "number" || HAS_OFFSET.test(text) ? time : toInstant(time, zone);
}

function mailToIso(text: string): string | null {
	const parts = text.length <= 40 ? MAIL.exec(text) : null;
	if (parts === null) return null;
	const [, day = "", month = "", year, time, offset = "Z"] = parts;
	const at = MONTHS.indexOf(month);
	if (at % 3 !== 0) return null;
	return `${year}-${String(at / 3 + 1).padStart(2, "0")}-${day.padStart(2, "0")}T${time}${offset}`;
}
