import { type Case, type Family, get, NAMESPACE, type Send, send } from "../case.ts";
import { createFilled, createNested, list, object, text } from "../shapes.ts";

const put = (path: string, body: () => unknown): Send => send(path, body, { to: "store", method: "PUT" });
const post = (path: string, body: () => unknown): Send => send(path, body, { to: "store" });
const ask = (path: string): Send => get(path, { to: "store", alsoFine: [431] });

const entry = (fields: object): object => ({
	owner_id: NAMESPACE,
	entry_type: "hostile",
	page_name: "page",
	content: "",
	...fields,
});

/** Contents of about a megabyte. */
const CONTENTS: Readonly<Record<string, () => string>> = {
	"one word": () => "x".repeat(1_000_000),
	"many words": () => createFilled(1_000_000, (at) => `word${at}`, " "),
	"few words": () => createFilled(1_000_000, (at) => `w${at % 10}`, " "),
	blanks: () => " ".repeat(1_000_000),
	ideographs: () => "漢字".repeat(160_000),
	"different ideographs": () =>
		createFilled(330_000, (at) => String.fromCodePoint(0x4e00 + ((at * 7) % 20_000))),
	"combining marks": () => `e${"\u0301".repeat(480_000)}`,
	"letters that fold": () => "ßﬁİ".repeat(140_000),
	"names of things": () => createFilled(1_000_000, (at) => `a.b-c_d@e${at}`, " "),
	"dots and dashes": () => "a-b.".repeat(240_000),
	"one very long name": () => "a-".repeat(480_000),
	digits: () => createFilled(1_000_000, (at) => String(at), " "),
	emoji: () => "👩‍👩‍👧 ".repeat(50_000),
	Thai: () => "สวัสดี".repeat(55_000),
	"Hangul in parts": () => "한국어".normalize("NFD").repeat(40_000),
	controls: () => "\u0001".repeat(160_000),
};

const entries: Case[] = [
	...Object.entries(CONTENTS).map(([name, make]) => ({
		name: `an entry of ${name}`,
		steps: [
			put("/entries", () => entry({ page_name: name, content: make() })),
			post("/search", () => ({ owner_id: NAMESPACE, q: make().slice(0, 900) })),
		],
		...(name === "many words" && { isQuick: true as const }),
	})),
	...Object.entries(CONTENTS)
		.slice(0, 6)
		.map(([name, make]) => ({
			name: `an embedded entry of ${name}`,
			steps: [
				put("/entries", () => entry({ page_name: name, content: make(), metadata_json: '{"embed":true}' })),
			],
		})),
	{
		name: "metadata of a megabyte",
		steps: [
			put("/entries", () => entry({ metadata_json: JSON.stringify(object(40_000, (at) => [`k${at}`, at])) })),
			put("/entries", () => entry({ metadata_json: JSON.stringify({ a: list(300_000, () => []) }) })),
			put("/entries", () =>
				entry({ metadata_json: `{"a":${JSON.stringify(createNested(60, (inner) => [inner]))}}` }),
			),
			put("/entries", () => entry({ metadata_json: "[".repeat(900_000) })),
		],
	},
	{
		name: "a workflow entry with an odd schedule",
		steps: ["* ".repeat(400_000), "0 0 29 2 1", `${"0,".repeat(300_000)}0 * * * *`, "@".repeat(100_000)].map(
			(cron) =>
				put("/entries", () =>
					entry({
						entry_type: "workflow",
						page_name: "odd",
						metadata_json: JSON.stringify({
							cron_expr: cron,
							config: { trigger: { type: "schedule", timezone: "x".repeat(1_000) } },
						}),
					}),
				),
		),
	},
	{
		name: "300 entries at once, then all lists",
		steps: [
			...list(60, (at) =>
				post("/entries", () => entry({ page_name: `many ${at}`, content: "word ".repeat(10_000) })),
			),
			ask(`/entries?owner_id=${NAMESPACE}&limit=1000`),
			ask(`/usage?owner_id=${NAMESPACE}`),
			post("/search", () => ({ owner_id: NAMESPACE, q: "word", limit: 100 })),
			post("/search/rebuild", () => ({ after: 0 })),
		],
	},
];

