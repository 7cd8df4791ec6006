import { workerd } from "../platforms.ts";
import { runScenarios } from "../run.ts";
import { registry } from "../scenarios/registry.ts";

runScenarios(workerd, registry);
