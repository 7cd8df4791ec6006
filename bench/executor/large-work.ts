import { join } from "node:path";
import { median } from "../measure.ts";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { openInstance } from "./instance.ts";

const ROUNDS = 7;
const NODES = 500;
const CSV_ROWS = 10_000;

interface Work {
	readonly what: string;
	readonly graph: object;
	readonly context: object;
}

const node = (id: string, component: string, params: object) => ({ id, component, params });
const numbers = (count: number) => Array.from({ length: count }, (_, nth) => nth);

const WORKS: readonly Work[] = [
	{
		what: "1 MB of JSON through three nodes",
		graph: {
			id: "large",
			nodes: [
				node("all", "set", { values: { orders: "{{input.orders}}" } }),
				node("paid", "filter", { items: "{{all.orders}}", where: "item.total > 500" }),
				node("sums", "aggregate", {
					items: "{{paid}}",
					compute: { count: "count()", total: "sum(item.total)" },
				}),
			],
			edges: [
				{ from: "all", to: "paid", on: "ON_SUCCESS" },
				{ from: "paid", to: "sums", on: "ON_SUCCESS" },
			],
		},
		context: {
			orders: numbers(9_000).map((nth) => ({
				id: `order-${nth}`,
				customer: `customer ${nth % 700}`,
				email: `customer${nth % 700}@example.com`,
				total: nth % 1_000,
				paid: nth % 3 === 0,
			})),
		},
	},
	{
		what: `${NODES} nodes one after the other`,
		graph: {
			id: "long",
			nodes: numbers(NODES).map((nth) =>
				node(`n${nth}`, "set", { values: { text: `Hello {{input.name}}, this is node ${nth}` } }),
			),
			edges: numbers(NODES - 1).map((nth) => ({ from: `n${nth}`, to: `n${nth + 1}`, on: "ON_SUCCESS" })),
		},
		context: { name: "Ada" },
	},
	{
		what: `${CSV_ROWS} rows of CSV parsed, filtered and summed`,
		graph: {
			id: "csv",
			nodes: [
				node("rows", "parse", { format: "csv", text: "{{input.csv}}" }),
				node("paid", "filter", { items: "{{rows}}", where: 'item.status == "paid"' }),
				node("sums", "aggregate", { items: "{{paid}}", compute: { count: "count()" } }),
			],
			edges: [
				{ from: "rows", to: "paid", on: "ON_SUCCESS" },
				{ from: "paid", to: "sums", on: "ON_SUCCESS" },
			],
		},
		context: {
			csv: [
				"id,customer,status,total,currency",
				...numbers(CSV_ROWS).map(
					(nth) => `${nth},customer ${nth % 700},${nth % 3 ? "open" : "paid"},${nth},EUR`,
				),
			].join("\n"),
		},
	},
];

/** Large but legitimate work, which must fit within the limits. */
export async function largeWork(onProgress: (what: string) => void): Promise<Row[]> {
	using folder = scratchFolder();
	await using instance = await openInstance(join(folder.path, "service"));
	const rows: Row[] = [];
	for (const { what, graph, context } of WORKS) {
		onProgress(what);
		const target = await instance.webhook(graph);
		const times: number[] = [];
		for (let round = 0; round < ROUNDS; round++) {
			const began = performance.now();
			await instance.answer(`${target}?trace=false`, context);
			times.push(performance.now() - began);
		}
		rows.push({ what, unit: "ms", ours: median(times) });
	}
	return rows;
}
