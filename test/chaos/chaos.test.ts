import assert from "node:assert/strict";
import { test } from "node:test";
import { runChaos } from "./chaos.ts";
import { renderSummary } from "./summary.ts";

/** Long enough for every kind of fault; `npm run test:chaos` goes on for much longer. */
const KILLS = 3;
const CRASHES = 1;

test("while processes and the database fail, nothing acknowledged is lost, repeated or mixed up", async (context) => {
	const seed = Date.now() % 1_000_000;
	context.diagnostic(`seed ${seed}`);
	const result = await runChaos({ kills: KILLS, crashes: CRASHES, maxMinutes: 1, seed, report() {} });
	const summary = renderSummary(result);
	for (const line of summary.split("\n")) context.diagnostic(line);
	assert.equal(result.violations.length, 0, `seed ${seed}\n${summary}`);
});
