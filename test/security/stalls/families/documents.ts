import {
	type Case,
	createNamed,
	type Family,
	makeWebhook,
	oneNode,
	send,
	validate,
	webhook,
} from "../case.ts";
import { createFilled, createNested, createRandom, list, object } from "../shapes.ts";

/** Validates the document and creates a webhook from it. */
const both = (name: string, document: () => object, more: Pick<Case, "isQuick"> = {}): Case => ({
	name,
	steps: [validate(() => createNamed("hostile", document())), makeWebhook(document)],
	...more,
});

/** As many triplets as fit into a body. */
const triplets = (make: (index: number) => string, count = 60_000): (() => object) => {
	let room = 1_000_000;
	const fitting: string[] = [];
	for (let index = 0; index < count; index++) {
		const one = make(index);
		room -= JSON.stringify(one).length + 1;
		if (room < 0) break;
		fitting.push(one);
	}
	return () => ({ triplets: fitting });
};

const nodes = (count: number): string[] => list(count, (index) => `n${index}`);
const noop = (names: readonly string[]): object =>
	Object.fromEntries(names.map((name) => [name, { component: "wait", ms: 0 }]));

const graph = (names: readonly string[], edges: readonly string[]): object => ({
	triplets: edges,
	config: noop(names),
});

/** Edges from each node to every later one, up to a maximum count. */
function dense(count: number, most: number): string[] {
	const edges: string[] = [];
	for (let from = 0; from < count; from++) {
		for (let to = from + 1; to < count && edges.length < most; to++) edges.push(`n${from} >> then >> n${to}`);
	}
	return edges;
}

const layered = (layers: number, width: number): string[] =>
	list(layers - 1, (layer) =>
		list(width, (from) => list(width, (to) => `n${layer}_${from} >> then >> n${layer + 1}_${to}`)),
	).flat(2);

const nestedLoops = (depth: number): object => ({
	triplets: list(depth, (level) => `n${level} >> FOREACH e${level} >> n${level + 1}`),
	config: Object.fromEntries(
		list(depth + 1, (level) => [
			`n${level}`,
			{ component: "foreach", items: level === 0 ? [1] : `{{e${level - 1}}}` },
		]),
	),
});

const setting = (values: object): object => oneNode({ component: "set", values });
const graphNode = (id: string, params: object = { ms: 0 }): object => ({ id, component: "wait", params });

