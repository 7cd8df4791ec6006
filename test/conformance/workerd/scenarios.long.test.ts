import { workerd } from "../platforms.ts";
import { runScenarios } from "../run.ts";
import { isLong } from "../scenario.ts";
import { scenarios } from "../scenarios.ts";

runScenarios(workerd, scenarios.filter(isLong));
