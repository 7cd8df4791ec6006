import type { Plan } from "./plan.ts";
import { Execution } from "./run/execution.ts";
import type { RunOptions } from "./run/options.ts";
import type { Outcome } from "./run/outcome.ts";

/** Returns synchronously if every component did. Never throws and never rejects. */
export function run<Effects>(plan: Plan<Effects>, options: RunOptions<Effects>): Outcome | Promise<Outcome> {
	return new Execution(plan, options).begin();
}
