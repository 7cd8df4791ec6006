import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import fc from "fast-check";
import { compileExpression } from "../../src/expressions/compile-expression.ts";
import { compileText } from "../../src/expressions/compile-text.ts";
import type { Compiled } from "../../src/expressions/problem.ts";
import type { Frame, Names } from "../../src/frame.ts";
import { TerminalError } from "../../src/terminal-error.ts";
import { toSchemaType } from "../../src/types/from-schema.ts";
import { toValueType } from "../../src/types/from-value.ts";
import { ANY, listMembers, type Type, unionType } from "../../src/types/type.ts";
import { createFrame, createMeter, createNames } from "./evaluate.ts";

function isOfType(value: Json, type: Type): boolean {
	return listMembers(type).some((member) => {
		switch (member.kind) {
			case "any":
				return true;
			case "text":
				return typeof value === "string";
			case "null":
				return value === null;
			case "list":
				return Array.isArray(value) && value.every((element) => isOfType(element, member.element));
			case "object":
				return (
					typeof value === "object" &&
					value !== null &&
					!Array.isArray(value) &&
					Object.entries(value).every(([name, field]) => {
						const known = member.fields.get(name) ?? member.others;
						return known !== null && isOfType(field, known);
					})
				);
			default:
				return member.kind === "number" ? typeof value === "number" : typeof value === "boolean";
		}
	});
}

const key = fc.constantFrom("a", "b", "c", "name");
const scalar = fc.oneof(
	fc.constantFrom<Json>("", "tea", "12", "[1]", "2026-01-02", null, true, false),
	fc.constantFrom<Json>(0, 1, 2.5, -3),
);
const { data } = fc.letrec<{ data: Json }>((tie) => ({
	data: fc.oneof(
		{ depthSize: "small", withCrossShrink: true },
		scalar,
		fc.array(tie("data"), { maxLength: 3 }),
		fc.dictionary(key, tie("data"), { maxKeys: 3, noNullPrototype: true }),
	),
}));

/** What a schema or a component may say of the same data: less, but nothing false. */
function loosen(type: Type, random: () => number): Type {
	if (random() < 0.15) return ANY;
	if (type.kind === "list") return { kind: "list", element: loosen(type.element, random) };
	if (type.kind === "union") return unionType(type.members.map((member) => loosen(member, random)));
	if (type.kind !== "object") return random() < 0.2 ? unionType([type, { kind: "null" }]) : type;
	const fields = new Map([...type.fields].map(([name, field]) => [name, loosen(field, random)]));
	if (random() < 0.3) fields.set("b", fields.get("b") ?? { kind: "text" });
	return { kind: "object", fields, others: random() < 0.2 ? ANY : null };
}

interface World {
	readonly values: { readonly [name: string]: Json };
	readonly names: Names;
	readonly frame: Frame;
}

const world: fc.Arbitrary<World> = fc
	.record({ x: data, y: data, list: fc.array(data, { maxLength: 3 }), seed: fc.integer() })
	.map(({ seed, ...values }) => {
		let state = seed;
		const random = () => {
			state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
			return ((state >>> 8) & 0xffff) / 0x10000;
		};
		const types = new Map(
			Object.entries(values).map(([name, value]) => [
				name,
				loosen(toValueType(value, createMeter()), random),
			]),
		);
		for (const [name, type] of types) assert.ok(isOfType(values[name as "x"], type));
		const named = (name: string) => types.get(name) ?? ANY;
		return {
			values,
			names: { ...createNames(values), types: { named, node: named, mayBeSkipped: () => false } },
			frame: createFrame(createMeter()),
		};
	});

/** Asserts that what is inferred is true of one evaluation. */
function assertTrue<Value>(
	compiled: Compiled<Value>,
	evaluate: (value: Value) => Json,
	text: string,
): boolean {
	if (!compiled.ok) return false;
	const certain = compiled.claims.filter(
		({ isConditional, code }) => isConditional !== true && code === "wrong_type",
	);
	let result: Json;
	try {
		result = evaluate(compiled.value);
	} catch (error) {
		assert.ok(error instanceof TerminalError, String(error));
		return false;
	}
	assert.deepEqual(certain, [], `${text} gave ${JSON.stringify(result)}`);
	assert.ok(
		isOfType(result, compiled.type),
		`${text}: ${JSON.stringify(result)} as ${JSON.stringify(compiled.type)}`,
	);
	return true;
}

const path = fc
	.tuple(
		fc.constantFrom("x", "y", "list"),
		fc.array(fc.constantFrom(".a", ".b", ".c", ".name", "[0]", "[1]"), { maxLength: 3 }),
	)
	.map(([root, steps]) => root + steps.join(""));

const filter = fc.constantFrom(
	...'json parse_json text number join(",") split(",") replace("t","u") trim upper lower length first last slice(0,1) unique pluck("a") named("a") sum min max keys entries round date("iso") html url base64 from_base64 sha256 default(0) default("") default(y.a) default(list)'.split(
		" ",
	),
);

const template = fc
	.tuple(path, fc.array(filter, { maxLength: 3 }))
	.map(([read, filters]) => `{{${[read, ...filters].join(" | ")}}}`);

