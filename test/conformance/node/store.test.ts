import { node } from "../platforms.ts";
import { runScenarios } from "../run.ts";
import { store } from "../scenarios/store.ts";

runScenarios(node, store);
