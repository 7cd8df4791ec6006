import type { Issue } from "@tripline/contract/failures";

/** Describes why an input does not match the workflow's schema. Null if it matches. */
export function describeInputProblem(issues: readonly Issue[]): string | null {
	if (issues.length === 0) return null;
	const shown = issues
		.slice(0, 5)
		.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
	return `the input does not match input_schema: ${shown.join("; ")}`;
}
