import type { Scenario } from "../scenario.ts";
import { bearers } from "./mcp/bearers.ts";
import { protocol } from "./mcp/protocol.ts";
import { reading } from "./mcp/reading.ts";
import { refusals } from "./mcp/refusals.ts";

export const mcp: readonly Scenario[] = [...refusals, ...bearers, ...protocol, ...reading];
