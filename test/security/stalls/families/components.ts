import {
	type Case,
	createNamed,
	type Family,
	makeWebhook,
	oneNode,
	type Step,
	send,
	trigger,
	webhook,
} from "../case.ts";
import { createFilled, createNested, list, object, text } from "../shapes.ts";

const LIMIT_MS = 2_000;
const CHARACTERS = 990_000;

const callWebhook = (settings: object, ...inputs: readonly (() => unknown)[]): Step[] => [
	...webhook(() => oneNode(settings, { options: { timeout_ms: LIMIT_MS } })),
	...inputs.map((input) => trigger(input, { lateAfterMs: LIMIT_MS })),
];

const parsing = (format: string, name: string, make: () => string, more: object = {}): Case => ({
	name: `parse ${format}: ${name}`,
	steps: callWebhook({ component: "parse", format, text: "{{input.text}}", ...more }, () => ({
		text: make(),
	})),
	...(QUICK.has(`${format}: ${name}`) && { isQuick: true as const }),
});

const QUICK: ReadonlySet<string> = new Set([
	"csv: many rows of one value",
	"xml: many empty elements",
	"html: many tags",
	"json: empty lists",
	"jsonl: many lines",
	"tsv: many rows of one value",
	"ics: events in a time zone",
	"html: many elements, and children of children of any element",
]);

/** Half of the allowed size, for texts whose characters take two in JSON. */
const HALF = CHARACTERS / 2;

const CSV: Readonly<Record<string, () => string>> = {
	"many rows of one value": () => `a\n${"1\n".repeat(HALF / 1.5 - 10)}`,
	"many empty lines": () => `a\n${"\n".repeat(HALF - 10)}`,
	"many columns": () =>
		`${createFilled(600_000, (at) => `c${at}`, ",")}\n${createFilled(300_000, () => "1", ",")}`,
	"many columns and rows that are too short": () =>
		`${createFilled(400_000, (at) => `c${at}`, ",")}\n${"1\n".repeat(100_000)}`,
	"1,000 columns and 400 rows": () =>
		`${text(1_000, (at) => `c${at}`, ",")}\n${text(400, () => text(1_000, () => "1", ","), "\n")}`,
	"long names and many rows": () =>
		`${text(10, (at) => `${"n".repeat(10_000)}${at}`, ",")}\n${text(20_000, () => "1,1,1,1,1,1,1,1,1,1", "\n")}`,
	commas: () => `${",".repeat(900_000)}`,
	"a quote without an end": () => `a\n"${"x".repeat(900_000)}`,
	quotes: () => `a\n"${'""'.repeat(HALF / 2 - 10)}"`,
	"many short quotes": () => `a\n${'"1"\n'.repeat(HALF / 4)}`,
	"line ends in quotes": () => `a\n"${"\r\n".repeat(HALF / 2 - 10)}"`,
};

const XML: Readonly<Record<string, () => string>> = {
	"many empty elements": () => `<a>${"<b/>".repeat(CHARACTERS / 4 - 10)}</a>`,
	"many elements of different names": () => `<a>${createFilled(CHARACTERS, (at) => `<b${at}/>`)}</a>`,
	"many attributes": () => `<a ${createFilled(700_000, (at) => `b${at}='1'`, " ")}/>`,
	"attributes of many elements": () => `<a>${"<b c='1' d='2' e='3'/>".repeat(CHARACTERS / 22 - 10)}</a>`,
	"60 levels again and again": () =>
		`<a>${createFilled(CHARACTERS, () => `${"<b>".repeat(60)}${"</b>".repeat(60)}`)}</a>`,
	bottomless: () => "<a>".repeat(CHARACTERS / 3),
	"ends without a beginning": () => "</a>".repeat(CHARACTERS / 4),
	entities: () => `<a>${"&amp;".repeat(CHARACTERS / 5 - 10)}</a>`,
	"entities of its own": () =>
		`<!DOCTYPE a [${createFilled(600_000, (at) => `<!ENTITY e${at + 1} '&e${at};&e${at};'>`)}]><a>&e9;</a>`,
	"numbers of characters": () => `<a>${"&#x10000;".repeat(CHARACTERS / 9 - 10)}</a>`,
	ampersands: () => `<a>${"&".repeat(CHARACTERS - 10)}</a>`,
	comments: () => `<a>${"<!---->".repeat(CHARACTERS / 7 - 10)}</a>`,
	"a comment without an end": () => `<a><!--${"-x".repeat(HALF - 10)}`,
	CDATA: () => `<a>${"<![CDATA[]]>".repeat(CHARACTERS / 12 - 10)}</a>`,
	instructions: () => `<a>${"<?b?>".repeat(CHARACTERS / 5 - 10)}</a>`,
	"blanks in a tag": () => `<a${" ".repeat(CHARACTERS - 20)}/>`,
	"a name without an end": () => `<${"a".repeat(CHARACTERS)}`,
	"a declaration of blanks": () => `<?xml version='1.0'${" ".repeat(CHARACTERS - 60)}x?><a/>`,
	brackets: () => "<".repeat(CHARACTERS),
	"text between elements": () => `<a>${"x<b/>".repeat(CHARACTERS / 5 - 10)}</a>`,
	"characters of the astral planes": () => `<a>${"😀".repeat(CHARACTERS / 4 - 10)}</a>`,
};

