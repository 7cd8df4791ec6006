import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import fc from "fast-check";
import { anyCharacter } from "../../../test/any-character.ts";
import { runForError, runForOutput, runNode } from "./run-node.ts";

interface Calendar {
	readonly name: string | null;
	readonly events: readonly { readonly [name: string]: Json }[];
}

const buildCalendar = (...lines: string[]) => ["BEGIN:VCALENDAR", ...lines, "END:VCALENDAR", ""].join("\r\n");
const buildEvent = (...lines: string[]) => buildCalendar("BEGIN:VEVENT", ...lines, "END:VEVENT");
const run = (text: string) =>
	["parse", { format: "ics", text: "{{input.text}}" }, { input: { text } }] as const;
const parseCalendar = async (text: string) => (await runForOutput(...run(text))) as unknown as Calendar;
const parseEvent = async (...lines: string[]) => {
	const { events } = await parseCalendar(buildEvent(...lines));
	assert.equal(events.length, 1);
	return events[0] as { [name: string]: Json };
};

describe("parse ics", () => {
	test("joins folded lines and decodes escapes", async () => {
		const event = await parseEvent(
			"SUMMARY:Lunch\\, with",
			"  Ada\\; and",
			"\t Alan",
			"DESCRIPTION:one\\ntwo\\Nthree \\\\n \\x",
			"LOCATION;LANGUAGE=en:Café",
			"URL:https://example.com/a;b?c=1,2",
			"STATUS:CONFIRMED",
		);
		assert.equal(event.summary, "Lunch, with Ada; and Alan");
		assert.equal(event.description, "one\ntwo\nthree \\n \\x");
		assert.equal(event.location, "Café");
		assert.equal(event.url, "https://example.com/a;b?c=1,2");
		assert.equal(event.status, "CONFIRMED");
	});

	const times: [lines: string[], expected: { [name: string]: Json }][] = [
		[
			["DTSTART:20260302T090000Z", "DTEND:20260302T100000Z"],
			{ start: "2026-03-02T09:00:00.000Z", end: "2026-03-02T10:00:00.000Z", all_day: false, timezone: null },
		],
		[
			["DTSTART;TZID=America/New_York:20260701T090000", "DTEND;TZID=America/New_York:20260701T100000"],
			{ start: "2026-07-01T13:00:00.000Z", end: "2026-07-01T14:00:00.000Z", timezone: "America/New_York" },
		],
		[
			["DTSTART;TZID=W. Europe Standard Time:20260302T090000"],
			{ start: "2026-03-02T08:00:00.000Z", end: "2026-03-02T08:00:00.000Z", timezone: "Europe/Berlin" },
		],
		[
			["DTSTART;TZID=/freeassociation.sourceforge.net/Europe/Berlin:20260302T090000"],
			{ start: "2026-03-02T08:00:00.000Z", timezone: "Europe/Berlin" },
		],
		[
			["DTSTART;TZID=Our office:20260302T090000", "DURATION:PT90M"],
			{ start: "2026-03-02T09:00:00", end: "2026-03-02T10:30:00", timezone: "Our office" },
		],
		[["DTSTART:20260302T090000"], { start: "2026-03-02T09:00:00", timezone: null, all_day: false }],
		[["DTSTART;VALUE=DATE:20260302"], { start: "2026-03-02", end: "2026-03-03", all_day: true }],
		[["DTSTART;VALUE=DATE:20260302", "DURATION:P2W"], { start: "2026-03-02", end: "2026-03-16" }],
		[
			// The clock goes forward that night: the day has 23 hours.
			["DTSTART;TZID=Europe/Berlin:20260328T120000", "DURATION:P1DT1H"],
			{ start: "2026-03-28T11:00:00.000Z", end: "2026-03-29T11:00:00.000Z" },
		],
		[[], { start: null, end: null, all_day: false }],
	];
	for (const [lines, expected] of times) {
		test(`reads the times of ${lines.join(" ") || "an event without any"}`, async () => {
			const event = await parseEvent(...lines);
			for (const [name, value] of Object.entries(expected)) assert.equal(event[name], value, name);
		});
	}

	test("reads people, with names in quotes", async () => {
		const event = await parseEvent(
			"ORGANIZER;CN=\"Lovelace: Ada, of ^'London^'\":MAILTO:ada@example.com",
			"ATTENDEE;CN=Alan;PARTSTAT=DECLINED;RSVP=TRUE:mailto:alan@example.com",
			"ATTENDEE:https://example.com/grace",
		);
		assert.deepEqual(event.organizer, { name: 'Lovelace: Ada, of "London"', email: "ada@example.com" });
		assert.deepEqual(event.attendees, [
			{ name: "Alan", email: "alan@example.com", status: "DECLINED" },
			{ name: null, email: "https://example.com/grace", status: null },
		]);
	});

	test("keeps the rule of a repeated event and what it leaves out", async () => {
		const event = await parseEvent(
			"RRULE:FREQ=DAILY;COUNT=3",
			"EXDATE;TZID=Europe/Berlin:20260303T090000,20260304T090000",
			"EXDATE;VALUE=DATE:20260305",
			"RECURRENCE-ID:20260306T080000Z",
		);
		assert.equal(event.recurrence, "FREQ=DAILY;COUNT=3");
		assert.deepEqual(event.excluded, ["2026-03-03T08:00:00.000Z", "2026-03-04T08:00:00.000Z", "2026-03-05"]);
		assert.equal(event.recurrence_id, "2026-03-06T08:00:00.000Z");
	});

	test("reads events only, each without its alarms", async () => {
		const { name, events } = await parseCalendar(
			`\uFEFF${buildCalendar(
				"X-WR-CALNAME:Team\\, all",
				"BEGIN:VTIMEZONE",
				"TZID:X",
				"BEGIN:STANDARD",
				"DTSTART:19700101T000000",
				"END:STANDARD",
				"END:VTIMEZONE",
				"BEGIN:VTODO",
				"SUMMARY:task",
				"END:VTODO",
				"begin:vevent",
				"summary:first",
				"BEGIN:VALARM",
				"SUMMARY:alarm",
				"END:VALARM",
				"end:vevent",
				"",
				"BEGIN:VEVENT",
				"SUMMARY:second",
				"END:VEVENT",
			)}`,
		);
		assert.equal(name, "Team, all");
		assert.deepEqual(
			events.map(({ summary }) => summary),
			["first", "second"],
		);
	});

	const faults: [text: string, error: string][] = [
		["", "not iCalendar, line 1: expected BEGIN:VCALENDAR"],
		["<html>", "not iCalendar, line 1: expected a name and a colon, such as SUMMARY:Lunch"],
		["BEGIN:VEVENT\n", "not iCalendar, line 1: expected BEGIN:VCALENDAR"],
		["BEGIN:VCALENDAR\n", "not iCalendar, line 1: BEGIN:VCALENDAR is never ended"],
		["BEGIN:VCALENDAR\nEND:VEVENT", "not iCalendar, line 2: END:VEVENT where END:VCALENDAR is expected"],
		["END:VCALENDAR", "not iCalendar, line 1: END:VCALENDAR ends nothing"],
		[buildEvent("SUMMARY:a", " b", "oops"), "not iCalendar, line 5: expected a name and a colon"],
		[buildEvent("DTSTART:20260230T000000"), "not iCalendar, line 3: a time is not written as"],
		[buildEvent("DTSTART:tomorrow"), "not iCalendar, line 3: a time is not written as"],
		[buildEvent("DTSTART:20260302", "DURATION:1 day"), "not iCalendar, line 4: a duration is not written as"],
		[buildEvent('ATTENDEE;CN="a:b'), "not iCalendar, line 3: "],
		[buildEvent("ATTENDEE;CN:b"), "not iCalendar, line 3: a parameter is not written as ;NAME=value"],
	];
	for (const [text, error] of faults) {
		test(`refuses ${JSON.stringify(text.slice(0, 80))}`, async () => {
			assert.ok((await runForError(...run(text))).startsWith(error), await runForError(...run(text)));
		});
	}

	test("reads a calendar of 3,000 events in a time zone", async () => {
		const { events } = await parseCalendar(
			buildCalendar(
				...Array.from({ length: 3_000 }, (_, at) => {
					const day = new Date(Date.UTC(2000, 0, 1 + at)).toISOString().slice(0, 10).replaceAll("-", "");
					return `BEGIN:VEVENT\nDTSTART;TZID=Asia/Taipei:${day}T090000\nEND:VEVENT`;
				}),
			),
		);
		assert.equal(events.length, 3_000);
		assert.equal(events.at(-1)?.start, "2008-03-18T01:00:00.000Z");
	});

	test("refuses more than 50 time zones", async () => {
		const lines = Array.from({ length: 60 }, (_, at) => `EXDATE;TZID=Zone ${at}:20260302T090000`);
		assert.match(await runForError(...run(buildEvent(...lines))), /there are more than 50 time zones/);
	});

	test("reads back any text, folded anywhere", async () => {
		const escapeText = (text: string) =>
			text.replace(/[\\;,]/g, (character) => `\\${character}`).replaceAll("\n", "\\n");
		const words = fc.string({ unit: fc.constantFrom(...'ab\\;,:\n"é n') });
		await fc.assert(
			fc.asyncProperty(words, fc.integer({ min: 1, max: 20 }), async (text, width) => {
				const folded = escapeText(text).replace(new RegExp(`.{${width}}`, "gs"), "$&\r\n ");
				const event = await parseEvent(`SUMMARY:x${folded}x`);
				assert.equal(event.summary, `x${text}x`);
			}),
		);
	});

	test("any text gives a value or a clear error", async () => {
		const line = fc.constantFrom(
			"BEGIN:VCALENDAR",
			"END:VCALENDAR",
			"BEGIN:VEVENT",
			"END:VEVENT",
			"DTSTART:20260302",
			"DTSTART;TZID=Europe/Berlin:20260302T090000",
			"DURATION:P1D",
			"SUMMARY:\\",
			" folded",
			'ATTENDEE;CN="',
			"",
			":",
		);
		const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n"));
		await fc.assert(
			fc.asyncProperty(fc.oneof(text, fc.string({ unit: anyCharacter })), async (given) => {
				const outcome = await runNode(...run(given));
				if ("error" in outcome) assert.match(outcome.error, /^not iCalendar, line \d+: ./);
			}),
			{ numRuns: 300 },
		);
	});
});
