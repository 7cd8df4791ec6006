import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import fc from "fast-check";
import { compileSource } from "../src/compile.ts";
import { readSource } from "../src/source.ts";
import { replaceName } from "../src/yaml/replace-name.ts";
import { yamlSource } from "../src/yaml.ts";
import { catalogue } from "./catalogue.ts";

const read = (yaml: string) => readSource(yamlSource(yaml), { named: false });

/** A document whose node `a` has these lines of settings; the first of them is line 5. */
const withSettings = (...lines: readonly string[]): string =>
	["triplets:", "  - input >> then >> a", "config:", "  a:", ...lines.map((line) => `    ${line}`), ""].join(
		"\n",
	);

/** All diagnostics: severity, code, place and hint. */
const list = (yaml: string): string[] =>
	read(yaml).diagnostics.map(
		({ severity, code, line, column, hint }) => `${severity} ${code} ${line}:${column} ${hint}`,
	);

const only = (yaml: string, expected: string): void => assert.deepEqual(list(yaml), [expected]);

describe("one mistake in YAML is one diagnostic with a hint", () => {
	const cases: Record<string, [yaml: string, expected: string]> = {
		"an unquoted bracket inside braces": [
			withSettings('values: { x: input.tags[0] == "x" }'),
			`error bad_yaml 5:28 Quote it: x: 'input.tags[0] == "x"'`,
		],
		"a bracket that is not closed": [
			withSettings("values: { x: [a, y: 2 }", "component: set"),
			"error bad_yaml 5:18 Close it with ], or put the text in quotes if it is not meant as a list",
		],
		"a brace that is not closed": [
			withSettings("values: { x: 1", "component: set"),
			"error bad_yaml 5:13 Close it with }, or put the text in quotes if it is not meant as a map",
		],
		"a brace too many": [
			withSettings("values: { x: 1 }}", "component: set"),
			"error bad_yaml 5:21 Delete it, or put the whole value in quotes",
		],
		"a template without quotes": [
			withSettings("text: {{input.x}}", "component: template"),
			'error bad_yaml 5:11 Quote it: text: "{{input.x}}"',
		],
		"a template without quotes that goes on": [
			withSettings('text: {{input["x"]}} and more', "component: template"),
			`error bad_yaml 5:11 Quote it: text: '{{input["x"]}} and more'`,
		],
		"templates without quotes inside braces": [
			withSettings("values: { x: {{input.x}}, y: {{input.y}} }"),
			'error bad_yaml 5:18 Quote it: x: "{{input.x}}"',
		],
		"a negation without quotes": [
			withSettings("condition: !has(input.x)", "component: if"),
			'error bad_yaml 5:16 Quote it: condition: "!has(input.x)"',
		],
		"a tab as indentation": [
			withSettings("component: set").replace("    component", "\tcomponent"),
			"error bad_yaml 5:1 Indent with spaces, two for each level",
		],
		"a missing space after a colon": [
			withSettings("component:if", 'condition: "true"'),
			"error bad_yaml 5:14 Write component: if",
		],
		"a missing space after a colon inside braces": [
			withSettings("values: { x:1, y: 2 }"),
			"warning missing_space 5:15 Write x: 1",
		],
		"a quote that is not closed": [
			withSettings('text: "hello', "component: template"),
			'error bad_yaml 5:11 Close it with " at the end of the text',
		],
		"a quote that another one closes lines later": [
			'name: "hello\ndescription: "x"\ntriplets: []\n',
			'error bad_yaml 1:7 Close it with " at the end of the text',
		],
		"an apostrophe inside single quotes": [
			withSettings("text: 'it's late'"),
			`error bad_yaml 5:14 Quote it: text: "it's late"`,
		],
		"an expression that starts with a quote": [
			withSettings('condition: "a" == input.x'),
			`error bad_yaml 5:18 Quote it: condition: '"a" == input.x'`,
		],
		"a colon in an expression": [
			withSettings("value: item.x ? 1 : 2"),
			'error bad_yaml 5:23 Quote it: value: "item.x ? 1 : 2"',
		],
		"a template cut by a comment": [
			withSettings("text: Order #{{input.x}}"),
			'warning cut_by_comment 5:17 Quote it: text: "Order #{{input.x}}"',
		],
		"an expression cut by a comment": [
			withSettings("condition: input.x == ' #1'"),
			`warning cut_by_comment 5:29 Quote it: condition: "input.x == ' #1'"`,
		],
		"a line that is indented too far": [
			withSettings("component: if", '  condition: "true"'),
			"error bad_yaml 6:7 Align it with the lines it belongs to; the line above starts with 4 spaces",
		],
		"a line that is indented too little": [
			withSettings("component: if").concat('   condition: "true"\n'),
			"error bad_yaml 6:4 Align it with the lines it belongs to; the line above starts with 4 spaces",
		],
		"a reserved character": [withSettings("text: @home"), 'error bad_yaml 5:11 Quote it: text: "@home"'],
		"a comparison that starts a block": [
			withSettings("condition: > 3"),
			'error bad_yaml 5:16 Quote it: condition: "> 3"',
		],
		"an asterisk that is no alias": [
			withSettings("text: *bold*"),
			'error bad_yaml 5:11 Quote it: text: "*bold*"',
		],
		"wrong escapes": [
			withSettings('text: "\\d+ \\w"'),
			'error bad_yaml 5:12 Write "\\\\" for a backslash, or use single quotes',
		],
	};
	for (const [name, [yaml, expected]] of Object.entries(cases)) test(name, () => only(yaml, expected));

	test("a triplet with a colon", () => {
		const yaml = "triplets:\n  - a >> CASE x: y >> b\n";
		only(yaml, 'error bad_triplet 2:5 Quote it: "a >> CASE x: y >> b"');
	});

	test("a list without spaces after its dashes", () => {
		const yaml = "triplets:\n  -a >> then >> b\n  -b >> then >> c\n";
		only(yaml, 'error bad_field 2:3 Write a space after each "-"');
	});

	test("a comment after a value is no mistake", () => {
		assert.deepEqual(list(withSettings("component: set # as {{x}} does", "values: [] # (none)")), []);
	});

	test("mistakes before a syntax error are reported with it", () => {
		const yaml = withSettings("condition: !has(input.x)", "text: @home");
		assert.deepEqual(
			read(yaml).diagnostics.map(({ line }) => line),
			[5, 6],
		);
	});
});

