import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import fc from "fast-check";
import { anyCharacter } from "../../../../test/any-character.ts";
import {
	buildWithin,
	createFitter,
	fit,
	MIN_BUDGET,
	shorten,
	takeBeginning,
	takeFitting,
} from "../../src/tools/budget.ts";
import { selectPart } from "../../src/tools/select.ts";

const text = fc.oneof(
	fc.string(),
	fc.string({ unit: anyCharacter, maxLength: 200 }),
	fc.constantFrom("\ud800", "😀".repeat(50)),
);
const json = fc.letrec<{ value: Json }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 6, withCrossShrink: true },
		fc.oneof(text, fc.double(), fc.boolean(), fc.constant(null)),
		fc.array(tie("value"), { maxLength: 30 }),
		fc.dictionary(fc.oneof(text, fc.constantFrom("__proto__", "…", "constructor")), tie("value"), {
			maxKeys: 20,
		}),
	),
})).value as fc.Arbitrary<Json>;
const room = fc.integer({ min: MIN_BUDGET, max: 3_000 });

describe("fit", () => {
	test("keeps every value within its budget, as valid JSON", () => {
		fc.assert(
			fc.property(json, room, (value, most) => {
				const whole = JSON.stringify(value);
				const fitted = fit(value, most);
				const told = JSON.stringify(fitted.value);
				assert.ok(told.length <= most, `${told.length} of ${most}`);
				JSON.parse(told);
				assert.equal(fitted.total_chars, whole.length);
				assert.equal(fitted.truncated, whole.length > most);
				if (!fitted.truncated) assert.equal(told, whole);
				assert.ok(fitted.omitted.length <= 20);
			}),
			{ numRuns: 500 },
		);
	});

	test("is deterministic, and leaves values that fit unchanged", () => {
		fc.assert(
			fc.property(json, room, (value, most) => {
				const fitted = fit(value, most);
				assert.deepEqual(fit(value, most), fitted);
				assert.deepEqual(fit(fitted.value, most).value, fitted.value);
			}),
		);
	});

	test("names omitted parts by paths that select accepts", () => {
		fc.assert(
			fc.property(json, room, (value, most) => {
				for (const { path, kind, kept, total } of fit(value, most).omitted) {
					const part = selectPart(value, path).value;
					assert.ok(kept < total);
					const length =
						typeof part === "string" || Array.isArray(part)
							? part.length
							: Object.keys(part as object).length;
					assert.equal(length, total);
					assert.equal(typeof part === "string" ? "text" : Array.isArray(part) ? "list" : "object", kind);
				}
			}),
		);
	});

	test("cuts texts with a marker, keeps the first elements of a list, and divides an object's room among its keys", () => {
		const value = {
			id: 7,
			text: "x".repeat(1_000),
			list: Array.from({ length: 100 }, (_, nth) => nth),
			last: "end",
		};
		const { value: told, omitted } = fit(value, 400);
		const { id, text: cut, list, last } = told as { id: number; text: string; list: Json[]; last: string };
		assert.deepEqual([id, last], [7, "end"]);
		assert.match(cut, /^x{50,}… \[\d+ of 1000 characters\]$/);
		assert.deepEqual(list.slice(0, 3), [0, 1, 2]);
		assert.match(String(list.at(-1)), /^… \d+ more$/);
		assert.deepEqual(
			omitted.map(({ path, kind, total }) => [path, kind, total]),
			[
				["text", "text", 1_000],
				["list", "list", 100],
			],
		);
	});

	test("replaces values below the maximum depth, however deep they are", () => {
		let deep: Json = "bottom";
		for (let level = 0; level < 100; level++) deep = { a: [deep] };
		const { value, truncated } = fit(deep, 20_000);
		assert.equal(truncated, true);
		assert.match(JSON.stringify(value), /omitted/);
		assert.doesNotMatch(JSON.stringify(value), /bottom/);
		let deeper: Json = 1;
		for (let level = 0; level < 200_000; level++) deeper = [deeper];
		assert.equal(fit(deeper, 1_000).truncated, true);
	});

	test("keeps the key __proto__", () => {
		const value = JSON.parse(`{"__proto__":{"polluted":1},"long":"${"x".repeat(500)}"}`) as Json;
		const told = fit(value, 200).value as object;
		assert.deepEqual(Object.keys(told), ["__proto__", "long"]);
		assert.equal(Object.getPrototypeOf(told), Object.prototype);
	});

	test("lists the keys of a large object once, however often it is shortened", () => {
		let listings = 0;
		const target: Record<string, Json> = {};
		for (let nth = 0; nth < 2_000; nth++) target[`key ${nth}`] = nth;
		const value = new Proxy(target, {
			ownKeys(keys) {
				listings++;
				return Reflect.ownKeys(keys);
			},
		});
		const fitIn = createFitter({ value }, { path: "", first: 0 });
		const before = listings;
		for (const most of [2_000, 1_500, 1_000]) assert.equal(fitIn(most).truncated, true);
		assert.equal(listings, before);
	});

	test("keeps each budget when a value is shortened again", () => {
		fc.assert(
			fc.property(json, room, room, (value, first, second) => {
				const fitIn = createFitter(value, { path: "", first: 0 });
				fitIn(first);
				const again = fitIn(second);
				assert.equal(again.truncated, fit(value, second).truncated);
				assert.ok(!again.truncated || JSON.stringify(again.value).length <= second);
			}),
		);
	});

	test("takes linear time", () => {
		const value = Array.from({ length: 40_000 }, (_, nth) => ({ nth, text: "x".repeat(80) }));
		const started = performance.now();
		fit({ value }, 20_000);
		assert.ok(performance.now() - started < 10_000);
	});
});

describe("texts within a budget", () => {
	test("takes the longest prefix that fits, and splits no character", () => {
		fc.assert(
			fc.property(text, fc.integer({ min: 2, max: 300 }), (value, most) => {
				const begun = takeBeginning(value, most);
				assert.ok(value.startsWith(begun));
				assert.ok(JSON.stringify(begun).length <= most);
				assert.equal(begun.isWellFormed() || !value.isWellFormed(), true);
				assert.ok(JSON.stringify(shorten(value, most)).length <= most + 2);
			}),
		);
	});

	test("takes as many elements of a list as fit", () => {
		fc.assert(
			fc.property(fc.array(json, { maxLength: 20 }), room, (items, most) => {
				const first = takeFitting(items, most);
				assert.ok(JSON.stringify(first).length <= most);
				if (first.length < items.length)
					assert.ok(JSON.stringify(items.slice(0, first.length + 1)).length >= most);
			}),
		);
	});

	test("rebuilds an answer with less room until it fits", () => {
		fc.assert(
			fc.property(json, fc.integer({ min: 1_000, max: 4_000 }), (value, most) => {
				const answer = buildWithin(most, (left) => ({ ...fit(value, left), next: "x".repeat(100) }));
				const overhead = JSON.stringify({ ...answer, value: null }).length;
				assert.ok(JSON.stringify(answer).length <= Math.max(most, overhead + MIN_BUDGET));
			}),
		);
	});
});
