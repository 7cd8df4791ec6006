import { type Case, type Family, oneNode, type Step, trigger, webhook } from "../case.ts";
import { createFilled, list, object, text } from "../shapes.ts";

const LIMIT_MS = 1_000;

type Input = () => object;

const NUMBERS: Input = () => ({ v: list(490_000, () => 1) });
const DIFFERENT: Input = () => ({ v: list(140_000, (at) => (at * 7_919) % 100_000) });
const TEXTS: Input = () => ({ v: list(9_000, (at) => `${"a".repeat(90)}${at}`) });
const LONG: Input = () => ({ v: ["a".repeat(1_000_000)] });
const OBJECTS: Input = () => ({
	v: list(20_000, (at) => ({ id: at, name: `name ${at}`, tags: ["a", "b"] })),
});
const TWINS: Input = () => {
	const one = list(120_000, () => 1);
	return { v: [one, one], w: one, o: object(20_000, (at) => [`k${at}`, at]) };
};
const DEEP: Input = () => ({ v: list(8_000, () => JSON.parse("[".repeat(58) + "]".repeat(58)) as unknown) });

const callWebhook = (settings: object, inputs: readonly Input[]): Step[] => [
	...webhook(() => oneNode(settings, { options: { timeout_ms: LIMIT_MS } })),
	...inputs.map((input) => trigger(input, { lateAfterMs: LIMIT_MS })),
];

const ITEMS = { items: "{{input.v}}" };
const over = (
	name: string,
	settings: object,
	inputs: readonly Input[] = [NUMBERS, DIFFERENT, TEXTS, OBJECTS],
): Case => ({
	name,
	steps: callWebhook({ ...ITEMS, ...settings }, inputs),
});
const condition = (
	name: string,
	expression: string,
	inputs: readonly Input[],
	more: Pick<Case, "isQuick"> = {},
): Case => ({
	name: `if: ${name}`,
	steps: callWebhook({ component: "if", condition: expression }, inputs),
	...more,
});

/** As deep as an expression may nest; each operator is a level. */
const long = (piece: string, operator: string): string => text(80, () => piece, operator);

