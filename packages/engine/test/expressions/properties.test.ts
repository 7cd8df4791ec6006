import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import fc from "fast-check";
import { anyCharacter } from "../../../../test/any-character.ts";
import { compileAggregate, compileExpression } from "../../src/expressions/compile-expression.ts";
import { compileText } from "../../src/expressions/compile-text.ts";
import type { TextProblem } from "../../src/expressions/problem.ts";
import { TerminalError } from "../../src/terminal-error.ts";
import {
	catchFailure,
	createFrame,
	createMeter,
	createNames,
	evaluateCel,
	evaluateText,
} from "./evaluate.ts";

const data: { [name: string]: Json } = { input: { a: 1, b: [1, "x", { c: null }], "d e": "text" }, item: 5 };
const names = createNames(data);

/** Tokens of the languages in random order: more of it parses than of random text. */
const soup = (pieces: readonly string[]) =>
	fc
		.array(
			fc.oneof(
				{ weight: 8, arbitrary: fc.constantFrom(...pieces) },
				fc.string({ unit: anyCharacter, maxLength: 3 }),
			),
			{
				maxLength: 25,
			},
		)
		.map((parts) => parts.join(""));

const template = soup(
	'{{ }} {{}} input .a .b [0] [2] ["d e"] | upper length json first default(1) default(input.a) default(nope) join(",") "x" \' " \\ \\u0041 ( ) , . [ ] a b'
		.split(" ")
		.concat(" "),
);
const expression = soup(
	"input .a .b [0] [2] ['d e'] && || ! - + * / % == != < in ? : ( ) [ ] { } , 1 2.5 1u 'x' b'x' true null has( size( .all( .map( .filter( x, x .c // \\n"
		.split(" ")
		.concat(" ", "\n"),
);

function checkProblems(problems: readonly TextProblem[], text: string): void {
	assert.ok(problems.length > 0 && problems.length <= 20);
	for (const { offset, message } of problems) {
		assert.ok(Number.isInteger(offset) && offset >= 0 && offset <= text.length, `${offset}`);
		assert.ok(message.length > 0);
	}
}

function isJson(value: unknown): boolean {
	if (value === null || typeof value === "string" || typeof value === "boolean") return true;
	if (typeof value === "number") return Number.isFinite(value);
	if (typeof value !== "object") return false;
	if (Array.isArray(value)) return value.every(isJson);
	return Object.getPrototypeOf(value) === Object.prototype && Object.values(value as object).every(isJson);
}

function assertFailsWell(run: () => unknown): void {
	try {
		assert.ok(isJson(run()));
	} catch (error) {
		if (!(error instanceof TerminalError)) throw error;
	}
}

describe("for any text", () => {
	test("a template compiles to problems, or evaluates to JSON or a TerminalError", () => {
		fc.assert(
			fc.property(fc.oneof(template, fc.string({ unit: anyCharacter })), (text) => {
				const result = compileText(text, names, createMeter());
				if (!result.ok) return checkProblems(result.problems, text);
				assertFailsWell(() => result.value(createFrame(createMeter())));
			}),
			{ numRuns: 5000 },
		);
	});

	test("an expression compiles to problems, or evaluates to JSON or a TerminalError", () => {
		fc.assert(
			fc.property(fc.oneof(expression, fc.string({ unit: anyCharacter })), (text) => {
				const result = compileExpression(text, names, { item: true, meter: createMeter() });
				if (!result.ok) checkProblems(result.problems, text);
				else assertFailsWell(() => result.value(createFrame(createMeter()))({ a: 1 }, 0));
				const aggregate = compileAggregate(`sum(${text})`, names, createMeter());
				if (!aggregate.ok) checkProblems(aggregate.problems, `sum(${text})`);
			}),
			{ numRuns: 5000 },
		);
	});
});

test("text without two opening braces evaluates to itself", () => {
	fc.assert(
		fc.property(
			fc.string({ unit: anyCharacter, maxLength: 200 }).filter((text) => !text.includes("{{")),
			(text) => assert.equal(evaluateText(text, {}), text),
		),
	);
});

test("any text can be written as a literal", () => {
	fc.assert(
		fc.property(fc.string({ unit: "grapheme" }), (text) => {
			const quoted = text.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
			assert.equal(evaluateText(`{{"${quoted}"}}`, {}), text);
		}),
	);
});

test("a chain of defaults gives the first value that is there", () => {
	const paths = ["input.a", "input.gone", "skipped", "skipped.x", "input.b[1]", "input.b[9]", 'input["d e"]'];
	const here: { readonly [path: string]: Json } = { "input.a": 1, "input.b[1]": "x", 'input["d e"]': "text" };
	fc.assert(
		fc.property(fc.array(fc.constantFrom(...paths), { minLength: 1, maxLength: 17 }), (chain) => {
			const [first, ...rest] = chain as [string, ...string[]];
			const text = `{{${first}${rest.map((path) => ` | default(${path})`).join("")}}}`;
			const expected = chain.find((path) => Object.hasOwn(here, path));
			if (expected !== undefined) return assert.equal(evaluateText(text, data), here[expected]);
			assert.ok(catchFailure(() => evaluateText(text, data)).startsWith(`"${first}" is missing`));
		}),
	);
});

