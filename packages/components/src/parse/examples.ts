import type { Component } from "@tripline/engine/component";

const OFFICE = "application/vnd.openxmlformats-officedocument";
const XLSX_TYPE = `${OFFICE}.spreadsheetml.sheet`;
const DOCX_TYPE = `${OFFICE}.wordprocessingml.document`;

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
		title: "A CSV file",
		input: {
			report: { $file: "file-with-report-00001", name: "report.csv", type: "text/csv", size: 26 },
		},
		params: { file: "{{input.report}}" },
		output: [{ day: "2026-03-02", total: "12" }],
	},
	{
		title: "Cells of a workbook",
		input: { orders: { $file: "file-with-orders-00001", name: "orders.xlsx", type: XLSX_TYPE, size: 5463 } },
		params: { format: "xlsx", file: "{{input.orders}}", sheet: 1, range: "A1:D3" },
		output: [
			{ item: "tea", count: 2, price: 2.5, total: 5 },
			{ item: "tea", count: 3, price: 2.5, total: 7.5 },
		],
	},
	{
		title: "A page of a PDF",
		input: {
			paper: { $file: "file-with-paper-000001", name: "paper.pdf", type: "application/pdf", size: 900 },
		},
		params: { format: "pdf", file: "{{input.paper}}", pages: "2" },
		output: {
			title: "Paper",
			author: "Ada",
			subject: null,
			created: "2026-03-02T08:30:00.000Z",
			modified: null,
			page_count: 3,
			pages: [{ number: 2, text: "Page 2" }],
		},
	},
	{
		title: "A document as Markdown",
		input: {
			letter: { $file: "file-with-letter-00001", name: "letter.docx", type: DOCX_TYPE, size: 7095 },
		},
		params: { format: "docx", file: "{{input.letter}}" },
		output: {
			title: "Page",
			text: "# Grüße\n\nA **bold** and *italic* word, [linked](https://example.com/).\n\n1. one\n    - inner\n2. two\n\n| a | b |\n| --- | --- |\n| wide |  |\n\nNote[^2]\n\n[^2]: The footnote",
		},
	},
	{
		title: "The entries of an archive",
		input: {
			archive: { $file: "file-with-archive-0001", name: "all.zip", type: "application/zip", size: 534 },
		},
		params: { format: "zip", file: "{{input.archive}}" },
		output: [
			{
				path: "reports/2026/sales.csv",
				size: 1410,
				compressed_size: 36,
				modified: "2026-03-02T08:30:10",
				folder: false,
			},
			{ path: "reports/empty/", size: 0, compressed_size: 0, modified: "2026-03-02T08:30:10", folder: true },
			{
				path: "Übersicht.txt",
				size: 7,
				compressed_size: 7,
				modified: "1980-01-01T00:00:00",
				folder: false,
			},
			{ path: "zip64.json", size: 8, compressed_size: 8, modified: "2026-03-02T08:30:10", folder: false },
		],
	},
	{
		title: "Files of an archive",
		input: {
			archive: { $file: "file-with-archive-0001", name: "all.zip", type: "application/zip", size: 534 },
		},
		params: { format: "zip", file: "{{input.archive}}", extract: "*.csv" },
	},
	{
		title: "A row that is too short",
		params: { format: "csv", text: "a,b\n1" },
		error: "not CSV, line 2: 1 value where line 1 has 2; is the delimiter right?",
	},
];
