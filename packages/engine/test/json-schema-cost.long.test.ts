import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { compileInputCheck } from "../src/input-schema.ts";
import { compileSchema } from "../src/json-schema.ts";
import { MAX_NODE_UNITS, Meter } from "../src/meter.ts";
import { parseWithMeter } from "../src/parse-with-meter.ts";

/** Allowed per turn of the event loop; on an idle machine a check takes less than half of it. */
const MAX_CPU_MS = 250;
const MAX_GROWTH_BYTES = 50_000_000;

const times = <T>(count: number, make: (index: number) => T): T[] =>
	Array.from({ length: count }, (_, index) => make(index));

const lists = (count: number): Json[] => times(count, () => ({ type: "array", items: { type: "string" } }));

const inside = (list: Json): JsonObject => ({ list });
const about = (list: JsonObject): JsonObject => ({ type: "object", properties: { list } });

/** Measures up to three times, because other processes on the machine can slow down any one run. */
function assertCpuMsBelow(limit: number, work: () => void): void {
	let least = Number.POSITIVE_INFINITY;
	for (let run = 0; run < 3 && least >= limit; run++) {
		const before = process.threadCpuUsage();
		work();
		const { user, system } = process.threadCpuUsage(before);
		least = Math.min(least, (user + system) / 1_000);
	}
	assert.ok(least < limit, `${least} ms`);
}

/** The issues found, after asserting the limits on time and memory. */
function checkWithinLimits(
	schema: JsonObject,
	given: JsonObject,
): readonly { path: string; message: string }[] {
	const check = compileInputCheck(schema);
	assert.ok(typeof check === "function", "problem" in check ? check.problem : "");
	const input = JSON.parse(JSON.stringify(given));
	const heap = process.memoryUsage().heapUsed;
	const issues = check(input);
	const growth = process.memoryUsage().heapUsed - heap;
	assert.ok(growth < MAX_GROWTH_BYTES, `${growth} bytes`);
	assert.ok(issues.length <= 50, `${issues.length} issues`);
	assertCpuMsBelow(MAX_CPU_MS, () => check(input));
	return issues;
}

const TOO_LARGE = [{ path: "", message: "is too large to be checked against this schema" }];

