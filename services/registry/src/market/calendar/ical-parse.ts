import { flag, integer, list, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { object, orNull, params } from "../schema.ts";

export const icalParse = code({
	id: "ical_parse",
	title: "Read a calendar file",
	description: `Reads an iCalendar file or feed (\`.ics\`, RFC 5545) into a list of events.

Use it after \`http_request\` on the address of a shared calendar. Times in UTC end in \`Z\`; others are as clocks in \`timezone\` show them (give both to \`datetime\`); whole days are dates, and \`end\` is then the last day.

Events that repeat are listed once, with their rule in \`recurrence\` (such as \`FREQ=WEEKLY;BYDAY=MO\`): the single occurrences are not worked out. To-dos and journals are left out.`,
	tags: ["calendar", "parse", "time"],
	params: params(
		{
			text: text("The file's text", { maxLength: 500_000 }),
			limit: integer("Events at most", { minimum: 1, maximum: 5_000, default: 1_000 }),
		},
		["text"],
	),
	output: object(
		{
			name: orNull(text("Name of the calendar")),
			events: list(
				object(
					{
						id: text("What tells it from others"),
						title: text("What it is"),
						start: text("When it begins"),
						end: orNull(text("When it ends")),
						is_all_day: flag("Whether start and end are dates"),
						timezone: orNull(text("Zone of start and end; null for UTC, dates and times of any zone")),
						location: orNull(text("Where it is")),
						description: orNull(text("More about it")),
						url: orNull(text("A page about it")),
						status: orNull(text("CONFIRMED, TENTATIVE or CANCELLED")),
						recurrence: orNull(text("The rule by which it repeats")),
					},
					"An event",
				),
				"The events, in the order of the file",
			),
			truncated: flag("Whether there were more than limit"),
		},
		"The calendar",
	),
	code: String.raw`
const lines = input.text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n").replace(/\n[ \t]/g, "").split("\n");
if (!lines.some((line) => /^BEGIN:VCALENDAR\s*$/i.test(line))) throw new Error("text is no iCalendar file: it has no BEGIN:VCALENDAR");
const events = [];
let name = null;
let event = null;
let truncated = false;
const open = [];
for (const line of lines) {
	const property = read(line);
	if (property === null) continue;
	if (property.name === "BEGIN") {
		open.push(property.value.toUpperCase());
		if (open.at(-1) === "VEVENT") event = new Map();
		continue;
	}
	if (property.name === "END") {
		if (open.pop() === "VEVENT" && event !== null) {
			if (events.length === input.limit) truncated = true;
			else if (event.has("DTSTART")) events.push(shaped(event));
			event = null;
		}
		if (truncated) break;
		continue;
	}
	if (open.at(-1) === "VCALENDAR" && property.name === "X-WR-CALNAME") name = unescaped(property.value);
	if (open.at(-1) === "VEVENT" && event !== null && !event.has(property.name)) event.set(property.name, property);
}
return { name, events, truncated };

/** NAME;PARAM=value;PARAM="value":value */
function read(line) {
	const head = /^([A-Za-z0-9-]+)((?:;[A-Za-z0-9-]+=(?:"[^"]*"|[^";:]*))*):/.exec(line);
	if (head === null) return null;
	const params = Object.fromEntries(
		[...head[2].matchAll(/;([A-Za-z0-9-]+)=(?:"([^"]*)"|([^";:]*))/g)].map(([, key, quoted, plain]) => [
			key.toUpperCase(),
			quoted ?? plain,
		]),
	);
	return { name: head[1].toUpperCase(), params, value: line.slice(head[0].length).trimEnd() };
}

function shaped(fields) {
	const textOf = (field) => (fields.has(field) ? unescaped(fields.get(field).value) : null);
	const start = fields.get("DTSTART");
	const isAllDay = /^\d{8}$/.test(start.value);
	return {
		id: textOf("UID") ?? "",
		title: textOf("SUMMARY") ?? "",
		start: timeOf(start.value),
		end: endOf(fields, start.value, isAllDay),
		is_all_day: isAllDay,
		timezone: isAllDay || start.value.endsWith("Z") ? null : (start.params.TZID ?? null),
		location: textOf("LOCATION"),
		description: textOf("DESCRIPTION"),
		url: fields.get("URL")?.value ?? null,
		status: textOf("STATUS"),
		recurrence: fields.get("RRULE")?.value ?? null,
	};
}

/** The end of whole days is the day after the last one in the file, and the last one here. */
function endOf(fields, start, isAllDay) {
	const end = fields.get("DTEND")?.value;
	if (end !== undefined) return isAllDay && /^\d{8}$/.test(end) ? moved(end, -86_400) : timeOf(end);
	const duration = /^\+?P(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,8})S)?)?$/.exec(
		fields.get("DURATION")?.value ?? "",
	);
	if (duration === null) return isAllDay ? timeOf(start) : null;
	const [weeks, days, hours, minutes, seconds] = duration.slice(1).map((part) => Number(part ?? 0));
	const total = ((weeks * 7 + days) * 24 + hours) * 3600 + minutes * 60 + seconds;
	return moved(start, isAllDay ? total - 86_400 : total);
}

function moved(value, seconds) {
	const clock = timeOf(value);
	const isDate = clock.length === 10;
	const milliseconds = Date.parse(isDate ? clock + "T00:00:00Z" : clock.replace(/Z?$/, "Z"));
	if (!Number.isFinite(milliseconds)) return clock;
	const later = new Date(milliseconds + seconds * 1000).toISOString();
	if (isDate) return later.slice(0, 10);
	return later.slice(0, 19) + (clock.endsWith("Z") ? "Z" : "");
}

/** 20260301T090000Z as 2026-03-01T09:00:00Z; what is no time stays as it is. */
function timeOf(value) {
	return value.replace(/^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/, (all, year, month, day, hour, minute, second, zone) => {
		const date = year + "-" + month + "-" + day;
		return hour === undefined ? date : date + "T" + hour + ":" + minute + ":" + second + zone;
	});
}

function unescaped(text) {
	return text.replace(/\\([\\;,nN])/g, (all, character) => (/n/i.test(character) ? "\n" : character));
}
`,
	examples: [
		{
			title: "A meeting that repeats, in a zone",
			params: {
				text: 'BEGIN:VCALENDAR\r\nX-WR-CALNAME:Team\r\nBEGIN:VEVENT\r\nUID:1@x\r\nDTSTART;TZID="Europe/Berlin":20260302T090000\r\nDURATION:PT1H30M\r\nRRULE:FREQ=WEEKLY;BYDAY=MO\r\nSUMMARY:Stand-\r\n up\\, weekly\r\nBEGIN:VALARM\r\nSUMMARY:ring\r\nEND:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
			},
			output: {
				name: "Team",
				events: [
					{
						id: "1@x",
						title: "Stand-up, weekly",
						start: "2026-03-02T09:00:00",
						end: "2026-03-02T10:30:00",
						is_all_day: false,
						timezone: "Europe/Berlin",
						location: null,
						description: null,
						url: null,
						status: null,
						recurrence: "FREQ=WEEKLY;BYDAY=MO",
					},
				],
				truncated: false,
			},
		},
		{
			title: "A whole day",
			params: {
				text: "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:2\nDTSTART;VALUE=DATE:20260228\nDTEND;VALUE=DATE:20260301\nSUMMARY:Fair\nLOCATION:Bonn\nSTATUS:CONFIRMED\nEND:VEVENT\nEND:VCALENDAR",
			},
			output: {
				name: null,
				events: [
					{
						id: "2",
						title: "Fair",
						start: "2026-02-28",
						end: "2026-02-28",
						is_all_day: true,
						timezone: null,
						location: "Bonn",
						description: null,
						url: null,
						status: "CONFIRMED",
						recurrence: null,
					},
				],
				truncated: false,
			},
		},
		{
			title: "Not a calendar",
			params: { text: "<html>" },
			error: "text is no iCalendar file: it has no BEGIN:VCALENDAR",
		},
	],
});