const HTML: Readonly<Record<string, () => string>> = {
	"many tags": () => "<b>".repeat(CHARACTERS / 3),
	"many blocks": () => "<p>a".repeat(CHARACTERS / 4),
	bottomless: () => "<div>".repeat(CHARACTERS / 5),
	"tables in tables": () => "<table><tr><td>".repeat(CHARACTERS / 15),
	"many cells": () => `<table>${"<td>".repeat(CHARACTERS / 4 - 10)}`,
	"many rows": () => `<table>${"<tr><td>a".repeat(CHARACTERS / 9 - 10)}`,
	"text in a link in a heading in a cell": () =>
		`<table><tr><td><h1><a href=x>${"a <b>".repeat(CHARACTERS / 5 - 20)}`,
	"many links": () => "<a href=x>y</a>".repeat(CHARACTERS / 15),
	"many headings": () => "<h1>a</h1>".repeat(CHARACTERS / 10),
	"many titles": () => "<title>a</title>".repeat(CHARACTERS / 16),
	"many attributes": () => `<a ${createFilled(CHARACTERS - 20, (at) => `b${at}=1`, " ")}>`,
	"attributes without an end": () => `<a ${"b=".repeat(HALF - 10)}`,
	"a quote without an end": () => `<a href='${"x".repeat(CHARACTERS - 20)}`,
	"quotes without an end": () => "<a href='".repeat(CHARACTERS / 9),
	openings: () => "<".repeat(CHARACTERS),
	"openings of comments": () => "<!--".repeat(CHARACTERS / 4),
	comments: () => "<!---->".repeat(CHARACTERS / 7),
	"openings of scripts": () => "<script>".repeat(CHARACTERS / 8),
	scripts: () => "<script></script>".repeat(CHARACTERS / 17),
	"a script that almost ends": () => `<script>${"</scrip ".repeat(CHARACTERS / 8 - 10)}`,
	"a text area that almost ends": () => `<textarea>${"</textare>".repeat(CHARACTERS / 10 - 10)}`,
	entities: () => "&amp;".repeat(CHARACTERS / 5),
	"entities without an end": () => "&amp".repeat(CHARACTERS / 4),
	ampersands: () => "&".repeat(CHARACTERS),
	"a long entity": () => `&${"a".repeat(CHARACTERS - 10)};`,
	"numbers of characters": () => "&#x1F600;".repeat(CHARACTERS / 9),
	CDATA: () => "<![CDATA[".repeat(CHARACTERS / 9),
	"ends without a beginning": () => "</p>".repeat(CHARACTERS / 4),
	slashes: () => `<${"/".repeat(CHARACTERS - 10)}`,
	blanks: () => " ".repeat(CHARACTERS),
	"blanks between letters": () => `a ${"  b".repeat(CHARACTERS / 3 - 10)}`,
};

