import { node } from "../platforms.ts";
import { runScenarios } from "../run.ts";
import { isLong } from "../scenario.ts";
import { scenarios } from "../scenarios.ts";

runScenarios(node, scenarios.filter(isLong));
