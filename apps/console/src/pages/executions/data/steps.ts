import type { KeptNode } from "../../../api/types.ts";

type StepId = Pick<KeptNode, "place" | "attempt">;

/** Of all steps of one node. */
export const getStepKey = ({ place, attempt }: StepId): string => `${place} ${attempt}`;

/** The step that is shown at first: one that failed, or else one that was not retried. */
export const findFirstStep = <Step extends StepId & Pick<KeptNode, "status">>(
	steps: readonly Step[],
): Step | undefined =>
	steps.find(({ status }) => status === "failed") ??
	steps.find(({ status }) => status !== "retried") ??
	steps[0];
