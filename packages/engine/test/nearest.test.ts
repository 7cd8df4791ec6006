import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { didYouMean } from "../src/nearest.ts";

/** A direct implementation of the definition, without regard to speed. */
function distance(a: string, b: string): number {
	if (a === "" || b === "") return a.length + b.length;
	const [last, other] = [a.at(-1), b.at(-1)];
	const [shortA, shortB] = [a.slice(0, -1), b.slice(0, -1)];
	const costs = [
		distance(shortA, b) + 1,
		distance(a, shortB) + 1,
		distance(shortA, shortB) + (last === other ? 0 : 1),
	];
	if (a.length > 1 && b.length > 1 && last === b.at(-2) && a.at(-2) === other)
		costs.push(distance(a.slice(0, -2), b.slice(0, -2)) + 1);
	return Math.min(...costs);
}

describe("the suggestion for a name", () => {
	test("is the nearest name, if it is close enough", () => {
		const name = fc.string({ unit: fc.constantFrom("a", "b", "C"), maxLength: 6 });
		fc.assert(
			fc.property(name, fc.array(name, { maxLength: 4 }), (given, names) => {
				const limit = Math.min(4, Math.floor((given.length + 1) / 3));
				const far = (one: string) => distance(given.toLowerCase(), one.toLowerCase());
				const near = names.filter((one) => one !== given && far(one) <= limit);
				const [nearest] = near.sort((a, b) => far(a) - far(b));
				assert.equal(
					didYouMean(given, names),
					nearest === undefined ? undefined : `Did you mean "${nearest}"?`,
				);
			}),
			{ numRuns: 300 },
		);
	});

	test("is found among as many names as a workflow may have", () => {
		const names = Array.from({ length: 1_000 }, (_, index) => `summarise order ${9_999 - index}`);
		assert.equal(didYouMean("sumarise order 9000", names), 'Did you mean "summarise order 9000"?');
	});

	test("is omitted if searching takes too long", () => {
		const long = (first: string, index: number) => `${first}${"n".repeat(240)}${index}`;
		const names = Array.from({ length: 1_000 }, (_, index) => long("abcdef", 1_000 + index));
		assert.equal(didYouMean(long("ghijkl", 3_000), [...names, long("ghijkl", 3_001)]), undefined);
	});
});
