import {
	type Case,
	createNamed,
	type Family,
	get,
	makeWebhook,
	oneNode,
	pause,
	restart,
	type Step,
	send,
	webhook,
} from "../case.ts";
import { createNested, list, object } from "../shapes.ts";

interface Pair {
	readonly name: string;
	readonly schema: () => object;
	readonly input: () => unknown;
	readonly isQuick?: true;
}

const property = (a: unknown): object => ({ type: "object", properties: { a } });
const items = (schema: unknown): object => property({ type: "array", items: schema });
const NUMBERS = 490_000;
const numbers = (count = NUMBERS): object => ({ a: list(count, () => 1) });
const texts = (count: number, value: string): object => ({ a: list(count, () => value) });
const keys = (count: number, value: unknown = 1): object => ({ a: object(count, (at) => [`k${at}`, value]) });
const deepLists = (depth: number, width: number): unknown =>
	createNested(
		depth,
		(inner) => [inner],
		list(width, () => 1),
	);

const alternatives = (
	keyword: "anyOf" | "oneOf" | "allOf",
	count: number,
	schema: (index: number) => object,
): object => ({
	[keyword]: list(count, schema),
});

/** Two references to the next level, at every level. */
const doubling = (levels: number): object => ({
	...items({ $ref: "#/$defs/d0" }),
	$defs: {
		...object(levels, (at) => [
			`d${at}`,
			{ allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
		]),
		[`d${levels}`]: { type: "object" },
	},
});

/** Alternatives around a large value. */
const around: Pair[] = (["anyOf", "oneOf", "allOf"] as const).flatMap((keyword) => [
	{
		name: `${keyword} of 90 lists of text around numbers`,
		schema: () =>
			property(
				alternatives(keyword, 90, (at) => ({ type: "array", items: { type: "string", maxLength: at } })),
			),
		input: numbers,
		...(keyword === "anyOf" && { isQuick: true as const }),
	},
	{
		name: `${keyword} of 90 lists of numbers around numbers`,
		schema: () =>
			property(
				alternatives(keyword, 90, (at) => ({ type: "array", items: { type: "number", minimum: -at } })),
			),
		input: numbers,
	},
	{
		name: `${keyword} of 90 objects at the top around numbers`,
		schema: () =>
			alternatives(keyword, 90, (at) =>
				property({ type: "array", items: { type: "string", minLength: at } }),
			),
		input: numbers,
	},
	{
		name: `${keyword} of 90 maps around 70,000 keys`,
		schema: () =>
			property(
				alternatives(keyword, 90, (at) => ({
					type: "object",
					additionalProperties: { type: "string", minLength: at },
				})),
			),
		input: () => keys(70_000),
	},
	{
		name: `${keyword} of 90 open maps around 70,000 keys`,
		schema: () =>
			property(
				alternatives(keyword, 90, (at) => ({ type: "object", minProperties: at, additionalProperties: {} })),
			),
		input: () => keys(70_000),
	},
	{
		name: `${keyword} of 90 sets around numbers`,
		schema: () =>
			property(alternatives(keyword, 90, (at) => ({ type: "array", uniqueItems: true, minItems: at }))),
		input: () => ({ a: list(140_000, (at) => at) }),
	},
	{
		name: `${keyword} of 10 in each of 5 elements`,
		schema: () =>
			items(
				alternatives(keyword, 10, () =>
					items(alternatives(keyword, 9, (at) => ({ type: "string", minLength: at }))),
				),
			),
		input: () => ({ a: list(20, () => ({ a: list(20_000, () => 1) })) }),
	},
	{
		name: `${keyword} of 90 in a list of 500,000`,
		schema: () => items(alternatives(keyword, 90, (at) => ({ type: "string", minLength: at }))),
		input: numbers,
	},
]);

const single: Pair[] = [
	{ name: "500,000 wrong elements", schema: () => items({ type: "string" }), input: numbers, isQuick: true },
	{
		name: "500,000 elements of no type",
		schema: () => items({ type: ["string", "boolean", "null", "object", "array"] }),
		input: numbers,
	},
	{
		name: "500,000 right elements of many types",
		schema: () => items({ type: ["string", "boolean", "null", "number"] }),
		input: numbers,
	},
	{
		name: "300,000 wrong objects",
		schema: () => items({ type: "object", required: ["a", "b", "c"] }),
		input: () => ({ a: list(340_000, () => ({})) }),
	},
	{
		name: "340,000 objects without 900 names",
		schema: () => items({ type: "object", required: list(900, (at) => `n${at}`) }),
		input: () => ({ a: list(340_000, () => ({})) }),
	},
	{
		name: "20,000 objects with 900 optional names",
		schema: () => items({ type: "object", properties: object(900, (at) => [`n${at}`, { type: "string" }]) }),
		input: () => ({ a: list(340_000, () => ({})) }),
	},
	{
		name: "15,000 names that are missing",
		schema: () => ({ type: "object", required: list(15_000, (at) => `n${at}`) }),
		input: () => ({}),
	},
	{
		name: "70,000 unknown names",
		schema: () => ({ type: "object", properties: { a: {} }, additionalProperties: false }),
		input: () => object(70_000, (at) => [`k${at}`, 1]),
	},
	{
		name: "unknown names in 50,000 objects",
		schema: () => items({ type: "object", additionalProperties: false }),
		input: () => ({ a: list(50_000, () => ({ b: 1, c: 2 })) }),
	},
	{
		name: "70,000 wrong values by name",
		schema: () => property({ type: "object", additionalProperties: { type: "string" } }),
		input: () => keys(70_000),
	},
	{
		name: "70,000 names against 90 alternatives",
		schema: () =>
			property({
				type: "object",
				propertyNames: alternatives("anyOf", 90, (at) => ({ type: "string", minLength: 100 + at })),
			}),
		input: () => keys(70_000),
	},
	{
		name: "70,000 names against 4,000 allowed",
		schema: () => property({ type: "object", propertyNames: { enum: list(8_000, (at) => `k${at}`) } }),
		input: () => keys(70_000),
	},
	{
		name: "contains with 90 alternatives",
		schema: () =>
			property({
				type: "array",
				contains: alternatives("anyOf", 90, (at) => ({ type: "string", minLength: at })),
			}),
		input: numbers,
		isQuick: true,
	},
	{
		name: "contains that never matches",
		schema: () => property({ type: "array", contains: { type: "string" } }),
		input: numbers,
	},
	{
		name: "contains in contains",
		schema: () =>
			property(createNested(20, (inner) => ({ type: "array", contains: inner }), { type: "string" })),
		input: () => ({ a: createNested(17, (inner) => [inner, inner], 1) }),
	},
	{
		name: "contains in contains around a wide list",
		schema: () =>
			property(
				createNested(20, (inner) => ({ type: "array", contains: inner, items: {} }), { type: "string" }),
			),
		input: () => ({ a: deepLists(20, 400_000) }),
	},
	{ name: "a set of 500,000", schema: () => property({ type: "array", uniqueItems: true }), input: numbers },
	{
		name: "a set of 140,000 different numbers",
		schema: () => property({ type: "array", uniqueItems: true }),
		input: () => ({ a: list(140_000, (at) => at) }),
	},
	{
		name: "a set of objects with many keys",
		schema: () => property({ type: "array", uniqueItems: true }),
		input: () => ({ a: list(200, (at) => object(500, (key) => [`k${(key * 7) % 500}`, at])) }),
	},
	{
		name: "sets in sets",
		schema: () =>
			property(createNested(28, (inner) => ({ type: "array", uniqueItems: true, items: inner }), {})),
		input: () => ({ a: deepLists(27, 400_000) }),
	},
	{
		name: "sets in objects in sets",
		schema: () =>
			property(
				createNested(14, (inner) => ({ type: "array", uniqueItems: true, items: property(inner) }), {}),
			),
		input: () => ({
			a: createNested(
				13,
				(inner) => [{ a: inner }],
				list(300_000, () => 1),
			),
		}),
	},
	{
		name: "an enum of 8,000 objects against 50,000 objects",
		schema: () => items({ enum: list(8_000, (at) => ({ a: at })) }),
		input: () => ({ a: list(90_000, () => ({ b: 1 })) }),
	},
	{
		name: "an enum of 8,000 objects, one wrong",
		schema: () => property({ enum: list(8_000, (at) => ({ a: at })) }),
		input: () => ({ a: 1 }),
	},
	{
		name: "an enum of 15,000 texts against 500,000 numbers",
		schema: () => items({ enum: list(15_000, (at) => `v${at}`) }),
		input: numbers,
	},
	{
		name: "a const of 120 KB against a list",
		schema: () => items({ const: list(30_000, () => 1) }),
		input: () => ({ a: list(16, () => list(30_000, () => 1)) }),
	},
	{ name: "not around numbers", schema: () => items({ not: { type: "number" } }), input: numbers },
	{
		name: "nots in nots",
		schema: () =>
			property(createNested(28, (inner) => ({ not: inner }), { type: "array", items: { type: "string" } })),
		input: numbers,
	},
	{
		name: "not of 90 alternatives",
		schema: () =>
			property({
				not: alternatives("anyOf", 90, (at) => ({ type: "array", items: { type: "string", minLength: at } })),
			}),
		input: numbers,
	},
	{
		name: "900 first elements",
		schema: () =>
			property({
				type: "array",
				prefixItems: list(900, () => ({ type: "string" })),
				items: { type: "string" },
			}),
		input: numbers,
	},
	{
		name: "no more elements after the first",
		schema: () => property({ type: "array", prefixItems: [{}], items: false }),
		input: numbers,
	},
	{
		name: "multiples of a fraction",
		schema: () => items({ type: "number", multipleOf: 1e-12 }),
		input: () => ({ a: list(60_000, () => 1.1e15) }),
	},
	{ name: "whole numbers", schema: () => items({ type: "integer", minimum: 5, maximum: 4 }), input: numbers },
	{
		name: "30 levels of properties",
		schema: () => createNested(29, (inner) => property(inner), { type: "string" }) as object,
		input: () => createNested(60, (inner) => ({ a: inner })),
	},
	{
		name: "references that double at every level",
		schema: () => doubling(5),
		input: () => ({ a: list(340_000, () => ({})) }),
	},
	{
		name: "a chain of 30 references",
		schema: () => ({
			...items({ $ref: "#/$defs/d0" }),
			$defs: { ...object(28, (at) => [`d${at}`, { $ref: `#/$defs/d${at + 1}` }]), d28: { type: "string" } },
		}),
		input: numbers,
	},
	{
		name: "defaults that do not go together",
		schema: () => alternatives("allOf", 2, (at) => ({ type: "object", properties: { a: { default: at } } })),
		input: () => ({}),
	},
	{
		name: "defaults in 340,000 objects",
		schema: () =>
			items({
				type: "object",
				properties: { a: { default: list(5_000, () => 1) }, b: { default: "x".repeat(50_000) } },
			}),
		input: () => ({ a: list(340_000, () => ({})) }),
	},
	{
		name: "allOf that copies a large value 99 times",
		schema: () => alternatives("allOf", 99, () => ({ type: "object", properties: { a: { type: "array" } } })),
		input: numbers,
	},
	{
		name: "allOf in every element",
		schema: () => items(alternatives("allOf", 90, () => ({ type: "object" }))),
		input: () => ({ a: list(340_000, () => ({})) }),
	},
	{ name: "a false schema in 500,000 elements", schema: () => items(false), input: numbers },
];

const FORMATS = ["email", "uri", "uuid", "date-time", "date", "duration", "hostname", "ipv4", "ipv6"];

/** Texts that cause backtracking in patterns. */
const ODD_TEXTS: Readonly<Record<string, () => string>> = {
	"one letter": () => "a".repeat(1_000_000),
	"letters and dots": () => "a.".repeat(500_000),
	"an address that almost ends": () => `${"a.".repeat(200_000)}@${"a-".repeat(200_000)}`,
	"digits and colons": () => "1:".repeat(500_000),
	"a time with many digits": () => `2026-01-01T00:00:00.${"0".repeat(900_000)}x`,
	"a duration with many digits": () => `P${"1".repeat(900_000)}`,
	"a URL with many parts": () => `https://a/${"%2e/".repeat(240_000)}`,
	"a URL with a long host": () => `https://${"a.".repeat(400_000)}b/`,
};

const formats: Pair[] = FORMATS.flatMap((format) => [
	...Object.entries(ODD_TEXTS).map(([name, make]) => ({
		name: `format ${format}: ${name}`,
		schema: () => property({ type: "string", format }),
		input: () => ({ a: make() }),
	})),
	{
		name: `format ${format}: 250,000 short texts`,
		schema: () => items({ type: "string", format }),
		input: () => texts(240_000, "a"),
	},
]);

const workflow = (schema: object): object =>
	oneNode({ component: "set", values: { ok: true } }, { options: { input_schema: schema } });

const asWebhook = ({ name, schema, input, isQuick }: Pair): Case => ({
	name,
	steps: webhook(() => workflow(schema()), input),
	...(isQuick && { isQuick }),
});

/** The same for the run's data. */
const asOutput = ({ name, schema, input }: Pair): Case => ({
	name: `as output: ${name}`,
	steps: webhook(
		() => oneNode({ component: "set", values: "{{input}}" }, { options: { output_schema: schema() } }),
		input,
	),
});

/** The same with an event trigger: the check runs after the answer, and again after a restart. */
const asListener = ({ name, schema, input }: Pair): Case => {
	const document = () =>
		createNamed("schema-listener", {
			...workflow(schema()),
			trigger: { type: "event", event: "schema.checked" },
		});
	const steps: Step[] = [
		{ ...send("/workflows", document), isPreparation: true },
		send("/events", () => ({ type: "schema.checked", data: (input() as { a?: unknown }).a ?? null })),
		pause(500),
		restart,
		get("/readyz"),
		send("/events", () => ({ type: "schema.checked", data: null })),
		{ ...get("/webhooks/named/schema-listener", { method: "DELETE" }) },
	];
	return { name: `as a listener: ${name}`, steps };
};

const wrongData = (pair: Pair): Pair => ({
	...pair,
	// An event's data is in `data`.
	schema: () =>
		JSON.parse(
			JSON.stringify(pair.schema()).replace('"properties":{"a":', '"properties":{"data":'),
		) as object,
});

const LISTENERS = new Set([
	"anyOf of 90 lists of text around numbers",
	"500,000 wrong elements",
	"contains with 90 alternatives",
	"340,000 objects without 900 names",
	"sets in sets",
	"defaults that do not go together",
]);

export const schemas: Family = {
	name: "schemas",
	cases: [
		...[...around, ...single, ...formats].map(asWebhook),
		{
			name: "references that double at too many levels",
			steps: [makeWebhook(() => workflow(doubling(8))), makeWebhook(() => workflow(doubling(200)))],
		},
		...[...around, ...single]
			.filter(({ name }) => LISTENERS.has(name))
			.flatMap((pair) => [asListener(wrongData(pair)), asOutput(pair)]),
	],
};