const structures: Case[] = [
	both(
		"60,000 triplets of as many nodes",
		triplets((index) => `a${index} >> then >> b`),
		{ isQuick: true },
	),
	both(
		"60,000 triplets in a chain",
		triplets((index) => `${index} >> then >> ${index + 1}`),
	),
	both(
		"60,000 times the same triplet",
		triplets(() => "a >> then >> b"),
	),
	both(
		"60,000 triplets between two nodes",
		triplets((index) => `a >> CASE ${index} >> b`),
	),
	both(
		"60,000 triplets of one part",
		triplets(() => "abcdefgh"),
	),
	both(
		"60,000 triplets of two parts",
		triplets(() => "abc >> def"),
	),
	both(
		"60,000 triplets of many parts",
		triplets(() => "a>>b>>c>>d>>e"),
	),
	both("one triplet of 300,000 parts", () => ({ triplets: [">>".repeat(300_000)] })),
	both(
		"60,000 empty triplets",
		triplets(() => ""),
	),
	both("200,000 triplets that are no text", () => ({ triplets: list(200_000, () => 1) })),
	both(
		"60,000 relations that almost exist",
		triplets(() => "a >> on succes >> b"),
	),
	both(
		"60,000 relations that do not exist",
		triplets(() => "a >> zzzzzzz >> b"),
	),
	both("a relation of a megabyte", () => ({ triplets: [`a >> ${"x".repeat(1_000_000)} >> b`] })),
	both("a relation of a megabyte of blanks", () => ({ triplets: [`a >> on${" ".repeat(1_000_000)}x >> b`] })),
	both("a relation of a megabyte of underscores", () => ({
		triplets: [`a >> for${"_".repeat(1_000_000)}x >> b`],
	})),
	both("a subject of a megabyte", () => ({ triplets: [`${"é".repeat(500_000)} >> then >> b`] })),
	both("names of 256 letters that differ at their ends", () =>
		graph(
			[],
			list(1_000, (index) => `${"n".repeat(252)}${String(index).padStart(4, "0")} >> then >> end`),
		),
	),
	both("a chain of 1,000 nodes", () =>
		graph(
			nodes(1_000),
			list(999, (at) => `n${at} >> then >> n${at + 1}`),
		),
	),
	both(
		"a ring of 1,000 nodes",
		() =>
			graph(
				nodes(1_000),
				list(1_000, (at) => `n${at} >> then >> n${(at + 1) % 1_000}`),
			),
		{
			isQuick: true,
		},
	),
	both("500 rings of two nodes", () =>
		graph(
			nodes(1_000),
			list(500, (at) => [
				`n${2 * at} >> then >> n${2 * at + 1}`,
				`n${2 * at + 1} >> then >> n${2 * at}`,
			]).flat(),
		),
	),
	both("nodes that lead to themselves", () =>
		graph(
			nodes(1_000),
			list(1_000, (at) => `n${at} >> then >> n${at}`),
		),
	),
	both("10,000 edges back in a chain", () =>
		graph(nodes(1_000), [
			...list(999, (at) => `n${at} >> then >> n${at + 1}`),
			...list(9_001, (at) => `n${999 - (at % 900)} >> CASE ${at} >> n${at % 90}`),
		]),
	),
	both("a fan of 1,000 nodes from the trigger", () =>
		graph(
			nodes(1_000),
			list(1_000, (at) => `input >> then >> n${at}`),
		),
	),
	both("a fan of 999 nodes that meet", () =>
		graph(nodes(1_000), list(998, (at) => [`n0 >> then >> n${at + 1}`, `n${at + 1} >> then >> n999`]).flat()),
	),
	both("every pair of 141 nodes", () => graph(nodes(141), dense(141, 10_000))),
	both("10,000 edges between 1,000 nodes", () => graph(nodes(1_000), dense(1_000, 10_000)), {
		isQuick: true,
	}),
	both("10,000 edges in layers of 10", () => {
		const edges = layered(100, 10);
		return graph(list(100, (layer) => list(10, (at) => `n${layer}_${at}`)).flat(), edges);
	}),
	both("a chain of 900 nodes and 9,000 edges over it", () =>
		graph(nodes(1_000), [
			...list(999, (at) => `n${at} >> then >> n${at + 1}`),
			...list(9_000, (at) => `n${at % 900} >> CASE ${at} >> n999`),
		]),
	),
	both("500 loops in each other", () => nestedLoops(500), { isQuick: true }),
	both("999 loops in each other", () => nestedLoops(999)),
	both("999 loops in each other of one name", () => ({
		triplets: list(999, (level) => `n${level} >> FOREACH e >> n${level + 1}`),
		config: noop(nodes(1_000)),
	})),
	both("999 loops of one list", () => ({
		triplets: list(999, (at) => `n0 >> FOREACH e${at} >> n${at + 1}`),
		config: { n0: { component: "foreach", items: [] }, ...noop(nodes(1_000).slice(1)) },
	})),
	both("loops in each other with edges out of all", () => ({
		triplets: [
			...list(400, (level) => `n${level} >> FOREACH e${level} >> n${level + 1}`),
			...list(9_000, (at) => `n${1 + (at % 400)} >> CASE ${at} >> out`),
		],
		config: noop([...nodes(401), "out"]),
	})),
	both("400 loops in each other that read all names", () => ({
		...(nestedLoops(400) as { triplets: string[] }),
		config: Object.fromEntries(
			list(401, (level) => [
				`n${level}`,
				{ component: "foreach", items: level < 2 ? [1] : list(50, (at) => `{{e${at % level}}}`) },
			]),
		),
	})),
	both("400 repeats in each other that read all turns before", () => ({
		triplets: list(400, (level) => `n${level} >> REPEAT e${level} >> n${level + 1}`),
		config: Object.fromEntries(
			list(401, (level) => [
				`n${level}`,
				level === 400
					? { component: "set", values: { a: list(400, (at) => `{{e${at}_last.n400 | default(1)}}`) } }
					: {
							component: "repeat",
							until: list(20, (at) => `has(e${at % (level + 1)}_last.n400)`).join(" && "),
						},
			]),
		),
	})),
	both("a loop of 900 nodes that each read all others", () => ({
		triplets: ["l >> FOREACH e >> n0", ...list(899, (at) => `n${at} >> then >> n${at + 1}`)],
		config: {
			l: { component: "foreach", items: [1] },
			...object(900, (at) => [
				`n${at}`,
				{ component: "set", values: { a: list(Math.min(at, 30), (other) => `{{n${at - other - 1}}}`) } },
			]),
		},
	})),
	both("a result with 40,000 references", () => ({
		...graph(nodes(2), ["n0 >> then >> n1"]),
		result: list(40_000, (at) => `{{n${at % 2}.a}}`),
	})),
	both("40,000 nodes of a graph with one id", () => ({
		nodes: list(20_000, () => graphNode("same")),
		edges: [],
	})),
	both("20,000 nodes of a graph without edges", () => ({ nodes: list(19_000, (at) => graphNode(`n${at}`)) })),
	both("1,000 nodes and 10,000 edges of a graph", () => ({
		nodes: list(1_000, (at) => graphNode(`n${at}`)),
		edges: list(10_000, (at) => ({
			from: `n${at % 500}`,
			to: `n${500 + ((at * 7) % 500)}`,
			on: "CASE",
			value: String(at),
		})),
	})),
	both("20,000 edges to nodes that are not there", () => ({
		nodes: list(1_000, (at) => graphNode(`node number ${at}`)),
		edges: list(9_900, (at) => ({ from: `node numer ${at}`, to: `node numbre ${at}` })),
	})),
	both(
		"edges to long names that are almost there",
		() => ({
			nodes: list(1_000, (at) => ({
				id: `${"n".repeat(200)}${String(at).padStart(6, "0")}`,
				component: "wait",
			})),
			edges: list(1_500, (at) => ({
				from: `${"n".repeat(200)}x${String(at).padStart(6, "0")}`,
				to: `${"n".repeat(199)}y`,
			})),
		}),
		{ isQuick: true },
	),
	both("nodes of a graph that are no objects", () => ({
		nodes: list(400_000, () => 1),
		edges: list(40_000, () => []),
	})),
	both("nodes of a graph with unknown fields", () => ({
		nodes: list(1_000, (at) => ({ id: `n${at}`, ...object(60, (field) => [`compnent${field}`, 1]) })),
	})),
	both("broken nodes with long texts, and names to look for in them", () => ({
		nodes: list(100, () => ({ name: "x".repeat(4_000) })),
		config: object(30_000, (at) => [`name${at}`, null]),
	})),
	both("broken triplets with long texts, and settings to look for in them", () => ({
		triplets: [...list(100, () => `${"ab ".repeat(1_500)}>> x`), "a >> then >> b"],
		config: object(40_000, (at) => [`ab${at}`, 1]),
	})),
	both("broken triplets, and references to look for in them", () => ({
		triplets: [...list(100, () => `${"ab ".repeat(1_000)}>> x`), "input >> then >> only"],
		config: { only: { component: "set", values: object(30_000, (at) => [`k${at}`, `{{ab${at}}}`]) } },
	})),
];