const JSON_TEXTS: Readonly<Record<string, () => string>> = {
	"empty lists": () => `[${createFilled(CHARACTERS, () => "[]", ",")}]`,
	numbers: () => `[${createFilled(CHARACTERS, () => "1", ",")}]`,
	"long numbers": () => `[${createFilled(CHARACTERS, () => "1.2345678901234567e100", ",")}]`,
	"a number of a megabyte": () => "9".repeat(CHARACTERS),
	bottomless: () => "[".repeat(CHARACTERS),
	"60 levels again and again": () =>
		`[${createFilled(CHARACTERS, () => "[".repeat(60) + "]".repeat(60), ",")}]`,
	"one letter from right": () => `[${createFilled(CHARACTERS, () => "1", ",")},x]`,
};

const JSON_LINES: Readonly<Record<string, () => string>> = {
	"many lines": () => "1\n".repeat(CHARACTERS / 3),
	"blank lines": () => "\n".repeat(HALF),
	"many objects": () => createFilled(CHARACTERS * 0.7, () => '{"a":1}', "\n"),
	"60 levels again and again": () =>
		createFilled(CHARACTERS * 0.9, () => "[".repeat(60) + "]".repeat(60), "\n"),
	"one line that ends too early": () => "[".repeat(CHARACTERS),
};

const renderCalendar = (events: string): string => `BEGIN:VCALENDAR\n${events}END:VCALENDAR\n`;
const renderEvent = (lines: string): string => `BEGIN:VEVENT\n${lines}END:VEVENT\n`;
const fillEvents = (make: (at: number) => string): string =>
	renderCalendar(createFilled(CHARACTERS * 0.9, (at) => renderEvent(make(at))));
/** A day as iCalendar writes it; each is another one. */
const renderDay = (at: number): string =>
	new Date(Date.UTC(1950, 0, 1 + at)).toISOString().slice(0, 10).replaceAll("-", "");
const ZONES = Intl.supportedValuesOf("timeZone").slice(0, 45);

const ICS: Readonly<Record<string, () => string>> = {
	"empty events": () => fillEvents(() => ""),
	"events in a time zone": () =>
		fillEvents((at) => `DTSTART;TZID=Europe/Berlin:${renderDay(at)}T023000\nDURATION:P1DT2H\n`),
	"events in 45 time zones": () =>
		fillEvents((at) => `DTSTART;TZID=${ZONES[at % 45]}:${renderDay(at)}T023000\n`),
	"events in zones of no name": () => fillEvents((at) => `DTSTART;TZID=Zone ${at}:20260302T090000\n`),
	"events while the clock changes": () => fillEvents(() => "DTSTART;TZID=Europe/Berlin:20260329T023000\n"),
	"many excluded times": () =>
		renderCalendar(renderEvent(`EXDATE:${createFilled(CHARACTERS * 0.9, renderDay, ",")}\n`)),
	"many people": () => renderCalendar(renderEvent(createFilled(CHARACTERS * 0.9, () => "ATTENDEE;CN=a:b\n"))),
	"many parameters": () =>
		renderCalendar(renderEvent(`ATTENDEE${createFilled(CHARACTERS * 0.9, (at) => `;A${at}=b`)}:c\n`)),
	"folds of one letter": () => renderCalendar(renderEvent(`SUMMARY:${"\n a".repeat(CHARACTERS / 5)}\n`)),
	escapes: () => renderCalendar(renderEvent(`SUMMARY:${"\\n".repeat(CHARACTERS / 4)}\n`)),
	"components without an end": () => `BEGIN:VCALENDAR\n${"BEGIN:X\n".repeat(CHARACTERS / 10)}`,
};