describe("limits the cost of checking", () => {
	const wrong = (count: number): Json[] => new Array<Json>(count).fill(1);
	const wrongAtLast = (count: number): Json[] => [...new Array<Json>(count).fill("a"), 1];

	for (const keyword of ["anyOf", "oneOf"]) {
		test(`lists against alternatives of ${keyword} end early or as too large`, () => {
			for (const [alternatives, elements] of [
				[60, 400_000],
				[20, 100_000],
			] as const) {
				const schema = about({ [keyword]: lists(alternatives) });
				const [issue, ...others] = checkWithinLimits(schema, inside(wrong(elements)));
				assert.deepEqual(issue, { path: "list.0", message: "must be text, but is a number" });
				assert.equal(others.length, 49);
				assert.deepEqual(checkWithinLimits(schema, inside(wrongAtLast(elements))), TOO_LARGE);
			}
		});
	}

	test("allOf several lists with contains", () => {
		const contains = { type: "object", required: ["a"] };
		const schema = about({ allOf: times(20, () => ({ type: "array", contains })) });
		assert.deepEqual(checkWithinLimits(schema, inside(wrong(100_000))), TOO_LARGE);
		const alternatives = { anyOf: times(50, (index) => ({ const: index })) };
		assert.deepEqual(
			checkWithinLimits(
				about({ type: "array", contains: alternatives }),
				inside(new Array(400_000).fill("a")),
			),
			TOO_LARGE,
		);
	});

	test("unique elements", () => {
		const schema = about({ type: "array", uniqueItems: true });
		assert.deepEqual(
			checkWithinLimits(schema, inside(times(200_000, (index) => ({ a: index, b: "x" })))),
			TOO_LARGE,
		);
		assert.deepEqual(checkWithinLimits(schema, inside(times(10_000, (index) => ({ a: index, b: "x" })))), []);
		assert.deepEqual(checkWithinLimits(schema, inside(times(100_000, (index) => index))), []);
		assert.deepEqual(checkWithinLimits(schema, inside(times(100_000, (index) => `${index}`))), []);
		const names = Object.fromEntries(times(50_000, (index) => [`n${(index * 7919) % 50_000}`, index]));
		assert.deepEqual(checkWithinLimits(schema, inside([names, { ...names }])).length, 1);
		let deep: Json = [];
		for (let level = 0; level < 100_000; level++) deep = [deep];
		const check = compileInputCheck(schema);
		assert.ok(typeof check === "function");
		assert.deepEqual(check(inside([deep])), TOO_LARGE);
	});

	test("nested alternatives", () => {
		const createNested = (levels: number): JsonObject =>
			levels === 0
				? { type: "array", items: { type: "string" } }
				: {
						anyOf: [
							createNested(levels - 1),
							{ type: "array", items: { anyOf: [createNested(levels - 1)] } },
						],
					};
		for (const list of [wrong(400_000), wrongAtLast(400_000), times(100_000, () => [[1]])])
			checkWithinLimits(about(createNested(4)), inside(list));
		const within = (levels: number): JsonObject =>
			levels === 0 ? { type: "string" } : { anyOf: [within(levels - 1), within(levels - 1)] };
		const schema = about({ type: "array", items: within(5) });
		assert.equal(checkWithinLimits(schema, inside(wrong(400_000))).length, 50);
		assert.deepEqual(checkWithinLimits(about({ contains: within(5) }), inside(wrong(400_000))), TOO_LARGE);
	});

	test("additional properties", () => {
		const names = Object.fromEntries(times(100_000, (index) => [`name-${index}`, index]));
		const anyOf = times(50, (index) => ({ type: "object", required: [`a${index}`] }));
		const others = about({ type: "object", additionalProperties: { anyOf } });
		assert.equal(checkWithinLimits(others, { list: names }).length, 50);
		const fitting = { anyOf: [...times(50, (index) => ({ const: `x${index}` })), { type: "integer" }] };
		assert.deepEqual(checkWithinLimits(about({ additionalProperties: fitting }), { list: names }), TOO_LARGE);
		assert.equal(checkWithinLimits(about({ additionalProperties: false }), { list: names }).length, 50);
		const named = about({ type: "object", propertyNames: { anyOf: times(50, () => ({ maxLength: 2 })) } });
		assert.equal(checkWithinLimits(named, { list: names }).length, 1);
		const filled = times(90, (index) => ({
			properties: { x: { default: index } },
			required: [`b${index}`],
		}));
		checkWithinLimits(about({ anyOf: filled }), { list: names });
		const all = times(90, (index) => ({ properties: { [`x${index}`]: { default: index } } }));
		assert.deepEqual(checkWithinLimits(about({ allOf: all }), { list: names }), TOO_LARGE);
	});

	test("an enum of many large values", () => {
		const large = (index: number): Json => times(25, (each) => ({ a: index, b: each % 3 }));
		const schema = about({ type: "array", items: { enum: times(200, large) } });
		const values = times(10_000, (index) => large(index + 1_000));
		assert.equal(checkWithinLimits(schema, inside(values)).length, 50);
		const small = about({ type: "array", items: { enum: times(1_000, (index) => ({ a: [index], b: {} })) } });
		assert.equal(checkWithinLimits(small, inside(times(10_000, large))).length, 50);
		const fitting = times(10_000, (index) => ({ b: {}, a: [index % 1_000] }));
		assert.deepEqual(checkWithinLimits(small, inside(fitting)), []);
		const held = about({ type: "array", contains: { enum: times(200, large) } });
		assert.deepEqual(checkWithinLimits(held, inside(values)), TOO_LARGE);
	});

	test("invalid elements without alternatives", () => {
		const schema = about({ type: "array", items: { type: "string" } });
		assert.equal(checkWithinLimits(schema, inside(wrong(400_000))).length, 50);
		const none = about({ type: "array", items: { type: "object", additionalProperties: false } });
		const names = Object.fromEntries(times(1_000, (index) => [`n${index}`, 1]));
		assert.equal(checkWithinLimits(none, inside(times(400, () => names))).length, 50);
	});

	test("a long property name in every issue path", () => {
		const schema = { type: "object", additionalProperties: { type: "array", items: { type: "string" } } };
		const issues = checkWithinLimits(schema, { ["x".repeat(500_000)]: wrong(1_000) });
		assert.ok(JSON.stringify(issues).length < 50_000);
	});

	test("empty subschemas", () => {
		const none = new Array<Json>(99).fill(false);
		const fitting = { type: "array", items: { anyOf: [...none, true] } };
		assert.deepEqual(checkWithinLimits(about(fitting), inside(wrong(400_000))), TOO_LARGE);
		const all = { type: "array", items: { allOf: new Array<Json>(99).fill(true) } };
		assert.deepEqual(checkWithinLimits(about(all), inside(wrong(400_000))), TOO_LARGE);
		const held = { type: "array", contains: true, maxContains: 1_000_000 };
		assert.deepEqual(
			checkWithinLimits(about({ allOf: times(99, () => held) }), inside(wrong(400_000))),
			TOO_LARGE,
		);
	});

	test("objects with many missing properties", () => {
		const properties = Object.fromEntries(times(900, (index) => [`p${index}`, { type: "string" }]));
		const objects = new Array<Json>(200_000).fill({});
		assert.deepEqual(
			checkWithinLimits(about({ type: "array", items: { type: "object", properties } }), inside(objects)),
			TOO_LARGE,
		);
	});

	const formats: [format: string, text: string][] = [
		["email", "a.".repeat(500_000)],
		["email", `a@${"a-".repeat(500_000)}`],
		["email", `${"a".repeat(1_000_000)}@`],
		["uri", `https://${"a.".repeat(500_000)}`],
		["uri", `https://a/${"ä ".repeat(500_000)}`],
		["uri", `${" ".repeat(1_000_000)}x`],
		["uuid", "a".repeat(1_000_000)],
		["date-time", "2026-01-31T09:30:00.".concat("1".repeat(1_000_000))],
		["duration", `P${"1".repeat(1_000_000)}`],
		["duration", `P${"1".repeat(1_000_000)}W`],
		["hostname", "a".repeat(1_000_000)],
		["ipv4", "1.".repeat(500_000)],
		["ipv6", ":1".repeat(500_000)],
	];
	for (const [format, text] of formats) {
		test(`a long text of the format ${format}, ${text.slice(0, 12)}…`, () => {
			checkWithinLimits(about({ type: "string", format }), { list: text });
			const short = text.slice(0, 40);
			checkWithinLimits(about({ items: { type: "string", format } }), inside(new Array(50_000).fill(short)));
			checkWithinLimits(
				about({ contains: { type: "string", format } }),
				inside(new Array(50_000).fill(short)),
			);
			checkWithinLimits(about({ anyOf: times(90, () => ({ type: "string", format })) }), { list: text });
		});
	}

	test("long text with length limits", () => {
		const text = "😀".repeat(249_000).concat("x".repeat(2_000));
		const anyOf = times(90, () => ({ type: "string", maxLength: 250_000 }));
		checkWithinLimits(about({ anyOf }), { list: text });
		checkWithinLimits(about({ anyOf: times(90, () => ({ enum: [`${text}x`.slice(-20)] })) }), { list: text });
	});
});

