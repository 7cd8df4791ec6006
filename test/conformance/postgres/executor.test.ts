import { postgres } from "../postgres.ts";
import { runScenarios } from "../run.ts";
import { executor } from "../scenarios/executor.ts";

runScenarios(postgres, executor);
