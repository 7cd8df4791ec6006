import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import fc from "fast-check";
import { runComponent } from "./run-component.ts";

const RUNS = { numRuns: 60 };
const DAY = 86_400_000;
const day = fc
	.integer({ min: 0, max: 30_000 })
	.map((days) => new Date(days * DAY).toISOString().slice(0, 10));
const time = fc
	.integer({ min: 1_700_000_000, max: 1_900_000_000 })
	.map((seconds) => new Date(seconds * 1000).toISOString().replace(".000Z", "Z"));

describe("ical_build and ical_parse", () => {
	const words = fc
		.array(fc.constantFrom("a", ",", ";", "\\", "\n", "é", "\u{1F375}", "BEGIN:VEVENT", ":", "n", " x"), {
			maxLength: 40,
		})
		.map((parts) => parts.join("").trimEnd());
	const span = fc.oneof(
		fc.tuple(day, day).map((both) => both.sort()),
		fc
			.tuple(time, time)
			.map((both) => both.sort())
			.filter(([start, end]) => start !== end),
	);

	test("round-trip any events", async () => {
		const events = fc.array(fc.tuple(words, words, span, fc.uuid()), { minLength: 1, maxLength: 3 });
		await fc.assert(
			fc.asyncProperty(events, async (given) => {
				const written = given.map(([title, description, [start = "", end = ""], id]) => ({
					title,
					description,
					start,
					end,
					id,
				}));
				const params = { events: written, stamp: "2026-01-01T00:00:00Z", name: "My, calendar" };
				const file = (await runComponent("ical_build", params)) as string;
				for (const line of file.split("\r\n"))
					assert.ok(Buffer.byteLength(line) <= 75 && !/[\r\n]/.test(line));
				const read = (await runComponent("ical_parse", { text: file })) as { name: string; events: Json[] };
				assert.equal(read.name, "My, calendar");
				assert.deepEqual(
					read.events,
					written.map((event) => ({
						...event,
						is_all_day: event.start.length === 10,
						timezone: null,
						location: null,
						url: null,
						status: null,
						recurrence: null,
					})),
				);
			}),
			RUNS,
		);
	});

	test("give the same id to the same event, and different ids to different ones", async () => {
		const buildId = async (title: string) => {
			const events = [{ title, start: "2026-03-01" }];
			const text = await runComponent("ical_build", { events });
			const { events: read } = (await runComponent("ical_parse", { text })) as { events: { id: string }[] };
			return read[0]?.id;
		};
		assert.equal(await buildId("Tea"), await buildId("Tea"));
		assert.notEqual(await buildId("Tea"), await buildId("Cup"));
	});

	test("refuse days and times that do not exist", async () => {
		for (const start of [
			"2026-02-30",
			"2026-13-01",
			"2026-02-30T10:00:00Z",
			"2026-03-01T25:00:00Z",
			"soon",
		]) {
			await assert.rejects(
				runComponent("ical_build", { events: [{ title: "x", start }] }),
				/events\[0\]/,
				start,
			);
		}
		const backwards = { title: "x", start: "2026-03-02", end: "2026-03-01" };
		await assert.rejects(runComponent("ical_build", { events: [backwards] }), /ends before it begins/);
	});
});

describe("business_days", () => {
	const weekend = fc.constantFrom<number[]>([6, 7], [5, 6], [7]);
	const holidays = fc.array(day, { maxLength: 5 });

	test("counting is the inverse of adding", async () => {
		await fc.assert(
			fc.asyncProperty(
				day,
				fc.integer({ min: -300, max: 300 }),
				weekend,
				holidays,
				async (date, days, off, free) => {
					const common = { date, weekend: off, holidays: free };
					const { date: to } = (await runComponent("business_days", {
						...common,
						operation: "add",
						days,
					})) as Answer;
					const counted = (await runComponent("business_days", {
						...common,
						operation: "count",
						to,
					})) as Answer;
					assert.equal(counted.days, days);
				},
			),
			RUNS,
		);
	});

	test("a working day is neither on the weekend nor a holiday", async () => {
		await fc.assert(
			fc.asyncProperty(day, weekend, holidays, async (date, off, free) => {
				const params = { operation: "check", date, weekend: off, holidays: free };
				const found = (await runComponent("business_days", params)) as Answer;
				const weekday = new Date(date).getUTCDay() || 7;
				assert.equal(found.is_working_day, !off.includes(weekday) && !free.includes(date));
				assert.ok(found.date >= date);
			}),
			RUNS,
		);
	});

	type Answer = { date: string; days: number; is_working_day: boolean };
});

describe("free_slots", () => {
	test("offers only times inside a window that do not overlap busy times", async () => {
		const span = fc
			.tuple(fc.nat(400), fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 90 })))
			.map(([start, minutes]) => ({ start: at(start), end: at(start + minutes) }));
		const spans = fc.array(span, { minLength: 1, maxLength: 6 });
		await fc.assert(
			fc.asyncProperty(spans, spans, fc.integer({ min: 1, max: 40 }), async (windows, busy, minutes) => {
				const { free } = (await runComponent("free_slots", { windows, busy, minutes })) as { free: Span[] };
				const within = (moment: number, all: Span[]) =>
					all.some(({ start, end }) => at(moment) >= start && at(moment + 1) <= end);
				const isFree = Array.from(
					{ length: 600 },
					(_, moment) => within(moment, windows) && !within(moment, busy),
				);
				const stretches = [...isFree.map(Number).join("").matchAll(/1+/g)]
					.filter(([ones]) => ones.length >= minutes)
					.map(({ index, 0: ones }) => ({
						start: at(index),
						end: at(index + ones.length),
						minutes: ones.length,
					}));
				assert.deepEqual(free, stretches);
			}),
			RUNS,
		);
	});

	type Span = { start: string; end: string };
	const at = (minute: number) =>
		new Date(Date.UTC(2026, 2, 1) + minute * 60_000).toISOString().replace(".000Z", "Z");
});
