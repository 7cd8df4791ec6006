import type { JsonObject } from "@tripline/contract/workflows";
import { type Case, createNamed, type Family, makeWebhook, NAMESPACE, send, validate } from "../case.ts";
import { createNested, list, object, text } from "../shapes.ts";

interface Attack {
	/** By id; without edges they run in this order. */
	readonly nodes: Readonly<Record<string, { readonly component: string } & JsonObject>>;
	readonly edges?: readonly object[];
	readonly result?: unknown;
	readonly context?: object;
	readonly options?: object;
}

/**
 * Validates and saves the document. It is also put into the store, as an earlier release may have left it there, and
 * called: in a stored document the errors that types tell are warnings.
 */
function attack(name: string, make: () => Attack, more: Pick<Case, "isQuick"> = {}): Case {
	const readGraph = () => {
		const { nodes, edges, result } = make();
		const ids = Object.keys(nodes);
		const chain = ids.slice(1).map((to, at) => ({ from: ids[at], to }));
		return {
			nodes: Object.entries(nodes).map(([id, { component, ...params }]) => ({ id, component, params })),
			edges: edges ?? chain,
			...(result === undefined ? {} : { result }),
		};
	};
	const readRest = () => {
		const { context = {}, options = {} } = make();
		return { context, options };
	};
	const document = () => createNamed("hostile", { graph: readGraph(), ...readRest() });
	const entry = () => ({
		entry_type: "workflow",
		owner_id: NAMESPACE,
		page_name: name,
		content: "",
		metadata_json: JSON.stringify({
			graph: readGraph(),
			config: { version: "1", ...readRest() },
			cron_expr: null,
		}),
	});
	return {
		name,
		steps: [
			validate(document),
			makeWebhook(document),
			send("/entries", entry, { to: "store", method: "PUT", isPreparation: true }),
			send(`/webhooks/named/${encodeURIComponent(name)}/trigger?trace=false`, () => ({ n: 3, list: [1] }), {
				// A document over the limit of the compiler cannot be loaded either.
				alsoFine: [500],
			}),
		],
		...more,
	};
}

const set = (values: unknown) => ({ component: "set", values }) as { component: string } & JsonObject;
const chain = (count: number, make: (at: number) => { component: string } & JsonObject): Attack["nodes"] =>
	object(count, (at) => [`n${at}`, make(at)]);

const FIELDS = object(200, (at) => [`some_field_${at}`, at]);

const missing: Case[] = [
	attack(
		"20,000 references to a field that is not there, in one text",
		() => ({
			nodes: { only: { component: "template", text: "{{context.some_feld_x}}".repeat(20_000) } },
			context: FIELDS,
		}),
		{ isQuick: true },
	),
	attack("20,000 references to a field that is not there, by name", () => ({
		nodes: { only: set(object(20_000, (at) => [`k${at}`, "{{context.some_feld_x}}"])) },
		context: FIELDS,
	})),
	attack("20,000 references to different fields that are not there", () => ({
		nodes: { only: set({ list: list(20_000, (at) => `{{context.some_feld_${at}}}`) }) },
		context: FIELDS,
	})),
	attack("15,000 references with a default to a field that is not there", () => ({
		nodes: { only: set({ list: list(15_000, () => "{{context.some_feld_x | default(1)}}") }) },
		context: FIELDS,
	})),
	attack("500 nodes that read fields of the node before that are not there", () => ({
		nodes: chain(500, (at) =>
			set(at === 0 ? FIELDS : { all: `{{n${at - 1}}}`, list: list(20, () => `{{n${at - 1}.some_feld}}`) }),
		),
	})),
];

/** An expression whose type is a union of so many lists of different objects. */
const choose = (count: number, make: (at: number) => string): string =>
	list(count - 1, (at) => `input.n == ${at} ? ${make(at)} : `).join("") + make(count - 1);
const LISTS = object(16, (at) => [`l${at}`, list(12, (other) => ({ [`f${at}_${other}`]: other, n: [at] }))]);
const UNION = choose(16, (at) => `context.l${at}`);

const compute = (count: number, make: (at: number) => string): Attack => ({
	nodes: chain(3, () => ({ component: "compute", values: object(count, (at) => [`v${at}`, make(at)]) })),
	context: LISTS,
});

