import type { Scenario } from "./scenario.ts";
import { executor, executorBackground } from "./scenarios/executor.ts";
import { mcp } from "./scenarios/mcp.ts";
import { registry } from "./scenarios/registry.ts";
import { store } from "./scenarios/store.ts";

export const scenarios: readonly Scenario[] = [
	...store,
	...executor,
	...executorBackground,
	...mcp,
	...registry,
];