const ANY = Array.from({ length: 240 }, () => "*");
/** Selections, each with a page on which it takes long. */
const SELECTIONS: Readonly<Record<string, { readonly select: object; readonly html: () => string }>> = {
	"many elements, and children of children of any element": {
		select: { a: { all: `h1 ${ANY.join(" ")}` } },
		html: () => "<i></i>".repeat(40_000),
	},
	"a deep page, and 240 elements inside each other": {
		select: { a: { all: `h1 ${ANY.join(" ")}` } },
		html: () => "<x>".repeat(60_000),
	},
	"many siblings, and 240 siblings": {
		select: { a: { all: `h1 ~ ${ANY.join(" ~ ")}` } },
		html: () => "<br>".repeat(30_000),
	},
	"all combinators": {
		select: { a: { all: "h1 > * ~ * * > * ~ * > * + * * ~ *" } },
		html: () => "<div class='a b'><p>x <a href=y>z</a></p></div>".repeat(8_000),
	},
	":has() inside :has()": {
		select: { a: { all: ":has(:has(:has(:has(* ~ * h1))))" } },
		html: () => "<div>".repeat(511) + "<p>x".repeat(10_000),
	},
	":has() of later siblings": { select: { a: { all: ":has(~ h1)" } }, html: () => "<br>".repeat(30_000) },
	"positions of types": {
		select: { a: { all: ":nth-last-of-type(2n+1)" } },
		html: () => createFilled(300_000, (at) => `<x${at}></x${at}>`),
	},
	"240 selectors": {
		select: { a: { all: ANY.map(() => "h1").join(",") } },
		html: () => "<br>".repeat(30_000),
	},
	"100 names": {
		select: object(100, (at) => [`n${at}`, { all: "*" }]),
		html: () => "<p>x".repeat(25_000),
	},
	"fields of fields": {
		select: { a: { all: "*", fields: { b: { all: "*", fields: { c: { all: "*" } } } } } },
		html: () => "<div>".repeat(500) + "<p>x".repeat(10_000),
	},
	"all texts of a deep page": {
		select: { a: { all: "*" } },
		html: () => "<div>".repeat(500) + "a b ".repeat(CHARACTERS / 5),
	},
	"a part of a long attribute": {
		select: { a: { all: `[title*="${"a".repeat(450)}b${"a".repeat(450)}"]` } },
		html: () => `<a title='${"a".repeat(CHARACTERS - 2_000)}'>`,
	},
	"a class among many": {
		select: { a: { all: ".aab" } },
		html: () => `<a class='${"aaa ".repeat(CHARACTERS / 5)}'>`,
	},
	"a class of many elements": {
		select: object(100, (at) => [`n${at}`, { all: ".aab.aaa" }]),
		html: () => "<i class='aaa aaa aaa aaa aaa aaa'></i>".repeat(15_000),
	},
	"end tags of nothing": {
		select: { a: "h1" },
		html: () => "<div>".repeat(511) + "</x>".repeat(200_000),
	},
	"formatting that ends inside blocks": { select: { a: "h1" }, html: () => "<b><div></b>".repeat(70_000) },
	"links in links": { select: { a: "h1" }, html: () => "<a><div>".repeat(100_000) },
	"tables in tables, selected": { select: { a: "h1" }, html: () => "<table><tr><td>".repeat(50_000) },
	"many cells, selected": { select: { a: "h1" }, html: () => `<table>${"<td>".repeat(CHARACTERS / 5)}` },
	"many pages": { select: { a: "h1" }, html: () => "<html a=b c=d><body e=f>".repeat(CHARACTERS / 26) },
};

const parses: Case[] = [
	...Object.entries(CSV).map(([name, make]) => parsing("csv", name, make)),
	parsing("csv", "many rows without names", () => "1\n".repeat(HALF / 1.5), { header: false }),
	parsing("csv", "commas without names", () => ",".repeat(900_000), { header: false }),
	...Object.entries(XML).map(([name, make]) => parsing("xml", name, make)),
	...Object.entries(HTML).map(([name, make]) => parsing("html", name, make)),
	...Object.entries(JSON_TEXTS).map(([name, make]) => parsing("json", name, make)),
	...Object.entries(JSON_LINES).map(([name, make]) => parsing("jsonl", name, make)),
	parsing("tsv", "many rows of one value", () => `a\n${"1\n".repeat(HALF / 1.5 - 10)}`),
	parsing("tsv", "tabs", () => "\t".repeat(HALF - 10)),
	...Object.entries(ICS).map(([name, make]) => parsing("ics", name, make)),
	...Object.entries(SELECTIONS).map(([name, { select, html }]) => parsing("html", name, html, { select })),
	...Object.entries({
		"that do not end": (at: number) => `a:not(b${at}, c`,
		"that differ": (at: number) => `a.b${at} > c`,
	}).map(([name, make]) => ({
		name: `parse html: 300 nodes of 100 selectors ${name}`,
		steps: [
			makeWebhook(() => ({
				triplets: list(300, (at) => `input >> then >> n${at}`),
				config: object(300, (at) => [
					`n${at}`,
					{
						component: "parse",
						format: "html",
						text: "{{input.text}}",
						select: object(100, (index) => [`n${index}`, make(100 * at + index)]),
					},
				]),
			})),
		],
	})),
];