const settings: Case[] = [
	both("settings for 60,000 nodes that are not there", () => ({
		triplets: ["a >> then >> b"],
		config: object(60_000, (at) => [`n${at}`, {}]),
	})),
	both(
		"60,000 unknown parameters",
		() => oneNode({ component: "wait", ...object(60_000, (at) => [`mss${at}`, 1]) }),
		{
			isQuick: true,
		},
	),
	both("60,000 unknown fields", () => ({
		...oneNode({ component: "wait", ms: 1 }),
		...object(60_000, (at) => [`f${at}`, 1]),
	})),
	both("60,000 unknown options", () =>
		oneNode({ component: "wait", ms: 1 }, { options: object(60_000, (at) => [`o${at}`, 1]) }),
	),
	both("60,000 unknown trigger fields", () =>
		oneNode(
			{ component: "wait", ms: 1 },
			{ trigger: { type: "webhook", ...object(60_000, (at) => [`t${at}`, 1]) } },
		),
	),
	both("parameters that are almost known, of 1,000 nodes", () => ({
		triplets: list(1_000, (at) => `input >> then >> n${at}`),
		config: object(1_000, (at) => [
			`n${at}`,
			{ component: "http_request", ulr: "x", mehtod: "GET", qeury: {}, josn: 1 },
		]),
	})),
	both("components that almost exist, of 1,000 nodes", () => ({
		triplets: list(1_000, (at) => `input >> then >> n${at}`),
		config: object(1_000, (at) => [`n${at}`, { component: `htpt_reqest${at % 10}` }]),
	})),
	both("components of 1,000 letters", () => ({
		triplets: list(900, (at) => `input >> then >> n${at}`),
		config: object(900, (at) => [`n${at}`, { component: `${"github.create_issue".repeat(50)}${at}` }]),
	})),
	both("200,000 values of a wrong type", () =>
		oneNode({ component: "http_request", url: "https://a.example", expect: list(200_000, () => true) }),
	),
	both("60,000 parts that are wrong in every way", () =>
		oneNode({
			component: "http_request",
			url: "https://a.example",
			multipart: list(60_000, () => ({ a: 1 })),
		}),
	),
	both("wrong settings of 1,000 nodes", () => ({
		triplets: list(1_000, (at) => `input >> then >> n${at}`),
		config: object(1_000, (at) => [
			`n${at}`,
			{
				component: "wait",
				ms: "x",
				retry: { max: -1, delay: 1, delay_ms: "a" },
				timeout_ms: "soon",
				concurrency: 0,
			},
		]),
	})),
	both("thousands of wrong names inside of one setting", () =>
		oneNode({ component: "wait", ms: 1, retry: object(60_000, (at) => [`m${at}`, 1]) }),
	),
	both("parameters 60 levels deep", () =>
		setting({ deep: list(900, () => createNested(58, (inner) => ({ deeper: inner }), "{{input.a}}")) }),
	),
	both("parameters 60 levels deep and wrong", () =>
		setting({ deep: list(900, () => createNested(58, (inner) => [inner], "{{input.")) }),
	),
	both("a parameter of a megabyte of empty lists", () => setting({ lists: list(340_000, () => []) })),
	both("a parameter of a megabyte of empty objects", () => setting({ objects: list(340_000, () => ({})) })),
	both("a parameter with 70,000 keys", () => setting(object(70_000, (at) => [`k${at}`, at]))),
	both("a context of a megabyte", () =>
		oneNode(
			{ component: "set", values: { a: "{{context.k1}}" } },
			{ context: object(70_000, (at) => [`k${at}`, at]) },
		),
	),
	both("names in many scripts", () => ({
		triplets: list(
			900,
			(at) =>
				`${["ж", "אב", "한", "é\u0301", "👩‍👩‍👧", "ﷺ", "\u202ex"][at % 7]?.repeat(20)}${at} >> 完成後 >> 終`,
		),
	})),
	both("names that fold in odd ways", () => ({
		triplets: list(990, (at) => `${"İß".repeat(60)}${at} >> then >> ${"ſK".repeat(50)}`),
	})),
	both("a cron expression of a megabyte", () =>
		oneNode(
			{ component: "wait", ms: 1 },
			{ trigger: { type: "schedule", cron: `${"1,".repeat(400_000)}1 * * * *` } },
		),
	),
	both("a cron expression of blanks", () =>
		oneNode(
			{ component: "wait", ms: 1 },
			{ trigger: { type: "schedule", cron: `*${" ".repeat(900_000)}* * *` } },
		),
	),
	both("a cron expression that almost never comes", () =>
		oneNode({ component: "wait", ms: 1 }, { trigger: { type: "schedule", cron: "0 0 29 2 1" } }),
	),
	both("a cron expression of a day that never comes", () =>
		oneNode({ component: "wait", ms: 1 }, { trigger: { type: "schedule", cron: "0 0 31 2 *" } }),
	),
	both("a time zone of a megabyte", () =>
		oneNode(
			{ component: "wait", ms: 1 },
			{ trigger: { type: "schedule", cron: "0 0 1 1 *", timezone: "A/".repeat(400_000) } },
		),
	),
	both("an event pattern of a megabyte", () =>
		oneNode({ component: "wait", ms: 1 }, { trigger: { type: "event", event: "*.".repeat(400_000) } }),
	),
	both("1,000 nodes with a credential that is not there", () => ({
		triplets: list(1_000, (at) => `input >> then >> n${at}`),
		config: object(1_000, (at) => [
			`n${at}`,
			{ component: "http_request", url: "https://a.example", credential: `c${at}` },
		]),
	})),
	both("40,000 references to credentials", () =>
		oneNode({
			component: "http_request",
			url: "https://a.example",
			method: "POST",
			json: object(30_000, (at) => [`k${at}`, `{{credential.c${at}}}`]),
		}),
	),
	both("a body of a megabyte of one text", () => setting({ text: "x".repeat(1_000_000) })),
	{
		name: "60 large webhooks that are each called once",
		steps: list(60, (nth) =>
			webhook(
				() => setting({ nth, list: list(25_000, () => "{{input}}") }),
				() => ({}),
			),
		).flat(),
	},
	{
		name: "60 webhooks that are too large",
		steps: list(60, (nth) => makeWebhook(() => setting({ nth, list: list(40_000, () => "{{input}}") }))),
	},
	{
		name: "40 workflows of one namespace, then its lists",
		steps: [
			...list(40, (at) =>
				send("/workflows", () => createNamed(`one of many ${at}`, setting({ text: "x".repeat(60_000) })), {
					isPreparation: true,
				}),
			),
			{ ...send("/webhooks/named", () => "", { method: "GET" }) },
			{ ...send("/portal/data/workflows", () => "", { method: "GET" }) },
		],
	},
];