const { expression } = fc.letrec<{ expression: string }>((tie) => {
	const inner = tie("expression");
	return {
		expression: fc.oneof(
			{ depthSize: "small", withCrossShrink: true },
			fc.oneof(
				path,
				path,
				fc.constantFrom("1", "'tea'", "true", "null", "item", "item.a", "index", "[1, 'a']", "{'a': 1}"),
			),
			fc
				.tuple(inner, fc.constantFrom("+", "-", "*", "/", "<", ">=", "==", "&&", "||", "in"), inner)
				.map(([a, op, b]) => `(${a} ${op} ${b})`),
			fc.tuple(inner, inner, inner).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
			fc
				.tuple(
					inner,
					fc.constantFrom(".size()", ".upper()", ".split('e')", ".contains('e')", ".a", "[0]", ".join('')"),
				)
				.map(([a, call]) => `${a}${call}`),
			fc
				.tuple(fc.constantFrom("size", "string", "int", "bool", "round", "type", "dyn"), inner)
				.map(([name, a]) => `${name}(${a})`),
			fc
				.tuple(inner, fc.constantFrom("map", "filter", "all", "exists"), inner)
				.map(([a, loop, body]) => `${a}.${loop}(item, ${body})`),
			fc.tuple(path, inner).map(([a, b]) => `(has(${a}.a) ? ${a}.a : ${b})`),
			fc.tuple(inner, inner).map(([a, b]) => `[${a}, ${b}]`),
			fc.tuple(inner, inner).map(([a, b]) => `{'a': ${a}, 'b': ${b}}`),
			inner.map((a) => `!${a}`),
			inner.map((a) => `-${a}`),
		),
	};
});

describe("what is inferred is true", () => {
	test("of templates", (t) => {
		let succeeded = 0;
		fc.assert(
			fc.property(world, template, ({ names, frame }, text) => {
				const compiled = compileText(text, names, createMeter());
				if (assertTrue(compiled, (evaluate) => evaluate(frame), text)) succeeded++;
			}),
			{ numRuns: 10_000 },
		);
		assert.ok(succeeded > 400, `${succeeded} succeeded`);
		t.diagnostic(`${succeeded} of 10000 succeeded`);
	});

	test("of expressions", (t) => {
		let succeeded = 0;
		fc.assert(
			fc.property(world, expression, data, ({ names, frame }, text, item) => {
				const element = toValueType(item, createMeter());
				const compiled = compileExpression(text, names, { item: true, element, meter: createMeter() });
				if (assertTrue(compiled, (bind) => bind(frame)(item, 0), text)) succeeded++;
			}),
			{ numRuns: 10_000 },
		);
		assert.ok(succeeded > 400, `${succeeded} succeeded`);
		t.diagnostic(`${succeeded} of 10000 succeeded`);
	});
});

describe("a missing field that is claimed", () => {
	test("is never there", () => {
		let claimed = 0;
		fc.assert(
			fc.property(world, template, ({ names, frame }, text) => {
				const compiled = compileText(text, names, createMeter());
				if (!compiled.ok || compiled.claims.every(({ isConditional }) => isConditional)) return;
				claimed++;
				assert.throws(() => compiled.value(frame), TerminalError, text);
			}),
			{ numRuns: 10_000 },
		);
		assert.ok(claimed > 1_000, `${claimed} claimed`);
	});
});

describe("the type of a JSON Schema", () => {
	const read = (schema: Json) => toSchemaType(schema, createMeter());
	const cases: [name: string, schema: Json, fits: Json[], not: Json[]][] = [
		["nothing", {}, [1, null], []],
		["a type", { type: "string" }, ["a"], [1, null]],
		["several types", { type: ["integer", "null"] }, [1, null], ["a"]],
		["nullable", { type: "string", nullable: true }, ["a", null], [1]],
		["values", { enum: ["a", 1] }, ["a", 1], [true]],
		["a constant", { const: null }, [null], [1]],
		["a list", { type: "array", items: { type: "number" } }, [[], [1]], [["a"], {}]],
		["a tuple", { type: "array", prefixItems: [{ type: "number" }] }, [[1], ["a"]], [{}]],
		[
			"an open object",
			{ type: "object", properties: { a: { type: "string" } } },
			[{ a: "x", b: 1 }],
			[{ a: 1 }],
		],
		[
			"a closed object",
			{ type: "object", properties: { a: {} }, additionalProperties: false },
			[{}, { a: 1 }],
			[{ b: 1 }],
		],
		["a map", { type: "object", additionalProperties: { type: "number" } }, [{ x: 1 }], [{ x: "a" }]],
		[
			"names by pattern",
			{ type: "object", patternProperties: { "^x": {} }, additionalProperties: false },
			[{ x1: 1 }],
			[1],
		],
		["alternatives", { anyOf: [{ type: "string" }, { type: "number" }] }, ["a", 1], [null]],
		["a reference", { $ref: "#/$defs/a", $defs: { a: { type: "string" } } }, ["a"], [1]],
		[
			"a recursive one",
			{ $ref: "#/$defs/a", $defs: { a: { type: "array", items: { $ref: "#/$defs/a" } } } },
			[[[[]]]],
			[1],
		],
		["a reference elsewhere", { $ref: "https://example.com/a" }, [1], []],
	];
	for (const [name, schema, fits, not] of cases)
		test(name, () => {
			for (const value of fits) assert.ok(isOfType(value, read(schema)), JSON.stringify(value));
			for (const value of not) assert.ok(!isOfType(value, read(schema)), JSON.stringify(value));
		});
});
