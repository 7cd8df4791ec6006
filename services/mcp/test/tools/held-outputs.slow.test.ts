import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { manualClock } from "../../../../packages/platform/test/contracts/contract.ts";
import { heldOutputs } from "../../src/tools/held-outputs.ts";

/** Takes 200 bytes: two for each character, quotes included. */
const repeatLetter = (letter: string): string => letter.repeat(98);

describe("held outputs", () => {
	test("returns held outputs to their own namespace only", async () => {
		const outputs = heldOutputs({ clock: manualClock(), maxBytes: 1_000, maxAgeMs: 1_000 });
		const output = { list: [1, "ä"] };
		outputs.hold("acme", "id", output);
		assert.deepEqual(await outputs.find("acme", "id"), output);
		assert.notEqual(await outputs.find("acme", "id"), output);
		assert.equal(await outputs.find("other", "id"), undefined);
		outputs.hold("acme", "null", null);
		assert.equal(await outputs.find("acme", "null"), null);
	});

	test("returns the size of an output, even if there is no room for it", async () => {
		const outputs = heldOutputs({ clock: manualClock(), maxBytes: 600, maxAgeMs: 1_000 });
		assert.equal(outputs.hold("acme", "id", { a: [1] }), 9);
		assert.equal(outputs.hold("acme", "large", "x".repeat(1_000)), 1_002);
	});

	test("evicts the least recently used output when there is no room", async () => {
		const outputs = heldOutputs({ clock: manualClock(), maxBytes: 600, maxAgeMs: 1_000 });
		for (const id of ["a", "b", "c"]) outputs.hold("acme", id, repeatLetter(id));
		await outputs.find("acme", "a");
		outputs.hold("acme", "d", repeatLetter("d"));
		const found = ["a", "b", "c", "d"].map(async (id) => (await outputs.find("acme", id)) !== undefined);
		assert.deepEqual(await Promise.all(found), [true, false, true, true]);
	});

	test("counts an output once even if it is held again", async () => {
		const outputs = heldOutputs({ clock: manualClock(), maxBytes: 600, maxAgeMs: 1_000 });
		for (let nth = 0; nth < 10; nth++) outputs.hold("acme", "same", repeatLetter("s"));
		outputs.hold("acme", "a", repeatLetter("a"));
		outputs.hold("acme", "b", repeatLetter("b"));
		for (const id of ["same", "a", "b"]) assert.ok((await outputs.find("acme", id)) !== undefined, id);
	});

	test("does not hold an output larger than the limit, and evicts nothing for it", async () => {
		const outputs = heldOutputs({ clock: manualClock(), maxBytes: 600, maxAgeMs: 1_000 });
		outputs.hold("acme", "small", repeatLetter("s"));
		outputs.hold("acme", "large", "x".repeat(1_000));
		assert.equal(await outputs.find("acme", "large"), undefined);
		assert.ok((await outputs.find("acme", "small")) !== undefined);
	});

	test("drops outputs after their time limit and frees their room", async () => {
		const clock = manualClock();
		const outputs = heldOutputs({ clock, maxBytes: 600, maxAgeMs: 1_000 });
		for (const id of ["a", "b", "c"]) outputs.hold("acme", id, repeatLetter(id));
		clock.advance(1_000);
		assert.equal(await outputs.find("acme", "a"), undefined);
		for (const id of ["d", "e", "f"]) outputs.hold("acme", id, repeatLetter(id));
		for (const id of ["d", "e", "f"]) assert.ok((await outputs.find("acme", id)) !== undefined, id);
	});
});
