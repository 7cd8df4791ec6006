import type { Json } from "@tripline/contract/json";
import type { NodeCall } from "@tripline/engine/component";
import type { Meter } from "@tripline/engine/meter";
import {
	createIcsError,
	decodeText,
	type IcsLine,
	type IcsProperty,
	readLines,
	readProperty,
} from "./ics-lines.ts";
import { addDay, addDuration, formatTime, type IcsTime, readTime, readTimes } from "./ics-times.ts";
import { createZones, type IcsZones } from "./ics-zones.ts";

type Properties = Map<string, IcsProperty[]>;

/** The properties of an event that are read. */
const READ: ReadonlySet<string> = new Set(
	"UID SUMMARY DESCRIPTION LOCATION STATUS URL DTSTART DTEND DURATION RRULE RECURRENCE-ID EXDATE ORGANIZER ATTENDEE".split(
		" ",
	),
);
const CALENDAR_NAMES: ReadonlySet<string> = new Set(["NAME", "X-WR-CALNAME"]);
const UNITS_PER_EVENT = 300;
const UNITS_PER_VALUE = 60;

/** What is needed of a call. */
type Turns = Pick<NodeCall<never>, "meter" | "needsTurn" | "turn">;

/**
 * Reads the events of iCalendar text (RFC 5545) in order. Recurrences are not expanded. Times in zones take long, so a
 * large calendar is read in turns.
 */
export function parseIcs(text: string, call: Turns): Json | Promise<Json> {
	const { meter } = call;
	meter.spendOnText(8 * text.length);
	const lines = readLines(text, meter);
	const zones = createZones(meter);
	const events: Json[] = [];
	const open: IcsLine[] = [];
	let name: string | null = null;
	let event: Properties = new Map();
	let hasCalendar = false;

	return readSome() ? finish() : finishInTurns();

	/** Whether all lines have been read. */
	function readSome(): boolean {
		while (!call.needsTurn) {
			const next = lines.next();
			if (next.done) return true;
			readLine(next.value);
		}
		return false;
	}

	async function finishInTurns(): Promise<Json> {
		do await call.turn();
		while (!readSome());
		return finish();
	}

	function finish(): Json {
		const unclosed = open.at(-1);
		if (unclosed !== undefined) throw createIcsError(unclosed.line, `BEGIN:${unclosed.rest} is never ended`);
		if (!hasCalendar) throw createIcsError(1, "expected BEGIN:VCALENDAR");
		return { name, events };
	}

	function readLine(line: IcsLine): void {
		const parent = open.at(-1)?.rest;
		if (line.name === "BEGIN") begin(line);
		else if (line.name === "END") end(line);
		else if (parent === undefined) throw createIcsError(line.line, "expected BEGIN:VCALENDAR");
		else if (parent === "VEVENT" && READ.has(line.name)) addProperty(line);
		else if (parent === "VCALENDAR" && CALENDAR_NAMES.has(line.name))
			name ??= decodeText(readProperty(line, meter).value, meter);
	}

	function begin(line: IcsLine): void {
		const rest = readComponent(line);
		if (open.length === 0 && rest !== "VCALENDAR")
			throw createIcsError(line.line, "expected BEGIN:VCALENDAR");
		hasCalendar = true;
		open.push({ ...line, rest });
		if (rest === "VEVENT") event = new Map();
	}

	function end(line: IcsLine): void {
		const rest = readComponent(line);
		const begun = open.pop();
		if (begun?.rest !== rest) {
			const expected = begun === undefined ? "" : ` where END:${begun.rest} is expected`;
			throw createIcsError(line.line, `END:${rest}${expected || " ends nothing"}`);
		}
		if (rest === "VEVENT") events.push(buildEvent(event, zones, meter));
	}

	function addProperty(line: IcsLine): void {
		meter.spend(UNITS_PER_VALUE);
		const property = readProperty(line, meter);
		const known = event.get(line.name);
		if (known === undefined) event.set(line.name, [property]);
		else known.push(property);
	}
}

/** The name after BEGIN or END, short enough for a message. */
const readComponent = ({ rest }: IcsLine): string => rest.slice(1).trim().toUpperCase().slice(0, 50);

function buildEvent(event: Properties, zones: IcsZones, meter: Meter): Json {
	meter.spend(UNITS_PER_EVENT);
	const getFirst = (name: string): IcsProperty | undefined => event.get(name)?.[0];
	const getAll = (name: string): readonly IcsProperty[] => event.get(name) ?? [];
	const readText = (name: string): string | null => {
		const property = getFirst(name);
		return property === undefined ? null : decodeText(property.value, meter);
	};
	const property = getFirst("DTSTART");
	const start = property === undefined ? null : { property, time: readTime(property, zones) };
	const end = start === null ? null : readEnd(start, getFirst("DTEND"), getFirst("DURATION"), zones);
	const replaced = getFirst("RECURRENCE-ID");
	const organizer = getFirst("ORGANIZER");
	return {
		uid: readText("UID"),
		summary: readText("SUMMARY"),
		start: start === null ? null : formatTime(start.time),
		end: end === null ? null : formatTime(end),
		all_day: start?.time.kind === "date",
		timezone: start?.time.timezone ?? null,
		description: readText("DESCRIPTION"),
		location: readText("LOCATION"),
		status: readText("STATUS"),
		organizer: organizer === undefined ? null : readPerson(organizer),
		attendees: getAll("ATTENDEE").map((attendee) => ({
			...readPerson(attendee),
			status: attendee.params.get("PARTSTAT") ?? null,
		})),
		recurrence: getFirst("RRULE")?.value ?? null,
		recurrence_id: replaced === undefined ? null : formatTime(readTime(replaced, zones)),
		excluded: getAll("EXDATE").flatMap((dates) => {
			meter.spend(10 * dates.value.length);
			return readTimes(dates, zones).map(formatTime);
		}),
		url: getFirst("URL")?.value ?? null,
	};
}

function readEnd(
	start: { readonly time: IcsTime; readonly property: IcsProperty },
	end: IcsProperty | undefined,
	duration: IcsProperty | undefined,
	zones: IcsZones,
): IcsTime {
	if (end !== undefined) return readTime(end, zones);
	if (duration !== undefined) return addDuration(start, duration, zones);
	return start.time.kind === "date" ? addDay(start.time) : start.time;
}

const readPerson = ({ value, params }: IcsProperty): { name: string | null; email: string } => ({
	name: params.get("CN") ?? null,
	email: value.replace(/^mailto:/i, ""),
});