const SEARCHES: Readonly<Record<string, () => unknown>> = {
	"a megabyte": () => "x ".repeat(500_000),
	"1,000 letters": () => "x".repeat(1_000),
	"500 words": () => text(250, (at) => `${at % 10}a`, " "),
	ideographs: () => "漢".repeat(1_000),
	"one letter": () => "a",
	"quotes and stars": () => '"*'.repeat(500),
	operators: () => "a AND b OR NEAR(c) ".repeat(50),
	"combining marks": () => `e${"\u0301".repeat(900)}`,
	"names of things": () => "a-b.c_d@e ".repeat(90),
	"a list": () => list(200_000, () => "x"),
};

const searches: Case[] = Object.entries(SEARCHES).map(([name, q]) => ({
	name: `a search for ${name}`,
	steps: [
		post("/search", () => ({ owner_id: NAMESPACE, q: q() })),
		ask(`/graph/search?owner_id=${NAMESPACE}&q=${encodeURIComponent(String(q())).slice(0, 50_000)}`),
	],
}));

const SOURCE = { uri: "hostile:source", hash: "1" };

const graph: Case[] = [
	{
		name: "a batch of 500 triplets",
		steps: [
			post("/triplets/ingest/batch", () => ({
				owner_id: NAMESPACE,
				source: SOURCE,
				candidates: list(500, (at) => ({ subject: `s${at}`, predicate: "p", object: `o${at}` })),
			})),
		],
		isQuick: true,
	},
	{
		name: "a batch of 10,000 triplets",
		steps: [
			post("/triplets/ingest/batch", () => ({
				owner_id: NAMESPACE,
				source: SOURCE,
				candidates: list(15_000, (at) => ({ subject: `s${at}`, predicate: "p", object: `o${at}` })),
			})),
		],
	},
	{
		name: "a batch of wrong triplets",
		steps: [
			post("/triplets/ingest/batch", () => ({
				owner_id: NAMESPACE,
				source: SOURCE,
				candidates: list(200_000, () => 1),
			})),
		],
	},
	{
		name: "a batch of triplets with unknown fields",
		steps: [
			post("/triplets/ingest/batch", () => ({
				owner_id: NAMESPACE,
				source: SOURCE,
				candidates: list(500, () => object(100, (at) => [`f${at}`, 1])),
			})),
		],
	},
	{
		name: "triplets with long names",
		steps: [
			post("/triplets/ingest", () => ({
				owner_id: NAMESPACE,
				subject: "s".repeat(900_000),
				predicate: "p",
				object: "o",
				source: SOURCE,
			})),
			post("/triplets/ingest", () => ({
				owner_id: NAMESPACE,
				subject: "ﷺ".repeat(80_000),
				predicate: "p",
				object: "o",
				source: SOURCE,
			})),
			post("/triplets/ingest", () => ({
				owner_id: NAMESPACE,
				subject: "s",
				predicate: "p",
				object: "o",
				source: { uri: "u".repeat(900_000), hash: "h" },
			})),
			post("/triplets/ingest", () => ({
				owner_id: NAMESPACE,
				subject: "s",
				predicate: "p",
				object: "o",
				source: SOURCE,
				gloss: { subject: "g ".repeat(400_000) },
			})),
		],
	},
	{
		name: "walks through a dense graph",
		steps: [
			...list(8, (batch) =>
				post("/triplets/ingest/batch", () => ({
					owner_id: NAMESPACE,
					source: { uri: `hostile:dense:${batch}`, hash: "1" },
					candidates: list(500, (at) => ({
						subject: `d${(batch * 500 + at) % 64}`,
						predicate: `p${at % 3}`,
						object: `d${Math.floor((batch * 500 + at) / 64)}`,
					})),
				})),
			),
			...[1, 3, 5].map((depth) =>
				ask(`/graph/traverse?owner_id=${NAMESPACE}&name=d1&depth=${depth}&limit=1000`),
			),
			...[1, 3, 5].map((depth) => ask(`/graph/neighbors/d1?owner_id=${NAMESPACE}&depth=${depth}&limit=1000`)),
			ask(`/graph/why?owner_id=${NAMESPACE}&subject=d1&predicate=p1&object=d2`),
			ask(`/graph/source/d1?owner_id=${NAMESPACE}`),
		],
		isQuick: true,
	},
	{
		name: "walks with long names",
		steps: ["x".repeat(50_000), "%EF%B7%BA".repeat(5_000), "%00".repeat(9_000)].flatMap((name) => [
			ask(`/graph/traverse?owner_id=${NAMESPACE}&name=${name}`),
			ask(`/graph/neighbors/${name}?owner_id=${NAMESPACE}`),
			ask(`/graph/source/${name}?owner_id=${NAMESPACE}`),
		]),
	},
];