const unions: Case[] = [
	attack("sums of unions of 16 lists", () => compute(100, () => list(6, () => `(${UNION})`).join(" + ")), {
		isQuick: true,
	}),
	attack("paths over unions of 16 lists", () =>
		compute(100, () => list(6, (at) => `(${UNION})[${at}].n[0].no.no`).join(" + ")),
	),
	attack("comparisons of unions of 16 lists", () =>
		compute(100, () => list(6, () => `(${UNION})`).join(" == ")),
	),
	attack("loops over unions of 16 lists", () =>
		compute(100, () => `(${UNION}).map(x, (${UNION}).map(y, [x, y, x.n + y.n]))`),
	),
	attack("filters of unions of 16 lists", () => ({
		nodes: {
			one: { component: "compute", values: { u: UNION } },
			...chain(200, () =>
				set({ list: list(20, () => `{{one.u ${"| unique | first | default(one.u)".repeat(5)}}}`) }),
			),
		},
		context: LISTS,
	})),
	attack("defaults of defaults of 100 nodes", () => ({
		nodes: {
			...chain(100, (at) => set({ [`f${at}`]: { deep: [{ at }] } })),
			last: set({
				list: list(2_000, (nth) => `{{n0.no${text(15, (at) => ` | default(n${(at * nth) % 100})`)}}}`),
			}),
		},
	})),
	attack("900 cases of a union", () => ({
		nodes: {
			pick: { component: "switch", value: "{{input.kind}}" },
			...chain(900, () => set({ a: "{{pick}}" })),
		},
		edges: list(900, (at) => ({ from: "pick", to: `n${at}`, on: "CASE", value: `kind ${at + 1_000}` })),
		options: {
			input_schema: {
				type: "object",
				properties: {
					kind: { anyOf: list(16, (at) => ({ enum: list(60, (nth) => `kind ${at * 60 + nth}`) })) },
				},
			},
		},
	})),
];

const deep = (depth: number): unknown =>
	createNested(depth, (inner) => ({ a: inner, b: [inner, 1, "x"] }), "x");

const START = { component: "map", items: [1, "x", { a: 1 }], value: "item" };

const growing: Case[] = [
	attack("a deep value that 500 nodes read", () => ({
		nodes: {
			deep: set(deep(9)),
			...chain(500, (at) =>
				set({ list: list(20, () => `{{deep${".a".repeat(at % 8)}${".b[0]".repeat(5)}.no}}`) }),
			),
		},
	})),
	attack("500 nodes that each contain the node before twice", () => ({
		nodes: chain(500, (at) => set(at === 0 ? FIELDS : { a: `{{n${at - 1}}}`, b: [`{{n${at - 1}}}`, at] })),
	})),
	attack(
		"500 merges of everything before",
		() => ({
			nodes: chain(500, (at) =>
				at === 0
					? set(FIELDS)
					: { component: "merge", values: [`{{n${at - 1}}}`, { [`k${at}`]: `{{n${at - 1}}}`, same: at }] },
			),
		}),
		{ isQuick: true },
	),
	attack("500 maps of the map before", () => ({
		nodes: chain(500, (at) =>
			at === 0
				? START
				: { component: "map", items: `{{n${at - 1}}}`, value: "{'a': item, 'b': [item, index], 'c': item}" },
		),
	})),
	attack("300 merges of lists of different objects", () => ({
		nodes: chain(300, (at) =>
			at === 0
				? START
				: { component: "merge", values: [`{{n${at - 1}}}`, [{ [`k${at}`]: `{{n${at - 1}[0]}}` }]] },
		),
	})),
	attack("400 aggregates of aggregates", () => ({
		nodes: chain(400, (at) =>
			at === 0
				? START
				: {
						component: "aggregate",
						items: [`{{n${at - 1}}}`],
						compute: object(20, (nth) => [`v${nth}`, nth % 2 === 0 ? "list(item)" : "first(item)"]),
					},
		),
	})),
	attack("a list of 20,000 different objects that 500 nodes read", () => ({
		nodes: chain(500, () => set({ list: list(20, (at) => `{{context.all[${at}].no}}`) })),
		context: { all: list(20_000, (at) => ({ [`f${at}`]: at })) },
	})),
];