const LARGE = () => ({
	v: list(490_000, () => 1),
	o: object(1_000, (at) => [`k${at}`, at]),
	t: "x".repeat(10_000),
});
const OBJECT = () => ({ v: object(60_000, (at) => [`k${at}`, at]) });

/** More references than these take too long to compile. */
const MAX_REFERENCES = 25_000;

const buildReferences = (before: string, after: string, count: number, settings: object): Case => ({
	name: `${before} ${count.toLocaleString("en")} ${after}`,
	steps: count > MAX_REFERENCES ? [makeWebhook(() => oneNode(settings))] : callWebhook(settings, LARGE),
});

const shaping: Case[] = [
	{
		name: "merge of one list 1,000 times",
		steps: callWebhook({ component: "merge", values: list(1_000, () => "{{input.v}}") }, LARGE),
	},
	{
		name: "merge of one object 1,000 times",
		steps: callWebhook({ component: "merge", values: list(1_000, () => "{{input.v}}") }, OBJECT),
	},
	...[MAX_REFERENCES, 60_000].map((count) =>
		buildReferences("merge of", "objects", count, {
			component: "merge",
			values: list(count, () => "{{input.o}}"),
		}),
	),
	{
		name: "merge of 90,000 empty lists",
		steps: callWebhook({ component: "merge", values: list(300_000, () => []) }, () => ({})),
	},
	{
		name: "set with 20,000 references to one large value",
		steps: callWebhook({ component: "set", values: { a: list(20_000, () => "{{input.v}}") } }, LARGE),
		isQuick: true,
	},
	{
		name: "set with 10,000 references to a large object",
		steps: callWebhook({ component: "set", values: { a: list(10_000, () => "{{input.v}}") } }, OBJECT),
	},
	...[MAX_REFERENCES, 40_000].map((count) =>
		buildReferences("set with", "names", count, {
			component: "set",
			values: object(count, (at) => [`k${at}`, "{{input.o}}"]),
		}),
	),
	...[MAX_REFERENCES, 60_000].map((count) =>
		buildReferences("set with", "references to a text", count, {
			component: "set",
			values: { a: list(count, () => "{{input.t}}") },
		}),
	),
	{ name: "foreach over 100,000", steps: callWebhook({ component: "foreach", items: "{{input.v}}" }, LARGE) },
	{
		name: "a loop over 100,000 elements",
		steps: [
			...webhook(() => ({
				triplets: ["input >> then >> l", "l >> FOREACH e >> n"],
				config: { l: { component: "foreach", items: "{{input.v}}" }, n: { component: "set", values: {} } },
			})),
			trigger(() => ({ v: list(100_000, () => 1) })),
			trigger(() => ({ v: list(9_900, () => 1) })),
		],
	},
	{
		name: "a loop over 9,900 elements that all fail and are collected",
		steps: [
			...webhook(() => ({
				triplets: ["input >> then >> l", "l >> FOREACH e >> n"],
				config: {
					l: { component: "foreach", items: "{{input.v}}", on_item_error: "collect", concurrency: 64 },
					n: { component: "fail", message: "{{input.t}}" },
				},
			})),
			trigger(() => ({ v: list(9_900, () => 1), t: "x".repeat(100_000) })),
		],
	},
	{
		name: "a loop whose 300 nodes run for 33 elements each",
		steps: [
			...webhook(() => ({
				triplets: [
					"input >> then >> l",
					"l >> FOREACH e >> n0",
					...list(299, (at) => `n${at} >> then >> n${at + 1}`),
				],
				config: {
					l: { component: "foreach", items: "{{input.v}}" },
					...object(300, (at) => [`n${at}`, { component: "set", values: { e: "{{e}}", v: "{{input.v}}" } }]),
				},
			})),
			trigger(() => ({ v: list(33, () => "x".repeat(20_000)) })),
		],
	},
	{
		name: "a repeat of 1,000 turns with a heavy condition",
		steps: [
			...webhook(() => ({
				triplets: ["r >> REPEAT t >> n"],
				config: {
					r: { component: "repeat", until: "input.v.exists(x, input.v.exists(y, x + y < 0))", max: 1_000 },
					n: { component: "set", values: { v: "{{input.v}}" } },
				},
				options: { timeout_ms: LIMIT_MS },
			})),
			trigger(() => ({ v: list(1_000, (at) => at) }), { lateAfterMs: LIMIT_MS }),
		],
	},
	{
		name: "a repeat of 1,000 turns that make and keep a megabyte",
		steps: [
			...webhook(() => ({
				triplets: ["r >> REPEAT t >> n0", ...list(60, (at) => `n${at} >> then >> n${at + 1}`)],
				config: {
					r: { component: "repeat", until: "false", max: 1_000 },
					...object(61, (at) => [
						`n${at}`,
						{ component: "set", values: { v: `{{t_last.n${at}.v | default(0)}}`, w: "{{t}} {{input.w}}" } },
					]),
				},
				options: { timeout_ms: LIMIT_MS },
			})),
			trigger(() => ({ v: list(100_000, () => []), w: "x".repeat(300_000) }), { lateAfterMs: LIMIT_MS }),
		],
	},
	{
		name: "a result of many nodes that each hold a megabyte",
		steps: [
			...webhook(() => ({
				triplets: list(999, (at) => `input >> then >> n${at}`),
				config: object(999, (at) => [`n${at}`, { component: "set", values: { v: "{{input.v}}" } }]),
			})),
			trigger(LARGE),
		],
	},
	{
		name: "template of a large object",
		steps: callWebhook({ component: "template", text: "{{input}}" }, LARGE, OBJECT),
	},
	{
		name: "respond with a megabyte",
		steps: callWebhook({ component: "respond", body: "{{input.v}}" }, LARGE, OBJECT),
	},
	{
		name: "respond with a header of a megabyte",
		steps: callWebhook({ component: "respond", headers: { etag: "{{input.t}}" }, body: 1 }, () => ({
			t: "x".repeat(900_000),
		})),
	},
	{
		name: "respond with 60,000 headers",
		steps: callWebhook({ component: "respond", headers: "{{input.v}}", body: 1 }, OBJECT),
	},
	...["sha256", "hmac_sha256"].map((operation) => ({
		name: `crypto ${operation} of a megabyte`,
		steps: callWebhook(
			{
				component: "crypto",
				operation,
				value: "{{input.t}}",
				...(operation === "hmac_sha256" && { key: "{{input.t}}" }),
			},
			() => ({ t: "é".repeat(450_000) }),
		),
	})),
	{
		name: "500 nodes that each hash a megabyte",
		steps: [
			...webhook(() => ({
				triplets: list(499, (at) => `n${at} >> then >> n${at + 1}`),
				config: object(500, (at) => [
					`n${at}`,
					{ component: "crypto", operation: "sha256", value: "{{input.t}}" },
				]),
				options: { timeout_ms: LIMIT_MS },
			})),
			trigger(() => ({ t: "x".repeat(900_000) }), { lateAfterMs: LIMIT_MS }),
		],
	},
	...["parse", "format", "add", "diff"].map((operation) => ({
		name: `datetime ${operation} of odd texts`,
		steps: [
			...webhook(() =>
				oneNode({
					component: "datetime",
					operation,
					value: "{{input.t}}",
					...(operation === "format" && { format: "{{input.f}}" }),
					...(operation === "add" && {
						amount: { months: 1_000_000_000, days: -1_000_000_000, milliseconds: 1 },
						timezone: "America/New_York",
					}),
					...(operation === "diff" && { to: "9999-12-31", unit: "months", timezone: "America/New_York" }),
				}),
			),
			trigger(() => ({ t: "2026-01-01 ".repeat(80_000), f: "[".repeat(900) })),
			trigger(() => ({ t: `Mon, ${"1 ".repeat(200_000)}`, f: "YYYY".repeat(20_000) })),
			trigger(() => ({ t: "0001-01-01T00:00:00Z", f: "YYYY" })),
		],
	})),
	{
		name: "500 nodes that count months between far times",
		steps: [
			...webhook(() => ({
				triplets: list(499, (at) => `n${at} >> then >> n${at + 1}`),
				config: object(500, (at) => [
					`n${at}`,
					{
						component: "datetime",
						operation: "diff",
						value: "0001-01-01T00:00:00",
						to: "9999-12-31",
						unit: at % 2 === 0 ? "months" : "days",
						timezone: "America/New_York",
					},
				]),
			})),
			trigger(() => ({})),
		],
	},
];

