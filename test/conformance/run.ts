import { after, describe, test } from "node:test";
import { node, type Platform, type Target } from "./platforms.ts";
import { createWorld, type Scenario } from "./scenario.ts";

/** One test per scenario. Scenarios with the same settings share a service, which stops after the last one. */
export function runScenarios(platform: Platform, scenarios: readonly Scenario[]): void {
	const fit = scenarios.filter(({ isOnlyOnNode = false }) => platform === node || !isOnlyOnNode);
	describe(platform.name, { concurrency: 1 }, () => {
		for (const [settings, sharing] of Map.groupBy(fit, renderSettings)) {
			describe(settings, { concurrency: 1 }, () => {
				let target: Promise<Target> | undefined;
				after(async () => (await target)?.close());

				for (const scenario of sharing) {
					test(scenario.name, async () => {
						target ??= platform.start(scenario.environment ?? {});
						try {
							await scenario.run(createWorld(await target));
						} finally {
							await (await target).setNow(null);
						}
					});
				}
			});
		}
	});
}

const renderSettings = ({ environment = {} }: Scenario): string =>
	Object.keys(environment).length === 0 ? "no settings" : JSON.stringify(environment);