describe("a merge in YAML", () => {
	const context = (...lines: readonly string[]) =>
		read(["triplets: [a >> then >> b]", "context:", ...lines.map((line) => `  ${line}`)].join("\n"));

	test("adds the keys of a map; own keys win wherever they stand", () => {
		const { definition, diagnostics } = context(
			"base: &base { x: 1, y: 1 }",
			"one: { <<: *base, x: 2 }",
			"two: { y: 3, <<: *base }",
		);
		assert.deepEqual(diagnostics, []);
		assert.deepEqual(definition?.context, {
			base: { x: 1, y: 1 },
			one: { x: 2, y: 1 },
			two: { x: 1, y: 3 },
		});
	});

	test("takes the first of several maps that has a key", () => {
		const { definition } = context("a: &a { x: 1 }", "b: &b { x: 2, y: 2 }", "c: { <<: [*a, *b, { z: 3 }] }");
		assert.deepEqual(definition?.context.c, { x: 1, y: 2, z: 3 });
	});

	test("may be merged again", () => {
		const { definition } = context("a: &a { x: 1 }", "b: &b { <<: *a, y: 2 }", "c: { <<: *b }");
		assert.deepEqual(definition?.context.c, { x: 1, y: 2 });
	});

	test("still refuses a key that is written twice", () => {
		const { diagnostics } = context("a: &a { x: 1 }", "b: { <<: *a, x: 2, x: 3 }");
		assert.deepEqual(
			diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`),
			["duplicate_key 4:22"],
		);
	});

	test("in quotes, or with any other value, is a key like any other", () => {
		const { definition } = context('a: { "<<": { x: 1 } }', "b: { <<: text }");
		assert.deepEqual(definition?.context, { a: { "<<": { x: 1 } }, b: { "<<": "text" } });
	});

	test("locates a problem where the merged key is written", () => {
		const yaml = `triplets: [a >> then >> b]
config:
  a: &a
    component: set
    retry: { max: many }
  b:
    <<: *a
    component: [wrong]
`;
		assert.deepEqual(
			read(yaml).diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`),
			["bad_field 5:19", "bad_field 5:19", "bad_field 8:16"],
		);
	});

	test("cannot expand a document without limit", () => {
		let yaml = "triplets: [a >> then >> b]\ncontext:\n  a0: &a0 { k: [lol, lol] }\n";
		for (let level = 1; level < 40; level++) {
			yaml += `  a${level}: &a${level} { <<: *a${level - 1}, l${level}: *a${level - 1} }\n`;
		}
		assert.ok(read(yaml).diagnostics.some(({ code }) => code === "too_large"));
		const keys = Array.from({ length: 2_000 }, (_, index) => `k${index}: 1`).join(", ");
		const wide = `triplets: [a >> then >> b]\ncontext:\n  a: &a { ${keys} }\n  b: [${"{<<: *a},".repeat(2_000)}]\n`;
		assert.deepEqual(
			read(wide).diagnostics.map(({ code }) => code),
			["too_large"],
		);
	});
});

