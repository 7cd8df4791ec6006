import { node } from "../platforms.ts";
import { runScenarios } from "../run.ts";
import { executorBackground } from "../scenarios/executor.ts";

runScenarios(node, executorBackground);
