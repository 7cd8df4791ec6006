import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import { compileSource } from "../src/compile.ts";
import type { Frame } from "../src/frame.ts";
import { MAX_NODE_UNITS, Meter } from "../src/meter.ts";
import { TerminalError } from "../src/terminal-error.ts";
import { catalogue } from "./catalogue.ts";

const compileParams = (node: { readonly [name: string]: Json }) =>
	compileSource({ json: { nodes: [{ id: "n", ...node }] } }, { named: false, catalogue });

function getNode(component: string, params: Json) {
	const { plan, diagnostics } = compileParams({ component, params });
	assert.deepEqual(diagnostics, []);
	const node = plan?.nodes[0];
	assert.ok(node !== undefined);
	return node;
}

const listDiagnostics = (component: string, params: Json) =>
	compileParams({ component, params }).diagnostics.map(
		({ code, message, path }) => `${code} ${path.replace("nodes.0.params.", "")}: ${message}`,
	);

const frame = (input: Json): Frame => ({
	roots: {
		input,
		context: {},
		workflow: {},
		execution: {},
		meter: new Meter(MAX_NODE_UNITS),
		credential: (name) => `<${name}>`,
	},
	parent: null,
	outputs: [],
});

describe("parameters", () => {
	test("without templates are parsed by the schema at compile time", () => {
		const node = getNode("http_request", { url: "https://example.com" });
		assert.equal(node.resolve, null);
		assert.deepEqual(node.params, { url: "https://example.com", method: "GET" });
	});

	test("with templates are resolved and checked for each run", () => {
		const node = getNode("http_request", {
			url: "https://example.com/{{input.id}}",
			json: { list: ["{{input.id}}", 1, "{{input.none}}"], "{{key}}": "as it is" },
			headers: { authorization: "Bearer {{credential.api}}" },
		});
		assert.deepEqual(node.resolve?.(frame({ id: 7, none: null })), {
			url: "https://example.com/7",
			method: "GET",
			json: { list: [7, 1, null], "{{key}}": "as it is" },
			headers: { authorization: "Bearer <api>" },
		});
	});

	test("are checked for each run, unless templates are only where the schema allows anything", () => {
		const resolve = (params: Json, input: Json) => getNode("send", params).resolve?.(frame(input));
		assert.deepEqual(resolve({ list: ["{{input.a}}", { deep: "{{input.a}}" }] }, { a: [1] }), {
			list: [[1], { deep: [1] }],
			times: 1,
		});
		const given = { list: ["{{input.a}}"], to: "me" };
		assert.deepEqual(resolve(given, { a: 1 }), { list: [1], to: "me", times: 1 });
		assert.throws(() => resolve({ list: "{{input.a}}" }, { a: [1, 2, 3] }), /"list"/);
		assert.throws(() => resolve({ list: ["{{input.a}}"], to: "{{input.a}}" }, { a: 1 }), /"to"/);
		assert.throws(() => resolve({ list: ["{{input.a}}"], times: "{{input.a}}" }, { a: "x" }), /"times"/);
	});

	test("that are verbatim are left unchanged", () => {
		const code = "return `{{input.id}} {{ no template }`; // {{";
		assert.equal(getNode("code", { code }).resolve, null);
		const node = getNode("code", { code, input: { code: "{{input.id}}" } });
		assert.deepEqual(node.resolve?.(frame({ id: 7 })), { code, input: { code: 7 } });
	});

	test("that are verbatim in each element of a list are left unchanged, and the list is no template", () => {
		const sql = "select '{{input.id}}'";
		const node = getNode("query", { statements: [{ sql, params: ["{{input.id}}"] }] });
		assert.deepEqual(node.resolve?.(frame({ id: 7 })), { statements: [{ sql, params: [7] }] });
		for (const statements of ["{{input.list}}", ["{{input.statement}}"]])
			assert.match(listDiagnostics("query", { statements })[0] ?? "", /^wrong_type statements/);
	});

	test("that resolve to invalid values fail the node permanently, without showing the value", () => {
		const node = getNode("http_request", { url: "{{input.url}}", expect: "{{input.expect}}" });
		assert.throws(
			() => node.resolve?.(frame({ url: 5, expect: ["hush"] })),
			(error) =>
				error instanceof TerminalError &&
				error.message ===
					'parameter "url" must be text, but is a number; parameter "expect.0" must be a number, but is text',
		);
	});

	test("are checked where there is no template", () => {
		assert.deepEqual(
			listDiagnostics("http_request", { url: 1, method: "PUT", expect: [200, "x"], paginate: { pages: 0 } }),
			[
				'wrong_type url: parameter "url" must be text, but is a number',
				'wrong_type method: parameter "method" must be "GET" or "POST"',
				'wrong_type expect.1: parameter "expect.1" must be a number, but is text',
				'wrong_type paginate.pages: parameter "paginate.pages" must be at least 1',
			],
		);
		assert.deepEqual(listDiagnostics("http_request", {}), [
			'missing_parameter url: parameter "url" is required',
		]);
	});

	test("are not checked at or above a template, but their names are", () => {
		assert.deepEqual(
			listDiagnostics("http_request", { url: "{{input.a}}", expect: "{{input.b}}", paginate: "{{input.c}}" }),
			[],
		);
		assert.deepEqual(
			new Set(listDiagnostics("http_request", { urll: "{{input.a}}", paginate: { page: "{{input.c}}" } })),
			new Set([
				'unknown_parameter urll: unknown parameter "urll"',
				'missing_parameter url: parameter "url" is required',
				'unknown_parameter paginate.page: unknown parameter "paginate.page"',
				'missing_parameter paginate.pages: parameter "paginate.pages" is required',
			]),
		);
	});

	test("with a union type are not checked above a template", () => {
		const url = "https://example.com";
		assert.deepEqual(listDiagnostics("http_request", { url, ids: ["{{input.id}}", 2] }), []);
		assert.deepEqual(listDiagnostics("http_request", { url, ids: ["x", 2] }), [
			'wrong_type ids.0: parameter "ids.0" must be a number, but is text',
		]);
		assert.deepEqual(listDiagnostics("http_request", { url, ids: "x" }), [
			'wrong_type ids: parameter "ids" must be a number or a list, but is text',
		]);
	});

	test("that are unknown get a suggestion", () => {
		const { diagnostics } = compileParams({
			component: "http_request",
			params: { url: "https://example.com", paginate: { page: 1, pages: 1 }, heders: {} },
		});
		assert.deepEqual(
			diagnostics.map(({ hint }) => hint),
			['Did you mean "pages"?', 'Did you mean "headers"?'],
		);
	});

	test("named like language built-ins are data", () => {
		const params = JSON.parse('{"values":{"__proto__":"{{input.x}}","constructor":"{{input.x}}"}}') as Json;
		const resolved = getNode("set", params).resolve?.(frame({ x: { x: 1 } }));
		assert.ok(resolved !== undefined);
		assert.equal(Object.getPrototypeOf(resolved), Object.prototype);
		assert.equal((resolved.values as { x?: Json }).x, undefined);
		assert.match(
			listDiagnostics("set", { constructor: "{{nope}}" })[0] ?? "",
			/^unknown_parameter|^unknown_reference/,
		);
		assert.equal(listDiagnostics("set", { constructor: "{{nope}}" }).length, 2);
		assert.ok(
			listDiagnostics("set", JSON.parse('{"__proto__":1}') as Json)[0]?.startsWith("unknown_parameter"),
		);
	});

	test("may refer to nodes of any name", () => {
		const json = {
			triplets: ['my "node" >> then >> b'],
			config: {
				'my "node"': { component: "set" },
				b: { component: "set", values: { a: '{{nodes["my \\"node\\""].x}}' } },
			},
		};
		const { plan, diagnostics } = compileSource({ json }, { named: false, catalogue });
		assert.deepEqual(diagnostics, []);
		const at = { ...frame({}), outputs: [{ x: 5 }] };
		assert.deepEqual(plan?.nodes[1]?.resolve?.(at), { values: { a: 5 } });
	});
});

