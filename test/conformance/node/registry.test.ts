import { node } from "../platforms.ts";
import { runScenarios } from "../run.ts";
import { isShort } from "../scenario.ts";
import { registry } from "../scenarios/registry.ts";

runScenarios(node, registry.filter(isShort));