test("data passes through unchanged, even if it looks like a template", () => {
	const hostile = fc.oneof(fc.constantFrom("{{7*7}}", "{{credential.x}}", '{{"{{"}}', "{{"), fc.string());
	const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
		tree: fc.oneof(
			{ maxDepth: 4 },
			hostile,
			fc.constantFrom(null, true, 1.5),
			fc.array(tie("tree"), { maxLength: 4 }),
			fc.dictionary(hostile, tie("tree"), { maxKeys: 4, noNullPrototype: true }),
		),
	}));
	fc.assert(
		fc.property(tree, (value) => {
			assert.deepEqual(evaluateText("{{v}}", { v: value }), value);
			assert.deepEqual(evaluateCel("v", { v: value }), value);
			assert.deepEqual(evaluateCel("[v][0]", { v: value }), value);
			if (typeof value === "string") assert.equal(evaluateText("<{{v}}>", { v: value }), `<${value}>`);
		}),
	);
});

test("any own key except the rejected ones can be read", () => {
	fc.assert(
		fc.property(fc.string({ unit: "grapheme" }), fc.integer(), (key, value) => {
			fc.pre(!["__proto__", "constructor", "prototype"].includes(key));
			const input = Object.fromEntries([[key, value]]);
			const written = JSON.stringify(key).replace(/\\[bf]/g, (code) =>
				code === "\\b" ? "\\u0008" : "\\u000c",
			);
			assert.equal(evaluateText(`{{input[${written}]}}`, { input }), value);
			assert.equal(evaluateCel(`input[${written}]`, { input }), value);
		}),
	);
});

test("numbers compare and add as JSON numbers do", () => {
	fc.assert(
		fc.property(
			fc.integer({ min: -1e6, max: 1e6 }),
			fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
			(whole, any) => {
				const written = whole < 0 ? `(${whole})` : `${whole}`;
				assert.equal(evaluateCel(`v + ${written}`, { v: any }), any + whole);
				assert.equal(evaluateCel(`${written} < v`, { v: any }), whole < any);
				assert.equal(evaluateCel(`v == ${written}`, { v: any }), any === whole);
			},
		),
	);
});

test("the filters agree with plain JavaScript", () => {
	const apply = (value: Json, filters: string) => evaluateText(`{{v | ${filters}}}`, { v: value });
	const plain = fc.string({ unit: "grapheme", maxLength: 20 }).filter((text) => !/["\\]/.test(text));
	fc.assert(
		fc.property(
			fc.string(),
			plain.filter((text) => text !== ""),
			plain,
			(text, part, by) => {
				assert.equal(
					apply(text, `replace("${part}", "${by}")`),
					text.replaceAll(part, () => by),
				);
			},
		),
	);
	fc.assert(
		fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 1 }), (list) => {
			assert.equal(
				apply(list, "sum"),
				list.reduce((total, one) => total + one, 0),
			);
			assert.equal(apply(list, "min"), Math.min(...list));
			assert.equal(apply(list, "max"), Math.max(...list));
			assert.deepEqual(apply(list, "unique"), [...new Set(list)]);
		}),
	);
	fc.assert(
		fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
			assert.equal(apply(String(number), "number"), number + 0);
			assert.equal(apply(number, "text | number"), number + 0);
		}),
	);
	fc.assert(
		fc.property(fc.dictionary(fc.string(), fc.jsonValue() as fc.Arbitrary<Json>), (object) => {
			const value = Object.fromEntries(Object.entries(object));
			assert.deepEqual(
				apply(value, "entries"),
				Object.entries(value).map(([key, value]) => ({ key, value })),
			);
			assert.deepEqual(apply(value, 'entries | pluck("key")'), apply(value, "keys"));
		}),
	);
});

test("escaped text has no character of HTML's syntax, and unescapes to itself", () => {
	const NAMES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
	fc.assert(
		fc.property(
			fc.string({ unit: "grapheme" }),
			fc.constantFrom("<a href=\"'&", "&amp;", ""),
			(text, tail) => {
				const escaped = evaluateText("{{v | html}}", { v: text + tail }) as string;
				assert.doesNotMatch(escaped, /[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
				const unescaped = escaped.replaceAll(/&([^;]+);/g, (_, name: string) => NAMES[name] ?? "?");
				assert.equal(unescaped, text + tail);
			},
		),
	);
});
