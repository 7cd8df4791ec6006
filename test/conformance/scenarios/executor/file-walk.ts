import assert from "node:assert/strict";
import { RecordPage } from "@tripline/contract/records";
import { readZip } from "../../../../packages/components/test/make-file/read-zip.ts";
import type { Scenario, World } from "../../scenario.ts";
import { save } from "./saving.ts";
import { buildParts } from "./uploads.ts";

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const CUSTOMERS = ["Ada & Söhne", "=1+1", "艾倫"];
const ORDERS = Array.from({ length: 60 }, (_, index) => ({
	Order: index + 1,
	Day: `2026-03-${String((index % 28) + 1).padStart(2, "0")}`,
	Customer: CUSTOMERS[index % CUSTOMERS.length] ?? "",
	Total: (index + 1) / 4,
}));

const COLUMNS = ["Order", { field: "Day", type: "date" }, "Customer", "Total"];

const describe = (name: string) => ({ name, description: `what ${name} does`, version: "1" });

/** Answers with a workbook of the orders in its input. */
const sample = {
	...describe("sample"),
	trigger: { type: "webhook", answer: "respond" },
	triplets: ["workbook >> then >> answer"],
	config: {
		workbook: { component: "make_file", name: "orders.xlsx", rows: "{{input.orders}}", columns: COLUMNS },
		answer: { component: "respond", file: "{{workbook}}" },
	},
};

/** A form that takes a workbook, saves a record of each row and answers with a page that links to a report. */
const importOrders = {
	...describe("import"),
	trigger: { type: "webhook", form: { title: "Import orders" } },
	options: {
		input_schema: {
			type: "object",
			required: ["workbook"],
			properties: { workbook: { type: "object", format: "file", contentMediaType: ".xlsx" } },
		},
	},
	triplets: [
		"rows >> FOREACH row >> save",
		"rows >> then >> totals",
		"totals >> then >> report",
		"report >> then >> link",
		"link >> then >> page",
	],
	config: {
		rows: { component: "parse", file: "{{input.workbook}}" },
		save: {
			component: "record_save",
			template: "walk order",
			slots: [
				{ name: "number", type: "integer", required: true },
				{ name: "day", type: "string", required: true },
				{ name: "customer", type: "string", required: true },
				{ name: "total", type: "number", required: true },
			],
			values: {
				number: "{{row.Order}}",
				day: "{{row.Day}}",
				customer: "{{row.Customer}}",
				total: "{{row.Total}}",
			},
		},
		totals: {
			component: "aggregate",
			items: "{{rows}}",
			group_by: "item.Customer",
			compute: { orders: "count()", total: "sum(item.Total)" },
		},
		report: {
			component: "make_file",
			name: "report.xlsx",
			sheets: [
				{ name: "Customers", rows: "{{totals}}" },
				{ name: "Orders", rows: "{{rows}}", columns: COLUMNS },
			],
		},
		link: { component: "file_link", file: "{{report}}" },
		page: {
			component: "respond",
			type: "html",
			body: '<!doctype html><title>Done</title><a href="{{link.url | html}}">{{rows | length}} orders</a>',
		},
	},
};

async function fetchSample(world: World): Promise<Buffer> {
	const response = await fetch(`${world.target.publicUrl}/webhooks/named/${world.owner}/sample/trigger`, {
		method: "POST",
		body: JSON.stringify({ orders: ORDERS }),
	});
	assert.deepEqual([response.status, response.headers.get("content-type")], [200, XLSX]);
	return Buffer.from(await response.arrayBuffer());
}

const sendForm = (world: World, filename: string, bytes: Buffer) =>
	world.anyone.call(
		"POST",
		`/f/${world.owner}/import`,
		buildParts({ name: "workbook", filename, type: XLSX, bytes }),
	);

const readTexts = (xml: string): string[] =>
	Array.from(xml.matchAll(/<t(?: [^>]*)?>([^<]*)</g), ([, text]) => text ?? "");

export const fileWalk: readonly Scenario[] = [
	{
		name: "a workbook is sent with a form, its rows become records, and a report is downloaded by a link",
		cites: [],
		async run(world) {
			await save(world, sample);
			await save(world, importOrders);
			const form = await world.anyone.call("GET", `/f/${world.owner}/import`);
			assert.match(String(form.body), /<input [^>]*type="file"/);
			const workbook = await fetchSample(world);

			const page = await sendForm(world, "orders.xlsx", workbook);
			assert.equal(page.status, 200, JSON.stringify(page.body));
			const [, href = ""] = /<a href="([^"]*)">60 orders</.exec(String(page.body)) ?? [];
			assert.notEqual(href, "", JSON.stringify(page.body));

			const { records } = await world.expect(200, RecordPage, "GET", "/records", {
				query: { owner_id: world.owner, template: "walk order", order: "oldest", limit: 100 },
			});
			const saved = records.map(({ values }) => values).sort((a, b) => Number(a.number) - Number(b.number));
			assert.deepEqual(
				saved,
				ORDERS.map(({ Order: number, Day: day, Customer: customer, Total: total }) => ({
					number,
					day,
					customer,
					total,
				})),
			);

			const report = await fetch(href.replaceAll("&amp;", "&"));
			assert.deepEqual([report.status, report.headers.get("content-type")], [200, XLSX]);
			assert.equal(report.headers.get("content-disposition"), 'attachment; filename="report.xlsx"');
			const parts = new Map(
				readZip(Buffer.from(await report.arrayBuffer())).map(({ path, bytes }) => [path, bytes.toString()]),
			);
			const customers = readTexts(parts.get("xl/worksheets/sheet1.xml") ?? "");
			assert.deepEqual(customers, ["key", "orders", "total", "Ada &amp; Söhne", "=1+1", "艾倫"]);
			assert.equal(parts.get("xl/worksheets/sheet2.xml")?.match(/<row /g)?.length, ORDERS.length + 1);
		},
	},
	{
		name: "a form refuses a file of another kind, and a run one that only looks like a workbook",
		cites: [],
		async run(world) {
			await save(world, importOrders);
			const others: [string, string][] = [
				["orders.csv", "Order,Total\n1,2\n"],
				["orders.xlsx", "Order,Total\n1,2\n"],
			];
			for (const [name, text] of others)
				assert.equal((await sendForm(world, name, Buffer.from(text))).status, 422, name);
			const broken = await sendForm(world, "orders.xlsx", Buffer.from("PK\x03\x04 and nothing else"));
			assert.equal(broken.status, 500);
			assert.match(String(broken.body), /<title>Something went wrong</);
		},
	},
];
