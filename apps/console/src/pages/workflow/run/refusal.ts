/** Describes why the service rejected an input, by path; null if the error has another cause. */
export function describeRefusal(problem: Error | null): string | null {
	const answer = problem !== null && "answer" in problem ? (problem.answer as { issues?: unknown }) : {};
	if (!Array.isArray(answer.issues)) return null;
	const issues = answer.issues as readonly { readonly path?: string; readonly message?: string }[];
	const lines = issues.map(({ path = "", message = "" }) => (path === "" ? message : `${path}: ${message}`));
	return lines.length === 0 ? null : lines.join("\n");
}
