import { integer, list, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { object, params } from "../schema.ts";

export const freeSlots = code({
	id: "free_slots",
	title: "Free times",
	description: `Finds the times that are free: inside of the given windows, outside of what is busy, and long enough.

Use it to offer appointments: the windows are the working hours of the next days, \`busy\` the events of one or several calendars. \`slots\` are times to offer, one every \`step_minutes\`; \`free\` are the whole free stretches. \`pause_minutes\` keeps time free before and after everything that is busy.

All times are ISO 8601 with \`Z\` or an offset; results are in UTC.`,
	tags: ["calendar", "time", "appointments"],
	params: params(
		{
			windows: list(
				object({ start: text("From when"), end: text("Until when") }, "A window"),
				"When appointments may be",
				{ minItems: 1, maxItems: 400 },
			),
			busy: list(
				object({ start: text("From when"), end: text("Until when") }, "Something busy"),
				"When not",
				{
					maxItems: 5_000,
				},
			),
			minutes: integer("How long an appointment is", { minimum: 1, maximum: 10_080 }),
			step_minutes: integer("How far apart offers begin; default the length of an appointment", {
				minimum: 1,
				maximum: 10_080,
			}),
			pause_minutes: integer("To keep free around what is busy", { minimum: 0, maximum: 1_440, default: 0 }),
			limit: integer("Slots at most", { minimum: 1, maximum: 1_000, default: 50 }),
		},
		["windows", "busy", "minutes"],
	),
	output: object(
		{
			slots: list(
				object({ start: text("From when"), end: text("Until when") }, "A slot"),
				"Times to offer, the earliest first",
			),
			free: list(
				object(
					{ start: text("From when"), end: text("Until when"), minutes: integer("How long") },
					"A free stretch",
				),
				"Stretches that are long enough",
			),
		},
		"What is free",
	),
	code: String.raw`
const MINUTE = 60_000;
const pause = input.pause_minutes * MINUTE;
const length = input.minutes * MINUTE;
const step = (input.step_minutes ?? input.minutes) * MINUTE;
const busy = input.busy
	.map((span, place) => spanOf(span, "busy[" + place + "]"))
	.map(({ from, to }) => ({ from: from - pause, to: to + pause }))
	.filter(({ from, to }) => from < to);
const windows = merged(input.windows.map((span, place) => spanOf(span, "windows[" + place + "]")));
const free = freeOf(windows, merged(busy)).filter(({ from, to }) => to - from >= length);

const slots = [];
for (const { from, to } of free) {
	for (let start = from; start + length <= to && slots.length < input.limit; start += step) {
		slots.push({ start: iso(start), end: iso(start + length) });
	}
}
return {
	slots,
	free: free.map(({ from, to }) => ({ start: iso(from), end: iso(to), minutes: Math.floor((to - from) / MINUTE) })),
};

/** Both lists are in order and nothing in them overlaps, so one walk over them is enough. */
function freeOf(windows, busy) {
	const found = [];
	let next = 0;
	for (const { from, to } of windows) {
		let start = from;
		while (next < busy.length && busy[next].to <= start) next++;
		for (let place = next; place < busy.length && busy[place].from < to; place++) {
			if (busy[place].from > start) found.push({ from: start, to: busy[place].from });
			start = Math.max(start, busy[place].to);
		}
		if (start < to) found.push({ from: start, to });
	}
	return found;
}

function merged(spans) {
	const joined = [];
	for (const span of spans.sort((a, b) => a.from - b.from)) {
		const last = joined.at(-1);
		if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to);
		else joined.push({ ...span });
	}
	return joined;
}

function spanOf({ start, end }, where) {
	const from = timeOf(start, where + ".start");
	const to = timeOf(end, where + ".end");
	if (to < from) throw new Error(where + " ends before it begins");
	return { from, to };
}

function timeOf(text, where) {
	const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/.test(text);
	const time = isTime ? Date.parse(text) : NaN;
	if (Number.isNaN(time)) throw new Error(where + " must be a time such as 2026-03-01T09:00:00+01:00, with Z or an offset");
	return time;
}

function iso(time) {
	return new Date(time).toISOString().replace(".000Z", "Z");
}
`,
	examples: [
		{
			title: "A morning with two meetings",
			params: {
				windows: [{ start: "2026-03-02T09:00:00+01:00", end: "2026-03-02T12:00:00+01:00" }],
				busy: [
					{ start: "2026-03-02T10:30:00+01:00", end: "2026-03-02T11:00:00+01:00" },
					{ start: "2026-03-02T08:30:00Z", end: "2026-03-02T09:00:00Z" },
				],
				minutes: 30,
			},
			output: {
				slots: [
					{ start: "2026-03-02T08:00:00Z", end: "2026-03-02T08:30:00Z" },
					{ start: "2026-03-02T09:00:00Z", end: "2026-03-02T09:30:00Z" },
					{ start: "2026-03-02T10:00:00Z", end: "2026-03-02T10:30:00Z" },
					{ start: "2026-03-02T10:30:00Z", end: "2026-03-02T11:00:00Z" },
				],
				free: [
					{ start: "2026-03-02T08:00:00Z", end: "2026-03-02T08:30:00Z", minutes: 30 },
					{ start: "2026-03-02T09:00:00Z", end: "2026-03-02T09:30:00Z", minutes: 30 },
					{ start: "2026-03-02T10:00:00Z", end: "2026-03-02T11:00:00Z", minutes: 60 },
				],
			},
		},
		{
			title: "With a pause around what is busy there is no time left",
			params: {
				windows: [{ start: "2026-03-02T09:00:00Z", end: "2026-03-02T10:00:00Z" }],
				busy: [{ start: "2026-03-02T09:25:00Z", end: "2026-03-02T09:35:00Z" }],
				minutes: 20,
				pause_minutes: 10,
			},
			output: { slots: [], free: [] },
		},
		{
			title: "A time without a zone",
			params: {
				windows: [{ start: "2026-03-02T09:00", end: "2026-03-02T10:00:00Z" }],
				busy: [],
				minutes: 30,
			},
			error: "windows[0].start must be a time such as 2026-03-01T09:00:00+01:00, with Z or an offset",
		},
	],
});