/** Code runs in separate threads, so the main thread must not be affected. */
const CODE: Readonly<Record<string, string>> = {
	"an endless loop": "while (true) {}",
	"an endless loop that allocates": "const all = []; while (true) all.push(new Array(1000).fill(1));",
	"a text that doubles": "let text = 'x'; while (true) text += text;",
	"a buffer of a gigabyte": "return new Uint8Array(2 ** 30).length;",
	"a pattern that takes for ever": "return /^(a+)+$/.test('a'.repeat(40) + 'b');",
	recursion: "const f = () => f() + 1; return f();",
	"promises for ever": "const again = () => Promise.resolve().then(again); await again();",
	"a sort that takes for ever": "return new Array(1e7).fill(0).map((_, at) => -at).sort().length;",
	"a million lines on the console": "for (let i = 0; i < 1e6; i++) console.log('x'.repeat(1000)); return 1;",
	"an output of 2 MB": "return 'x'.repeat(2 * 1024 * 1024);",
	"an output of 300,000 lists": "return Array.from({ length: 300000 }, () => []);",
	"an output that is deep": "let v = 1; for (let i = 0; i < 100000; i++) v = [v]; return v;",
	"an output that holds one value many times":
		"const v = 'x'.repeat(10000); return Array.from({ length: 100000 }, () => v);",
	"an error of a megabyte": "throw new Error('x'.repeat(1024 * 1024));",
	"an error with a long stack":
		"const f = (n) => { if (n === 0) throw new Error('x'.repeat(100000)); f(n - 1); }; f(200);",
	"JSON of a proxy":
		"return new Proxy({}, { ownKeys: () => Array.from({ length: 1e6 }, (_, i) => 'k' + i), getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }) });",
	"big numbers": "let n = 2n; while (true) n = n * n;",
	"a date of an odd kind": "return new Date(8.64e15).toISOString();",
};

