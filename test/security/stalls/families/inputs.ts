import {
	type Case,
	createNamed,
	type Family,
	get,
	NAMESPACE,
	oneNode,
	pause,
	type Send,
	type Step,
	send,
	TENANT,
	trigger,
	webhook,
} from "../case.ts";
import { createFilled, createNested, list, object } from "../shapes.ts";

const BYTES = 1_040_000;

/** Bodies of about a megabyte, as text. */
const BODIES: Readonly<Record<string, () => string>> = {
	"empty lists": () => `{"v":[${createFilled(BYTES, () => "[]", ",")}]}`,
	"empty objects": () => `{"v":[${createFilled(BYTES, () => "{}", ",")}]}`,
	digits: () => `{"v":[${createFilled(BYTES, () => "1", ",")}]}`,
	"long numbers": () => `{"v":[${createFilled(BYTES, () => "1.2345678901234567e-300", ",")}]}`,
	"a number of a megabyte": () => `{"v":${"9".repeat(BYTES)}}`,
	"many keys": () => `{${createFilled(BYTES, (at) => `"k${at}":1`, ",")}}`,
	"one key again and again": () => `{${createFilled(BYTES, () => '"k":1', ",")}}`,
	"keys that are numbers": () => `{${createFilled(BYTES, (at) => `"${at * 7919}":1`, ",")}}`,
	"keys of the language": () => `{${createFilled(BYTES, () => '"__proto__":{}', ",")}}`,
	"objects of many shapes": () => `{"v":[${createFilled(BYTES, (at) => `{"a${at}":1,"b${at}":2}`, ",")}]}`,
	"a text": () => `{"v":"${"x".repeat(BYTES)}"}`,
	"a text of escapes": () => `{"v":"${"\\u00e9".repeat(BYTES / 6)}"}`,
	"a text of controls": () => `{"v":"${"\\u0001".repeat(BYTES / 6)}"}`,
	"a text of halves": () => `{"v":"${"\\ud800".repeat(BYTES / 6)}"}`,
	"a text of other scripts": () => `{"v":"${"漢".repeat(BYTES / 3)}"}`,
	"short texts": () => `{"v":[${createFilled(BYTES, () => '""', ",")}]}`,
	"64 levels": () => `{"v":[${createFilled(BYTES, () => "[".repeat(61) + "]".repeat(61), ",")}]}`,
	"bottomless lists": () => "[".repeat(BYTES),
	"bottomless objects": () => '{"a":'.repeat(BYTES / 5),
	"bottomless and closed": () => "[".repeat(BYTES / 2) + "]".repeat(BYTES / 2),
	blanks: () => `${" ".repeat(BYTES)}{}`,
	"invalid JSON at the end": () => `{"v":[${createFilled(BYTES, () => "1", ",")}]}x`,
	zeros: () => "\0".repeat(BYTES),
};

const ECHO = () => oneNode({ component: "set", values: { echo: "{{input}}" } });
const NOTHING = () => oneNode({ component: "set", values: { ok: true } });

const triggers: Case[] = Object.entries(BODIES).map(([name, make]) => ({
	name: `trigger: ${name}`,
	steps: [
		...webhook(NOTHING, make),
		trigger(make, { headers: ["idempotency-key", `key-${name.replaceAll(" ", "-")}`] }),
		...webhook(ECHO, make),
	],
	...(["many keys", "64 levels", "objects of many shapes"].includes(name) && { isQuick: true as const }),
}));

const later: Case[] = ["empty lists", "many keys", "a text", "64 levels", "objects of many shapes"].map(
	(name) => ({
		name: `accepted for later: ${name}`,
		steps: [
			...webhook(NOTHING),
			trigger(BODIES[name] as () => string, { headers: ["prefer", "respond-async"] }),
			pause(300),
		],
		...(["many keys", "objects of many shapes"].includes(name) && { isQuick: true as const }),
	}),
);

/** All other routes with a body. */
const POSTS = [
	"/webhooks",
	"/webhooks/named",
	"/workflows",
	"/workflows/validate",
	"/events",
	"/init/seed",
	"/workflows/backfill-search-entries",
	"/webhooks/named/nobody/trigger",
	"/webhooks/named/nobody/query",
	"/register",
	"/token",
	"/revoke",
	"/authorize",
	"/mcp",
	"/registry/submissions",
	"/graph",
];
const PUTS = ["/credentials/x", "/recipes/x", "/auth-recipes/x", "/components/x"];

