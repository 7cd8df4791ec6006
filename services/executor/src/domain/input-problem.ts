import type { Issue } from "@tripline/contract/failures";

/** What keeps a workflow from running with an input that does not fit its schema; null: it fits. */
export function inputProblem(issues: readonly Issue[]): string | null {
	if (issues.length === 0) return null;
	const shown = issues
		.slice(0, 5)
		.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
	return `the input does not fit input_schema: ${shown.join("; ")}`;
}
