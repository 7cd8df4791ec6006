import { node } from "../platforms.ts";
import { runScenarios } from "../run.ts";
import { executorLong } from "../scenarios/executor.ts";

runScenarios(node, executorLong);
