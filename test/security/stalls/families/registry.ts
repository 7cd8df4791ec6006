import { type Case, type Family, get, type Send, send } from "../case.ts";
import { createFilled, createNested, list, object, text } from "../shapes.ts";

/** A valid manifest except for the given fields. */
const manifest = (fields: object): object => ({
	id: "hostile_component",
	version: "1.0.0",
	kind: "code",
	title: "Hostile",
	description: "Hostile",
	publisher: "Mallory",
	license: "MIT",
	tags: [],
	hosts: [],
	credentials: [],
	params: { type: "object", properties: { n: { type: "number" } } },
	output: {},
	code: "return 1;",
	examples: [{ title: "One", params: { n: 1 }, output: 1 }],
	...fields,
});

/** The publisher's token, which is needed once a submission has passed. */
const PUBLISHER: readonly string[] = ["x-publisher-token", "token-of-the-publisher-of-the-stall-tests"];

const offer = (make: () => object): Send =>
	send("/registry/submissions", () => ({ manifest: make() }), { headers: PUBLISHER });
/** A pending submission blocks its id, so each case has its own id. */
const buildId = (name: string): string =>
	`h${name
		.replaceAll(/[^a-z0-9]+/gi, "_")
		.toLowerCase()
		.slice(-60)}`;
const one = (name: string, fields: () => object, more: Pick<Case, "isQuick"> = {}): Case => ({
	name,
	steps: [offer(() => manifest({ id: buildId(name), ...fields() }))],
	...more,
});

/** Patterns of a given length, by what is hard about them. */
const PATTERNS: Readonly<Record<string, (characters: number) => string>> = {
	"a group that repeats in a group": () => "^(a+)+$",
	"optional letters": (size) => "a?".repeat(size / 2),
	"letters that repeat": (size) => "a*".repeat(size / 2),
	"letters that repeat in a group that repeats": (size) => `(${"a*".repeat(size / 2)})*`,
	"optional letters in a repeated group": (size) => `(${"a?".repeat(size / 2)})*`,
	"alternatives of one letter": (size) => `(${text(size / 2, () => "a", "|")})*`,
	"alternatives of many letters": (size) =>
		`(${createFilled(size, (at) => String.fromCodePoint(97 + (at % 26)), "|")})+`,
	"alternatives of nothing": (size) => `(${"|".repeat(size)})*`,
	"groups in groups": (size) => "(".repeat(Math.min(size / 2, 200)) + ")*".repeat(Math.min(size / 2, 200)),
	"groups in groups in groups": (size) => "(".repeat(size / 2) + ")".repeat(size / 2),
	counts: (size) => createFilled(size, () => "a{8}"),
	"counts of counts": () => "((((((a{8}){8}){8}){8}){8}){8}){8}",
	"optional counts": () => `${"(".repeat(6)}a?${"){0,8}".repeat(6)}`,
	classes: (size) => createFilled(size, () => "[a-z0-9_]*"),
	"classes of everything": (size) => `([^]*)${"[^]*".repeat(size / 4)}`,
	"a class that is never closed": (size) => `[${"a-z".repeat(size / 3)}`,
	looks: (size) => createFilled(size, () => "(?=a*)"),
	"looks in looks": (size) => "(?=".repeat(Math.min(size / 4, 100)) + ")".repeat(Math.min(size / 4, 100)),
	"looks in looks with much in them": (size) =>
		`${"(?=a*b*c*".repeat(90)}${createFilled(size - 2_000, () => "x")}${")".repeat(90)}`,
	references: (size) => `(a)${"\\1*".repeat(size / 3)}`,
	escapes: (size) => "\\u0061*".repeat(size / 7),
	"letters only": (size) => "a".repeat(size),
	"dots that repeat": (size) => ".*".repeat(size / 2),
	"different letters that repeat": (size) =>
		createFilled(size, (at) => `${String.fromCodePoint(97 + (at % 26))}*`),
};

const inCode = (pattern: string): object => ({ code: `return /${pattern}/.test("a");` });

/** Some are hostile at any length. */
const patterns: Case[] = Object.entries(PATTERNS).flatMap(([name, make]) =>
	(make.length === 0 ? [2_000] : [2_000, 30_000, 60_000]).map((size) =>
		one(`a pattern of ${name}, up to ${size / 1000} KB`, () => inCode(make(size))),
	),
);