const templateTexts: Readonly<Record<string, () => string>> = {
	"90,000 references": () => createFilled(1_000_000, () => "{{input.a}}"),
	"200,000 openings": () => "{{".repeat(450_000),
	"an opening and a megabyte": () => `{{${"x".repeat(1_000_000)}`,
	"an opening and a megabyte of blanks": () => `{{${" ".repeat(1_000_000)}}}`,
	"a path of 100,000 parts": () => `{{input${".a".repeat(450_000)}}}`,
	"a path of 100,000 places": () => `{{input${"[0]".repeat(300_000)}}}`,
	"paths of 64 parts": () => createFilled(1_000_000, () => `{{input${".a".repeat(63)}}}`),
	"paths with long keys": () =>
		createFilled(900_000, () => `{{input["${"k".repeat(2_000)}"].a.a.a.a.a.a.a.a}}`),
	"a reference with 100,000 filters": () => `{{input.a${"|trim".repeat(190_000)}}}`,
	"references with 16 filters": () => createFilled(1_000_000, () => `{{input.a${"|trim".repeat(16)}}}`),
	"references with unknown filters": () => createFilled(1_000_000, () => "{{input.a | uper}}"),
	"filters with long arguments": () =>
		createFilled(900_000, () => `{{input.a | join("${"x".repeat(90_000)}")}}`),
	"filters with wrong arguments": () => createFilled(900_000, () => '{{input.a | round("x")}}'),
	"a quote without an end": () => `{{"${"\\\\".repeat(240_000)}`,
	"many quotes with escapes": () => `{{"${"\\u00e9".repeat(80_000)}"}}`,
	"unknown names": () => createFilled(1_000_000, (index) => `{{inptu${index}}}`),
	"unknown nodes": () => createFilled(900_000, (index) => `{{nodes["some node ${index}"].a}}`),
	"closings only": () => `{{input}}${"}}".repeat(450_000)}`,
	"references to what is refused": () => createFilled(1_000_000, () => "{{input.__proto__}}"),
	"date formats": () => createFilled(1_000_000, () => '{{input.a | date("YYYY-MM-DD [at] HH:mm:ss.SSS")}}'),
};

