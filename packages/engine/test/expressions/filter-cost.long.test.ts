import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import { compileText } from "../../src/expressions/compile-text.ts";
import { TooMuchWork } from "../../src/meter.ts";
import { assertCompiled, createFrame, createMeter, createNames } from "./evaluate.ts";

/** How many times a node may apply the filters to one value. */
function countUses(filters: string, value: Json): number {
	const meter = createMeter();
	const evaluate = assertCompiled(
		compileText(`{{v | ${filters}}}`, createNames({ v: value }), createMeter()),
	);
	for (let uses = 0; ; uses++) {
		try {
			evaluate(createFrame(meter));
		} catch (error) {
			assert.ok(error instanceof TooMuchWork, String(error));
			return uses;
		}
	}
}

const MIB = 1_048_576;
const numbers = Array.from({ length: 100_000 }, (_, at) => at);
const names = Object.fromEntries(numbers.slice(0, 60_000).map((at) => [`k${at}`, 1]));

describe("a filter's cost limits how much data a node may process", () => {
	// Measured: each takes at most 150 ms for that many uses.
	const cases: [filters: string, what: string, value: Json, least: number, most: number][] = [
		["json", "plain text", "x".repeat(MIB - 2), 10, 20],
		["json", "characters that are escaped", "\n".repeat(MIB / 2 - 2), 5, 15],
		["json", "lists in a list", Array.from({ length: 100_000 }, () => []), 4, 8],
		["json", "many names", names, 2, 4],
		["parse_json", "a list", JSON.stringify(numbers), 3, 6],
		["join(',')", "numbers", numbers, 3, 6],
		["split('a')", "pieces", "a".repeat(100_000), 10, 15],
		["split('')", "characters", "x".repeat(100_000), 20, 30],
		["length", "text", "x".repeat(MIB), 30, 50],
		["slice(1)", "a list", numbers, 40, 60],
		["keys", "an object", names, 5, 10],
		["trim", "spaces", " ".repeat(MIB), 30, 50],
		["base64", "text", "x".repeat(MIB / 2), 10, 15],
		["from_base64", "text", "x".repeat(MIB / 2), 3, 6],
		["sha256", "text", "x".repeat(MIB), 4, 8],
		["sha256", "text of three bytes a character", "€".repeat(MIB / 4), 6, 10],
		["replace('a', 'b')", "matches", "a".repeat(MIB), 1, 3],
		["replace('ab', 'b')", "text without a match", "x".repeat(MIB), 20, 40],
		["html", "characters that are escaped", '"'.repeat(MIB / 8), 4, 8],
		["html", "plain text", "x".repeat(MIB), 15, 25],
		["number", "spaces", `${" ".repeat(MIB)}1`, 30, 50],
		["text", "a list", numbers, 5, 15],
		["unique", "numbers", numbers, 8, 15],
		["unique", "small objects", numbers.slice(0, 10_000).map((id) => ({ name: "x", id })), 3, 10],
		["sum", "numbers", numbers, 20, 30],
		["min", "numbers", numbers, 20, 30],
		["max", "numbers", numbers, 20, 30],
		["pluck('id')", "objects", numbers.map((id) => ({ id })), 10, 15],
		["entries", "an object", names, 4, 8],
	];
	for (const [filters, what, value, least, most] of cases)
		test(`${filters} of ${what}`, () => {
			const uses = countUses(filters, value);
			assert.ok(uses >= least && uses <= most, `${uses} times`);
		});
});

describe("counts the bytes that a filter creates, not those it passes through", () => {
	const large = "x".repeat(10_000);
	const cases: [text: string, least: number, most: number][] = [
		["{{v.text}}", 0, 0],
		["{{v.list | first}}", 0, 0],
		["{{v.text | json}}", 20_000, 20_100],
		["<{{v.text}}>", 20_000, 20_100],
		["{{v.text | upper}}", 20_000, 20_100],
		["{{v.list | slice(0)}}", 8_000, 8_000],
		["{{v.list | join('')}}", 20_000, 20_100],
		["{{v.text | replace('a', 'b')}}", 20_000, 20_100],
		["{{v.text | html}}", 20_000, 20_100],
		["{{v.text | text}}", 0, 0],
		["{{v.list | unique}}", 8, 8],
		["{{v | entries}}", 90, 100],
	];
	for (const [text, least, most] of cases)
		test(text, () => {
			const meter = createMeter();
			const data = { v: { text: large, list: Array(1_000).fill("0123456789") } };
			assertCompiled(compileText(text, createNames(data), createMeter()))(createFrame(meter));
			const made = meter.takeBytes();
			assert.ok(made >= least && made <= most, `${made} bytes`);
		});
});