const manyPatterns: Case[] = Object.entries(PATTERNS).map(([name, make]) =>
	one(`many patterns of ${name}`, () => ({ code: createFilled(60_000, () => `x = /${make(600)}/;\n`) })),
);

const inTrial: Case[] = [
	one(
		"a pattern that takes for ever in an example",
		() => ({ code: "return /^(a+)+$/.test('a'.repeat(40) + 'b') ? 0 : 1;" }),
		{ isQuick: true },
	),
	one("a pattern made of a text", () => ({
		code: `return new RegExp(${JSON.stringify(PATTERNS["optional letters in a repeated group"]?.(30_000))}).test("a");`,
	})),
];

/** Strings are looked for only in code that declares hosts. */
const texts: Case[] = Object.entries({
	slashes: () => "/".repeat(60_000),
	divisions: () => `return ${"1/".repeat(30_000)}1;`,
	quotes: () => "'".repeat(60_000),
	"templates in templates": () => "`${".repeat(20_000),
	braces: () => "`${{".repeat(15_000),
	comments: () => "/*".repeat(30_000),
	"line comments": () => "//\n".repeat(20_000),
	"line comments without an end": () => "// ".repeat(20_000),
	blanks: () => `return 1;${" ".repeat(60_000)}`,
	"names and divisions": () => createFilled(60_000, () => "a /b/ c;"),
	patterns: () => createFilled(60_000, () => "x = /[/'](a?a?a?a?)*/;\n"),
	addresses: () => createFilled(60_000, (at) => `http({url: "https://h${at}.example.com/"});`),
}).map(([name, make]) => one(`code of ${name}`, () => ({ hosts: ["api.example.com"], code: make() })));

const inSchemas: Case[] = [
	one("a schema with a hostile pattern", () => ({
		params: {
			type: "object",
			properties: {
				a: {
					type: "string",
					pattern: PATTERNS["optional letters in a repeated group"]?.(30_000),
				},
			},
		},
	})),
	one("a schema with 5,000 patterns", () => ({
		params: { type: "object", properties: object(3_000, (at) => [`p${at}`, { pattern: "(a?a?a?a?a?a?)*" }]) },
	})),
	one(
		"schemas of 100 alternatives and large examples",
		() => ({
			params: {
				type: "object",
				properties: {
					v: { anyOf: list(90, (at) => ({ type: "array", items: { type: "string", minLength: at } })) },
				},
			},
			examples: list(10, (at) => ({ title: `e${at}`, params: { v: list(10_000, () => 1) }, output: 1 })),
		}),
		{ isQuick: true },
	),
	one("an output schema of 100 alternatives and a large output", () => ({
		output: { anyOf: list(90, (at) => ({ type: "array", items: { type: "string", minLength: at } })) },
		code: "return new Array(400000).fill(1);",
		examples: [{ title: "One", params: { n: 1 }, output: [1] }],
	})),
	one("an output schema of a set and a large output", () => ({
		output: { type: "array", uniqueItems: true },
		code: "return Array.from({ length: 150000 }, (_, i) => i);",
		examples: [{ title: "One", params: { n: 1 }, output: [1] }],
	})),
	one("an example whose output is deep", () => ({
		examples: [{ title: "One", params: { n: 1 }, output: createNested(58, (inner) => [inner]) }],
	})),
	one("an example whose output is large", () => ({
		code: "return Array.from({ length: 80000 }, () => []);",
		output: {},
		examples: [{ title: "One", params: { n: 1 }, output: list(80_000, () => []) }],
	})),
	one("1,000 examples", () => ({
		examples: list(5_000, (at) => ({ title: `e${at}`, params: { n: 1 }, output: 1 })),
	})),
	one("10 examples that never end", () => ({
		code: "while (true) {}",
		examples: list(10, (at) => ({ title: `e${at}`, params: { n: 1 }, output: 1 })),
	})),
	one("10 examples that take all memory", () => ({
		code: "const a = []; while (true) a.push(new Array(1000).fill(1));",
		examples: list(10, (at) => ({ title: `e${at}`, params: { n: 1 }, output: 1 })),
	})),
];

