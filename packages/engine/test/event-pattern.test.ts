import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findEventPatternProblem, isEventMatch } from "../src/event-pattern.ts";

describe("an event pattern", () => {
	test("is dotted words, with * for whole words", () => {
		for (const good of [
			"order",
			"order.paid",
			"order.*",
			"*",
			"*.paid",
			"訂單.建立",
			"com.github.pull_request-x",
		]) {
			assert.equal(findEventPatternProblem(good), null, good);
		}
		for (const bad of ["", ".", "order.", "order..paid", "ord*", "order.**", "a b", "a\n", "x".repeat(129)]) {
			assert.notEqual(findEventPatternProblem(bad), null, bad);
		}
	});

	test("matches itself; * matches one word, at the end one or more", () => {
		const matches: [string, string, boolean][] = [
			["order.paid", "order.paid", true],
			["order.paid", "order.paid.late", false],
			["order.*", "order.paid", true],
			["order.*", "order.paid.late", true],
			["order.*", "order", false],
			["order.*", "orders.paid", false],
			["*.paid", "order.paid", true],
			["*.paid", "shop.order.paid", false],
			["*", "order.paid", true],
			["*.*.late", "order.paid.late", true],
		];
		for (const [pattern, type, expected] of matches) {
			assert.equal(isEventMatch(pattern, type), expected, `${pattern} ${type}`);
		}
	});
});
