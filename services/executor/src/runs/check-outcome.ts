import type { CheckInput } from "@tripline/engine/input-schema";
import type { Outcome } from "@tripline/engine/run/outcome";
import { describeOutputProblem } from "../domain/schema-problems.ts";

/** A run fails if its data does not match the workflow's output schema, because callers rely on that schema. */
export function checkOutcome(outcome: Outcome, checkOutput: CheckInput | null): Outcome {
	if (checkOutput === null || !outcome.success) return outcome;
	const error = describeOutputProblem(checkOutput(outcome.data));
	return error === null ? outcome : { ...outcome, success: false, data: null, error };
}
