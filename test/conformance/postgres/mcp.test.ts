import { postgres } from "../postgres.ts";
import { runScenarios } from "../run.ts";
import { mcp } from "../scenarios/mcp.ts";

runScenarios(postgres, mcp);
