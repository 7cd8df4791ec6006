import { workerd } from "../platforms.ts";
import { runScenarios } from "../run.ts";
import { isShort } from "../scenario.ts";
import { registry } from "../scenarios/registry.ts";

runScenarios(workerd, registry.filter(isShort));
