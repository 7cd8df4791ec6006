import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import type { JsonObject } from "@tripline/contract/workflows";
import { GLOBALS } from "../../src/advice/code/globals.ts";
import { runForOutput, runNode } from "../run-node.ts";
import { compileNode, compileYaml } from "./compile.ts";

const check = (code: string, input?: JsonObject | string) =>
	compileNode({ component: "code", code, ...(input !== undefined && { input }) });
const list = (code: string, input?: JsonObject | string) =>
	check(code, input).map(({ severity, code, message, hint }) => `${severity} ${code}: ${message} | ${hint}`);

describe("a syntax error in code", () => {
	test("is located in the block of the document", () => {
		const yaml = `triplets:
  - input >> then >> total
config:
  total:
    component: code
    code: |
      const prices = [1, 2];

      if (prices.length > 1 {
        return 3;
      }
`;
		assert.deepEqual(
			compileYaml(yaml).map(({ severity, code, message, path, line, column }) => ({
				severity,
				code,
				message,
				path,
				line,
				column,
			})),
			[
				{
					severity: "error",
					code: "bad_code",
					message: "the code is not valid JavaScript: Unexpected token (line 3, column 23 of the code)",
					path: "config.total.code",
					line: 9,
					column: 29,
				},
			],
		);
	});

	test("that is noticed after the code is located at its end", () => {
		const yaml =
			"triplets:\n  - input >> then >> a\nconfig:\n  a:\n    component: code\n    code: |\n      if (1) {\n\n  b: {}\n";
		assert.deepEqual(
			compileYaml(yaml)
				.filter(({ code }) => code === "bad_code")
				.map(({ line, column }) => `${line}:${column}`),
			["7:14"],
		);
	});

	test("is located in a quoted text", () => {
		const yaml =
			'triplets:\n  - input >> then >> a\nconfig:\n  a: { component: code, code: "return \\"x\\" +* 2" }\n';
		assert.deepEqual(
			compileYaml(yaml).map(({ code, line, column }) => `${code} ${line}:${column}`),
			["bad_code 4:46"],
		);
	});

	test("has a hint if the code is not JavaScript", () => {
		for (const [code, hint] of [
			["def total(x):\n    return x", "Python"],
			["import json\nreturn json.dumps(input)", "Python"],
			["total = 0\nfor x in input:\n    total += x\nreturn total", "Python"],
			["if x:\n    return 1\nelif y:\n    return 2", "Python"],
			["# sums up\nreturn 1", "Python"],
			["return [x for x in input]", "Python"],
			["const total: number = 1;\nreturn total;", "TypeScript"],
			["import axios from 'axios';\nreturn 1;", "no modules"],
			["const name = {{input.name}};\nreturn name;", "not a template"],
			["```js\nreturn (1;\n```", "Delete the lines"],
			["return (1;", "Check the brackets"],
		] as const) {
			const [found, ...more] = check(code);
			assert.equal(found?.code, "bad_code", code);
			assert.ok(found?.hint?.includes(hint), `${code}: ${found?.hint}`);
			assert.deepEqual(more, []);
		}
	});

	test("is likely in code between fences, which are empty texts", () => {
		assert.deepEqual(list("```js\nreturn 1;\n```").slice(0, 1), [
			"warning bad_code: the code starts with ``` | Delete the lines with ```",
		]);
	});

	test("includes a body that ends early", () => {
		assert.equal(check("return 1 }); (async function () {")[0]?.code, "bad_code");
		assert.equal(check("return 1 } + function () {")[0]?.code, "bad_code");
	});

	test("is not looked for in a template's place or in another component", () => {
		assert.deepEqual(
			compileNode({ component: "set", values: { code: "return (" } }).map(({ code }) => code),
			[],
		);
	});
});