const codes: Case[] = [
	...Object.entries(CODE).map(([name, code]) => ({
		name: `code: ${name}`,
		steps: callWebhook({ component: "code", code }, () => ({})),
		...(name === "an endless loop that allocates" && { isQuick: true as const }),
	})),
	{
		name: "code: input of a megabyte",
		steps: callWebhook(
			{ component: "code", code: "return input.v.length;", input: { v: "{{input.v}}" } },
			LARGE,
		),
	},
	{
		name: "code: input that is returned",
		steps: callWebhook(
			{ component: "code", code: "return input;", input: { v: "{{input.v}}" } },
			LARGE,
			OBJECT,
		),
	},
	{
		name: "code: 64 KB of brackets",
		steps: callWebhook({ component: "code", code: "[".repeat(65_000) }, () => ({})),
	},
	{
		name: "code: 64 KB of sums",
		steps: callWebhook({ component: "code", code: `return ${"1+".repeat(32_000)}1;` }, () => ({})),
	},
	{
		name: "code: 200 nodes with endless loops side by side",
		steps: [
			...webhook(() => ({
				triplets: list(200, (at) => `input >> then >> n${at}`),
				config: object(200, (at) => [`n${at}`, { component: "code", code: "while (true) {}" }]),
				options: { timeout_ms: 3_000 },
			})),
			trigger(() => ({}), { lateAfterMs: 3_000 }),
		],
	},
	{
		name: "code: a loop of 3,000 short pieces of code",
		steps: [
			...webhook(() => ({
				triplets: ["input >> then >> l", "l >> FOREACH e >> n"],
				config: {
					l: { component: "foreach", items: "{{input.v}}", concurrency: 64 },
					n: { component: "code", code: "return input.e * 2;", input: { e: "{{e}}" } },
				},
				options: { timeout_ms: 5_000 },
			})),
			trigger(() => ({ v: list(3_000, (at) => at) }), { lateAfterMs: 5_000 }),
		],
	},
	{
		name: "code: a loop of 100 pieces of code that get a megabyte each",
		steps: [
			...webhook(() => ({
				triplets: ["input >> then >> l", "l >> FOREACH e >> n"],
				config: {
					l: { component: "foreach", items: "{{input.l}}", concurrency: 64 },
					n: { component: "code", code: "return input.v.length;", input: { v: "{{input.v}}" } },
				},
				options: { timeout_ms: 5_000 },
			})),
			trigger(() => ({ l: list(100, (at) => at), v: list(400_000, () => 1) }), { lateAfterMs: 5_000 }),
		],
	},
];

