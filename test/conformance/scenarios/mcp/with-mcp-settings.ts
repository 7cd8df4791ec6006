import type { Environment } from "../../platforms.ts";
import type { World } from "../../scenario.ts";
import { MCP_ENVIRONMENT } from "./login.ts";

/** Restarts the scenarios' common service with further settings for a while: much cheaper than one more service. */
export async function withMcpSettings(
	world: World,
	settings: Environment,
	use: () => Promise<void>,
): Promise<void> {
	await world.target.restart({ ...MCP_ENVIRONMENT, ...settings });
	try {
		await use();
	} finally {
		await world.target.restart(MCP_ENVIRONMENT);
	}
}
