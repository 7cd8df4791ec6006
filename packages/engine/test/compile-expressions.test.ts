import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { compileSource } from "../src/compile.ts";
import { yamlSource } from "../src/yaml.ts";
import { catalogue } from "./catalogue.ts";

const compileYaml = (triplets: readonly string[], cases: string) => {
	const yaml = `triplets:
${triplets.map((triplet) => `  - ${triplet}`).join("\n")}
config:
  size: { component: switch, cases: ${cases} }
  a: { component: set }
  b: { component: set }
`;
	return compileSource(yamlSource(yaml), { named: false, catalogue });
};

const CASES = "[{ label: large, when: input.n > 9 }, { label: small, when: input.n > 0 }]";

const list = ({ diagnostics }: ReturnType<typeof compileYaml>) =>
	diagnostics.map(({ severity, code, path, line, hint }) => ({ severity, code, path, line, hint }));

describe("the cases of a switch and its CASE edges", () => {
	test("fit if every edge is a label and every label has an edge", () => {
		const { plan, diagnostics } = compileYaml(["size >> CASE large >> a", "size >> CASE small >> b"], CASES);
		assert.deepEqual(diagnostics, []);
		assert.ok(plan !== null);
	});

	test("an edge without a label is an error with the nearest label", () => {
		const compiled = compileYaml(["size >> CASE larg >> a", "size >> DEFAULT >> b"], CASES);
		assert.equal(compiled.plan, null);
		assert.deepEqual(list(compiled), [
			{ severity: "error", code: "bad_edge", path: "triplets.0", line: 2, hint: 'Did you mean "large"?' },
		]);
	});

	test("or with all labels if none is near", () => {
		const [only] = list(compileYaml(["size >> CASE 42 >> a", "size >> DEFAULT >> b"], CASES));
		assert.equal(only?.hint, 'The cases are "large", "small"');
	});

	test("a label without an edge is a warning", () => {
		const compiled = compileYaml(["size >> CASE large >> a", "a >> then >> b"], CASES);
		assert.ok(compiled.plan !== null);
		assert.deepEqual(list(compiled), [
			{
				severity: "warning",
				code: "unhandled_case",
				path: "config.size.cases.1.label",
				line: 5,
				hint: "Add size >> CASE small >> … or size >> DEFAULT >> …",
			},
		]);
	});

	test("but not beside DEFAULT, nor if the switch has no CASE edge", () => {
		for (const triplets of [
			["size >> CASE large >> a", "size >> DEFAULT >> b"],
			["size >> then >> a", "a >> then >> b"],
		])
			assert.deepEqual(compileYaml(triplets, CASES).diagnostics, []);
	});

	test("nor while a triplet cannot be read", () => {
		const codes = list(compileYaml(["size >> CASE large >> a", "size >> CASE small > b"], CASES));
		assert.ok(codes.every(({ code }) => code !== "unhandled_case"));
	});

	test("a problem in a condition is at its place", () => {
		const [only] = list(
			compileYaml(
				["size >> CASE large >> a", "size >> DEFAULT >> b"],
				"[{ label: large, when: inptu.n > 9 }]",
			),
		);
		assert.equal(only?.code, "unknown_reference");
		assert.equal(only?.path, "config.size.cases.0.when");
	});

	test("many edges and labels take linear time", () => {
		const names = Array.from({ length: 5_000 }, (_, at) => `l${at}`);
		const json = {
			nodes: [
				{
					id: "size",
					component: "switch",
					params: { cases: names.map((label) => ({ label, when: "true" })) },
				},
				{ id: "a", component: "set" },
			],
			edges: names.map((value) => ({ from: "size", to: "a", on: "CASE", value })),
		};
		const start = process.threadCpuUsage();
		compileSource({ json }, { named: false, catalogue });
		assert.ok(process.threadCpuUsage(start).user < 3_000_000);
	});
});

describe("values that are computed", () => {
	const compileValues = (values: object) => {
		const json = {
			triplets: ["input >> then >> a"],
			config: { a: { component: "compute", values } },
		};
		return compileSource({ json }, { named: false, catalogue }).diagnostics.map(({ code, path, hint }) => ({
			code,
			path,
			hint,
		}));
	};

	test("report problems at their name", () => {
		assert.deepEqual(compileValues({ a: "1 +", b: "input.x", c: "{{input.x}}" }), [
			{ code: "bad_expression", path: "config.a.values.a", hint: undefined },
			{
				code: "bad_expression",
				path: "config.a.values.c",
				hint: "Write it without braces, such as input.total > 100",
			},
		]);
	});

	test("cannot read each other", () => {
		const [only] = compileValues({ total: "input.a * 2", tax: "total * 0.2" });
		assert.equal(only?.code, "unknown_reference");
		assert.match(only?.hint ?? "", /cannot read each other/);
	});
});

describe("an expression that names a node with a dash", () => {
	test("gets one problem with the name as it is read", () => {
		const json = {
			triplets: ["my-node >> then >> check"],
			config: { "my-node": { component: "set" }, check: { component: "if", condition: "my-node.x > 1" } },
		};
		const { diagnostics } = compileSource({ json }, { named: false, catalogue });
		assert.deepEqual(
			diagnostics.map(({ code, hint }) => [code, hint]),
			[["unknown_reference", 'a node with this name is read as nodes["my-node"]']],
		);
	});
});

describe("the reference of a default", () => {
	const check = (text: string) => {
		const yaml = `triplets:
  - a >> then >> b
  - b >> then >> c
config:
  a: { component: set }
  b:
    component: set
    values:
      x: ${text}
  c: { component: set }
`;
		const { diagnostics } = compileSource(yamlSource(yaml), { named: false, catalogue });
		return diagnostics.map(({ code, line, column, hint }) => [code, line, column, hint]);
	};

	test("may be any node that has run", () => {
		assert.deepEqual(check("\"{{input.x | default(a.y) | default(nodes['a'])}}\""), []);
	});

	test("is unreachable if that node runs later, at its place", () => {
		const [only] = check('"{{input.x | default(c.y)}}"');
		assert.deepEqual(only?.slice(0, 3), ["unreachable_reference", 9, 31]);
	});

	test("is unknown if there is no such node, with the nearest name", () => {
		assert.deepEqual(check('"{{input.x | default(contxt.y)}}"'), [
			["unknown_reference", 9, 31, 'Did you mean "context"?'],
		]);
	});

	test("is not a credential, even where one may be used", () => {
		const json = {
			nodes: [{ id: "n", component: "http_request", params: { url: "{{input.u | default(credential.k)}}" } }],
		};
		const { diagnostics } = compileSource({ json }, { named: false, catalogue });
		assert.deepEqual(
			diagnostics.map(({ code }) => code),
			["credential_not_allowed"],
		);
	});
});
