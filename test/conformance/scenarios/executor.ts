import type { Scenario } from "../scenario.ts";

/** Everything about the executor. */
export const executor: readonly Scenario[] = [];