describe("allows regular work", () => {
	test("1 MiB of objects, with room to spare", () => {
		const row = {
			type: "object",
			properties: {
				id: { type: "integer", minimum: 0 },
				name: { type: "string", minLength: 1, maxLength: 200 },
				email: { type: "string", format: "email" },
				state: { enum: ["new", "paid", "sent"] },
				note: { type: ["string", "null"] },
				lines: { type: "integer", default: 1 },
			},
			required: ["id", "name"],
			additionalProperties: false,
		};
		const rows = times(10_000, (index) => ({
			id: index,
			name: `Customer number ${index} of this list`,
			email: `customer-${index}@example.com`,
			state: "paid",
			note: null,
		}));
		assert.ok(JSON.stringify(rows).length > 1_000_000);
		const schema = { type: "object", properties: { rows: { type: "array", items: row } } };
		assert.deepEqual(checkWithinLimits(schema, { rows }), []);
		const meter = new Meter(MAX_NODE_UNITS);
		const type = compileSchema(schema);
		assert.ok(!("problem" in type));
		assert.ok(parseWithMeter(type, { rows }, meter).success);
		assert.ok(meter.left > MAX_NODE_UNITS / 2, `${meter.left} units left`);
	});
});

describe("limits the cost of compiling a schema", () => {
	const many = (count: number, $def: JsonObject, beside: JsonObject = {}): JsonObject => ({
		$defs: { a: $def },
		type: "object",
		properties: Object.fromEntries(times(count, (index) => [`p${index}`, { $ref: "#/$defs/a", ...beside }])),
	});
	const words = (count: number) => Object.fromEntries(times(count, (index) => [`k${index}`, 1]));
	const schemas: [name: string, schema: JsonObject][] = [
		[
			"many parts",
			{
				type: "object",
				properties: Object.fromEntries(
					times(998, (index) => [`p${index}`, { type: "string", description: "x".repeat(80) }]),
				),
			},
		],
		["many names", many(400, { type: "object", required: times(10_000, (index) => `n${index}`) })],
		["many values", many(400, { enum: times(12_000, (index) => index) })],
		["many objects", many(400, { enum: times(5_000, (index) => ({ a: index, b: {} })) })],
		[
			"a large default",
			many(400, { type: "array", items: { type: "integer" }, default: times(30_000, () => 1) }),
		],
		[
			"a large default that must be distinct",
			many(400, { uniqueItems: true, default: times(15_000, (index) => index) }),
		],
		["words beside references", many(400, words(10_000), { title: "x" })],
		[
			"a default for alternatives",
			{
				anyOf: times(99, () => ({ type: "array", items: { anyOf: [{ type: "integer" }] } })),
				default: times(50_000, () => 1),
			},
		],
		[
			"words beside a reference to nothing",
			{ ...many(400, { ...words(10_000), $ref: "#/definitions/b" }), definitions: { b: true } },
		],
		[
			"a long reference",
			{
				...many(400, { $ref: `#/definitions/${"b".repeat(55_000)}` }),
				definitions: { ["b".repeat(55_000)]: {} },
			},
		],
		["a long list of types", many(400, { type: times(12_000, () => "string") })],
		["one long value", { enum: ["x".repeat(130_000)] }],
	];
	for (const [name, schema] of schemas) {
		test(name, () => {
			assert.ok(JSON.stringify(schema).length < 131_072, `${JSON.stringify(schema).length}`);
			assertCpuMsBelow(50, () => compileSchema(schema));
		});
	}
});
