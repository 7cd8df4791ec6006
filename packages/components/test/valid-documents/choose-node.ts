import type { Json } from "@tripline/contract/json";

export type Settings = { [name: string]: Json };

/** Picks by a stream of random numbers. */
export class Choices {
	readonly #numbers: readonly number[];
	#at = 0;

	constructor(numbers: readonly number[]) {
		this.#numbers = numbers;
	}

	pick<Value>(values: readonly Value[]): Value {
		const number = this.#numbers[this.#at++ % this.#numbers.length] ?? 0;
		return values[number % values.length] as Value;
	}
}

export interface Part {
	readonly path: string;
	readonly value: Json;
}

/** Every part of a value that a template can read. */
export function listParts(path: string, value: Json, depth = 0): Part[] {
	const own = { path, value };
	if (typeof value !== "object" || value === null || depth > 3) return [own];
	const inner = Array.isArray(value)
		? value.slice(0, 2).flatMap((part, index) => listParts(`${path}[${index}]`, part, depth + 1))
		: Object.entries(value).flatMap(([name, part]) => listParts(`${path}.${name}`, part, depth + 1));
	return [own, ...inner];
}

const isObject = (value: Json): value is { [name: string]: Json } =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** Settings of a node that must run: everything it reads is there. */
export function chooseNode(parts: readonly Part[], choices: Choices): Settings {
	const { pick } = { pick: <Value>(values: readonly Value[]) => choices.pick(values) };
	const any = () => `{{${pick(parts).path}}}`;
	const lists = parts.filter(({ value }) => Array.isArray(value));
	const list = pick(lists);
	const element = (list.value as Json[])[0];
	const field =
		element !== undefined && isObject(element)
			? pick(["", ...Object.keys(element).map((name) => `.${name}`)])
			: "";
	const everywhere = (list.value as Json[]).every(
		(one) => field === "" || (isObject(one) && Object.hasOwn(one, field.slice(1))),
	);
	const item = everywhere ? `item${field}` : "item";
	const items = `{{${list.path}}}`;
	const text = pick(parts.filter(({ value }) => typeof value === "string"));
	const number = pick(parts.filter(({ value }) => typeof value === "number"));
	return pick<Settings>([
		{ component: "set", values: { a: any(), b: [any(), { c: any() }], d: `${any()} and ${any()}` } },
		{ component: "template", text: `{{${text.path} | upper | trim}} {{${list.path} | length}} ${any()}` },
		{ component: "map", items, value: `{'it': ${item}, 'at': index, 'name': ${text.path}.size()}` },
		{ component: "map", items, value: item },
		{ component: "filter", items, where: `${item} == ${number.path} || index >= 0` },
		{ component: "sort", items, by: "index", order: "desc" },
		{ component: "aggregate", items, compute: { n: "count()", all: `list(${item})`, last: `last(${item})` } },
		{ component: "aggregate", items, group_by: "index", compute: { first: `first(${item})` } },
		{ component: "merge", values: [{ x: any() }, { y: any(), x: 1 }] },
		{ component: "merge", values: [items, [any()]] },
		{
			component: "compute",
			values: {
				sum: `${number.path} + 1`,
				list: `[${text.path}, ${number.path}]`,
				has: `has(${list.path}[9].no)`,
			},
		},
		{ component: "parse", format: "csv", text: "{{input.csv}}" },
		{ component: "foreach", items },
		{ component: "switch", value: any() },
		{ component: "datetime", operation: "parse", value: `{{${number.path}}}` },
		{
			component: "respond",
			body: { all: any(), none: `{{${list.path}[99].gone.x | default(${text.path})}}` },
		},
		{
			component: "set",
			values: {
				first: `{{${list.path} | first | default("none")}}`,
				entries: "{{input | entries}}",
				unique: `{{${list.path} | unique}}`,
			},
		},
	]);
}
