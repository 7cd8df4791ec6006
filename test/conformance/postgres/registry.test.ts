import { postgres } from "../postgres.ts";
import { runScenarios } from "../run.ts";
import { registry } from "../scenarios/registry.ts";

runScenarios(postgres, registry);
