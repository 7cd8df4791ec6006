import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { startWorkers } from "../workerd.ts";
import { fixtures } from "./fixtures.ts";
import { type Listener, listen } from "./listener.ts";
import { NOT_APPLICABLE } from "./not-applicable.ts";
import { type Revision, runSuite, type Scenario } from "./suite.ts";

/** How many scenarios must pass, so that a suite that did not run is noticed. */
const MIN_PASSING: Readonly<Record<Revision, number>> = { "2026-07-28": 26, "2025-11-25": 22 };

const PLATFORMS: Readonly<Record<string, () => Promise<Listener>>> = {
	Node: () => listen(fixtures),
	async workerd() {
		const entry = fileURLToPath(new URL("fixtures.worker.ts", import.meta.url));
		const { miniflare, getUrl } = await startWorkers([{ name: "fixtures", entry }]);
		return { url: `${await getUrl("fixtures")}/mcp`, close: () => miniflare.dispose() };
	},
};

for (const [platform, start] of Object.entries(PLATFORMS)) {
	describe(`the official conformance suite on ${platform}`, () => {
		let listener: Listener;
		before(async () => {
			listener = await start();
		});
		after(() => listener.close());

		for (const revision of ["2026-07-28", "2025-11-25"] as const) {
			test(`passes for ${revision}, except for what does not apply`, async (t) => {
				const scenarios = await runSuite(listener.url, revision);
				const passed = [...scenarios].filter(([, { outcome }]) => outcome === "passed");
				const others = [...scenarios].filter(([, { outcome }]) => outcome !== "passed");
				if (!isDeepStrictEqual(listOutcomes(others, revision), listForeseen(revision)))
					t.diagnostic(describeScenarios(others));
				assert.deepEqual(listOutcomes(others, revision), listForeseen(revision));
				assert.equal(passed.length, MIN_PASSING[revision]);
				t.diagnostic(`${passed.length} scenarios passed, ${others.length} do not apply`);
			});
		}
	});
}

type Named = readonly [string, Scenario];

const listOutcomes = (scenarios: readonly Named[], revision: Revision) =>
	Object.fromEntries(
		scenarios.map(([name, { outcome, failed }]) => {
			const isInPart = NOT_APPLICABLE[revision][name]?.[2] !== undefined;
			return [name, isInPart ? [outcome, ...failed] : [outcome]];
		}),
	);

const listForeseen = (revision: Revision) =>
	Object.fromEntries(
		Object.entries(NOT_APPLICABLE[revision]).map(([name, [outcome, , checks = []]]) => [
			name,
			[outcome, ...checks],
		]),
	);

const describeScenarios = (scenarios: readonly Named[]): string =>
	scenarios.map(([name, { outcome, said }]) => `${name} ${outcome}: ${said.join("; ")}`).join("\n");
