import { node } from "../platforms.ts";
import { runScenarios } from "../run.ts";
import { registry } from "../scenarios/registry.ts";

runScenarios(node, registry);
