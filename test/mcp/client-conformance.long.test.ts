import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { platforms, type Target } from "../conformance/platforms.ts";
import { CLIENT_NOT_APPLICABLE } from "./client-not-applicable.ts";
import { type Revision, runClientSuite } from "./suite.ts";

/** How many scenarios must pass, so that a suite that did not run is noticed. */
const MIN_PASSING: Readonly<Record<Revision, number>> = { "2026-07-28": 32, "2025-11-25": 18 };
/** A service allows an address only so many sign-ins in a minute. */
const SERVICES = 3;
const SETTINGS = { ALLOW_PRIVATE_HOSTS: "localhost" };

for (const platform of platforms)
	describe(`the official conformance suite for clients, ${platform.name}`, () => {
		let targets: Target[];
		before(async () => {
			targets = await Promise.all(Array.from({ length: SERVICES }, start));
		});
		const start = async () => {
			const target = await platform.start(SETTINGS);
			// A worker does not know its own address.
			if (target.isolatesRequests) await target.restart({ ...SETTINGS, BASE_URL: target.publicUrl });
			return target;
		};
		after(() => Promise.all(targets.map((target) => target.close())));

		for (const revision of ["2026-07-28", "2025-11-25"] as const) {
			test(`passes for ${revision}, except for what does not apply`, async (t) => {
				const env = {
					TRIPLINE_URLS: targets.map(({ publicUrl }) => publicUrl).join(" "),
					// workerd and its peers close connections that the other side still uses.
					TRIPLINE_TRIES: targets[0]?.isolatesRequests === true ? "3" : "1",
				};
				const scenarios = await runClientSuite(import.meta.resolve("./client-driver.ts"), revision, env);
				const others = [...scenarios].filter(([, { outcome }]) => outcome !== "passed");
				for (const [name, { outcome, said }] of others)
					t.diagnostic(`${name} ${outcome}: ${said.join("; ")}`);
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
