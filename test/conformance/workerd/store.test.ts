import { workerd } from "../platforms.ts";
import { runScenarios } from "../run.ts";
import { store } from "../scenarios/store.ts";

runScenarios(workerd, store);
