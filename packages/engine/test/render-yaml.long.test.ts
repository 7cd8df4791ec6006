import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import fc from "fast-check";
import { decompile, type WorkflowDocument } from "../src/decompile.ts";
import { renderYaml } from "../src/render-yaml.ts";
import { readSource } from "../src/source.ts";
import { yamlSource } from "../src/yaml.ts";
import { document } from "./documents.ts";

const read = (source: Parameters<typeof readSource>[0]) => {
	const { definition, diagnostics } = readSource(source, { named: false });
	assert.deepEqual(diagnostics, []);
	assert.ok(definition !== null);
	return definition;
};

const roundTrip = (workflow: WorkflowDocument) => read(yamlSource(renderYaml(workflow)));

describe("a workflow document as YAML", () => {
	test("is read back as the same document", () => {
		fc.assert(
			fc.property(document, (given) => {
				const definition = read({ json: JSON.parse(JSON.stringify(given)) });
				const workflow = decompile(definition);
				const again = roundTrip(workflow);
				assert.deepEqual(again, definition);
				assert.deepEqual(decompile(again), workflow);
			}),
			{ numRuns: 300 },
		);
	});

	test("keeps any text, with any start, end and line breaks", () => {
		const part = fc.constantFrom(
			..."\n|\n\n|\r\n|\t| |  |word|- |# no|: |key: value|{{input.x}}|[1]|\"|'|\\|%|&a|*a|!t|>|||?|@|`|~|1|1.0|null|true|yes|.inf|\u0085|\u2028|\ufeff|\u007f|<<|=|---|...|訂單"
				.split("|")
				.concat(["a".repeat(70), "a long text of many words that goes on ", "|"]),
		);
		const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(""));
		fc.assert(
			fc.property(text, text, text, (value, key, nested) => {
				const workflow: WorkflowDocument = {
					name: "w",
					description: value,
					version: "1",
					triplets: ["input >> ON_SUCCESS >> set"],
					config: {
						set: { values: { list: [value, [nested], { [key]: nested }], deep: { a: { b: value } } } },
					},
					context: { [key]: value, z: key },
				};
				assert.deepEqual(decompile(roundTrip(workflow)), workflow);
			}),
			{ numRuns: 500 },
		);
	});

	test("keeps deeply nested values and keys of any length", () => {
		const key = fc.constantFrom(
			"a",
			"a: b",
			"",
			"k\n",
			"k ".repeat(600),
			"\u2028".repeat(300),
			"x".repeat(1_024),
		);
		const inner = fc.oneof(key, fc.constantFrom(null, 0, -0.5, 1e21, 1e-7, true, [], {}, ["- a", [{}]]));
		const wraps = fc.array(fc.tuple(fc.boolean(), key), { minLength: 15, maxLength: 30 });
		fc.assert(
			fc.property(wraps, inner, (levels, innermost) => {
				let value: Json = innermost;
				for (const [isList, name] of levels) value = isList ? [value, 1] : { [name]: value, z: name };
				const workflow: WorkflowDocument = {
					triplets: ["input >> ON_SUCCESS >> set"],
					config: { set: { values: { value } } },
				};
				assert.deepEqual(decompile(roundTrip(workflow)), workflow);
			}),
			{ numRuns: 300 },
		);
	});

	test("does not grow because of indentation", () => {
		let value: Json = Array.from({ length: 1_000 }, () => "x\n".repeat(10));
		for (let level = 0; level < 50; level++) value = [value];
		const workflow = { triplets: [], config: { set: { values: { value } } } };
		assert.ok(renderYaml(workflow).length < 2 * JSON.stringify(workflow).length);
	});

	test("looks as people would write it", () => {
		const workflow = {
			options: { query: true },
			context: { shop: "corner", empty: {}, none: [] },
			config: {
				hello: { component: "template", text: "Hello {{input.name}}!", retry: { max: 2 } },
				ask: {
					component: "llm",
					prompt: "First line\n\n  indented: yes\nlast line\n",
					system:
						"You are asked to summarise orders, and you answer in one short paragraph without any headings, lists or greetings.",
				},
			},
			triplets: ["input >> then >> hello", "hello >> CASE 1: one >> ask"],
			trigger: { type: "schedule" as const, cron: "0 6 * * *" },
			version: "1",
			description: "Greets: somebody",
			name: "greet",
		};
		assert.equal(
			renderYaml(workflow),
			`name: greet
description: "Greets: somebody"
version: "1"
trigger:
  type: schedule
  cron: 0 6 * * *
triplets:
  - input >> then >> hello
  - "hello >> CASE 1: one >> ask"
config:
  hello:
    component: template
    text: Hello {{input.name}}!
    retry:
      max: 2
  ask:
    component: llm
    prompt: |
      First line

        indented: yes
      last line
    system: >-
      You are asked to summarise orders, and you answer in one short paragraph without any headings,
      lists or greetings.
context:
  shop: corner
  empty: {}
  none: []
options:
  query: true
`,
		);
	});
});
