import { workerd } from "../platforms.ts";
import { runScenarios } from "../run.ts";
import { executorLong } from "../scenarios/executor.ts";

runScenarios(workerd, executorLong);
