import type { Component } from "@tripline/engine/component";

export const examples: Component<never>["examples"] = [
	{
		title: "A CSV file with chosen columns",
		input: { orders: [{ id: 7, customer: "Ada", total: 12.5, paid: true }] },
		params: {
			name: "orders.csv",
			rows: "{{input.orders}}",
			columns: ["id", { field: "customer", name: "Customer" }, { field: "total", name: "Total" }],
		},
	},
	{
		title: "A workbook with dates",
		input: { orders: [{ id: 7, total: 12.5, day: "2026-03-29" }] },
		params: {
			name: "orders.xlsx",
			rows: "{{input.orders}}",
			columns: ["id", { field: "day", name: "Day", type: "date" }, { field: "total", name: "Total" }],
		},
	},
	{
		title: "A workbook with two sheets",
		params: {
			name: "teas.xlsx",
			sheets: [
				{ name: "Green", rows: [{ tea: "Sencha", price: 9 }] },
				{ name: "Black", rows: [{ tea: "Assam", price: 7 }] },
			],
		},
	},
	{
		title: "A zip file with a folder",
		input: { prices: { $file: "AAAAAAAAAAAAAAAAAAAAAA", name: "prices.csv", type: "text/csv", size: 10 } },
		params: {
			name: "prices.zip",
			files: ["{{input.prices}}", { file: "{{input.prices}}", path: "old/prices.csv" }],
		},
	},
	{
		title: "A page",
		input: { name: "Ada" },
		params: { name: "hello.html", text: "<h1>Hello {{input.name | html}}</h1>" },
	},
	{
		title: "JSON with two spaces per level",
		params: { name: "settings.json", data: { color: "green", sizes: [1, 2] }, indent: 2 },
	},
	{
		title: "Rows without a format",
		params: { name: "orders", rows: [{ id: 7 }] },
		error: 'parameter "name" must end in .csv, .tsv, .xlsx or .jsonl to write rows; or set format',
	},
	{
		title: "A cell that is no date",
		params: {
			name: "orders.xlsx",
			rows: [{ day: "soon" }],
			columns: [{ field: "day", type: "date" }],
		},
		error:
			'rows[0], column day must be a date such as 2026-03-29 or 2026-03-29T01:30:00Z, but is "soon"; or leave out the column\'s type',
	},
];
