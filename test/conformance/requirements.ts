import type { Requirement } from "./requirement.ts";
import { cli } from "./requirements/cli.ts";
import { executor } from "./requirements/executor.ts";
import { knowledge } from "./requirements/knowledge.ts";
import { mcp } from "./requirements/mcp.ts";
import { registry } from "./requirements/registry.ts";
import { store } from "./requirements/store.ts";

export const requirements = [
	...store,
	...knowledge,
	...executor,
	...mcp,
	...registry,
	...cli,
] as const satisfies readonly Requirement[];

export type RequirementId = (typeof requirements)[number]["id"];
