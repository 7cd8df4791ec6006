import type { Call, Reply, Route } from "@tripline/web/route";
import type { McpCaller } from "../../callers.ts";
import { componentRoutes } from "./components.ts";
import { connectRoutes } from "./connect.ts";
import { conversationRoutes } from "./conversations.ts";
import { credentialRoutes } from "./credentials.ts";
import { deletedWorkflowRoutes } from "./deleted-workflows.ts";
import { draftRoutes } from "./drafts.ts";
import { entryRoutes } from "./entries.ts";
import { executionRoutes } from "./executions.ts";
import { toGuiFailure } from "./failure.ts";
import { fileRoutes } from "./files.ts";
import { graphRoutes } from "./graph.ts";
import { graphStartRoutes } from "./graph-start.ts";
import { mcpServerRoutes } from "./mcp-servers.ts";
import { overviewRoutes } from "./overview.ts";
import type { GuiParts } from "./parts.ts";
import { questionRoutes } from "./questions.ts";
import { recipeRoutes } from "./recipes.ts";
import { registryRoutes } from "./registry.ts";
import { searchRoutes } from "./search.ts";
import { sessionRoutes } from "./session.ts";
import { statusRoutes } from "./status.ts";
import { tokenRoutes } from "./tokens.ts";
import { versionRoutes } from "./versions.ts";
import { workflowRoutes } from "./workflows.ts";

/** The console's API. It sees only the caller's namespace; anything else is not found. */
export const guiRoutes = (parts: GuiParts): Route<McpCaller>[] =>
	[
		...sessionRoutes(parts),
		...overviewRoutes(parts),
		...statusRoutes(parts),
		...workflowRoutes(parts),
		...versionRoutes(parts),
		...draftRoutes(parts),
		...deletedWorkflowRoutes(parts),
		...executionRoutes(parts),
		...questionRoutes(parts),
		...conversationRoutes(parts),
		...fileRoutes(parts),
		...entryRoutes(parts),
		...searchRoutes(parts),
		...graphRoutes(parts),
		...graphStartRoutes(parts),
		...componentRoutes(parts),
		...recipeRoutes(parts),
		...mcpServerRoutes(parts),
		...registryRoutes(parts),
		...credentialRoutes(parts),
		...tokenRoutes(parts),
		...connectRoutes(parts),
	].map(passOnFailures);

function passOnFailures(route: Route<McpCaller>): Route<McpCaller> {
	return { ...route, handle };

	async function handle(call: Call<McpCaller, never, never, never>): Promise<Reply | Response> {
		try {
			return await route.handle(call);
		} catch (error) {
			const failure = toGuiFailure(error);
			if (failure === null) throw error;
			return failure;
		}
	}
}
