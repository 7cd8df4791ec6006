const MAX_FORMATS = 100;
const DAY = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

export function isZone(zone: string): boolean {
	try {
		getFormat(zone);
		return true;
	} catch {
		return false;
	}
}

/** The zone's offset from UTC at that instant, in milliseconds. */
export function getOffset(instant: number, zone: string): number {
	if (zone === "UTC") return 0;
	const written = getFormat(zone)
		.formatToParts(instant)
		.find(({ type }) => type === "timeZoneName")?.value;
	const parts = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(written ?? "");
	if (parts === null) return 0;
	const [, sign, hours, minutes, seconds = "0"] = parts;
	return (sign === "-" ? -1000 : 1000) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}

/**
 * Converts local time, encoded as if it were UTC, to an instant. A time that occurs twice is the earlier one; a time
 * that is skipped moves forward by the skipped amount.
 */
export function toInstant(wall: number, zone: string): number {
	const before = getOffset(wall - DAY, zone);
	const after = getOffset(wall + DAY, zone);
	const shows = (offset: number) => getOffset(wall - offset, zone) === offset;
	return wall - (before === after || shows(before) || !shows(after) ? before : after);
}

/** The first instant that shows this local time; if it is skipped, the instant at which the clock jumps over it. */
export const findFirstInstant = (wall: number, zone: string): number => Math.min(...listInstants(wall, zone));

/** The last instant that shows this local time; if it is skipped, the instant at which the clock jumps over it. */
export const findLastInstant = (wall: number, zone: string): number => Math.max(...listInstants(wall, zone));

function listInstants(wall: number, zone: string): number[] {
	const offsets = [getOffset(wall - DAY, zone), getOffset(wall + DAY, zone)] as const;
	const shown = offsets
		.map((offset) => wall - offset)
		.filter((at, index) => getOffset(at, zone) === offsets[index]);
	if (shown.length > 0) return shown;
	// The clock jumps between these two, by their difference.
	let [before, after] = [wall - offsets[1], wall - offsets[0]];
	while (after - before > 1) {
		const middle = Math.floor((before + after) / 2);
		if (getOffset(middle, zone) === offsets[0]) before = middle;
		else after = middle;
	}
	return [after];
}

/** ISO 8601 with the zone's offset, `Z` in UTC. */
export function formatIso(instant: number, zone: string): string {
	// Historic offsets include seconds, which ISO 8601 cannot express; rounded to minutes, the instant is the same.
	const minutes = Math.round(getOffset(instant, zone) / 60_000);
	const wall = new Date(instant + minutes * 60_000).toISOString();
	return zone === "UTC" ? wall : wall.slice(0, -1) + formatOffset(minutes);
}

export function formatOffset(minutes: number): string {
	const size = Math.abs(minutes);
	const two = (number: number) => String(number).padStart(2, "0");
	return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

function getFormat(zone: string): Intl.DateTimeFormat {
	const known = formats.get(zone);
	if (known !== undefined) return known;
	const made = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
	if (formats.size >= MAX_FORMATS) formats.clear();
	formats.set(zone, made);
	return made;
}
