import assert from "node:assert/strict";
import type { TestContext } from "node:test";

/** Runs many attempts and reports their number, how many failed, and the duration. */
export async function tally(
	t: TestContext,
	what: string,
	tries: (count: (isRefused: boolean, about: string) => void) => Promise<void>,
): Promise<void> {
	const started = performance.now();
	const through: string[] = [];
	let tried = 0;
	await tries((isRefused, about) => {
		tried++;
		if (!isRefused) through.push(about);
	});
	const seconds = ((performance.now() - started) / 1000).toFixed(1);
	t.diagnostic(`${what}: tried ${tried}, kept from it ${tried - through.length}, ${seconds} s`);
	assert.deepEqual(through.slice(0, 8), []);
}
