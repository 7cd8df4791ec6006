import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { anyCharacter } from "../../../test/any-character.ts";
import { compileSource } from "../src/compile.ts";
import type { Source } from "../src/source.ts";
import { yamlSource } from "../src/yaml.ts";
import { catalogue } from "./catalogue.ts";

function compileSafely(source: Source) {
	const result = compileSource(source, { named: true, catalogue, credentials: new Map() });
	assert.ok(result.plan !== null || result.diagnostics.some(({ severity }) => severity === "error"));
	for (const { line, column } of result.diagnostics) {
		assert.ok((line === undefined || line >= 1) && (column === undefined || column >= 1));
	}
	return result;
}

/** CPU time: far more than a linear reader needs, far less than a quadratic one. */
const SECONDS = 5;

function testSoon(name: string, source: () => Source): void {
	test(name, () => {
		const input = source();
		const start = process.cpuUsage();
		compileSafely(input);
		assert.ok(process.cpuUsage(start).user < SECONDS * 1_000_000);
	});
}

const piece = fc.constantFrom(
	...[
		"{{",
		"}}",
		"{{input.x}}",
		"nodes[",
		"a",
		"b",
		" >> ",
		"FOREACH x",
		"CASE ",
		"then",
		"set",
		"if",
		"__proto__",
	],
);
const text = fc.oneof(
	fc.string({ unit: anyCharacter, maxLength: 20 }),
	fc.array(piece, { maxLength: 6 }).map((parts) => parts.join("")),
);
const triplet = fc
	.tuple(
		fc.constantFrom("a", "b", "c", "input", "nodes"),
		fc.constantFrom("then", "FOREACH x", "FOREACH input", "CASE 1", "ON_FAIL", "nope"),
		fc.constantFrom("a", "b", "c", "input"),
	)
	.map((parts) => parts.join(" >> "));
const value = fc.oneof(text, fc.jsonValue({ maxDepth: 2 }));
const shaped = fc.record(
	{
		name: value,
		description: value,
		version: value,
		trigger: fc.oneof(
			value,
			fc.record({ type: fc.constantFrom("schedule", "event", "x"), cron: text, event: text }),
		),
		triplets: fc.oneof(value, fc.array(fc.oneof(triplet, text), { maxLength: 8 })),
		config: fc.oneof(
			value,
			fc.dictionary(
				fc.constantFrom("a", "b", "c", "input", "__proto__"),
				fc.dictionary(fc.constantFrom("component", "values", "condition", "url", "retry"), value),
			),
		),
		graph: fc.oneof(value, fc.record({ nodes: value, edges: value }, { requiredKeys: [] })),
		nodes: fc.oneof(
			value,
			fc.array(fc.record({ id: text, component: value, params: value }, { requiredKeys: [] })),
		),
		edges: fc.oneof(
			value,
			fc.array(fc.record({ from: text, to: text, on: text, as: text }, { requiredKeys: [] })),
		),
		options: value,
		context: value,
	},
	{ requiredKeys: [] },
);

describe("any source yields a plan or diagnostics", () => {
	test("random JSON", () => {
		fc.assert(fc.property(fc.jsonValue(), (json) => void compileSafely({ json })));
	});

	test("JSON shaped like a workflow", () => {
		fc.assert(
			fc.property(shaped, (json) => void compileSafely({ json })),
			{ numRuns: 1000 },
		);
	});

	test("random text as YAML", () => {
		const yaml = fc.oneof(
			fc.string({ unit: anyCharacter }),
			fc
				.array(
					fc.constantFrom(
						"a",
						"flow",
						":",
						" ",
						"\n",
						"- ",
						"[",
						"]",
						"{",
						"}",
						"&x ",
						"*x",
						"!t ",
						"|",
						"'",
						'"',
						"? ",
						"#",
						"\t",
					),
				)
				.map((parts) => parts.join("")),
		);
		fc.assert(
			fc.property(yaml, (yaml) => void compileSafely(yamlSource(yaml))),
			{ numRuns: 1000 },
		);
	});

	test("a workflow written as YAML", () => {
		fc.assert(fc.property(shaped, (json) => void compileSafely(yamlSource(JSON.stringify(json)))));
	});
});