const named: Case[] = [
	one("an id of 64 letters", () => ({ id: "a".repeat(64) })),
	one("an id of a megabyte", () => ({ id: "a".repeat(400_000) })),
	one("a title of a megabyte", () => ({ title: "t".repeat(400_000) })),
	one("a publisher of blanks", () => ({ publisher: `M${" ".repeat(62)}y` })),
	one("10,000 tags", () => ({ tags: list(40_000, (at) => `t${at}`) })),
	one("10,000 hosts", () => ({ hosts: list(20_000, (at) => `h${at}.example.com`) })),
	one("20 hosts of 253 letters", () => ({ hosts: list(20, (at) => `${"a.".repeat(120)}h${at}.com`) })),
	one("a version of many digits", () => ({ version: `${"9".repeat(100_000)}.0.0` })),
	one("60,000 unknown fields", () => object(25_000, (at) => [`f${at}`, 1])),
	one("500 auth recipes", () => ({
		auth_recipes: object(900, (at) => [
			`auth_${at}`,
			{
				title: "t",
				type: "bearer",
				fields: [{ name: "token", secret: true, help: "h" }],
				hosts: ["a.example.com"],
				inject: {},
			},
		]),
	})),
];

const operation = (fields: object = {}): object => ({
	title: "t",
	method: "GET",
	path: "/a",
	params: { type: "object", properties: { id: { type: "string" } } },
	output: { schema: {} },
	...fields,
});

const recipe = (operations: object): object => {
	const { code: _c, params: _p, output: _o, examples: _e, ...rest } = manifest({}) as Record<string, unknown>;
	return {
		...rest,
		kind: "recipe",
		hosts: ["a.example.com"],
		recipe: { auth: null, base_url: "https://a.example.com", docs_url: "https://a.example.com", operations },
	};
};

const recipes: Case[] = Object.entries({
	"900 operations": () => object(900, (at) => [`op${at}`, operation()]),
	"a body of 10,000 templates": () => ({
		op: operation({ method: "POST", body: { kind: "json", value: list(12_000, () => "{{params.id}}") } }),
	}),
	"a body of wrong templates": () => ({
		op: operation({ method: "POST", body: { kind: "json", value: list(15_000, () => "{{params.") } }),
	}),
	"a template of 200 KB": () => ({
		op: operation({ method: "POST", body: { kind: "json", value: "{{params.id}}".repeat(15_000) } }),
	}),
	"a path of many parameters": () => ({ op: operation({ path: `/${"{id}/".repeat(40_000)}` }) }),
	"hostile schemas": () => ({
		op: operation({
			params: {
				type: "object",
				properties: object(500, (at) => [`p${at}`, { anyOf: list(3, () => ({ type: "string" })) }]),
			},
		}),
	}),
	"20,000 headers": () => ({
		op: operation({ headers: object(15_000, (at) => [`x-${at}`, "{{params.id}}"]) }),
	}),
	"20,000 query parameters": () => ({
		op: operation({ query: object(15_000, (at) => [`q${at}`, "{{params.id}}"]) }),
	}),
}).map(([name, operations]) => ({
	name: `a recipe with ${name}`,
	steps: [offer(() => ({ ...recipe(operations()), id: buildId(name) }))],
}));

const reading: Case[] = [
	{
		name: "the market by long words",
		steps: [
			get(`/registry/components?q=${"a+".repeat(25_000)}`),
			get(`/registry/components?q=${"a".repeat(50_000)}`),
			get(`/registry/components?q=${text(90, (at) => `w${at}`, "+")}`),
			get(`/registry/components?tag=${"a".repeat(50_000)}`),
			get(`/registry/components?${"q=a&".repeat(12_000)}`),
			get(`/registry/components/${"a".repeat(50_000)}`),
			get(`/registry/components?limit=100&cursor=${"A".repeat(50_000)}`),
		],
	},
	{
		name: "200 submissions that wait",
		steps: [
			...list(40, (at) =>
				send("/registry/submissions", () => ({
					manifest: manifest({
						id: `waits_${at}_abcdefgh${at * 7919}`,
						publisher: `Publisher ${at} ${at * 7919}`,
						description: "d".repeat(4_000),
						code: `return 1;${" ".repeat(60_000)}`,
					}),
				})),
			),
			get("/registry/submissions?limit=100", {
				headers: ["authorization", "Bearer admin-token-of-the-stall-tests"],
			}),
		],
	},
];

export const registry: Family = {
	name: "registry",
	cases: [...patterns, ...manyPatterns, ...inTrial, ...texts, ...inSchemas, ...named, ...recipes, ...reading],
};
