import { platforms } from "./platforms.ts";
import { runScenarios } from "./run.ts";
import { scenarios } from "./scenarios.ts";

for (const platform of platforms) runScenarios(platform, scenarios);
