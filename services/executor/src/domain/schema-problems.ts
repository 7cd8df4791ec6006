import type { Issue } from "@tripline/contract/failures";

/** Describes why an input does not match the workflow's schema. Null if it matches. */
export const describeInputProblem = (issues: readonly Issue[]): string | null =>
	issues.length === 0 ? null : `the input does not match input_schema: ${listIssues(issues)}`;

/** The same for the data of a run. */
export const describeOutputProblem = (issues: readonly Issue[]): string | null =>
	issues.length === 0 ? null : `result: does not match options.output_schema: ${listIssues(issues)}`;

const listIssues = (issues: readonly Issue[]): string =>
	issues
		.slice(0, 5)
		.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`))
		.join("; ");
