import { after, describe, test } from "node:test";
import type { Platform, Target } from "./platforms.ts";
import { type Scenario, worldOf } from "./scenario.ts";

/** One test per scenario. Scenarios with the same settings share a service, which stops after the last one. */
export function runScenarios(platform: Platform, scenarios: readonly Scenario[]): void {
	describe(platform.name, { concurrency: 1 }, () => {
		for (const [settings, sharing] of Map.groupBy(scenarios, settingsOf)) {
			describe(settings, { concurrency: 1 }, () => {
				let target: Promise<Target> | undefined;
				after(async () => (await target)?.close());

				for (const scenario of sharing) {
					test(scenario.name, async () => {
						target ??= platform.start(scenario.environment ?? {});
						try {
							await scenario.run(worldOf(await target));
						} finally {
							await (await target).setNow(null);
						}
					});
				}
			});
		}
	});
}

const settingsOf = ({ environment = {} }: Scenario): string =>
	Object.keys(environment).length === 0 ? "no settings" : JSON.stringify(environment);
