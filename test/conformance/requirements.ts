import { cli } from "./requirements/cli.ts";
import { executor } from "./requirements/executor.ts";
import { knowledge } from "./requirements/knowledge.ts";
import { mcp } from "./requirements/mcp.ts";
import { registry } from "./requirements/registry.ts";
import { store } from "./requirements/store.ts";

export type Service = "store" | "knowledge" | "executor" | "mcp" | "registry" | "cli";

export interface Requirement {
	readonly id: string;
	readonly service: Service;
	readonly section: string;
	readonly statement: string;
}

export const requirements = [
	...store,
	...knowledge,
	...executor,
	...mcp,
	...registry,
	...cli,
] as const satisfies readonly Requirement[];

export type RequirementId = (typeof requirements)[number]["id"];