const posts: Case[] = [
	...POSTS.map((path) => ["POST", path] as const),
	...PUTS.map((path) => ["PUT", path] as const),
].map(([method, path]) => ({
	name: `${method} ${path}: bodies of every kind`,
	steps: Object.values(BODIES).map((make) => send(path, make, { method, alsoFine: [302] })),
}));

const raw = (path: string, headers: readonly string[], body: () => string, method = "POST"): Send => ({
	kind: "send",
	to: "service",
	method,
	path,
	headers: [...TENANT, ...headers],
	body,
});

const form = (count: number): string => createFilled(count, (at) => `k${at}=${"v".repeat(3)}`, "&");

const types: Case[] = [
	{
		name: "forms of many fields",
		steps: ["/authorize", "/token", "/revoke", "/register"].flatMap((path) => [
			raw(path, ["content-type", "application/x-www-form-urlencoded"], () => form(1_000_000)),
			raw(path, ["content-type", "application/x-www-form-urlencoded"], () => "a&".repeat(500_000)),
			raw(
				path,
				["content-type", "application/x-www-form-urlencoded"],
				() => `state=${"%41".repeat(300_000)}`,
			),
		]),
	},
	{
		name: "multipart bodies",
		steps: ["/authorize", "/token", "/webhooks", "/events"].map((path) =>
			raw(path, ["content-type", "multipart/form-data; boundary=x"], () =>
				createFilled(1_000_000, (at) => `--x\r\nContent-Disposition: form-data; name="n${at}"\r\n\r\nv\r\n`),
			),
		),
	},
	{
		name: "odd content types",
		steps: [
			"text/plain",
			"application/xml",
			"application/yaml",
			"application/cloudevents+json",
			"application/cloudevents-batch+json",
			"image/png",
			"a/b; charset=utf-16",
			";".repeat(10_000),
		].flatMap((type) =>
			["/webhooks", "/events", "/workflows/validate"].map((path) =>
				raw(path, ["content-type", type], () => `{"v":[${createFilled(900_000, () => "1", ",")}]}`),
			),
		),
	},
	{
		name: "events in headers",
		steps: [
			raw(
				"/events",
				[
					"content-type",
					"application/json",
					"ce-specversion",
					"1.0",
					"ce-id",
					"1",
					"ce-source",
					"s".repeat(8_000),
					"ce-type",
					"a.".repeat(4_000),
				],
				() => "[]",
			),
			raw(
				"/events",
				[
					"content-type",
					"application/octet-stream",
					"ce-specversion",
					"1.0",
					"ce-id",
					"2",
					"ce-source",
					"s",
					"ce-type",
					"a",
				],
				() => "x".repeat(1_000_000),
			),
			raw(
				"/events",
				[
					"content-type",
					"application/json",
					"ce-specversion",
					"1.0",
					"ce-id",
					"3",
					"ce-source",
					"s",
					"ce-type",
					"a",
					...list(400, (at) => [`ce-x${at}`, "v".repeat(100)]).flat(),
				],
				() => "[]",
			),
		],
	},
];

/** Request targets of up to 60 KB; the listener accepts headers of 64 KiB. */
const TARGET = 60_000;
const QUERIES: Readonly<Record<string, () => string>> = {
	"one name again and again": () => "a&".repeat(TARGET / 2),
	"one name with values": () => createFilled(TARGET, () => "workflow=x", "&"),
	"many names": () => createFilled(TARGET, (at) => `k${at}=1`, "&"),
	"percent signs": () => `q=${"%41".repeat(TARGET / 3)}`,
	"broken percent signs": () => `q=${"%".repeat(TARGET)}`,
	"plus signs": () => `q=${"+".repeat(TARGET)}`,
	"a long value": () => `q=${"x".repeat(TARGET)}`,
	"names of the language": () => createFilled(TARGET, () => "__proto__=1", "&"),
};

const GETS = [
	"/webhooks",
	"/webhooks/named",
	"/executions",
	"/components",
	"/recipes",
	"/portal/data/workflows",
	"/authorize",
	"/q/stalls/nobody",
	"/registry/components",
	"/gui/executions",
	"/console",
	"/healthz",
];

