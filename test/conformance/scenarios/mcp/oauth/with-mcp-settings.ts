import type { Environment } from "../../../platforms.ts";
import type { World } from "../../../scenario.ts";
import { MCP_ENVIRONMENT } from "../login.ts";
import { withRestart } from "../settings.ts";

/** Adds settings temporarily. */
export const withMcpSettings = (
	world: World,
	settings: Environment,
	use: () => Promise<void>,
): Promise<void> => withRestart(world, MCP_ENVIRONMENT, { ...MCP_ENVIRONMENT, ...settings }, use);