const templates: Case[] = [
	...Object.entries(templateTexts).map(([name, make]) =>
		both(`one template: ${name}`, () => oneNode({ component: "template", text: make() })),
	),
	both("100,000 templates", () => setting({ list: list(100_000, () => "{{a}}") }), { isQuick: true }),
	both("80,000 templates of the input", () => setting({ list: list(80_000, () => "{{input}}") })),
	both("50,000 templates by name", () => setting(object(40_000, (at) => [`k${at}`, "{{input.a}}"]))),
	both("80,000 templates that are wrong", () => setting({ list: list(80_000, () => "{{a b}}") })),
	both("1,000 nodes that read each other", () => ({
		triplets: list(999, (at) => `n${at} >> then >> n${at + 1}`),
		config: object(1_000, (at) => [
			`n${at}`,
			{ component: "set", values: at === 0 ? {} : { all: list(40, (other) => `{{n${(other * 7) % at}}}`) } },
		]),
	})),
	both("1,000 nodes that read what comes later", () => ({
		triplets: list(999, (at) => `n${at} >> then >> n${at + 1}`),
		config: object(1_000, (at) => [
			`n${at}`,
			{ component: "set", values: { all: list(40, () => "{{n999}}") } },
		]),
	})),
];

const conversions: Readonly<Record<string, () => object>> = {
	"128 KiB of properties": () => ({
		type: "object",
		properties: object(990, (at) => [`${"p".repeat(100)}${at}`, { type: "string", maxLength: at }]),
	}),
	"1,000 properties": () => ({
		type: "object",
		properties: object(999, (at) => [`p${at}`, { type: "integer" }]),
	}),
	"70,000 properties": () => ({ type: "object", properties: object(70_000, (at) => [`p${at}`, {}]) }),
	"15,000 required names": () => ({ type: "object", required: list(15_000, (at) => `p${at}`) }),
	"32 levels": () => createNested(31, (inner) => ({ type: "object", properties: { a: inner } })) as object,
	"50 levels of allOf": () => ({ allOf: [createNested(50, (inner) => ({ allOf: [inner] }), {})] }),
	"references that double": () => ({
		$ref: "#/$defs/d0",
		$defs: object(30, (at) => [
			`d${at}`,
			{
				type: "object",
				properties: { a: { $ref: `#/$defs/d${at + 1}` }, b: { $ref: `#/$defs/d${at + 1}` } },
			},
		]),
	}),
	"a chain of references": () => ({
		$ref: "#/$defs/d0",
		$defs: { ...object(1_000, (at) => [`d${at}`, { $ref: `#/$defs/d${at + 1}` }]), d1000: {} },
	}),
	"references to the root": () => ({
		type: "object",
		properties: object(900, (at) => [`p${at}`, { $ref: "#" }]),
	}),
	"10,000 alternatives in 4 levels": () =>
		createNested(4, (inner) => ({ anyOf: list(8, () => inner) }), { type: "string" }) as object,
	"an enum of 100 KB": () => ({ enum: list(15_000, (at) => `v${at}`) }),
	"an enum of 10,000 objects": () => ({ enum: list(8_000, (at) => ({ a: at })) }),
	"an enum of deep objects": () => ({
		enum: list(300, (at) => createNested(30, (inner) => ({ z: inner, a: at }))),
	}),
	"a default of 100 KB against 100 alternatives": () => ({
		anyOf: list(99, (at) => ({ type: "array", items: { type: "string", maxLength: at } })),
		default: list(20_000, () => "x"),
	}),
	"defaults within defaults": () =>
		createNested(30, (inner) => ({ type: "object", properties: { a: inner }, default: {} }), {
			type: "array",
			items: {},
			default: list(5_000, () => 1),
		}) as object,
	"a const of 120 KB": () => ({ const: list(40_000, (at) => at % 10) }),
	"1,000 prefix items": () => ({ type: "array", prefixItems: list(990, () => ({ type: "string" })) }),
	patterns: () => ({ type: "string", pattern: "(a+)+$" }),
	"unknown words": () => ({ type: "object", ...object(10_000, (at) => [`x-${at}`, 1]) }),
	"titles of 120 KB": () => ({ type: "object", title: "t".repeat(120_000) }),
	megabytes: () => ({ type: "object", title: "t".repeat(1_000_000) }),
};