const queries: Case[] = [
	...Object.entries(QUERIES).map(([name, make]) => ({
		name: `queries: ${name}`,
		steps: GETS.map((path) => get(`${path}?${make()}`, { alsoFine: [302, 431] })),
		...(name === "one name again and again" && { isQuick: true as const }),
	})),
	{
		name: "long paths",
		steps: [
			"/".repeat(TARGET),
			`/${"a/".repeat(TARGET / 2)}`,
			`/${"%2F".repeat(TARGET / 3)}`,
			`/webhooks/${"a".repeat(TARGET)}/trigger`,
			`/q/stalls/${"%C3%A9".repeat(TARGET / 6)}`,
			`/console/${"../".repeat(TARGET / 3)}`,
		].map((path) => get(path, { alsoFine: [302, 431] })),
	},
	{
		name: "many headers, and long ones",
		steps: [
			get("/components", {
				headers: list(900, (at) => [`x-h${at}`, "v".repeat(40)]).flat(),
				alsoFine: [431],
			}),
			get("/components", {
				headers: ["accept", createFilled(30_000, () => "application/yaml;q=0.1", ",")],
				alsoFine: [431],
			}),
			get("/webhooks/named", { headers: ["accept", ";q=".repeat(10_000)], alsoFine: [431] }),
			get("/components", { headers: ["authorization", `Bearer ${"a".repeat(50_000)}`], alsoFine: [431] }),
			get("/components", {
				headers: ["cookie", createFilled(50_000, (at) => `c${at}=1`, "; ")],
				alsoFine: [431],
			}),
			get("/components", { headers: ["prefer", "respond-async, ".repeat(3_000)], alsoFine: [431] }),
			get("/components", { headers: ["x-forwarded-for", "1.1.1.1, ".repeat(5_000)], alsoFine: [431] }),
			get("/components", {
				headers: list(400, () => ["x-request-id", "a".repeat(100)]).flat(),
				alsoFine: [431],
			}),
		],
	},
	{
		name: "logins with long parameters",
		steps: ["client_id", "redirect_uri", "state", "scope", "code_challenge", "resource"].flatMap(
			(parameter) =>
				[
					"x".repeat(50_000),
					"http://127.0.0.1/".repeat(3_000),
					"%00".repeat(15_000),
					"https://a.example/?".padEnd(50_000, "a[]="),
				].map((value) =>
					get(
						`/authorize?response_type=code&client_id=a&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcb&code_challenge=${"a".repeat(43)}&code_challenge_method=S256&${parameter}=${encodeURIComponent(value).slice(0, 55_000)}`,
						{ alsoFine: [302, 431] },
					),
				),
		),
	},
];

const signed: Case = {
	name: "signed calls with many signatures",
	steps: [
		send(
			"/credentials/signer",
			() => ({ auth_recipe: "signing_secret", fields: { secret: "a long random text" } }),
			{ method: "PUT", isPreparation: true },
		),
		...webhook(() => ({
			...oneNode({ component: "set", values: {} }),
			options: { signature: { scheme: "stripe", credential: "signer" } },
		})),
		trigger(() => "x".repeat(1_000_000), {
			headers: ["stripe-signature", `t=1,${createFilled(50_000, () => `v1=${"a".repeat(64)}`, ",")}`],
			alsoFine: [431],
		}),
		trigger(() => "x".repeat(1_000_000), {
			headers: ["stripe-signature", ",=".repeat(25_000)],
			alsoFine: [431],
		}),
	],
};

const open: Step[] = [
	{
		...send("/workflows", () => createNamed("open-query", { ...NOTHING(), options: { query: true } })),
		isPreparation: true,
	},
	...Object.values(QUERIES).map((make) => get(`/q/${NAMESPACE}/open-query?${make()}`, { alsoFine: [431] })),
	...Object.values(BODIES).map((make) => send("/webhooks/named/open-query/query", make)),
];

const deepInputs: Case = {
	name: "inputs that are deep and are read",
	steps: webhook(
		() => oneNode({ component: "set", values: { a: "{{input.v}}", t: "{{input.v}} {{input.v | json}}" } }),
		() => ({ v: list(2_500, () => createNested(60, (inner) => ({ a: inner }))) }),
		() => ({ v: object(2_000, (at) => [`k${at}`, createNested(60, (inner) => [inner])]) }),
	),
};

export const inputs: Family = {
	name: "inputs",
	cases: [
		...triggers,
		...later,
		...posts,
		...types,
		...queries,
		signed,
		{ name: "open queries", steps: open },
		deepInputs,
	],
};