describe("names in code", () => {
	test("that the sandbox does not have are warnings with hints", () => {
		assert.deepEqual(list("const r = await fetch(1);\nreturn r;"), [
			'warning unknown_global: "fetch" is not defined in code | Code has no network: use an `http_request` node before this one, and pass its data in `input`',
		]);
		for (const name of ["require", "process", "setTimeout", "$json", "items", "Buffer", "print", "None"]) {
			const [found, ...more] = check(`return ${name};`);
			assert.deepEqual([found?.severity, found?.code, more], ["warning", "unknown_global", []], name);
			assert.ok(found?.hint !== undefined, name);
		}
	});

	test("that are misspelt are warnings at their first use", () => {
		assert.deepEqual(list("const total = 1;\nreturn totl + totl;"), [
			'warning unknown_global: "totl" is not defined in code | Did you mean "total"?',
		]);
		assert.deepEqual(
			list("return Jason.x;").map((line) => line.split(" | ")[0]),
			['warning unknown_global: "Jason" is not defined in code'],
		);
	});

	test("that are declared in any way are known", () => {
		const code = `
			var a = 1; let [b, { c: d, ...e }] = [1, {}]; const f = ({ g = a, h: [i] }, ...j) => g + i + j;
			function k(l) { return l + arguments.length; } class M { #n = 1; static o = 2; p() { return this.#n + M.o; } }
			try { k(f) } catch (q) { console.log(q) } for (const r of []) r; for (s in {}) s; t = 3; ({ u: v } = {});
			w: for (;;) { break w; } const { x, y: z = 2 } = { x: 1 }; label: a; if (typeof fetch === "function") fetch(1);
			const A = class B { C() { return B; } }; async function* D() { yield* E(); } function E() {} import.meta;
			return [a, b, d, e, new M(), t, v, x, z, A, D, { a, F: 1, get G() { return 1; } }.F, undefined, globalThis.H, H];
		`.replace("import.meta;", "");
		assert.deepEqual(list(code), []);
	});

	test("are the sandbox's own", async () => {
		const names = await runForOutput("code", { code: "return Object.getOwnPropertyNames(globalThis);" });
		assert.deepEqual(
			[...GLOBALS].filter((name) => name !== "arguments").sort(),
			[...(names as string[])].sort(),
		);
	});
});

describe("the input of code", () => {
	test("that the node does not pass is a warning", () => {
		assert.deepEqual(list("return input.total + input.rate;", { rate: 2 }), [
			'warning missing_input: "input.total" is not passed in the node\'s `input` | Pass it: input: { total: "{{input.total}}" }, or another reference',
		]);
		assert.deepEqual(list("const { orders, rate = 1 } = input;\nreturn orders;", { order: "{{input.x}}" }), [
			'warning missing_input: "input.orders" is not passed in the node\'s `input` | Did you mean "order"?',
		]);
		assert.equal(check('return input["odd name"];')[0]?.code, "missing_input");
	});

	test("is not checked where it is not known or not meant", () => {
		for (const [code, input] of [
			["return input.total;", "{{input}}"],
			["return input[name]; var name;", {}],
			["return [1].map((input) => input.total);", {}],
			["input.total = 1; return input.total;", {}],
			["return input.hasOwnProperty('x');", {}],
			["return Object.keys(input);", {}],
		] as const) {
			assert.deepEqual(list(code, input), [], code);
		}
	});
});

/** Whether the text after an example goes on with the diagnostics of it. */
const showsMistakes = (after: string): boolean =>
	/^\s*(?:```sh run\ncurl[^`]*validate[^`]*```\s*)?```json (?:diagnostics|answer)\n[^`]*"(?:severity|code)"/.test(
		after,
	);

