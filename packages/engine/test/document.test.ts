import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readSource } from "../src/source.ts";
import { yamlSource } from "../src/yaml.ts";

const readJson = (json: unknown, named = false) => readSource({ json }, { named });
const readYamlText = (yaml: string, named = false) => readSource(yamlSource(yaml), { named });
const listDiagnostics = ({ diagnostics }: ReturnType<typeof readSource>) =>
	diagnostics.map(({ code, path }) => `${code} ${path}`);
const listPlaces = ({ diagnostics }: ReturnType<typeof readSource>) =>
	diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`);

const document = {
	name: "每日報告",
	description: "Sends the report",
	version: "2026-07 beta",
	trigger: { type: "schedule", cron: "0 9 * * *", timezone: "Asia/Taipei" },
	triplets: ["input >> ON_SUCCESS >> fetch"],
	config: { fetch: { component: "http_request", url: "https://example.com", credential: "api" } },
	context: { city: "Taipei" },
	options: { expose: true, timeout_ms: 5000 },
};

describe("a workflow document", () => {
	test("becomes a definition", () => {
		const { definition, diagnostics } = readJson(document, true);
		assert.deepEqual(diagnostics, []);
		assert.deepEqual(definition, {
			name: document.name,
			description: document.description,
			version: document.version,
			trigger: document.trigger,
			graph: {
				nodes: [
					{
						id: "fetch",
						component: "http_request",
						params: { url: "https://example.com" },
						credential: "api",
					},
				],
				edges: [{ from: "input", to: "fetch", on: "ON_SUCCESS" }],
			},
			context: document.context,
			options: document.options,
		});
	});

	test("gives the same definition as YAML", () => {
		const yaml = `
name: 每日報告
description: Sends the report
version: 2026-07 beta
trigger: { type: schedule, cron: 0 9 * * *, timezone: Asia/Taipei }
flow:
  - input >> then >> fetch
config:
  fetch:
    component: http_request
    url: https://example.com
    credential: api
context:
  city: Taipei
options:
  expose: true
  timeout_ms: 5000
`;
		const { definition, diagnostics } = readYamlText(yaml, true);
		assert.deepEqual(diagnostics, []);
		assert.deepEqual(definition, readJson(document, true).definition);
	});

	test("requires name, description and version only for a stored workflow", () => {
		const { triplets } = document;
		assert.deepEqual(listDiagnostics(readJson({ triplets })), []);
		assert.deepEqual(listDiagnostics(readJson({ triplets }, true)), [
			"bad_field name",
			"bad_field description",
			"bad_field version",
		]);
	});

	test("may set optional fields to null", () => {
		const empty = {
			triplets: ["a >> then >> b"],
			config: { a: null },
			trigger: null,
			context: null,
			options: null,
		};
		const { definition, diagnostics } = readJson(empty);
		assert.deepEqual(diagnostics, []);
		assert.deepEqual([definition?.trigger, definition?.context, definition?.options], [undefined, {}, {}]);
	});

	test("reports unknown and invalid fields in document order", () => {
		const wrong = {
			nmae: "x",
			name: "a/b",
			version: "v".repeat(65),
			trigger: { type: "cron", crn: "0 * * * *" },
			triplets: ["a >> then >> b", 7, "a >> b"],
			config: { c: {}, a: [], input: {} },
			context: [],
			options: { exposed: true, timeout_ms: 0 },
		};
		assert.deepEqual(listDiagnostics(readJson(wrong)), [
			"unknown_field nmae",
			"bad_field name",
			"bad_field version",
			"bad_field trigger.type",
			"unknown_field trigger.crn",
			"bad_triplet triplets.1",
			"bad_triplet triplets.2",
			"unused_settings config.c",
			"bad_field config.a",
			"reserved_name config.input",
			"bad_field context",
			"unknown_field options.exposed",
			"bad_field options.timeout_ms",
		]);
		assert.equal(readJson(wrong).diagnostics[0]?.hint, 'Did you mean "name"?');
	});

	test("must define its nodes in exactly one way", () => {
		assert.deepEqual(listDiagnostics(readJson({})), ["no_nodes "]);
		assert.deepEqual(listDiagnostics(readJson({ triplets: [] })), ["no_nodes triplets"]);
		assert.deepEqual(listDiagnostics(readJson({ graph: { nodes: [] } })), ["no_nodes graph.nodes"]);
		assert.deepEqual(listDiagnostics(readJson({ triplets: ["a >> then >> b"], flow: [] })), [
			"bad_field flow",
		]);
		assert.deepEqual(listDiagnostics(readJson({ triplets: ["a >> then >> b"], nodes: [] })), [
			"bad_field nodes",
		]);
		assert.deepEqual(listDiagnostics(readJson({ triplets: ["a >> then >> b"], edges: [] })), [
			"bad_field edges",
		]);
		assert.deepEqual(listDiagnostics(readJson({ graph: { nodes: [{ id: "a" }] }, id: "x" })), [
			"bad_field id",
		]);
		for (const nothing of [null, undefined, [], "x", 1])
			assert.deepEqual(listDiagnostics(readJson(nothing)), ["bad_field "]);
	});

	test("does not report settings of a node whose triplet cannot be read", () => {
		assert.deepEqual(
			listDiagnostics(readJson({ triplets: ["a >> then >> b >> then >> c"], config: { c: {} } })),
			["bad_triplet triplets.0"],
		);
	});

	test("must be JSON that every database can store", () => {
		const text = { triplets: ["a >> then >> b"], context: { a: "\ud800" } };
		assert.deepEqual(listDiagnostics(readJson(text)), ["bad_field "]);
		const deep = JSON.parse(
			`{"triplets":["a >> then >> b"],"context":{"a":${"[".repeat(80)}${"]".repeat(80)}}}`,
		);
		assert.deepEqual(listDiagnostics(readJson(deep)), ["bad_field "]);
	});
});

describe("a YAML document", () => {
	test("reports every problem with line and column", () => {
		const yaml = `name: orders
