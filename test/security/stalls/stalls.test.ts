import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CORPUS } from "./corpus.ts";
import { LIMITS, measure } from "./measure.ts";
import { World } from "./world.ts";

/** One case of each kind; `npm run test:stalls` runs them all. */
describe("no request blocks the others", () => {
	let world: World;

	before(async () => {
		world = await World.open();
	});

	after(() => world.close());

	for (const { name: family, cases } of CORPUS) {
		for (const one of cases.filter(({ isQuick }) => isQuick)) {
			test(`${family}: ${one.name}`, async (t) => {
				const [measured] = await measure(world, [one]);
				assert.deepEqual(measured?.problems, []);
				const { longestTurn = 0, memory = 0 } = measured ?? {};
				t.diagnostic(
					`a turn of ${Math.round(longestTurn)} of at most ${LIMITS.turnMs} ms, ${Math.round(memory)} of at most ${LIMITS.memoryMb} MB above idle`,
				);
			});
		}
	}
});

test("the corpus has cases of every family with unique names", () => {
	const names = CORPUS.flatMap(({ name, cases }) => cases.map((one) => `${name}: ${one.name}`));
	assert.ok(names.length > 300, `there are ${names.length}`);
	assert.equal(new Set(names).size, names.length);
	for (const { name, cases } of CORPUS)
		assert.ok(
			cases.some(({ isQuick }) => isQuick),
			name,
		);
});
