import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readSource } from "../src/source.ts";

const read = (json: unknown) => readSource({ json }, { named: false });

function readGraphFrom(json: unknown) {
	const { definition, diagnostics } = read(json);
	assert.deepEqual(diagnostics, []);
	return definition?.graph;
}

const listDiagnostics = (json: unknown) => read(json).diagnostics.map(({ code, path }) => `${code} ${path}`);

describe("a graph", () => {
	const canonical = {
		id: "orders",
		nodes: [
			{ id: "fetch", component: "http_request", params: { url: "https://example.com" }, retry: { max: 2 } },
			{ id: "report", component: "report", params: {} },
		],
		edges: [{ from: "fetch", to: "report", on: "ON_SUCCESS" }],
	};

	test("is unchanged if it is canonical", () => {
		assert.deepEqual(readGraphFrom({ graph: canonical }), canonical);
	});

	test("may be given directly in the body", () => {
		assert.deepEqual(readGraphFrom({ ...canonical }), canonical);
	});

	test("may use the aliases, and settings among the parameters", () => {
		const other = {
			id: "orders",
			nodes: [
				{ id: "report" },
				{
					id: " fetch ",
					componentId: "http_request",
					data: { url: "https://example.com", retry: { max: 2 } },
				},
			],
			edges: [{ source: "fetch", target: "report", type: "then" }],
		};
		assert.deepEqual(readGraphFrom({ graph: other }), canonical);
	});

	test("equals the graph of its triplets and config", () => {
		const document = {
			id: "orders",
			flow: ["fetch >> then >> report"],
			config: { fetch: { component: "http_request", url: "https://example.com", retry: { max: 2 } } },
		};
		assert.deepEqual(readGraphFrom(document), canonical);
	});

	test("may get settings from config, but each only once", () => {
		const { edges } = canonical;
		const nodes = [canonical.nodes[0], { id: "report" }];
		const config = { report: { component: "set", values: {} }, fetch: { timeout_ms: 5 } };
		assert.deepEqual(readGraphFrom({ graph: { nodes, edges }, config })?.nodes, [
			{ ...nodes[0], timeout_ms: 5 },
			{ id: "report", component: "set", params: { values: {} } },
		]);
		const twice = { fetch: { url: "https://example.org" } };
		assert.deepEqual(listDiagnostics({ nodes, edges, config: twice }), ["bad_field config.fetch.url"]);
	});

	test("gives a node in no edge an edge from the trigger, and keeps explicit ones", () => {
		const nodes = [{ id: "lone" }, { id: "a" }, { id: "b" }];
		const edges = [
			{ from: "input", to: "b" },
			{ from: "b", to: "a" },
		];
		assert.deepEqual(readGraphFrom({ nodes, edges }), {
			nodes: ["b", "a", "lone"].map((id) => ({ id, component: id, params: {} })),
			edges: [
				{ from: "input", to: "b", on: "ON_SUCCESS" },
				{ from: "b", to: "a", on: "ON_SUCCESS" },
				{ from: "input", to: "lone", on: "ON_SUCCESS" },
			],
		});
	});

	test("accepts relation aliases, and arguments in either place", () => {
		const nodes = [{ id: "a" }, { id: "b" }];
		const conditions = [
			{ on: "case", value: 3 },
			{ on: "CASE paid" },
			{ type: "CASE paid >> now" },
			{ on: "CASE", value: " " },
			{ on: "for each", as: "order" },
			{ on: "FOREACH order" },
			{ on: "on error" },
			{},
		];
		const edges = conditions.map((condition) => ({ from: "a", to: "b", ...condition }));
		assert.deepEqual(
			readGraphFrom({ nodes, edges })?.edges.map(({ from: _from, to: _to, ...condition }) => condition),
			[
				{ on: "CASE", value: "3" },
				{ on: "CASE", value: "paid" },
				{ on: "CASE", value: "paid >> now" },
				{ on: "CASE", value: " " },
				{ on: "FOREACH", as: "order" },
				{ on: "FOREACH", as: "order" },
				{ on: "ON_FAIL" },
				{ on: "ON_SUCCESS" },
			],
		);
	});

	test("reports problems with their paths", () => {
		const nodes = [
			{ id: "a", component: 1 },
			{ id: "a" },
			{ id: "x >> y" },
			"b",
			{ id: "input" },
			{ id: "c", parms: {} },
			{ id: "d", params: 1, data: {} },
			{ id: "e", retry: { max: -1, delay: 1 }, timeout_ms: "1s", credential: "{{input.c}}" },
		];
		const edges = [
			{ from: "a", to: "c", on: "ON_SUCESS" },
			{ from: "a" },
			{ from: "a", to: "c", on: "then", value: "x" },
			{ from: "a", to: "c", on: "CASE x", value: "y" },
			{ from: "a", to: "c", on: "CASE" },
			{ from: "a", to: "c", on: 1 },
			{ form: "a", to: "c" },
			7,
		];
		assert.deepEqual(listDiagnostics({ graph: { nodes, edges, egdes: [] } }), [
			"bad_field graph.nodes.0.component",
			"duplicate_node graph.nodes.1.id",
			"bad_field graph.nodes.2.id",
			"bad_field graph.nodes.3",
			"reserved_name graph.nodes.4.id",
			"unknown_field graph.nodes.5.parms",
			"bad_field graph.nodes.6.params",
			"bad_field graph.nodes.6.data",
			"bad_field graph.nodes.7.retry.max",
			"unknown_field graph.nodes.7.retry.delay",
			"bad_field graph.nodes.7.timeout_ms",
			"bad_field graph.nodes.7.credential",
			"unknown_relation graph.edges.0.on",
			"bad_field graph.edges.1",
			"bad_field graph.edges.2.value",
			"bad_field graph.edges.3.value",
			"bad_field graph.edges.4.on",
			"bad_field graph.edges.5.on",
			"bad_field graph.edges.6",
			"unknown_field graph.edges.6.form",
			"bad_field graph.edges.7",
			"unknown_field graph.egdes",
		]);
	});

	test("must be an object with lists", () => {
		assert.deepEqual(listDiagnostics({ graph: [] }), ["bad_field graph"]);
		assert.deepEqual(listDiagnostics({ graph: {} }), ["bad_field graph.nodes"]);
		assert.deepEqual(listDiagnostics({ nodes: {}, edges: "a" }), ["bad_field nodes", "bad_field edges"]);
	});

	test("keeps nodes and parameters of any name", () => {
		const json = JSON.parse(
			'{"triplets":["__proto__ >> then >> constructor"],"config":{"__proto__":{"component":"set","values":{"__proto__":1}}}}',
		);
		const graph = readGraphFrom(json);
		assert.equal(graph?.nodes[0]?.id, "__proto__");
		assert.equal(JSON.stringify(graph?.nodes[0]?.params), '{"values":{"__proto__":1}}');
	});
});