const schema = (properties: number, alternatives: number): object => ({
	type: "object",
	properties: object(properties, (at) => [
		`p${at}`,
		{
			anyOf: list(alternatives, (nth) => ({
				type: "object",
				properties: { [`q${nth}`]: { type: "array", items: { type: "string" } }, kind: { const: nth } },
				additionalProperties: false,
			})),
		},
	]),
	additionalProperties: false,
});

const schemas: Case[] = [
	attack("15,000 references to an input schema of unions", () => ({
		nodes: { only: set({ list: list(15_000, (at) => `{{input.p${at % 6}.q1[0].no}}`) }) },
		options: { input_schema: schema(6, 16) },
	})),
	attack("10,000 references to parts that an input schema does not have", () => ({
		nodes: chain(500, () => set({ list: list(20, (at) => `{{input.p_${at}.q}}`) })),
		options: { input_schema: schema(90, 1) },
	})),
	attack("an output schema of unions, and a result of 10,000 references", () => ({
		nodes: { one: set(object(60, (at) => [`p${at}`, { q1: ["x"], kind: 99 }])) },
		result: object(10_000, (at) => [`p${at}`, `{{one.p${at % 60}}}`]),
		options: { output_schema: schema(6, 16), input_schema: schema(6, 16) },
	})),
	attack("sums of unions of an input schema", () => ({
		...compute(60, () => list(30, (at) => `input.p${at % 6}.q1 + input.p${(at + 1) % 6}.kind`).join(" == ")),
		options: { input_schema: schema(6, 16) },
	})),
];

/** Loops in loops, with nodes that read all names around them. */
const nest = (depth: number, on: "FOREACH" | "REPEAT", references: number): Attack => ({
	nodes: {
		...chain(depth, (at) =>
			on === "REPEAT"
				? { component: "repeat", until: `leaf${at}.a == ${at}`, max: 1 }
				: { component: "foreach", items: at === 0 ? "{{context.all}}" : `{{e${at - 1}.a}}` },
		),
		...object(depth, (at) => [
			`leaf${at}`,
			set({
				a: at,
				list: list(references, (nth) => {
					const other = nth % (at + 1);
					return on === "REPEAT"
						? `{{e${other}_last.leaf${at}.list.no | default(1)}}`
						: `{{e${other}.a[0].no}}`;
				}),
			}),
		]),
		after: set({ list: list(2_000, (at) => `{{leaf${at % depth}${"[0]".repeat(8)}.no}}`) }),
	},
	edges: [
		...list(depth - 1, (at) => ({ from: `n${at}`, to: `n${at + 1}`, on, as: `e${at}` })),
		...list(depth, (at) =>
			at < depth - 1
				? { from: `n${at + 1}`, to: `leaf${at}`, on: "ON_SUCCESS" }
				: { from: `n${at}`, to: `leaf${at}`, on, as: `e${at}` },
		),
		{ from: "n0", to: "after", on: "ON_SUCCESS" },
	],
	context: { all: createNested(7, (inner) => [{ a: inner }, { b: inner }], [1]) as object },
});

const loops: Case[] = [
	attack("loops in loops that read all elements around them", () => nest(8, "FOREACH", 1_000)),
	attack("repeats in repeats that read the turns before", () => nest(8, "REPEAT", 1_000)),
	attack("200 loops over the loop before", () => ({
		nodes: {
			...object(200, (at) => [
				`n${at}`,
				{ component: "foreach", items: at === 0 ? "{{input.list}}" : `{{b${at - 1}}}` },
			]),
			...object(200, (at) => [`b${at}`, set({ a: `{{e${at}}}`, b: [`{{e${at}.no}}`, FIELDS] })]),
		},
		edges: list(200, (at) => [
			{ from: `n${at}`, to: `b${at}`, on: "FOREACH", as: `e${at}` },
			...(at === 0 ? [] : [{ from: `n${at - 1}`, to: `n${at}` }]),
		]).flat(),
	})),
];

/** What the compiler infers from values, schemas and expressions. */
export const types: Family = {
	name: "types",
	cases: [...missing, ...unions, ...growing, ...schemas, ...loops],
};