describe("expression parameters", () => {
	test("are bound to a frame", () => {
		const condition = getNode("if", { condition: "input.total > 100" }).expressions?.(
			frame({ total: 101 }),
		).condition;
		assert.equal((condition as () => Json)(), true);
		const where = getNode("filter", { items: "{{input.list}}", where: "item.price > input.least" });
		const least = where.expressions?.(frame({ least: 5 })).where as (item: Json) => Json;
		assert.deepEqual([least({ price: 6 }), least({ price: 4 })], [true, false]);
	});

	test("may be aggregates by name", () => {
		const node = getNode("aggregate", { items: [], compute: { total: "sum(item.price)" } });
		const compute = node.expressions?.(frame({})).compute as Record<
			string,
			{ function: string; each(item: Json): Json }
		>;
		assert.equal(compute.total?.function, "sum");
		assert.equal(compute.total?.each({ price: 3 }), 3);
		assert.equal(getNode("aggregate", { items: [] }).expressions, null);
	});

	test("are not templates", () => {
		const [diagnostic] = compileParams({
			component: "if",
			params: { condition: "{{input.x}} > 1" },
		}).diagnostics;
		assert.equal(diagnostic?.code, "bad_expression");
		assert.match(diagnostic?.hint ?? "", /without braces/);
	});

	test("that are invalid are reported at their position", () => {
		assert.match(listDiagnostics("if", { condition: "inptu.x" })[0] ?? "", /^unknown_reference condition/);
		assert.match(listDiagnostics("if", { condition: "1 +" })[0] ?? "", /^bad_expression condition/);
		assert.match(listDiagnostics("if", { condition: true })[0] ?? "", /^wrong_type condition/);
		assert.match(
			listDiagnostics("aggregate", { items: [], compute: { a: "summ(item)" } })[0] ?? "",
			/^bad_expression compute.a/,
		);
	});
});
