import { postgres } from "../postgres.ts";
import { runScenarios } from "../run.ts";
import { executorLong } from "../scenarios/executor.ts";

runScenarios(postgres, executorLong);