descripton: x
flow:
  - fetch >> ON_SUCESS >> report
  - "fetch >> nope >> report"
  - 'fetch >> then'
config:
  fetch:
    retry:
      max: many
  raport: {}
version: 1.0
`;
		assert.deepEqual(listPlaces(readYamlText(yaml)), [
			"unknown_field 2:1",
			"unknown_relation 4:14",
			"unknown_relation 5:15",
			"bad_triplet 6:19",
			"bad_field 10:12",
			"unused_settings 11:3",
			"bad_field 12:10",
		]);
	});

	test("reports the position of a syntax error", () => {
		const { definition, diagnostics } = readYamlText("flow:\n  - a >> then >> b\n config: [");
		assert.equal(definition, null);
		assert.equal(diagnostics[0]?.code, "bad_yaml");
		assert.equal(diagnostics[0]?.line, 3);
	});

	test("must not contain duplicate keys", () => {
		const yaml = "name: a\nflow: [a >> then >> b]\nname: b\nconfig:\n  a: {}\n  a: {}\n";
		assert.deepEqual(listPlaces(readYamlText(yaml)), ["duplicate_key 3:1", "duplicate_node 6:3"]);
	});

	test("must be plain data: custom tags are rejected", () => {
		for (const tag of ["!!js/function", "!secret", "!!binary"]) {
			assert.deepEqual(listPlaces(readYamlText(`flow: [a >> then >> b]\ncontext: { a: ${tag} x }\n`)), [
				"bad_yaml 2:15",
			]);
		}
	});

	test("may repeat a part by an alias, within limits", () => {
		const small = "flow: [a >> then >> b]\ncontext: { x: &x { a: 1 }, y: *x }\n";
		assert.deepEqual(readYamlText(small).definition?.context, { x: { a: 1 }, y: { a: 1 } });
		let bomb = "flow: [a >> then >> b]\ncontext:\n  a0: &a0 [lol, lol]\n";
		for (let level = 1; level < 40; level++)
			bomb += `  a${level}: &a${level} [*a${level - 1}, *a${level - 1}]\n`;
		assert.deepEqual(
			new Set(readYamlText(bomb).diagnostics.map(({ code }) => code)),
			new Set(["too_large", "bad_yaml"]),
		);
		assert.deepEqual(listPlaces(readYamlText("flow: &f [*f]")), ["bad_yaml 1:11"]);
	});

	test("that is too long is rejected before parsing", () => {
		assert.deepEqual(listPlaces(readYamlText("a".repeat(300_000))), ["too_large 1:1"]);
	});

	test("must not contain numbers that JSON lacks", () => {
		assert.deepEqual(listPlaces(readYamlText("flow: [a >> then >> b]\ncontext: { a: .inf }")), [
			"bad_yaml 2:15",
		]);
	});
});