const knowledge: Case[] = [
	{
		name: "kb_upsert of a megabyte of words",
		steps: callWebhook(
			{ component: "kb_upsert", entry_type: "hostile", page_name: "p", content: "{{input.t}}" },
			() => ({ t: createFilled(900_000, (at) => `word${at}`, " ") }),
		),
	},
	{
		name: "kb_search for a thousand words",
		steps: callWebhook({ component: "kb_search", q: "{{input.t}}" }, () => ({
			t: text(150, (at) => `w${at}`, " "),
		})),
	},
	{
		name: "state_set of a list that is referenced a thousand times",
		steps: callWebhook({ component: "state_set", name: "a", value: list(1000, () => "{{input.v}}") }, () => ({
			v: list(400_000, () => 1),
		})),
	},
	{
		name: "record_save of a list that is referenced a thousand times",
		steps: callWebhook(
			{ component: "record_save", template: "a", values: { a: list(1000, () => "{{input.v}}") } },
			() => ({ v: list(400_000, () => 1) }),
		),
	},
	{
		name: "kb_list with a filter of a megabyte",
		steps: callWebhook({ component: "kb_list", metadata: "{{input.m}}" }, () => ({
			m: Object.fromEntries(list(60_000, (at) => [`n${at}`, at])),
		})),
	},
	{
		name: "a workflow that calls itself eight deep with a megabyte",
		steps: [
			{
				...send("/workflows", () =>
					createNamed(
						"calls-itself",
						oneNode({ component: "workflow", name: "calls-itself", input: "{{input}}" }),
					),
				),
				isPreparation: true,
			},
			send("/webhooks/named/calls-itself/trigger", () => ({ v: list(490_000, () => 1) })),
		],
	},
	{
		name: "a workflow that calls itself many times at each depth",
		steps: [
			{
				...send("/workflows", () =>
					createNamed("calls-itself-often", {
						triplets: list(20, (at) => `input >> then >> n${at}`),
						config: object(20, (at) => [
							`n${at}`,
							{ component: "workflow", name: "calls-itself-often", input: { v: "{{input.v}}" } },
						]),
						options: { timeout_ms: 5_000 },
					}),
				),
				isPreparation: true,
			},
			send("/webhooks/named/calls-itself-often/trigger", () => ({ v: "x".repeat(100_000) })),
		],
	},
	{
		name: "deep values through every kind of node",
		steps: callWebhook({ component: "set", values: { v: "{{input.v}}", t: "<{{input.v}}>" } }, () => ({
			v: list(7_000, () => createNested(58, (inner) => [inner])),
		})),
	},
];

export const components: Family = {
	name: "components",
	cases: [...parses, ...shaping, ...codes, ...knowledge],
};