describe("a valid document with one random mistake", () => {
	const page = readFileSync(new URL("../../../docs/language.md", import.meta.url), "utf8");
	const documents = [...page.matchAll(/```yaml workflow\n(.*?)```/gs)]
		.map(([, yaml = ""]) => yaml)
		.filter((yaml) => read(yaml).diagnostics.length === 0);

	/** Where a mistake is made, and what is written there instead. */
	const mistakes: Record<string, [at: RegExp, instead: string]> = {
		"a quote is missing": [/["'](?=[,}\n])/g, ""],
		"a bracket is missing": [/[\]}](?=[ ,\n])/g, ""],
		"a bracket is too many": [/[\]}](?=\n)/g, "$&}"],
		"a space is missing": [/(?<=^ *\w+:) (?=\w)/gm, ""],
		"a colon is missing": [/(?<=^ *\w+):(?= ?)/gm, ""],
		"a template is not quoted": [/"(\{\{[^"]*)"/g, "$1"],
		"a tab indents": [/^ {2}(?=\w)/gm, "\t"],
		"a line is indented by one more": [/^ +(?=\w+: [\w"'])/gm, "$& "],
		"a value starts with a special character": [/(?<=^ *\w+: )(?=\w)/gm, "@"],
		"a value contains a colon": [/(?<=^ *\w+: \w+)(?=\n)/gm, ": x"],
		"text follows a quote": [/(?<=^ *\w+: "[^"\n]*")(?=\n)/gm, " + x"],
	};

	assert.ok(documents.length > 15);
	for (const [name, [pattern, instead]] of Object.entries(mistakes)) {
		test(name, () => {
			const places = documents.flatMap((yaml) =>
				[...yaml.matchAll(pattern)].map(({ index }) => ({ yaml, index })),
			);
			assert.ok(places.length > 0);
			fc.assert(
				fc.property(fc.constantFrom(...places), ({ yaml, index }) => {
					const once = new RegExp(pattern.source, `${pattern.flags.replace("g", "")}y`);
					once.lastIndex = index;
					const broken = yaml.replace(once, instead);
					assert.notEqual(broken, yaml);
					const { diagnostics } = read(broken);
					const shown = JSON.stringify(diagnostics);
					assert.ok(diagnostics.length <= 3, `${diagnostics.length} for ${broken}: ${shown}`);
					const [first] = diagnostics;
					if (first === undefined) return;
					const line = yaml.slice(0, index).split("\n").length;
					assert.ok(Math.abs((first.line ?? 0) - line) <= 1, `line ${line} of ${broken}: ${shown}`);
					if (first.code === "bad_yaml") assert.ok(first.hint !== undefined, shown);
				}),
				{ numRuns: 200 },
			);
		});
	}
});

describe("a problem inside a text is located at its character", () => {
	const broken = "{{nope}}";
	const cases: Record<string, string> = {
		plain: `text: x ${broken}`,
		"in double quotes with escapes": `text: "\\u00e9 \\"\\t\\x41 ${broken}"`,
		"in single quotes with quotes": `text: 'it''s ${broken}'`,
		"in a literal block": `text: |\n        one\n          two\n        x ${broken}\n`,
		"in a literal block that starts with empty lines": `text: |\n\n\n        one\n        x ${broken}\n`,
		"in a literal block with an indentation indicator": `text: |2-\n          one\n        x ${broken}\n`,
	};
	for (const [name, setting] of Object.entries(cases)) {
		test(name, () => {
			const yaml = withSettings("component: set", "values:", `  ${setting}`);
			const { diagnostics } = compileSource(yamlSource(yaml), { named: false, catalogue });
			const before = yaml.slice(0, yaml.indexOf("{{")).split("\n");
			assert.deepEqual(
				diagnostics.map(({ code, line, column }) => ({ code, line, column })),
				[{ code: "unknown_reference", line: before.length, column: (before.at(-1)?.length ?? 0) + 3 }],
			);
		});
	}
});

test("a name is replaced in a text that stays as it is otherwise", () => {
	const rest = 'description: "name: old" # a comment\nconfig: { name: { text: old } }\r\n';
	for (const [written, name, expected] of [
		["old", "new", "new"],
		["'old' # why", "new one", "new one # why"],
		['"old"', "新的", '"新的"'],
		["old", "null", '"null"'],
		["old", 'a "b": c', '"a \\"b\\": c"'],
		["&a old", "new", null],
		["|\n  old", "new", null],
	] as const)
		assert.equal(
			replaceName(`# first\nname:  ${written}\n${rest}`, name),
			expected === null ? null : `# first\nname:  ${expected}\n${rest}`,
		);
	assert.equal(
		replaceName('{"description": "", "name": "old"}', "new"),
		'{"description": "", "name": "new"}',
	);
	for (const text of [
		"",
		"- name: old",
		"a: { name: old }",
		"name:",
		`name: old\nv: [${"1,".repeat(100_000)}]`,
	])
		assert.equal(replaceName(text, "new"), null);
});
