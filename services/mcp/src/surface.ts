import { INSTRUCTIONS } from "./guide/instructions.ts";
import { prompts } from "./prompts/prompts.ts";
import type { Surface } from "./protocol/surface.ts";
import { resources } from "./resources/resources.ts";
import { findTenantTool, listTenantTools } from "./tools/exposed.ts";
import { tools } from "./tools/tools.ts";

/** Everything that an assistant sees of a tenant. */
export const surface: Surface = {
	instructions: INSTRUCTIONS,
	tools,
	listTenantTools,
	findTenantTool,
	resources,
	prompts,
};