const loops: Case[] = [
	condition(
		"a loop in a loop",
		"input.v.exists(x, input.v.exists(y, x != y && false))",
		[NUMBERS, DIFFERENT, TEXTS, OBJECTS],
		{
			isQuick: true,
		},
	),
	condition("a loop over everything", "input.v.all(x, x == x)", [NUMBERS, TEXTS, OBJECTS, TWINS, DEEP]),
	condition("a list of a list of lists", "input.v.map(x, input.v.map(y, [x, y])).size() > 0", [
		NUMBERS,
		OBJECTS,
	]),
	condition("a list that is filtered in a loop", "input.v.all(x, input.v.filter(y, y == x).size() > 0)", [
		DIFFERENT,
		TEXTS,
	]),
	condition("exactly one", "input.v.exists_one(x, input.v.exists_one(y, x == y))", [DIFFERENT]),
	condition(
		"a text that is built",
		'input.v.map(x, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa").join("").size() > 0',
		[NUMBERS],
	),
	condition("texts of everything", 'input.v.map(x, string(x)).join(",").size() > 0', [NUMBERS, TEXTS]),
	condition("a text taken apart in a loop", 'input.v.all(x, input.v[0].split("").size() > 0)', [LONG, TEXTS]),
	condition(
		"a text taken apart and put together",
		'input.v[0].split("").map(x, x + x).join("").split("").size() > 0',
		[LONG],
	),
	condition("a list that doubles", "(input.v + input.v + input.v + input.v + input.v + input.v).size() > 0", [
		NUMBERS,
		TWINS,
	]),
	condition("lists that are added in a loop", "input.v.map(x, input.v + input.v).size() > 0", [
		NUMBERS,
		OBJECTS,
	]),
	condition("in, again and again", "input.v.all(x, !(x in input.w))", [TWINS]),
	condition("in a list of large lists", "input.v.all(x, x in input.v)", [TWINS, OBJECTS, DEEP]),
	condition("equality of large values", long("input.v == input.v", "&&"), [
		NUMBERS,
		TEXTS,
		OBJECTS,
		TWINS,
		DEEP,
	]),
	condition("equality of large values in a loop", "input.w.all(x, input.v[0] == input.v[1])", [TWINS]),
	condition("equality of large objects", long("input.o == input.o", "&&"), [TWINS]),
	condition("a long needle", 'input.v[0].contains(input.v[0] + "b")', [LONG]),
	condition("a needle that almost fits", `input.v[0].contains("${"a".repeat(3_000)}b")`, [LONG]),
	condition("needles in a loop", `input.v.all(x, !input.v[0].contains("${"a".repeat(80)}b"))`, [TEXTS, LONG]),
	condition("the last place of a needle", `input.v[0].lastIndexOf("b${"a".repeat(3_000)}") < 0`, [LONG]),
	condition("replacements that grow", `input.v[0]${'.replace("a", "aaaaaaaa")'.repeat(20)}.size() > 0`, [
		LONG,
		TEXTS,
	]),
	condition(
		"replacements of everything in a loop",
		'input.v.all(x, input.v[0].replace("a", "b").size() > 0)',
		[LONG, TEXTS],
	),
	condition("splits at a long text", `input.v[0].split("${"a".repeat(3_000)}").size() > 0`, [LONG]),
	condition("capital letters again and again", `input.v[0]${".upper().lower()".repeat(15)}.size() > 0`, [
		LONG,
	]),
	condition("parts of a text in a loop", "input.v.all(x, input.v[0].substring(1).size() > 0)", [LONG, TEXTS]),
	condition("failures that are passed over", "input.v.exists(x, x.missing == 1) || true", [
		NUMBERS,
		OBJECTS,
		TEXTS,
	]),
	condition(
		"times in a loop",
		'input.v.all(x, timestamp("2026-01-01T00:00:00Z") < timestamp("2026-01-02T00:00:00Z"))',
		[NUMBERS],
	),
	condition("durations in a loop", 'input.v.all(x, duration("1h") < duration("2h"))', [NUMBERS]),
	condition("rounding in a loop", "input.v.all(x, round(1.005 * 3.0, 2) > 0)", [NUMBERS]),
	condition("objects made in a loop", 'input.v.map(x, {"a": x, "b": [x, x], "c": {"d": x}}).size() > 0', [
		NUMBERS,
	]),
	condition("has in a loop", "input.v.all(x, !has(x.a.b.c.d.e.f))", [NUMBERS, OBJECTS]),
	condition("a sum of many paths", `${long("input.v.size()", "+")} > 0`, [NUMBERS]),
];

const COLUMNS = 50;
const columns = (expression: string): object => object(COLUMNS, (at) => [`c${at}`, expression]);

