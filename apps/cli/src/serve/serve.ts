import type { Invocation, Outcome } from "../command.ts";
import { runForeground } from "./program.ts";

export const run = (invocation: Invocation): Promise<Outcome> => runForeground(invocation, "service");
