import { postgres } from "../postgres.ts";
import { runScenarios } from "../run.ts";
import { executorBackground } from "../scenarios/executor.ts";

runScenarios(postgres, executorBackground);
