import { type Case, type Family, makeWebhook, oneNode, type Step, trigger, webhook } from "../case.ts";
import { createFilled, list, object, text } from "../shapes.ts";

const LIMIT_MS = 1_000;

/** Inputs of about a megabyte each, by kind. */
const VALUES: Readonly<Record<string, () => unknown>> = {
	text: () => "aé ".repeat(250_000),
	"JSON in a text": () => `[${createFilled(990_000, () => "1", ",")}]`,
	list: () => list(490_000, () => 1),
	"list of lists": () => list(340_000, () => []),
	object: () => object(70_000, (at) => [`k${at}`, 1]),
};

const FILTERS = [
	"json",
	"parse_json",
	'join(",")',
	'split("")',
	'split("a")',
	"trim",
	"upper",
	"lower",
	"length",
	"first",
	"last",
	"keys",
	"slice(1)",
	"slice(0, -1)",
	"round(2)",
	'date("iso")',
	"url",
	"base64",
	"from_base64",
	"sha256",
	'default("x")',
	"default(input.v)",
	"text",
	"number",
	'replace("a", "bc")',
	'replace("zz", "")',
	"html",
	"unique",
	"sum",
	"max",
	'pluck("k1")',
	'named("k1")',
	"entries",
];

const USES = [1, 300, 1_000, 10_000];

const limited = (settings: object): object => oneNode(settings, { options: { timeout_ms: LIMIT_MS } });
const callWebhook = (document: () => object, inputs: readonly (() => unknown)[]): Step[] => [
	...webhook(document),
	...inputs.map((input) => trigger(input, { lateAfterMs: LIMIT_MS })),
];
const ALL = Object.values(VALUES).map((make) => () => ({ v: make() }));

const QUICK: ReadonlySet<string> = new Set(["sha256"]);

const filters: Case[] = FILTERS.flatMap((filter) =>
	USES.map((uses) => ({
		name: `${uses} times ${filter}`,
		steps: callWebhook(
			() => limited({ component: "set", values: { all: list(uses, () => `{{input.v | ${filter}}}`) } }),
			ALL,
		),
		...(uses === 10_000 && QUICK.has(filter) && { isQuick: true as const }),
	})),
);

const chained: Case[] = [
	"json",
	"upper",
	"url",
	"base64",
	"trim",
	"slice(0)",
	'split("") | join("")',
	"json | parse_json",
].map((chain) => {
	const each = chain.split(" | ").length;
	const sixteen = text(Math.floor(16 / each), () => ` | ${chain}`);
	return {
		name: `1,000 times ${chain}, as often as one reference may`,
		steps: callWebhook(
			() => limited({ component: "set", values: { all: list(1_000, () => `{{input.v${sixteen}}}`) } }),
			ALL,
		),
	};
});

const joinCase = (name: string, piece: string, count: number): Case => ({
	name,
	steps: callWebhook(() => limited({ component: "template", text: piece.repeat(count) }), ALL),
});

/** Refused because it takes too long to compile. */
const refusedCase = (name: string, text: string): Case => ({
	name,
	steps: [makeWebhook(() => oneNode({ component: "template", text }))],
});

const chain = (count: number, settings: (at: number) => object): object => ({
	triplets: ["input >> then >> n0", ...list(count - 1, (at) => `n${at} >> then >> n${at + 1}`)],
	config: object(count, (at) => [`n${at}`, settings(at)]),
});

const runs: Case[] = [
	joinCase("10,000 large values in one text", "{{input.v}}", 10_000),
	joinCase("25,000 references in one text", "{{input.w}}", 25_000),
	refusedCase("90,000 references in one text", "{{input.w}}".repeat(90_000)),
	joinCase("10,000 lengths in one text", "{{input.v | length}} ", 10_000),
	joinCase("10,000 hashes in one text", "{{input.v | json | sha256}}", 10_000),
	{
		name: "25,000 short references in one text",
		steps: callWebhook(
			() => limited({ component: "template", text: "{{input.v}}".repeat(25_000) }),
			[() => ({ v: "a" })],
		),
	},
	{
		name: "500 nodes that each make JSON of a megabyte",
		steps: callWebhook(
			() => ({
				...chain(500, () => ({ component: "template", text: "{{input.v | json}}" })),
				options: { timeout_ms: LIMIT_MS },
			}),
			ALL,
		),
	},
	{
		name: "500 nodes that each hash a megabyte ten times",
		steps: callWebhook(
			() => ({
				...chain(500, () => ({
					component: "set",
					values: object(10, (at) => [`h${at}`, "{{input.v | json | sha256}}"]),
				})),
				options: { timeout_ms: LIMIT_MS },
			}),
			ALL,
		),
	},
	{
		name: "1,000 nodes side by side that each copy a megabyte",
		steps: callWebhook(
			() => ({
				triplets: list(1_000, (at) => `input >> then >> n${at}`),
				config: object(1_000, (at) => [`n${at}`, { component: "set", values: { v: "{{input.v}}" } }]),
				options: { timeout_ms: LIMIT_MS },
			}),
			ALL,
		),
	},
	{
		name: "a retried node with its own limit",
		steps: callWebhook(
			() =>
				oneNode({
					component: "set",
					values: { all: list(1_000, () => "{{input.v | json | upper}}") },
					timeout_ms: 50,
					retry: { max: 20, delay_ms: 0 },
				}),
			ALL,
		),
	},
	{
		name: "10,000 steps of a loop that each make JSON of the whole input",
		steps: callWebhook(
			() => ({
				triplets: ["input >> then >> each", "each >> FOREACH e >> one"],
				config: {
					each: { component: "foreach", items: "{{input.list}}", concurrency: 64 },
					one: { component: "template", text: "{{input.v | json | length}}" },
				},
				options: { timeout_ms: LIMIT_MS },
			}),
			[() => ({ list: list(9_000, () => 1), v: list(400_000, () => 1) })],
		),
	},
	{
		name: "loops in loops over one list",
		steps: callWebhook(
			() => ({
				triplets: ["input >> then >> n0", ...list(4, (at) => `n${at} >> FOREACH e${at} >> n${at + 1}`)],
				config: object(5, (at) => [`n${at}`, { component: "foreach", items: "{{input.v}}" }]),
				options: { timeout_ms: LIMIT_MS },
			}),
			[() => ({ v: list(90, () => 1) }), () => ({ v: list(400_000, () => 1) })],
		),
	},
	{
		name: "a missing value in 10,000 places",
		steps: callWebhook(
			() =>
				limited({
					component: "set",
					values: { all: list(10_000, () => '{{input.missing.deep | default("x")}}') },
				}),
			ALL,
		),
	},
	{
		name: "long paths into deep data",
		steps: callWebhook(
			() => limited({ component: "set", values: { all: list(7_000, () => `{{input${".a".repeat(60)}}}`) } }),
			[() => JSON.parse(`${'{"a":'.repeat(60)}1${"}".repeat(60)}`)],
		),
	},
];

export const templates: Family = { name: "templates", cases: [...filters, ...chained, ...runs] };
