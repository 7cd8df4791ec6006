import type { Scenario } from "../scenario.ts";
import { bearers } from "./mcp/bearers.ts";
import { refusals } from "./mcp/refusals.ts";

export const mcp: readonly Scenario[] = [...refusals, ...bearers];
