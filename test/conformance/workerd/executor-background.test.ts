import { workerd } from "../platforms.ts";
import { runScenarios } from "../run.ts";
import { executorBackground } from "../scenarios/executor.ts";

runScenarios(workerd, executorBackground);
