import { describe } from "node:test";
import { platforms } from "../conformance/platforms.ts";
import { bearers } from "./mcp-bearers.ts";
import { hostileBodies } from "./mcp-console-bodies.ts";
import { hostileMessages } from "./mcp-messages.ts";
import { secrets } from "./mcp-secrets.ts";
import { sharedService } from "./mcp-shared.ts";

for (const platform of platforms) {
	describe(`requests to the MCP server on ${platform.name}`, () => {
		const shared = sharedService(platform, {});
		bearers(shared);
		hostileMessages(shared);
		hostileBodies(shared);
		secrets(shared);
	});
}
