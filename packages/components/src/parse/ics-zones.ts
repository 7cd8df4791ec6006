import type { Meter } from "@tripline/engine/meter";
import { getOffset, isZone, toInstant } from "../datetime/zone.ts";
import { createIcsError } from "./ics-lines.ts";

/** Names that Windows and Outlook write instead of those of the time zone database. */
const WINDOWS: ReadonlyMap<string, string> = new Map([
	["AUS Eastern Standard Time", "Australia/Sydney"],
	["Alaskan Standard Time", "America/Anchorage"],
	["Arab Standard Time", "Asia/Riyadh"],
	["Arabian Standard Time", "Asia/Dubai"],
	["Argentina Standard Time", "America/Argentina/Buenos_Aires"],
	["Atlantic Standard Time", "America/Halifax"],
	["Canada Central Standard Time", "America/Regina"],
	["Central America Standard Time", "America/Guatemala"],
	["Central Europe Standard Time", "Europe/Budapest"],
	["Central European Standard Time", "Europe/Warsaw"],
	["Central Standard Time", "America/Chicago"],
	["Central Standard Time (Mexico)", "America/Mexico_City"],
	["China Standard Time", "Asia/Shanghai"],
	["E. Africa Standard Time", "Africa/Nairobi"],
	["E. Australia Standard Time", "Australia/Brisbane"],
	["E. South America Standard Time", "America/Sao_Paulo"],
	["Eastern Standard Time", "America/New_York"],
	["Egypt Standard Time", "Africa/Cairo"],
	["FLE Standard Time", "Europe/Kyiv"],
	["GMT Standard Time", "Europe/London"],
	["GTB Standard Time", "Europe/Bucharest"],
	["Greenwich Standard Time", "Atlantic/Reykjavik"],
	["Hawaiian Standard Time", "Pacific/Honolulu"],
	["India Standard Time", "Asia/Kolkata"],
	["Israel Standard Time", "Asia/Jerusalem"],
	["Korea Standard Time", "Asia/Seoul"],
	["Mountain Standard Time", "America/Denver"],
	["New Zealand Standard Time", "Pacific/Auckland"],
	["Pacific SA Standard Time", "America/Santiago"],
	["Pacific Standard Time", "America/Los_Angeles"],
	["Pakistan Standard Time", "Asia/Karachi"],
	["Romance Standard Time", "Europe/Paris"],
	["Russian Standard Time", "Europe/Moscow"],
	["SA Pacific Standard Time", "America/Bogota"],
	["SE Asia Standard Time", "Asia/Bangkok"],
	["Singapore Standard Time", "Asia/Singapore"],
	["South Africa Standard Time", "Africa/Johannesburg"],
	["Taipei Standard Time", "Asia/Taipei"],
	["Tokyo Standard Time", "Asia/Tokyo"],
	["Turkey Standard Time", "Europe/Istanbul"],
	["US Mountain Standard Time", "America/Phoenix"],
	["W. Australia Standard Time", "Australia/Perth"],
	["W. Europe Standard Time", "Europe/Berlin"],
]);

/** The end of names such as `/freeassociation.sourceforge.net/Europe/Berlin`. */
const DATABASE_NAME = /^\/.*?([A-Z][A-Za-z]+\/[A-Za-z_/+-]+)$/;
const DAY_MS = 86_400_000;
const MAX_ZONES = 50;
const UNITS_PER_ZONE = 8_000;
const UNITS_PER_DAY = 600;
const UNITS_PER_TIME = 1_200;

export interface IcsZones {
	/** The zone's name in the time zone database; undefined if the zone is not known. */
	find(tzid: string, line: number): string | undefined;
	/** Unix milliseconds of local time, which is encoded as if it were UTC. */
	toInstant(wall: number, zone: string): number;
}

/** Remembers the zones of one text, which are slow to look up. */
export function createZones(meter: Meter): IcsZones {
	const names = new Map<string, string | undefined>();
	/** Offsets of days without a change of clocks nearby. */
	const days = new Map<string, number | null>();
	return {
		find(tzid, line) {
			if (names.has(tzid)) return names.get(tzid);
			if (names.size === MAX_ZONES) throw createIcsError(line, `there are more than ${MAX_ZONES} time zones`);
			meter.spend(UNITS_PER_ZONE);
			const name = WINDOWS.get(tzid) ?? DATABASE_NAME.exec(tzid.slice(0, 200))?.[1] ?? tzid;
			const known = isZone(name) ? name : undefined;
			names.set(tzid, known);
			return known;
		},
		toInstant(wall, zone) {
			const day = Math.floor(wall / DAY_MS);
			const key = `${zone} ${day}`;
			let offset = days.get(key);
			if (offset === undefined) {
				meter.spend(UNITS_PER_DAY);
				const before = getOffset((day - 1) * DAY_MS, zone);
				offset = before === getOffset((day + 2) * DAY_MS, zone) ? before : null;
				days.set(key, offset);
			}
			if (offset !== null) return wall - offset;
			meter.spend(UNITS_PER_TIME);
			return toInstant(wall, zone);
		},
	};
}
