import { type Case, createNamed, type Family, get, oneNode, send, trigger, webhook } from "../case.ts";
import { createFilled, createNested, list, object } from "../shapes.ts";

/** Valid documents of up to a megabyte, which are saved and read back. */
const DOCUMENTS: Readonly<Record<string, () => object>> = {
	"70,000 keys": () => setting(object(70_000, (at) => [`k${at}`, at])),
	"300,000 empty lists": () => setting({ v: list(300_000, () => []) }),
	"300,000 empty objects": () => setting({ v: list(300_000, () => ({})) }),
	"300,000 numbers": () => setting({ v: list(400_000, () => 1) }),
	"25,000 templates": () => setting({ v: list(25_000, () => "{{input}}") }),
	"texts that look like something else": () =>
		setting({ v: list(90_000, (at) => ["true", "1e3", "~", "0x1", "- a", "2026-01-01"][at % 6]) }),
	"lists 58 levels deep": () => setting({ v: list(7_000, () => createNested(55, (inner) => [inner])) }),
	"objects 58 levels deep": () =>
		setting({ v: list(2_000, () => createNested(55, (inner) => ({ a: inner }))) }),
	"a long text": () => setting({ v: "x ".repeat(450_000) }),
	"a text without blanks": () => setting({ v: "x".repeat(900_000) }),
	"a text of many lines": () => setting({ v: "x\n".repeat(300_000) }),
	"a text of blanks and line ends": () => setting({ v: " \n".repeat(300_000) }),
	"a text of quotes": () => setting({ v: `"'`.repeat(250_000) }),
	"a text of invisible characters": () => setting({ v: "\u2028\u0001".repeat(80_000) }),
	"a text of colons": () => setting({ v: ": # ".repeat(200_000) }),
	"long keys": () => setting(object(900, (at) => [`${"k ".repeat(450)}${at}`, 1])),
	"10,000 edges": () => ({
		triplets: list(9_900, (at) => `n${at % 90} >> CASE ${at} >> n${90 + (at % 110)}`),
		config: object(200, (at) => [`n${at}`, { component: "wait", ms: 0 }]),
	}),
	"1,000 nodes": () => thousandNodes(20),
	"a context of a megabyte": () => ({ ...setting({}), context: { v: list(400_000, () => 1) } }),
};

/** Each node has this many templates. */
function thousandNodes(templates: number): object {
	return {
		triplets: list(999, (at) => `n${at} >> then >> n${at + 1}`),
		config: object(1_000, (at) => [
			`n${at}`,
			{ component: "set", values: object(templates, (key) => [`k${key}`, `{{input.a${key}}}`]) },
		]),
	};
}

function setting(values: object): object {
	return oneNode({ component: "set", values });
}

const YAML: readonly string[] = ["accept", "application/yaml"];

const documents: Case[] = Object.entries(DOCUMENTS).map(([name, make]) => ({
	name: `a saved document of ${name}, in both forms`,
	steps: [
		send("/workflows", () => createNamed("read-back", make()), { isPreparation: true }),
		get("/webhooks/named/read-back"),
		get("/webhooks/named/read-back", { headers: YAML }),
		send("/webhooks/named/read-back/trigger?trace=false", () => ({})),
		get("/webhooks/named?name=read-back"),
		get("/webhooks/named/read-back", { method: "DELETE" }),
	],
	...(name === "objects 58 levels deep" && { isQuick: true as const }),
}));

/** Refused, so they are never read back. */
const refused: Case = {
	name: "documents that are too large to be saved",
	steps: [
		send("/workflows", () => createNamed("too-large", setting({ v: list(60_000, () => "{{input}}") }))),
		send("/workflows", () => createNamed("too-large", thousandNodes(40))),
		get("/webhooks/named/too-large"),
	],
};

const STREAM: readonly string[] = ["accept", "text/event-stream"];
const LOOP = () => ({
	triplets: ["input >> then >> l", "l >> FOREACH e >> n"],
	config: {
		l: { component: "foreach", items: "{{input.v}}", on_item_error: "collect", concurrency: 64 },
		n: { component: "template", text: "{{e.missing}}" },
	},
});

const watched: Case[] = [
	{
		name: "a loop of 9,900 failures, with its trace",
		steps: [
			...webhook(LOOP),
			{ ...trigger(() => ({ v: list(9_900, () => 1) })), path: "/webhooks/{token}/trigger" },
			{
				...trigger(() => ({ v: list(9_900, () => createFilled(80, () => "x")) })),
				path: "/webhooks/{token}/trigger?trace=true",
			},
		],
	},
	{
		name: "a loop of 9,900 failures that is watched",
		steps: [...webhook(LOOP), trigger(() => ({ v: list(9_900, () => 1) }), { headers: STREAM })],
		isQuick: true,
	},
	{
		name: "1,000 nodes that are watched",
		steps: [
			...webhook(() => thousandNodes(20)),
			trigger(() => object(20, (at) => [`a${at}`, "x".repeat(1_000)]), { headers: STREAM }),
		],
	},
	{
		name: "a failure with a message of a megabyte",
		steps: webhook(
			() => oneNode({ component: "fail", message: "{{input.t}}" }),
			() => ({ t: "é".repeat(450_000) }),
		),
	},
	{
		name: "20 answers that are kept for a day, of a megabyte each",
		steps: [
			...webhook(() => oneNode({ component: "set", values: { v: "{{input.v}}" } })),
			...list(20, (at) =>
				trigger(() => ({ v: list(400_000, () => 1) }), { headers: ["idempotency-key", `kept-${at}`] }),
			),
			trigger(() => ({ v: list(400_000, () => 1) }), { headers: ["idempotency-key", "kept-1"] }),
		],
	},
];

export const reading: Family = { name: "reading", cases: [...documents, refused, ...watched] };