const schemas: Case[] = Object.entries(conversions).map(([name, schema]) =>
	both(`an input schema of ${name}`, () =>
		oneNode({ component: "set", values: {} }, { options: { input_schema: schema() } }),
	),
);

/** A document with many kinds of mistakes, deterministic by seed. */
function jumble(seed: number): object {
	const next = createRandom(seed);
	const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T;
	const name = () => pick(["input", "nodes", "a", "b", "c d", "é", "", ">>", "x".repeat(300), "__proto__"]);
	const relation = () =>
		pick(["then", "ON_FAIL", "CASE", "CASE x", "FOREACH", "FOREACH e", "REPEAT e", "finaly", "", "if true"]);
	return {
		triplets: list(7_500, () => `${name()} >> ${relation()} >> ${name()}`),
		config: object(4_000, (at) => [
			`${name()}${at % 900}`,
			{
				component: pick(["set", "sett", "code", "", "github.create_isue"]),
				values: { t: `{{${name()} | ${pick(["upper", "uper", "join(1)"])}}}` },
			},
		]),
		context: { a: pick([1, null, [], "x"]) },
	};
}

const jumbles: Case[] = list(5, (seed) =>
	both(`a jumble of mistakes, number ${seed + 1}`, () => jumble(seed + 1)),
);

export const documents: Family = {
	name: "documents",
	cases: [...structures, ...settings, ...templates, ...schemas, ...jumbles],
};
