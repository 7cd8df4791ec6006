import { node } from "../platforms.ts";
import { runScenarios } from "../run.ts";
import { mcp } from "../scenarios/mcp.ts";

runScenarios(node, mcp);
