import { parseTime } from "@tripline/engine/expressions/dates";
import { createIcsError, type IcsProperty } from "./ics-lines.ts";
import type { IcsZones } from "./ics-zones.ts";

/** A date, an instant, or local time in a zone that is not known or not given. */
export interface IcsTime {
	readonly kind: "date" | "instant" | "local";
	/** Unix milliseconds; a date and local time are encoded as if they were UTC. */
	readonly ms: number;
	/** The zone as it is known, else as it is written. */
	readonly timezone: string | null;
}

const TIME = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/;
const DURATION = /^\+?P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,8})S)?)?$/;
const DAY_MS = 86_400_000;

export const readTimes = ({ value, ...property }: IcsProperty, zones: IcsZones): IcsTime[] =>
	value.split(",").map((text) => readTime({ ...property, value: text.trim() }, zones));

export function readTime({ value, params, line }: IcsProperty, zones: IcsZones): IcsTime {
	// A period is its start and its end or length.
	const parts = TIME.exec(value.split("/", 1)[0] as string);
	const [, year, month, day, hour, minute, second, utc] = parts ?? [];
	// The last second of a minute may be a leap second.
	const clock = hour === undefined ? "" : `T${hour}:${minute}:${second === "60" ? "59" : second}`;
	const ms = parts === null ? null : parseTime(`${year}-${month}-${day}${clock}`);
	if (ms === null)
		throw createIcsError(line, "a time is not written as 20260302, 20260302T090000 or 20260302T090000Z");
	if (hour === undefined) return { kind: "date", ms, timezone: null };
	if (utc === "Z") return { kind: "instant", ms, timezone: null };
	const tzid = params.get("TZID");
	if (tzid === undefined) return { kind: "local", ms, timezone: null };
	const zone = zones.find(tzid, line);
	if (zone === undefined) return { kind: "local", ms, timezone: tzid };
	return { kind: "instant", ms: zones.toInstant(ms, zone), timezone: zone };
}

/** The end of what begins then and lasts that long. Days are those of the calendar, so they may have 23 or 25 hours. */
export function addDuration(
	start: { readonly time: IcsTime; readonly property: IcsProperty },
	{ value, line }: IcsProperty,
	zones: IcsZones,
): IcsTime {
	const parts = DURATION.exec(value);
	if (parts === null) throw createIcsError(line, "a duration is not written as PT1H30M, P1D or P2W");
	const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
		.slice(1)
		.map((part) => Number(part ?? 0));
	const exact = ((hours * 60 + minutes) * 60 + seconds) * 1000;
	const nominal = (weeks * 7 + days) * DAY_MS;
	const { time, property } = start;
	const zone = time.kind === "instant" ? time.timezone : null;
	if (zone === null || nominal === 0) return { ...time, ms: time.ms + nominal + exact };
	const wall = readTime({ ...property, params: new Map() }, zones).ms;
	return { ...time, ms: zones.toInstant(wall + nominal, zone) + exact };
}

/** `2026-03-02`, `2026-03-02T08:00:00.000Z`, or local time without an offset. */
export function formatTime({ kind, ms }: IcsTime): string {
	const iso = new Date(ms).toISOString();
	if (kind === "instant") return iso;
	return kind === "date" ? iso.slice(0, -"T00:00:00.000Z".length) : iso.slice(0, -".000Z".length);
}

export const addDay = (time: IcsTime): IcsTime => ({ ...time, ms: time.ms + DAY_MS });