describe("code that runs gives no error when it is saved", () => {
	const read = (pattern: string) =>
		globSync(pattern, {
			cwd: new URL("../../../..", import.meta.url).pathname,
			exclude: ["**/node_modules/**"],
		}).map((path) => readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8"));

	test("the code of every page of the docs", () => {
		const pages = read("docs/**/*.md");
		const documents = pages.flatMap((page) =>
			[...page.matchAll(/```yaml [^\n]+\n(.*?)```/gs)]
				.filter(({ 0: block, index }) => !showsMistakes(page.slice(index + block.length)))
				.map(([, yaml = ""]) => yaml),
		);
		const withCode = documents.filter((yaml) => yaml.includes("component: code"));
		assert.ok(withCode.length > 5);
		for (const yaml of withCode) {
			const found = compileYaml(yaml).filter(({ code }) =>
				/^(?:bad_code|unknown_global|missing_input)$/.test(code),
			);
			assert.deepEqual(found, [], yaml);
		}
	});

	test("whatever the engine's grammar accepts", async () => {
		for (const code of GRAMMAR) {
			const outcome = await runNode("code", { code });
			const errors = check(code).filter(({ severity }) => severity === "error");
			const isRefused = "error" in outcome && outcome.error.startsWith("SyntaxError");
			assert.ok(isRefused || errors.length === 0, `${code}: ${JSON.stringify(errors)}`);
		}
	});

	test("the wrong syntax that the engine refuses is found too", async () => {
		for (const code of [
			"return (1",
			"let a; let a;",
			"const input = 1;",
			"var await;",
			"return 1 +",
			"a = = 1",
		]) {
			const outcome = await runNode("code", { code });
			assert.ok("error" in outcome && outcome.error.includes("is not valid JavaScript") === false);
			assert.equal(check(code)[0]?.code, "bad_code", code);
		}
	});
});

const GRAMMAR = [
	"return <!-- x\n1",
	"var input = 2; return input",
	"with ({ a: 1 }) { return a }",
	"return 010 + 08",
	"/(?<a>x)|(?<a>y)/; return /(?i:a)/.test('A') && /[a--b]/v.test('a')",
	"import('x'); return 1",
	"for await (const x of [1]) {} return 1",
	"using x = null; return 1",
	"await using x = null; return 1",
	"return new.target === undefined",
	"function f() { var await = 1; return await } return f()",
	"class A { static { this.x = 1 } #p = 1; has(o) { return #p in o } } return A.x",
	"x = 5; x ||= 1; x ??= 2; x **= 2; return x",
	"return 1_000 + Number(1n ** 2n)",
	// biome-ignore lint/suspicious/noTemplateCurlyInString: the code has a template
	"return `${`${1}`}` + String.raw`\\u`.length",
	"var yield = 1, let = 2, async = 3, of = 4, get = 5; return yield + let + async + of + get",
	"return arguments.length + (this === undefined)",
	"if (true) function f() {} return 1",
	"try { throw 1 } catch { return 2 } finally { }",
	"return '\u2028' + (globalThis?.a?.b ?? 1)",
	"for (let of of [1]) return of; for (let async of []) {}",
	"return { get x() { return 1 }, set x(v) {}, async *y() {}, ['z']: 1, 'a b': 2, 3: 4 }.x",
	"undefined = 1; eval = 1; return 1",
	"let undefined; return 1",
	"do ; while (0) return 1",
	"return\n1",
	"({ a: 1, a: 2 }); ({ a = 1 } = {}); return a",
	"function* g() { function f(x = yield) {} } var yield; return 1",
	"lbl: function f() {} return 1",
	"class A extends null { constructor() { super() } } return { f() { super.x } } ? 1 : 2",
	"const { a, b: { c = 1 } = {}, ...d } = {}; return c",
	"{ function g() {} function g() {} } return 1",
	"try {} catch (e) { var e } return 1",
	"function f(a, a) {} return 1",
	"a: b: for (;;) { break a } return 1",
	"return 1\n/* */ --> x",
	"label: { break label }\nreturn await 1",
	'"use strict"; return 1',
	"return (a, b) => a + b, 2",
	"if (0) ; else return async x => await x, 1",
	"switch (1) { case 1: { let q } default: let q } return 1",
	"return a\n++\nb; var a = 1, b = 2",
	"return (() => { })\n?.()",
	"return [,, 1].length + [...'ab'].length",
	"throw 1",
	"debugger; return 1",
	`return ${"(".repeat(200)}1${")".repeat(200)}`,
	`return ${"1+".repeat(5_000)}1`,
	`return [${"[],".repeat(5_000)}].length`,
	`${Array.from({ length: 4_000 }, (_, index) => `let a${index};`).join("")} return 1`,
	`return "${"x".repeat(60_000)}".length`,
	`return ${"9".repeat(3_000)}n > 0n`,
];

describe("hostile code is parsed in time", () => {
	const HOSTILE: Record<string, string> = {
		parentheses: "(".repeat(60_000),
		"nested blocks with var": `${"{".repeat(1_500)}${Array.from({ length: 8_000 }, (_, index) => `var a${index};`).join("")}`,
		declarations: Array.from({ length: 7_000 }, (_, index) => `let a${index};`).join(""),
		labels: `${Array.from({ length: 11_000 }, (_, index) => `a${index}:`).join("")};`,
		"named groups": `/${"(?<a>x)|".repeat(7_000)}y/`,
		"a bigint": `${"1".repeat(65_000)}n`,
		names: Array.from({ length: 13_000 }, (_, index) => `b${index};`).join(""),
		"blank lines": `${"\n".repeat(60_000)}(`,
		"spaces before a colon": `if ${" ".repeat(60_000)}(`,
		inputs: Array.from({ length: 6_000 }, (_, index) => `input.a${index};`).join(""),
		templates: "`${".repeat(20_000),
	};
	for (const [name, text] of Object.entries(HOSTILE)) {
		test(name, () => {
			const code = text.slice(0, 65_536);
			const config = Object.fromEntries(
				Array.from({ length: 15 }, (_, index) => [`n${index}`, { component: "code", code }]),
			);
			const triplets = Object.keys(config).map((id) => `input >> then >> ${id}`);
			const start = process.cpuUsage();
			compileNode({ component: "code", code: "" }, { triplets, config });
			assert.ok(process.cpuUsage(start).user < 2_000_000);
		});
	}
});
