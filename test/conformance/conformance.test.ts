import { after, describe, test } from "node:test";
import { platforms, type Target } from "./platforms.ts";
import { worldOf } from "./scenario.ts";
import { scenarios } from "./scenarios.ts";

for (const platform of platforms) {
	describe(platform.name, { concurrency: 1 }, () => {
		const started = new Map<string, Promise<Target>>();
		after(async () => {
			for (const target of started.values()) await (await target).close();
		});

		for (const scenario of scenarios) {
			test(scenario.name, async () => {
				const key = JSON.stringify(scenario.environment ?? {});
				const target = started.get(key) ?? platform.start(scenario.environment ?? {});
				started.set(key, target);
				try {
					await scenario.run(worldOf(await target));
				} finally {
					await (await target).setNow(null);
				}
			});
		}
	});
}
