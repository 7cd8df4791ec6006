import type { Environment } from "../../platforms.ts";
import type { World } from "../../scenario.ts";

/** Restarts the default service with other settings temporarily, which is much cheaper than another service. */
export async function withSettings(
	world: World,
	settings: Environment,
	use: () => Promise<void>,
): Promise<void> {
	await world.target.restart(settings);
	try {
		await use();
	} finally {
		await world.target.restart({});
	}
}
