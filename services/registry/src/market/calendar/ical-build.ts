import { list, number, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { object, params } from "../schema.ts";

export const icalBuild = code({
	id: "ical_build",
	title: "Write a calendar file",
	description: `Makes an iCalendar file (\`.ics\`, RFC 5545) that every calendar program opens or subscribes to.

Use it to attach an appointment to a mail, or behind a query endpoint with \`respond\` and the type \`text/calendar\` as a calendar that people subscribe to.

Times are ISO 8601 with \`Z\` or an offset; a date alone (\`2026-03-01\`) is a whole day, and \`end\` is then the last day. Without \`end\` an event lasts an hour, or the day. The same title and start give the same id, so that a file that is read again changes the event and does not add one; set \`id\` where titles or times may change.`,
	tags: ["calendar", "mail", "time"],
	params: params(
		{
			name: text("Name of the calendar", { maxLength: 200 }),
			events: list(
				object(
					{
						title: text("What it is"),
						start: text("When it begins"),
						end: text("When it ends"),
						location: text("Where it is"),
						description: text("More about it"),
						url: text("A page about it"),
						id: text("What tells it from others"),
						reminder_minutes: number("Remind so many minutes before"),
					},
					"An event",
					["title", "start"],
				),
				"The events",
				{ minItems: 1, maxItems: 1_000 },
			),
			stamp: text("When the file was made, as ISO 8601; default now"),
		},
		["events"],
	),
	output: text("The file's text"),
	code: String.raw`
const stamp = utc(input.stamp ?? new Date().toISOString(), "stamp");
const lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Tripline//ical_build 1.0//EN", "CALSCALE:GREGORIAN"];
if (input.name !== undefined) lines.push("X-WR-CALNAME:" + escaped(input.name));
input.events.forEach((event, place) => lines.push(...eventLines(event, "events[" + place + "]")));
lines.push("END:VCALENDAR");
return lines.map((line) => folded(line) + "\r\n").join("");

function eventLines(event, where) {
	const found = ["BEGIN:VEVENT", "UID:" + escaped(event.id ?? idOf(event)), "DTSTAMP:" + stamp, ...times(event, where)];
	found.push("SUMMARY:" + escaped(event.title));
	for (const [name, property] of [["location", "LOCATION"], ["description", "DESCRIPTION"]]) {
		if (event[name] !== undefined) found.push(property + ":" + escaped(event[name]));
	}
	if (event.url !== undefined) found.push("URL:" + event.url.replace(/[\r\n]/g, ""));
	if (event.reminder_minutes !== undefined) {
		const minutes = Math.max(0, Math.round(event.reminder_minutes));
		found.push("BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:" + escaped(event.title), "TRIGGER:-PT" + minutes + "M", "END:VALARM");
	}
	return [...found, "END:VEVENT"];
}

function times({ start, end: given }, where) {
	const end = given ?? start;
	const isDay = /^\d{4}-\d{2}-\d{2}$/.test(start);
	if (isDay !== /^\d{4}-\d{2}-\d{2}$/.test(end)) {
		throw new Error(where + ": start and end must both be dates, or both times");
	}
	const from = isDay ? dayOf(start, where + ".start") : timeOf(start, where + ".start");
	const to = isDay ? dayOf(end, where + ".end") : timeOf(end, where + ".end");
	if (to < from) throw new Error(where + " ends before it begins");
	if (isDay) return ["DTSTART;VALUE=DATE:" + compact(from).slice(0, 8), "DTEND;VALUE=DATE:" + compact(to + 86_400_000).slice(0, 8)];
	if (given === undefined) return ["DTSTART:" + compact(from), "DTEND:" + compact(from + 3_600_000)];
	// An end must be later than the start; what takes no time has none.
	return to === from ? ["DTSTART:" + compact(from)] : ["DTSTART:" + compact(from), "DTEND:" + compact(to)];
}

function dayOf(date, where) {
	return real(Date.parse(date + "T00:00:00Z"), date, where);
}

function timeOf(time, where) {
	if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/.test(time)) {
		throw new Error(where + " must be a time such as 2026-03-01T09:00:00+01:00 (with Z or an offset) or a date");
	}
	return real(Date.parse(time.replace(/([+-]\d{2})(\d{2})$/, "$1:$2")), time, where);
}

/** The calendar has no 30 February. */
function real(milliseconds, given, where) {
	const day = Number(given.slice(8, 10));
	const last = new Date(Date.UTC(Number(given.slice(0, 4)), Number(given.slice(5, 7)), 0)).getUTCDate();
	if (!Number.isFinite(milliseconds) || day > last) throw new Error(where + ": there is no " + given);
	return milliseconds;
}

function utc(time, where) {
	return compact(timeOf(time, where));
}

function compact(milliseconds) {
	return new Date(milliseconds).toISOString().replace(/[-:]|\.\d+/g, "");
}

/** FNV-1a over title and start. */
function idOf({ title, start }) {
	const text = title + "\n" + start;
	let hash = 0xcbf29ce484222325n;
	for (let place = 0; place < text.length; place++) {
		hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(place))) * 0x100000001b3n);
	}
	return hash.toString(16).padStart(16, "0") + "@tripline";
}

function escaped(text) {
	return text.toWellFormed().replace(/[\\;,]/g, "\\$&").replace(/\r\n|\r|\n/g, "\\n").replace(/[\x00-\x08\x0b-\x1f\x7f]/g, "");
}

/** Lines have at most 75 bytes; what goes on begins with a space. */
function folded(line) {
	if (line.length <= 25) return line;
	let written = "";
	let bytes = 0;
	for (const character of line) {
		const code = character.codePointAt(0);
		const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
		if (bytes + size > 75) {
			written += "\r\n ";
			bytes = 1;
		}
		written += character;
		bytes += size;
	}
	return written;
}
`,
	examples: [
		{
			title: "A meeting, with a reminder",
			params: {
				stamp: "2026-02-01T08:00:00Z",
				events: [
					{
						title: "Tea, and talk",
						start: "2026-03-01T15:00:00+01:00",
						end: "2026-03-01T15:45:00+01:00",
						location: "Kitchen; 2nd floor",
						id: "tea-1",
						reminder_minutes: 10,
					},
				],
			},
			output:
				"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Tripline//ical_build 1.0//EN\r\nCALSCALE:GREGORIAN\r\nBEGIN:VEVENT\r\nUID:tea-1\r\nDTSTAMP:20260201T080000Z\r\nDTSTART:20260301T140000Z\r\nDTEND:20260301T144500Z\r\nSUMMARY:Tea\\, and talk\r\nLOCATION:Kitchen\\; 2nd floor\r\nBEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:Tea\\, and talk\r\nTRIGGER:-PT10M\r\nEND:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
		},
		{
			title: "Whole days",
			params: {
				name: "Fairs",
				stamp: "2026-02-01T08:00:00Z",
				events: [{ title: "Tea fair", start: "2026-05-30", end: "2026-05-31" }],
			},
			output:
				"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Tripline//ical_build 1.0//EN\r\nCALSCALE:GREGORIAN\r\nX-WR-CALNAME:Fairs\r\nBEGIN:VEVENT\r\nUID:2811d335a622f5c3@tripline\r\nDTSTAMP:20260201T080000Z\r\nDTSTART;VALUE=DATE:20260530\r\nDTEND;VALUE=DATE:20260601\r\nSUMMARY:Tea fair\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
		},
		{
			title: "A time without a zone",
			params: { events: [{ title: "When?", start: "2026-03-01T15:00" }], stamp: "2026-02-01T08:00:00Z" },
			error:
				"events[0].start must be a time such as 2026-03-01T09:00:00+01:00 (with Z or an offset) or a date",
		},
	],
});
