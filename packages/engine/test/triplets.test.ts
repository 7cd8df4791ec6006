import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { GraphEdge } from "@tripline/contract/workflows";
import fc from "fast-check";
import { anyCharacter } from "../../../test/any-character.ts";
import { formatTriplet, type ReadTriplet, readTriplet } from "../src/triplets.ts";

const readHint = (problem: ReadTriplet["problem"]): string =>
	(typeof problem?.hint === "function" ? problem.hint() : problem?.hint) ?? "";

const readEdge = (text: string) => readTriplet(text).edge;
const readCondition = (relation: string) => {
	const { edge, problem } = readTriplet(`a >> ${relation} >> b`);
	assert.equal(problem, undefined, relation);
	const { from: _from, to: _to, ...condition } = edge as GraphEdge;
	return condition;
};

describe("a triplet", () => {
	test("is subject, relation and object, trimmed", () => {
		assert.deepEqual(readEdge("  fetch orders>>ON_SUCCESS >>  寄信 "), {
			from: "fetch orders",
			to: "寄信",
			on: "ON_SUCCESS",
		});
	});

	test("accepts every relation and alias in any letter case", () => {
		const words: [string, string[]][] = [
			["ON_SUCCESS", ["ON_SUCCESS", "on_success", "then", "THEN", "完成後"]],
			["ON_FAIL", ["ON_FAIL", "on error", "On_Error", "on  error", "失敗時"]],
			["ALWAYS", ["ALWAYS", "Finally"]],
			["ON_TRUE", ["ON_TRUE", "if true", "IF TRUE"]],
			["ON_FALSE", ["ON_FALSE", "if false"]],
			["DEFAULT", ["DEFAULT", "default"]],
		];
		for (const [on, aliases] of words) {
			for (const alias of aliases) assert.deepEqual(readCondition(alias), { on }, alias);
		}
	});

	test("keeps the value of a CASE as written", () => {
		assert.deepEqual(readCondition("CASE paid"), { on: "CASE", value: "paid" });
		assert.deepEqual(readCondition("case  Fully Paid"), { on: "CASE", value: "Fully Paid" });
		assert.deepEqual(readCondition('CASE ""'), { on: "CASE", value: "" });
		assert.deepEqual(readCondition('CASE " a "'), { on: "CASE", value: " a " });
		assert.deepEqual(readCondition('CASE "open'), { on: "CASE", value: '"open' });
	});

	test("names the element of a FOREACH", () => {
		for (const relation of [
			"FOREACH order",
			"for each order",
			"For Each  order",
			"對每個 order",
			"對每個order",
		]) {
			assert.deepEqual(readCondition(relation), { on: "FOREACH", as: "order" }, relation);
		}
	});

	test("with an unknown relation suggests the nearest, at its offset", () => {
		const { problem, edge } = readTriplet("fetch >> ON_SUCESS >> report");
		assert.deepEqual(
			[problem?.code, problem?.message, problem?.offset, readHint(problem)],
			["unknown_relation", 'unknown relation "ON_SUCESS"', 9, 'Did you mean "ON_SUCCESS"?'],
		);
		assert.deepEqual([edge?.from, edge?.to], ["fetch", "report"]);
		assert.match(readHint(readTriplet("a >> whenever >> b").problem), /ON_SUCCESS.*FOREACH <name>/);
	});

	test("that is malformed is reported with the problem and its offset", () => {
		const problems: [string, number, RegExp][] = [
			["", 0, /empty/],
			["a", 1, /three parts, this one has 1/],
			["a >> b", 6, /three parts, this one has 2/],
			["a >> then >> b >> then >> c", 18, /three parts, this one has 5/],
			[">> then >> b", 0, /subject must not be empty/],
			["a >> then >>  ", 14, /object must not be empty/],
			["a >>  >> b", 6, /relation is empty/],
			["a >> CASE >> b", 5, /CASE needs/],
			["a >> FOREACH >> b", 5, /FOREACH needs/],
			[`${"x".repeat(257)} >> then >> b`, 0, /at most 256/],
			["a\u0007 >> then >> b", 0, /control characters/],
		];
		for (const [text, offset, message] of problems) {
			const { problem } = readTriplet(text);
			assert.equal(problem?.code, "bad_triplet", text);
			assert.match(problem?.message ?? "", message);
			assert.equal(problem?.offset, offset, text);
		}
	});

	test("that is formatted and read again is the same edge", () => {
		const name = fc
			.string({ unit: anyCharacter, minLength: 1, maxLength: 30 })
			.map((text) => text.trim())
			.filter((text) => text !== "" && !text.includes(">>") && !/\p{Cc}/u.test(text));
		const on = fc.constantFrom("ON_SUCCESS", "ON_FAIL", "ALWAYS", "ON_TRUE", "ON_FALSE", "DEFAULT");
		const value = fc.oneof(
			fc.string({ unit: anyCharacter }),
			fc.constantFrom("", " ", ">>", '"', "a\nb", ">"),
		);
		const condition = fc.oneof(
			on.map((on) => ({ on })),
			value.map((value) => ({ on: "CASE" as const, value })),
			fc.stringMatching(/^[a-z_]\w{0,9}$/).map((as) => ({ on: "FOREACH" as const, as })),
		);
		const edge = fc.tuple(name, name, condition).map(([from, to, condition]) => ({ from, to, ...condition }));
		fc.assert(fc.property(edge, (edge) => assert.deepEqual(readEdge(formatTriplet(edge)), edge)));
	});

	test("reads any text without throwing", () => {
		fc.assert(
			fc.property(fc.string({ unit: anyCharacter }), (text) => {
				const { edge, problem } = readTriplet(text);
				assert.ok(edge !== undefined || problem !== undefined);
				assert.ok(problem === undefined || (problem.offset >= 0 && problem.offset <= text.length));
			}),
		);
	});
});
