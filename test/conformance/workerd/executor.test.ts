import { workerd } from "../platforms.ts";
import { runScenarios } from "../run.ts";
import { isShort } from "../scenario.ts";
import { executor } from "../scenarios/executor.ts";

runScenarios(workerd, executor.filter(isShort));
