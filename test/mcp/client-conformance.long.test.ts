import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { node, type Target } from "../conformance/platforms.ts";
import { CLIENT_NOT_APPLICABLE } from "./client-not-applicable.ts";
import { type Revision, runClientSuite } from "./suite.ts";

/** How many scenarios must pass, so that a suite that did not run is noticed. */
const MIN_PASSING: Readonly<Record<Revision, number>> = { "2026-07-28": 32, "2025-11-25": 18 };
/** A service allows an address only so many sign-ins in a minute. */
const SERVICES = 3;

describe("the official conformance suite for clients", () => {
	let targets: Target[];
	before(async () => {
		const start = () => node.start({ ALLOW_PRIVATE_HOSTS: "localhost" });
		targets = await Promise.all(Array.from({ length: SERVICES }, start));
	});
	after(() => Promise.all(targets.map((target) => target.close())));

	for (const revision of ["2026-07-28", "2025-11-25"] as const) {
		test(`passes for ${revision}, except for what does not apply`, async (t) => {
			const env = { TRIPLINE_URLS: targets.map(({ publicUrl }) => publicUrl).join(" ") };
			const scenarios = await runClientSuite(import.meta.resolve("./client-driver.ts"), revision, env);
			const others = [...scenarios].filter(([, { outcome }]) => outcome !== "passed");
			for (const [name, { outcome, said }] of others) t.diagnostic(`${name} ${outcome}: ${said.join("; ")}`);
			assert.deepEqual(
				Object.fromEntries(others.map(([name, { outcome }]) => [name, outcome])),
				Object.fromEntries(
					Object.entries(CLIENT_NOT_APPLICABLE[revision]).map(([name, [outcome]]) => [name, outcome]),
				),
			);
			assert.equal(scenarios.size - others.length, MIN_PASSING[revision]);
		});
	}
});
