import type { Json } from "@tripline/contract/json";
import type { Aggregate, Expression } from "@tripline/engine/component";
import { describeType } from "@tripline/engine/issues";
import type { Meter } from "@tripline/engine/meter";
import { TerminalError } from "@tripline/engine/terminal-error";
import { listType, objectType } from "@tripline/engine/types/type";
import * as z from "zod";
import { define } from "./define.ts";
import { evaluateEach, items } from "./items.ts";
import { compareKeys, type Key, toKey } from "./order.ts";
import { anyList, anyObject, expression } from "./schemas.ts";

const MAX_COMPUTED = 50;

const Params = z
	.strictObject({
		items: items(),
		group_by: expression().optional().meta({
			description: "CEL expression for an element's group; the element is `item`, its position `index`",
		}),
		compute: anyObject()
			.superRefine((compute, context) => {
				const names = Object.keys(compute);
				if (names.length === 0) context.addIssue("must not be empty");
				if (names.length > MAX_COMPUTED) context.addIssue(`must be at most ${MAX_COMPUTED} values`);
				for (const name of names) {
					if (typeof compute[name] !== "string") {
						context.addIssue({
							code: "custom",
							path: [name],
							message: "must be text, such as sum(item.price)",
						});
					}
				}
			})
			.meta({
				description:
					"Aggregates by name: `count()`, or `sum`, `avg`, `min`, `max`, `first`, `last`, `list` of a CEL expression, such as `sum(item.price)`",
			}),
	})
	.refine(({ group_by, compute }) => group_by === undefined || !Object.hasOwn(compute, "key"), {
		path: ["compute", "key"],
		message: "is reserved for the group; use another name",
	});

export const aggregate = define({
	id: "aggregate",
	title: "Aggregate",
	description:
		"Computes values over a list, or over each group of its elements. `sum`, `avg`, `min` and `max` ignore null. For an empty list `sum` and `count` are 0, `list` is empty and the others are null. `min` and `max` compare values as `sort` does. Groups are in the order of their first elements.",
	params: Params,
	expressions: { group_by: "item", compute: "aggregates" },
	output: z.union([anyObject(), anyList()]).meta({
		description: "The values by name; with `group_by` a list of such objects, each with its group as `key`",
	}),
	inferOutput({ has, expression, expressions }) {
		const computed = expressions("compute");
		if (!has("group_by")) return objectType(computed);
		return listType(objectType(new Map([["key", expression("group_by")], ...computed])));
	},
	isPure: true,
	examples: [
		{
			title: "Over the whole list",
			input: { orders: [{ total: 5 }, { total: 7 }] },
			params: {
				items: "{{input.orders}}",
				compute: { orders: "count()", turnover: "sum(item.total)", largest: "max(item.total)" },
			},
			output: { orders: 2, turnover: 12, largest: 7 },
		},
		{
			title: "Over each group",
			input: {
				orders: [
					{ city: "Lyon", total: 5 },
					{ city: "Bonn", total: 7 },
					{ city: "Lyon", total: 3 },
				],
			},
			params: {
				items: "{{input.orders}}",
				group_by: "item.city",
				compute: { average: "avg(item.total)", totals: "list(item.total)" },
			},
			output: [
				{ key: "Lyon", average: 4, totals: [5, 3] },
				{ key: "Bonn", average: 7, totals: [7] },
			],
		},
		{
			title: "Text cannot be summed",
			params: { items: [1, "2"], compute: { total: "sum(item)" } },
			error: "items[1]: total: sum takes numbers, not text",
		},
	],
	run(call) {
		const computed = Object.entries(call.expressions.compute as Readonly<Record<string, Aggregate>>);
		const groupBy = call.expressions.group_by as Expression | undefined;
		const evaluate = (item: Json, index: number): Json[] => [
			groupBy === undefined ? null : groupBy(item, index),
			...computed.map(([name, { function: which, each }]) => checkValue(name, which, each(item, index))),
		];
		const reduce = (rows: readonly Json[][]): [string, Json][] =>
			computed.map(([name, { function: which }], column) => {
				call.meter.spend(2 * rows.length);
				return [
					name,
					reduceValues(
						which,
						rows.map((row) => row[column + 1] as Json),
					),
				];
			});
		return evaluateEach(call, call.params.items, evaluate, (rows) =>
			groupBy === undefined
				? Object.fromEntries(reduce(rows))
				: groupRows(rows, call.meter).map((group) =>
						Object.fromEntries([["key", group[0]?.[0] ?? null], ...reduce(group)]),
					),
		);
	},
});

/** Keys are equal if their JSON is equal. */
function groupRows(rows: readonly Json[][], meter: Meter): Json[][][] {
	const groups = new Map<string, Json[][]>();
	for (const row of rows) {
		const key = JSON.stringify(row[0]);
		meter.spendOnText(8 * key.length);
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [row]);
		else group.push(row);
	}
	return [...groups.values()];
}

/** Checks each value before reducing, so that an error can name the element. */
function checkValue(name: string, which: string, value: Json): Json {
	if (value === null) return null;
	if ((which === "sum" || which === "avg") && typeof value !== "number") {
		throw new TerminalError(`${name}: ${which} takes numbers, not ${describeType(value)}`);
	}
	return which === "min" || which === "max" ? toKey(`${name}: ${which}`, value) : value;
}

function reduceValues(which: string, values: readonly Json[]): Json {
	const present = values.filter((value) => value !== null);
	switch (which) {
		case "count":
			return values.length;
		case "sum":
			return sum(present as number[]);
		case "avg":
			return present.length === 0 ? null : sum(present as number[]) / present.length;
		case "min":
			return findExtreme(present as Key[], 1);
		case "max":
			return findExtreme(present as Key[], -1);
		case "first":
			return values[0] ?? null;
		case "last":
			return values.at(-1) ?? null;
		case "list":
			return [...values];
		default:
			throw new TerminalError(`there is no aggregate ${which}`);
	}
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function findExtreme(keys: readonly Key[], sign: 1 | -1): Key {
	let best: Key = null;
	for (const key of keys) if (compareKeys(key, best, sign) < 0) best = key;
	return best;
}