const components: Case[] = [
	over("filter by a constant", { component: "filter", where: "true" }),
	over("filter by a loop over the whole list", {
		component: "filter",
		where: "input.v.exists(x, x == item)",
	}),
	over("filter by a long condition", { component: "filter", where: long("item == item", "&&") }),
	over("filter that fails late", { component: "filter", where: "index < 139990 || item" }),
	over("map to itself", { component: "map", value: "item" }),
	over("map to the whole list", { component: "map", value: "input.v" }),
	over("map to a large object", {
		component: "map",
		value: `{${createFilled(3_800, (at) => `"k${at}": item`, ",")}}`,
	}),
	over("map to text", {
		component: "map",
		value: 'string(index) + "-" + string(index) + "-" + string(index)',
	}),
	over("map to a list of lists", { component: "map", value: "[item, [item, [item, [item]]]]" }),
	over("map of a long text", { component: "map", value: 'item.split("")' }, [LONG, TEXTS]),
	over("sort by itself", { component: "sort", by: "item" }, [NUMBERS, DIFFERENT, TEXTS]),
	over("sort by a text", { component: "sort", by: "string(index)" }),
	over("sort by a loop", { component: "sort", by: "input.v.exists(x, x == item) ? 1 : 2" }),
	{
		...over("sort long texts that are alike", { component: "sort", by: "item" }, [
			() => ({ v: list(900, (at) => `${"a".repeat(1_000)}${(at * 7_919) % 1_000}`) }),
		]),
		isQuick: true,
	},
	over("sort by one long text", { component: "sort", by: "input.v[0]" }, [TEXTS, LONG]),
	{
		...over("aggregate of 50 columns", { component: "aggregate", compute: columns("sum(index)") }),
		isQuick: true,
	},
	over("aggregate of 50 lists", { component: "aggregate", compute: columns("list(item)") }),
	over("aggregate of 50 columns in groups", {
		component: "aggregate",
		group_by: "index % 1000",
		compute: columns("max(index)"),
	}),
	over("aggregate in as many groups as elements", {
		component: "aggregate",
		group_by: "index",
		compute: columns("first(item)"),
	}),
	over(
		"aggregate in groups by large values",
		{ component: "aggregate", group_by: "item", compute: { n: "count()" } },
		[OBJECTS, TWINS, DEEP, LONG],
	),
	over("aggregate in groups by the whole list", {
		component: "aggregate",
		group_by: "input.v",
		compute: { n: "count()" },
	}),
	over("aggregate of 50 loops", {
		component: "aggregate",
		compute: columns("sum(input.v.exists(x, x == item) ? 1 : 0)"),
	}),
	over("aggregate of texts", { component: "aggregate", compute: columns("min(string(index))") }),
	...["input.v.all(x, x == x)", "input.v", "input.v.map(x, [x])"].map((expression) => ({
		name: `compute 50 times ${expression}`,
		steps: callWebhook({ component: "compute", values: columns(expression) }, [
			NUMBERS,
			TEXTS,
			OBJECTS,
			DEEP,
		]),
	})),
	{
		name: "switch by 50 loops",
		steps: callWebhook(
			{
				component: "switch",
				cases: list(COLUMNS, (at) => ({ label: `l${at}`, when: "input.v.exists(x, x == null)" })),
			},
			[NUMBERS, TEXTS, OBJECTS],
		),
	},
	...["template", "set"].map((component) => ({
		name: `500 nodes that each ${component === "set" ? "copy" : "print"} and each decide by a loop`,
		steps: [
			...webhook(() => ({
				triplets: list(499, (at) => `n${at} >> then >> n${at + 1}`),
				config: object(500, (at) => [
					`n${at}`,
					at % 2 === 0
						? { component: "if", condition: "input.v.all(x, x == x)" }
						: {
								component,
								...(component === "set" ? { values: { a: "{{input.v}}" } } : { text: "{{input.v}}" }),
							},
				]),
				options: { timeout_ms: LIMIT_MS },
			})),
			trigger(NUMBERS, { lateAfterMs: LIMIT_MS }),
		],
	})),
	{
		name: "switch with 1,000 cases on a large value",
		steps: [
			...webhook(() => ({
				triplets: list(998, (at) => `s >> CASE ${at} >> n${at}`),
				config: {
					s: { component: "switch", value: "{{input.v}}" },
					...object(998, (at) => [`n${at}`, { component: "wait", ms: 0 }]),
				},
			})),
			...[NUMBERS, TEXTS, LONG, OBJECTS].map((input) => trigger(input)),
		],
	},
	{
		name: "switch with 10,000 cases to few nodes",
		steps: [
			...webhook(() => ({
				triplets: list(9_900, (at) => `s >> CASE ${at} >> n${at % 50}`),
				config: {
					s: { component: "switch", value: "{{input.v}}" },
					...object(50, (at) => [`n${at}`, { component: "wait", ms: 0 }]),
				},
			})),
			...[NUMBERS, TEXTS, LONG, OBJECTS].map((input) => trigger(input)),
		],
	},
	{
		name: "100 nodes with cases on a large value",
		steps: [
			...webhook(() => ({
				triplets: list(99, (at) => [`n${at} >> CASE x >> other`, `n${at} >> DEFAULT >> n${at + 1}`]).flat(),
				config: {
					other: { component: "wait", ms: 0 },
					...object(100, (at) => [`n${at}`, { component: "set", values: { v: "{{input.v}}" } }]),
				},
			})),
			...[NUMBERS, TEXTS, OBJECTS].map((input) => trigger(input)),
		],
	},
];

export const expressions: Family = { name: "expressions", cases: [...loops, ...components] };