const records: Case[] = [
	{
		name: "templates of many slots",
		steps: [
			post("/templates", () => ({
				owner_id: NAMESPACE,
				name: "wide",
				slots: list(12_000, (at) => ({ name: `slot${at}`, type: "string", default: "x" })),
			})),
			post("/templates", () => ({
				owner_id: NAMESPACE,
				name: "same",
				slots: list(15_000, () => ({ name: "slot", type: "string" })),
			})),
			post("/templates", () => ({
				owner_id: NAMESPACE,
				name: "w200",
				slots: list(200, (at) => ({ name: `slot${at}`, type: "any", default: list(1_000, () => 1) })),
			})),
			post("/records", () => ({ owner_id: NAMESPACE, template: "w200", values: {} })),
			ask(`/records?owner_id=${NAMESPACE}&template=w200&limit=100`),
		],
	},
	{
		name: "records of many values",
		steps: [
			post("/templates", () => ({ owner_id: NAMESPACE, name: "any", slots: [{ name: "v", type: "any" }] })),
			post("/records", () => ({
				owner_id: NAMESPACE,
				template: "any",
				values: { v: list(340_000, () => []) },
			})),
			post("/records", () => ({
				owner_id: NAMESPACE,
				template: "any",
				values: object(60_000, (at) => [`k${at}`, 1]),
			})),
			post("/records", () => ({
				owner_id: NAMESPACE,
				template: "any",
				values: { v: list(7_000, () => createNested(55, (inner) => [inner])) },
			})),
			post("/records", () => ({
				owner_id: NAMESPACE,
				template: "any",
				values: { v: "x".repeat(1_000_000) },
			})),
			ask(`/records?owner_id=${NAMESPACE}&template=any&limit=100`),
		],
	},
];

const log: Case[] = [
	{
		name: "500 execution records of 2,000 characters",
		steps: [
			post("/execution-log", () => ({
				records: list(400, (at) => ({
					owner_id: NAMESPACE,
					workflow: `w${at}`,
					verdict: "failed",
					duration_ms: 1,
					error: "e".repeat(2_000),
				})),
			})),
			post("/execution-log", () => ({ records: list(20_000, () => ({ owner_id: NAMESPACE })) })),
			post("/execution-log", () => ({
				owner_id: NAMESPACE,
				workflow: "w",
				verdict: "failed",
				duration_ms: 1,
				error: "e".repeat(900_000),
				context: object(1_000, (at) => [`k${at}`, 1]),
			})),
			ask(`/execution-log?owner_id=${NAMESPACE}&q=${"e".repeat(150)}&limit=100`),
			ask(`/execution-log/summary?owner_id=${NAMESPACE}`),
			ask(`/execution-log/latest?owner_id=${NAMESPACE}`),
			ask(`/execution-log/latest?owner_id=${NAMESPACE}&${text(3_500, (at) => `workflow=w${at}`, "&")}`),
		],
	},
	{
		name: "one parameter 30,000 times",
		steps: ["entries", "execution-log", "execution-log/latest", "records", "usage", "graph/traverse"].map(
			(path) => ask(`/${path}?${"a&".repeat(29_000)}`),
		),
		isQuick: true,
	},
	{
		name: "the latest of 6,000 workflows",
		steps: [ask(`/execution-log/latest?owner_id=${NAMESPACE}&${text(6_000, () => "workflow", "&")}`)],
	},
];

export const store: Family = {
	name: "store",
	cases: [...entries, ...searches, ...graph, ...records, ...log],
};
