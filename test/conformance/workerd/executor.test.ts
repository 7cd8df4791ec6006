import { workerd } from "../platforms.ts";
import { runScenarios } from "../run.ts";
import { executor } from "../scenarios/executor.ts";

runScenarios(workerd, executor);
