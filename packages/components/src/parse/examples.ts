import type { Component } from "@tripline/engine/component";

export const examples: Component<never>["examples"] = [
	{
		title: "JSON",
		input: { body: '{"paid": true, "items": [1, 2]}' },
		params: { format: "json", text: "{{input.body}}" },
		output: { paid: true, items: [1, 2] },
	},
	{
		title: "CSV",
		params: { format: "csv", text: 'name,note\r\nAda,"first, and\nforemost"\r\n' },
		output: [{ name: "Ada", note: "first, and\nforemost" }],
	},
	{
		title: "CSV with another delimiter and no header",
		params: { format: "csv", text: "1;2\n3;4", delimiter: ";", header: false },
		output: [
			["1", "2"],
			["3", "4"],
		],
	},
	{
		title: "TSV",
		params: { format: "tsv", text: 'name\tnote\nAda\t"first\tand foremost"\n' },
		output: [{ name: "Ada", note: "first\tand foremost" }],
	},
	{
		title: "JSON lines",
		params: { format: "jsonl", text: '{"id": 1, "paid": true}\n\n{"id": 2, "paid": false}\n' },
		output: [
			{ id: 1, paid: true },
			{ id: 2, paid: false },
		],
	},
	{
		title: "XML",
		params: {
			format: "xml",
			text: '<order id="7"><item>tea</item><item n="2">cup</item><note>a &amp; b</note></order>',
		},
		output: { order: { "@id": "7", item: ["tea", { "@n": "2", "#text": "cup" }], note: "a & b" } },
	},
	{
		title: "HTML",
		params: {
			format: "html",
			text: "<title>Shop</title><h1>Tea</h1><p>Buy <a href='/green'>green tea</a>.<table><tr><td>Cup<td>3 &euro;</table>",
		},
		output: {
			title: "Shop",
			text: "Tea\nBuy green tea.\nCup 3 €",
			links: [{ href: "/green", text: "green tea" }],
			headings: [{ level: 1, text: "Tea" }],
			tables: [[["Cup", "3 €"]]],
		},
	},
	{
		title: "Parts of an HTML page",
		params: {
			format: "html",
			text: '<h1>Tea</h1><table><tr class="sold"><td><a href="/green">Green</a><td>3 €<tr><td><a href="/black">Black</a><td>4 €</table>',
			select: {
				title: "h1",
				prices: { all: "td:nth-child(2)" },
				next: { first: "a[rel=next]", attribute: "href" },
				teas: {
					all: "table tr",
					fields: {
						name: "td:first-child",
						link: { first: "a", attribute: "href" },
						css_class: { first: ":scope", attribute: "class" },
					},
				},
			},
		},
		output: {
			title: "Tea",
			prices: ["3 €", "4 €"],
			next: null,
			teas: [
				{ name: "Green", link: "/green", css_class: "sold" },
				{ name: "Black", link: "/black", css_class: null },
			],
		},
	},
	{
		title: "A calendar",
		params: {
			format: "ics",
			text: 'BEGIN:VCALENDAR\nX-WR-CALNAME:Team\nBEGIN:VEVENT\nUID:1@example.com\nSUMMARY:Stand-up\\, \n weekly\nDTSTART;TZID=Europe/Berlin:20260302T090000\nDURATION:PT30M\nRRULE:FREQ=WEEKLY;BYDAY=MO\nORGANIZER;CN="Lovelace, Ada":mailto:ada@example.com\nATTENDEE;PARTSTAT=ACCEPTED:mailto:alan@example.com\nEND:VEVENT\nEND:VCALENDAR\n',
		},
		output: {
			name: "Team",
			events: [
				{
					uid: "1@example.com",
					summary: "Stand-up, weekly",
					start: "2026-03-02T08:00:00.000Z",
					end: "2026-03-02T08:30:00.000Z",
					all_day: false,
					timezone: "Europe/Berlin",
					description: null,
					location: null,
					status: null,
					organizer: { name: "Lovelace, Ada", email: "ada@example.com" },
					attendees: [{ name: null, email: "alan@example.com", status: "ACCEPTED" }],
					recurrence: "FREQ=WEEKLY;BYDAY=MO",
					recurrence_id: null,
					excluded: [],
					url: null,
				},
			],
		},
	},
	{
		title: "A row that is too short",
		params: { format: "csv", text: "a,b\n1" },
		error: "not CSV, line 2: 1 value where line 1 has 2; is the delimiter right?",
	},
];
