import { postgres } from "../postgres.ts";
import { runScenarios } from "../run.ts";
import { store } from "../scenarios/store.ts";

runScenarios(postgres, store);