describe("a source of maximum length is read in time", () => {
	const MEBIBYTE = 1024 * 1024;
	const MAX_YAML_LENGTH = 250 * 1024;
	const fillSource = (part: (index: number) => string) => {
		const parts: string[] = [];
		for (let length = 0, index = 0; length < MAX_YAML_LENGTH; index++) {
			parts.push(part(index));
			length += parts[index]?.length ?? 0;
		}
		return parts.join("");
	};
	test("only the first error of the YAML is reported", () => {
		const codes = (yaml: string) => compileSafely(yamlSource(yaml)).diagnostics.map(({ code }) => code);
		assert.deepEqual(codes(`a: "${"\\q".repeat(3)} \\n \\x41 \\\\q"`), ["bad_yaml"]);
		assert.deepEqual(codes(`a: "${"\\q".repeat(1_000)}"`), ["bad_yaml"]);
		assert.deepEqual(codes(`a: "${"\\q".repeat(MAX_YAML_LENGTH / 2)}"`), ["too_large"]);
		assert.deepEqual(codes(`a: ${"]".repeat(MAX_YAML_LENGTH)}`), ["bad_yaml"]);
		assert.ok(!codes(`a: "${"\\n".repeat(MAX_YAML_LENGTH / 2)}"`).includes("too_large"));
	});
	testSoon("unknown fields", () => yamlSource(fillSource((index) => `k${index}: 1\n`)));
	testSoon("edges between nodes that are not there", () => ({
		json: {
			nodes: Array.from({ length: 999 }, (_, index) => ({ id: `node number ${index}` })),
			edges: Array.from({ length: 9_999 }, (_, index) => ({ from: `node nmber ${index}`, to: "x" })),
		},
	}));
	testSoon("settings of no node", () => ({
		json: {
			triplets: Array.from({ length: 9_999 }, (_, index) => `node ${index} >> then >> node ${index + 1}`),
			config: Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`nod ${index}x`, {}])),
		},
	}));
	testSoon("brackets", () => yamlSource("[".repeat(MAX_YAML_LENGTH)));
	testSoon("aliases", () => yamlSource(`a: &a 1\nflow:\n${fillSource(() => "  - *a\n")}`));
	testSoon("templates without quotes", () => yamlSource(`a:\n${fillSource(() => "  - {{x}}\n")}`));
	testSoon("templates without quotes on one line", () => yamlSource(`a: [${fillSource(() => "{{x}},")}]`));
	testSoon("tags", () => yamlSource(fillSource((index) => `k${index}: !has(x)\n`)));
	testSoon("aliases of nothing", () => yamlSource(`a: [${fillSource(() => "[*a*],")}]`));
	testSoon("keys without a space after the colon", () =>
		yamlSource(`a: {${fillSource((index) => `k:${index},`)}}`),
	);
	testSoon("values cut by comments", () => yamlSource(fillSource((index) => `k${index}: (((( #{{\n`)));
	testSoon("one line of quotes", () => yamlSource(`a: ${"'\"".repeat(MAX_YAML_LENGTH / 2)}`));
	testSoon("one line of spaces", () => yamlSource(`a: { b${" ".repeat(MAX_YAML_LENGTH)}[`));
	testSoon("merges of one map", () => {
		const keys = fillSource((index) => `k${index}: 1, `).slice(0, MAX_YAML_LENGTH / 2);
		return yamlSource(`a: &a {${keys} z: 1}\nb: [${"{<<: *a},".repeat(MAX_YAML_LENGTH / 20)}]`);
	});
	testSoon("merges of merges", () =>
		yamlSource(
			fillSource((index) => `a${index}: &a${index} {<<: *a${Math.max(0, index - 1)}, b${index}: 1}\n`),
		),
	);
	testSoon("anchors", () => yamlSource(fillSource((index) => `- &a${index} x\n- *a${index}\n`)));
	testSoon("one long triplet", () => ({ json: { triplets: [">>".repeat(MEBIBYTE / 2)] } }));
	testSoon("templates", () => ({
		json: {
			triplets: ["input >> then >> set"],
			config: { set: { values: { a: "{{x}}".repeat(MEBIBYTE / 5) } } },
		},
	}));
	testSoon("wrong values among templates", () => ({
		json: {
			triplets: ["input >> then >> http_request"],
			config: {
				http_request: {
					expect: Array.from({ length: 100_000 }, (_, index) => (index % 2 ? "x" : "{{input}}")),
				},
			},
		},
	}));
	testSoon("a thousand nodes that name each other wrongly", () => ({
		json: {
			triplets: Array.from({ length: 999 }, (_, index) => `node_${index} >> then >> node_${index + 1}`),
			config: Object.fromEntries(
				Array.from({ length: 1000 }, (_, index) => [
					`node_${index}`,
					{ component: "set", values: { a: "{{noode_1x}}".repeat(15) } },
				]),
			),
		},
	}));
	testSoon("ten thousand edges in one cycle after another", () => ({
		json: {
			triplets: Array.from(
				{ length: 10_000 },
				(_, index) => `n${index % 1000} >> CASE ${index} >> n${(index * 7) % 1000}`,
			),
		},
	}));
});
