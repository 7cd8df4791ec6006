import { after, describe, test } from "node:test";
import { platforms, type Target } from "./platforms.ts";
import { worldOf } from "./scenario.ts";
import { oauth } from "./scenarios/mcp/oauth.ts";

for (const platform of platforms) {
	describe(platform.name, { concurrency: 1 }, () => {
		let target: Target;
		after(() => target.close());
		for (const scenario of oauth) {
			test(scenario.name, async () => {
				target ??= await platform.start(scenario.environment ?? {});
				try {
					await scenario.run(worldOf(target));
				} finally {
					await target.setNow(null);
				}
			});
		}
	});
}
